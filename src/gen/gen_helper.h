/* What stands before the kernel: helper functions, structs, constants. Each is a range of bytes in
 * the text's head; what nothing has used when the kernel is done is left out of the file. */
#ifndef WEFT_GEN_GEN_HELPER_H
#define WEFT_GEN_GEN_HELPER_H

#include "gen/gen_defs.h"

/* --- gen_helper.c ------------------------------------------------------------------------- */
void helper_new(gen *g);
/* Another helper, NULL: there is no room. Of a struct, which comes before other parameters; that
 * makes a struct; of this name. */
ghelper *helper_of_record(gen *g, uint8_t record);
ghelper *helper_making_record(gen *g, uint8_t record);
ghelper *helper_plain(gen *g, str name, gtype t); /* from t, and perhaps more, to t */
/* A call; the struct that it takes is written as `record`. */
void helper_call(gen *g, ghelper *h, str record, int budget);
bool put_helper_call(gen *g, want w, int budget, bound *b);
void stmt_unpack(gen *g); /* a, b = helper(...), if there is such a helper */
/* Type(...), with a value for each field; and NAME = Type() with lines that set the fields. */
void put_construction(gen *g, const grecord *r);
/* May a helper be written now? */
bool can_add_helper(const gen *g);
void constant_new(gen *g);

/* --- gen_struct.c ------------------------------------------------------------------------- */
void struct_new(gen *g);
void struct_elements(gen *g);
gtype field_type(gen *g);

/* --- gen_record.c ------------------------------------------------------------------------- */
/* In a kernel's outermost block: a statement or some with structs, functions of structs, arrays of
 * structs; false: there is no room. */
bool stmt_record(gen *g, int space);
/* Writes what is asked for, if it is one of these. */
bool record_target(gen *g);
bool is_record_thing(int thing);

/* --- gen_overload.c ----------------------------------------------------------------------- */
/* Helpers of one name for two types, helpers for any type, each with its calls. */
bool stmt_overload(gen *g, int space);
bool overload_target(gen *g);
bool is_overload_thing(int thing);

#endif
