/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions, for statements and for each other. This header is the point of recursion: whoever
 * needs an operand calls gen_expr or the function of its type from here, and none of the files
 * below has to include another.
 *
 * Each function writes one expression and returns the bound that it has. Its arguments:
 *
 *     w        the want: type, greatest magnitude, lowest value, and whether it has to vary
 *     budget   operators that it may still have; 1 or less: a leaf
 *     prec     the precedence of the place: what binds weaker gets brackets
 *
 *     gen_expr(g, {float, |x| <= 2^4}, 3, PREC_TERNARY)  ->  a * b + wp.sin(c)   returns {mag 4}
 */
#ifndef WEFT_GEN_GEN_EXPR_H
#define WEFT_GEN_GEN_EXPR_H

#include "gen/gen_scope.h"
#include "gen/gen_text.h"

/* Operators of float expressions, in the order of the weights of gen_category.def. */
typedef enum float_op {
    OP_ADD,    /* x + y */
    OP_SUB,    /* x - y */
    OP_MUL,    /* x * y */
    OP_SCALE,  /* 0.5 * x */
    OP_DIV,    /* x / (wp.abs(y) + 0.5) */
    OP_NEG,    /* -x */
    OP_CALL,   /* wp.sin(x): a function of one number */
    OP_CALL2,  /* wp.min(x, y), wp.lerp(x, y, t) */
    OP_CLAMP,  /* wp.clamp(x, 0.0, 1.0) */
    OP_CHOOSE, /* wp.where(c, x, y), x if c else y */
    OP_POWER,  /* x ** 1.5, wp.pow(x, 2.0) */
    OP_CAST,   /* float(k) */
    OP_REDUCE, /* wp.length(v), m[0, 1] */
    OP_HELPER, /* blend(x, 0.5) */
    FLOAT_OP_COUNT
} float_op;

/* Any type: chooses among the functions below. */
bound gen_expr(gen *g, want w, int budget, int prec);
bound gen_float(gen *g, want w, int budget, int prec);
bound gen_int(gen *g, want w, int budget, int prec);
bound gen_vec(gen *g, want w, int budget, int prec);
bound gen_mat(gen *g, want w, int budget, int prec);
bound gen_quat(gen *g, want w, int budget, int prec);
bound gen_xform(gen *g, want w, int budget, int prec);
/* A leaf: a variable in scope, a new argument, a literal, or the smallest expression that fits. */
bound gen_leaf(gen *g, want w, int prec);
/* A condition. It has no bound, and its want is that it should not always hold. */
void gen_cond(gen *g, int budget, int prec);
void put_identity(gen *g, gtype t); /* wp.identity(n=3, dtype=float) */
/* Does the text from `right` to the end repeat that from `left` to `end`? Then an operator would
 * say nothing: x - x, min(x, x). */
bool is_twin(const gen *g, size_t left, size_t end, size_t right);
/* Replaces such a right operand by a literal, or by a vector or matrix of scalars. Returns the
 * bound of the operand that stands there now; `b` is that of the old one. */
bound untwin(gen *g, size_t left, size_t end, size_t right, bound b, want w, int prec);
void put_component(gen *g, gvar *v);          /* v.x, m[0, 1] */
void put_row(gen *g, gvar *m);                /* m[1] */
bool put_reduction(gen *g, want w, bound *b); /* dot, length, v[k], ... of what is in scope */
void put_rigid(gen *g, uint8_t sc);           /* a transform with a unit quaternion */

/* --- gen_term.c --------------------------------------------------------------------------- */
/* Can v become a term of a sum of type t? */
bool term_suits(const gvar *v, gtype t);
/* Writes v, converted or reduced to a value of type t. Needs: term_suits. */
void put_term(gen *g, gvar *v, gtype t);

/* --- gen_build.c -------------------------------------------------------------------------- */
bound vec_called(gen *g, want w);          /* wp.vector(...) */
bound mat_called(gen *g, want w);          /* wp.matrix(...) */
bool put_static(gen *g, want w, bound *b); /* wp.static(...); false: not here */

/* --- gen_garnish.c ------------------------------------------------------------------------ */
/* The text from `at` on is a value of type t that a statement stores or adds up. Puts an operation
 * around it. */
void garnish(gen *g, size_t at, gtype t);

#endif
