/* SPDX-License-Identifier: Apache-2.0 */
/* What stands before the kernel: helper functions, structs, constants. Each is a range of bytes in
 * the text's head; what nothing has used when the kernel is done is left out of the file. */
#ifndef WEFT_GEN_GEN_HELPER_H
#define WEFT_GEN_GEN_HELPER_H

#include "gen/gen_defs.h"

/* --- gen_helper.c ------------------------------------------------------------------------- */
/* Writes a helper function for the kernel to call; none if there are too many. */
void helper_new(gen *g);
/* These write a helper for a caller that uses it at once, and return it; NULL: there is no room. It
 * takes a struct before its other parameters; it makes a struct; it has this name and a parameter
 * and result of type t. */
ghelper *helper_of_record(gen *g, uint8_t record);
ghelper *helper_making_record(gen *g, uint8_t record);
ghelper *helper_plain(gen *g, str name, gtype t); /* from t, and perhaps more, to t */
/* A call of h with new arguments; the struct that it takes is written as `record`. */
void helper_call(gen *g, ghelper *h, str record, int budget);
/* A call of some helper whose result is within the want; false: there is none, and nothing is
 * written. */
bool put_helper_call(gen *g, want w, int budget, bound *b);
void stmt_unpack(gen *g); /* a, b = helper(...), if there is such a helper */
/* Type(...), with a value for each field; and NAME = Type() with lines that set the fields. */
void put_construction(gen *g, const grecord *r);
/* May a helper be written now? */
bool can_add_helper(const gen *g);
/* NAME = wp.constant(0.5) at the top of the file, as a variable in scope. */
void constant_new(gen *g);

/* --- gen_struct.c ------------------------------------------------------------------------- */
/* The struct of parameters that the kernel takes as an argument: its fields become variables. */
void struct_new(gen *g);
/* Its arrays become elements, once there are thread indexes. */
void struct_elements(gen *g);
/* Draws the type of a field. */
gtype field_type(gen *g);

/* --- gen_record.c ------------------------------------------------------------------------- */
/* In a kernel's outermost block: a statement or some with structs, functions of structs, arrays of
 * structs; false: there is no room. */
bool stmt_record(gen *g, int space);
/* Writes the target, if it is one of these; false: it is not, or there is no room. */
bool record_target(gen *g);
/* Does record_target write this thing? */
bool is_record_thing(int thing);

/* --- gen_overload.c ----------------------------------------------------------------------- */
/* Helpers of one name for two types, helpers for any type, each with its calls. */
bool stmt_overload(gen *g, int space);
bool overload_target(gen *g);
/* Does overload_target write this thing? */
bool is_overload_thing(int thing);

#endif
