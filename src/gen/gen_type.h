/* SPDX-License-Identifier: Apache-2.0 */
/* Types as source text, and the beginning of a call of a builtin. */
#ifndef WEFT_GEN_GEN_TYPE_H
#define WEFT_GEN_GEN_TYPE_H

#include "gen/gen_defs.h"

/* The type as an annotation or a dtype. A type without a name in Warp gets one in the file. */
void put_type(gen *g, gtype t);
/* Gives the type its name in the file, if it needs one, and writes nothing here. */
void declare_type(gen *g, gtype t);
/* "float(", "wp.vec3(": up to the bracket. The caller writes the rest. */
void put_cast(gen *g, gtype t);
void put_array_type(gen *g, gtype t, int rank);
/* "wp.NAME(". Counts the production with t: the type of the first argument, or of the result where
 * gen_builtin.def says so. put_prefix is for builtins without a type. */
void put_fn(gen *g, gen_fn fn, gtype t);
void put_prefix(gen *g, gen_fn fn);
void put_record_array_type(gen *g, const grecord *record, int rank);
gen_scalar integer_type(gen *g); /* drawn: int32 mostly */

#endif
