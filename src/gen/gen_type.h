/* Types as source text, and the beginning of a call of a builtin. */
#ifndef WEFT_GEN_GEN_TYPE_H
#define WEFT_GEN_GEN_TYPE_H

#include "gen/gen_defs.h"

void put_type(gen *g, gtype t);     /* as an annotation or a dtype */
void declare_type(gen *g, gtype t); /* gives it its name, if it needs one of the file's */
void put_cast(gen *g, gtype t);     /* "float(" and the like, up to the bracket */
void put_array_type(gen *g, gtype t, int rank);
void put_fn(gen *g, gen_fn fn, gtype t); /* "wp.NAME(", called with t (gen_builtin.def says how) */
void put_prefix(gen *g, gen_fn fn);      /* the same, for builtins without a type */
void put_record_array_type(gen *g, const grecord *record, int rank);
gen_scalar integer_type(gen *g); /* drawn: int32 mostly */

#endif
