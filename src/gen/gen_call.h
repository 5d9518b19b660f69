/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of builtins by the rows of gen_builtin.def: as part of an expression, as a statement of its
 * own, and for a target. */
#ifndef WEFT_GEN_GEN_CALL_H
#define WEFT_GEN_GEN_CALL_H

#include "gen/gen_call_row.h"

/* Sets of them, as gen_category.def names them. */
enum {
    G_ARITH = 1 << CALL_ARITH,
    G_BITS = 1 << CALL_BITS,
    G_VECTOR = 1 << CALL_VECTOR,
    G_ARRAY = 1 << CALL_ARRAY,
    G_SCALAR = G_ARITH | 1 << CALL_MATH,
    G_LINEAR = G_VECTOR | 1 << CALL_MATRIX,
    G_SPACE = 1 << CALL_ROTATION | 1 << CALL_TRANSFORM
};

/* Rows by the kind of their result, so that a want finds rows that may fit. Composites stand in
 * gen_kind's order: a kind is its own class. */
typedef enum call_class {
    CALL_CLASS_FLOAT,
    CALL_CLASS_VEC,
    CALL_CLASS_MAT,
    CALL_CLASS_QUAT,
    CALL_CLASS_XFORM,
    CALL_CLASS_INT,
    CALL_CLASS_BOOL,
    CALL_CLASS_ANY,
    CALL_CLASS_COUNT
} call_class;

enum { CALL_SLOTS = 1024 };

/* Each row as often as its weight says: one draw chooses a row. */
typedef struct call_slots {
    uint32_t n;
    uint8_t rows[CALL_SLOTS];
} call_slots;

typedef struct call_table {
    call_slots classes[CALL_CLASS_COUNT];
} call_table;

void calls_init(call_table *t);
/* Writes a call whose result is within the want. False: no row that was drawn fits, and nothing is
 * written. */
bool put_builtin_call(gen *g, want w, int budget, bound *b);
void stmt_call(gen *g); /* a new variable: what a builtin gives, whatever its type */
/* A new variable: the builtin's result, called with t. False: no row fits, and nothing is
 * written. */
bool stmt_call_of(gen *g, gen_fn fn, gtype t);

#endif
