/* Expressions. Each is asked for with a want (type, greatest magnitude, lowest value), a budget of
 * operators and the precedence of its place; it answers with the bound that it has. */
#ifndef WEFT_GEN_GEN_EXPR_H
#define WEFT_GEN_GEN_EXPR_H

#include "gen/gen_scope.h"
#include "gen/gen_text.h"

/* Operators of float expressions; gen_category.def has their weights. */
typedef enum float_op {
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_SCALE,
    OP_DIV,
    OP_NEG,
    OP_CALL,
    OP_CALL2,
    OP_CLAMP,
    OP_CHOOSE,
    OP_POWER,
    OP_CAST,
    OP_REDUCE,
    OP_HELPER,
    FLOAT_OP_COUNT
} float_op;

bound gen_expr(gen *g, want w, int budget, int prec);
bound gen_float(gen *g, want w, int budget, int prec);
bound gen_int(gen *g, want w, int budget, int prec);
bound gen_vec(gen *g, want w, int budget, int prec);
bound gen_mat(gen *g, want w, int budget, int prec);
bound gen_quat(gen *g, want w, int budget, int prec);
bound gen_xform(gen *g, want w, int budget, int prec);
bound gen_leaf(gen *g, want w, int prec);
void gen_cond(gen *g, int budget, int prec);
void put_identity(gen *g, gtype t); /* wp.identity(n=3, dtype=float) */
/* Two operands of one operator: does the text from `right` on repeat that from left to `end`? */
bool is_twin(const gen *g, size_t left, size_t end, size_t right);
/* x - x would say nothing: the repeated operand becomes a literal, or is made of scalars. Gives its
 * bound. */
bound untwin(gen *g, size_t left, size_t end, size_t right, bound b, want w, int prec);
void put_component(gen *g, gvar *v);          /* v.x, m[0, 1] */
void put_row(gen *g, gvar *m);                /* m[1] */
bool put_reduction(gen *g, want w, bound *b); /* dot, length, v[k], ... of what is in scope */
void put_rigid(gen *g, uint8_t sc);           /* a transform with a unit quaternion */

/* --- gen_term.c --------------------------------------------------------------------------- */
bool term_suits(const gvar *v, gtype t);
void put_term(gen *g, gvar *v, gtype t); /* needs: it suits */

/* --- gen_build.c -------------------------------------------------------------------------- */
bound vec_called(gen *g, want w);          /* wp.vector(...) */
bound mat_called(gen *g, want w);          /* wp.matrix(...) */
bool put_static(gen *g, want w, bound *b); /* wp.static(...); false: not here */

/* --- gen_garnish.c ------------------------------------------------------------------------ */
/* The text from `at` on is an amount of this type: something is put around it. */
void garnish(gen *g, size_t at, gtype t);

#endif
