/* SPDX-License-Identifier: Apache-2.0 */
/* What nothing has used yet becomes a term of the last expression, any variable as a value of any
 * other type, so that no line of a kernel is without effect:
 *
 *     k is an int, the result a float     ->  + float(k)
 *     v is a vec3, the result a float     ->  + wp.length(v), + v.y
 *     b is a bool, the result a float     ->  + wp.where(b, 0.3, 2.5)
 *     x is a float, the result a vec2     ->  + wp.vec2(x, 0.8)
 */
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_literal.h"
#include "gen/gen_state.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

/* A scalar can be made of everything, and everything of a scalar. Of two composites a part becomes
 * a new composite, as long as the part is one of four components at most. */
bool term_suits(const gvar *v, gtype t)
{
    if (gt_same(v->t, t))
        return true;
    if (t.sc == GS_BOOL || t.kind == GK_QUAT || t.kind == GK_XFORM)
        return false;
    return t.kind == GK_SCALAR || v->t.kind == GK_SCALAR || v->t.rows <= 4;
}

/* A scalar of v: itself, wp.length(v), wp.trace(m), or a component; of a transform a coordinate of
 * its point. */
static void put_part_of(gen *g, gvar *v)
{
    const bool square = v->t.kind == GK_MAT && v->t.rows == v->t.cols && v->t.rows <= 4;
    if (v->t.kind == GK_SCALAR) {
        var_put(g, v);
        return;
    }
    if (v->t.kind == GK_XFORM) {
        put_fn(g, FN_transform_get_translation, v->t);
        var_put(g, v);
        W(g, ")[");
        sb_uint(g->text.out, below(g, 3));
        W(g, "]");
        return;
    }
    if (v->t.kind == GK_VEC && gt_is_float(v->t) && below(g, 8) == 0)
        put_fn(g, FN_length, v->t);
    else if (square && below(g, 2))
        put_fn(g, FN_trace, v->t);
    else {
        put_component(g, v);
        return;
    }
    var_put(g, v);
    W(g, ")");
}

/* A bool as one of two numbers. */
static void put_flag(gen *g, gvar *v, gtype t)
{
    WEFT_ASSERT(v->t.sc == GS_BOOL);
    put_fn(g, FN_where, t);
    var_put(g, v);
    W(g, ", ");
    put_literal(g, want_of(t, 2), PREC_TERNARY);
    W(g, ", ");
    put_literal(g, want_of(t, 2), PREC_TERNARY);
    W(g, ")");
}

/* Magnitude of what put_part_of is about to write: an upper bound for all its forms. */
static int mag_of_part(const gvar *v)
{
    return v->t.kind == GK_SCALAR ? v->mag : v->mag + 2;
}

/* Too large for t or for t's sums: six bits of an integer, or a float clamped to 8. */
static void put_reduced(gen *g, gvar *v, gtype t)
{
    const gtype from = scalar_of(v->t);
    if (!gt_is_float(from)) {
        put_part_of(g, v);
        W(g, " & ");
        put_int_literal(g, from, 63);
        cover_type(g, THING_BIT_AND, from);
        return;
    }
    put_fn(g, FN_clamp, from);
    put_part_of(g, v);
    W(g, ", ");
    put_float_literal(g, from, gt_is_unsigned(t) ? "0.0" : "-8.0");
    W(g, ", ");
    put_float_literal(g, from, "8.0");
    W(g, ")");
}

/* A float below zero is no unsigned number: wp.uint32(wp.abs(v[0])). */
static void put_within(gen *g, gvar *v, gtype t)
{
    const gtype from = scalar_of(v->t);
    const bool sign =
        gt_is_float(from) && gt_is_unsigned(t) && !(v->t.kind == GK_SCALAR && v->low != LOW_NONE);
    if (sign)
        put_fn(g, FN_abs, from);
    put_part_of(g, v);
    if (sign)
        W(g, ")");
}

/* v, whatever its type, as a scalar of type t. Integers that wrap take any integer by narrowing;
 * floats must fit, since a conversion out of range has no defined result. */
static void put_scalar_of(gen *g, gvar *v, gtype t)
{
    const gtype from = scalar_of(v->t);
    const bool fits = mag_of_part(v) <= mag_limit(t) - 4;
    if (from.sc == GS_BOOL) {
        put_flag(g, v, t);
    } else if (gt_same(from, t)) {
        put_part_of(g, v);
    } else {
        put_cast(g, t);
        if (fits || (!gt_is_float(from) && gt_wraps(t)))
            put_within(g, v, t);
        else
            put_reduced(g, v, t);
        W(g, ")");
    }
}

/* A composite result gets the scalar in its first place and literals in the others, or the scalar
 * in all. */
void put_term(gen *g, gvar *v, gtype t)
{
    WEFT_ASSERT(term_suits(v, t));
    if (gt_same(v->t, t)) {
        var_put(g, v);
    } else if (t.kind == GK_SCALAR) {
        put_scalar_of(g, v, t);
    } else {
        put_cast(g, t);
        put_scalar_of(g, v, scalar_of(t));
        const int n = t.kind == GK_VEC ? t.rows : t.rows * t.cols;
        const bool one = t.rows != 6 && (n > 4 || below(g, 3) == 0);
        for (int i = 1; i < n && !one; i++) {
            W(g, ", ");
            put_literal(g, want_of(scalar_of(t), 2), PREC_TERNARY);
        }
        W(g, ")");
    }
}
