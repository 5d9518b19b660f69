/* SPDX-License-Identifier: Apache-2.0 */
/* Vector expressions, and scalars made of vectors and matrices, for gen_expr and for leaves.
 *
 *     want vec3 within 2^8     ->  v * 0.5 + wp.normalize(u)
 *     want float, v in scope   ->  wp.dot(v, u), wp.length(v), v[1], wp.max(v)
 *
 * Magnitudes hold for each component. A sum over components adds 2 powers of two, which is right
 * for up to four of them; vectors of integers and longer ones lie well below the limit of their
 * type. */
#include "gen/gen_call.h"
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_helper.h"
#include "gen/gen_literal.h"
#include "gen/gen_state.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

/* v.x or v[0] by the style, m[0, 1]; now and then v[-1], which the target may be. Of a quaternion
 * one of 4. */
void put_component(gen *g, gvar *v)
{
    WEFT_ASSERT(v->t.kind != GK_SCALAR && v->t.kind != GK_XFORM);
    uint32_t k = below(g, v->t.kind == GK_QUAT ? 4 : v->t.rows);
    const bool targeted = target_is(g, THING_FROM_END) && !target_met(g, g->target.production);
    const bool last =
        v->t.kind == GK_VEC && (targeted || (k + 1u == v->t.rows && below(g, 16) == 0));
    cover_type(g, THING_COMPONENT, v->t);
    var_put(g, v);
    if (last) {
        W(g, "[-1]");
        cover(g, THING_FROM_END);
        return;
    }
    if (v->t.kind == GK_VEC && g->names.style.swizzle_names && v->t.rows <= 4) {
        W(g, ".");
        sb_char(g->text.out, "xyzw"[k]);
        return;
    }
    W(g, "[");
    sb_uint(g->text.out, k);
    if (v->t.kind == GK_MAT) {
        W(g, ", ");
        sb_uint(g->text.out, below(g, v->t.cols));
    }
    W(g, "]");
}

/* A vector or matrix of this scalar type in scope, from a random place on: the first that nothing
 * has used, else the last that was found. NULL: there is none. */
static gvar *composite_pick(gen *g, uint8_t sc)
{
    uint32_t n = g->scope.nvars - g->scope.base;
    uint32_t at = n ? below(g, n) : 0;
    gvar *best = NULL;
    for (uint32_t k = 0; k < n; k++) {
        gvar *v = &g->scope.vars[g->scope.base + (at + k) % n];
        if ((v->t.kind != GK_VEC && v->t.kind != GK_MAT) || v->t.sc != sc || (v->flags & V_HIDDEN))
            continue;
        if (!v->uses)
            return v;
        best = v;
    }
    return best;
}

/* A scalar of a vector: dot with it or another, length, length_sq, max, min, the index of the
 * largest component, or a component. Products need room for twice the magnitude; where there is
 * none, a component is written. */
static bound reduce_vec(gen *g, want w, gvar *v)
{
    WEFT_ASSERT(v->t.kind == GK_VEC);
    int square = 2 * max_int(v->mag, 0) + 2;
    uint32_t k = below(g, 8);
    if (k < 3 && square <= w.mag) {
        /* Half of the want for the other vector, less the two powers that summing four products
         * adds. */
        gvar *u = var_pick(g, want_of(v->t, (w.mag - 2) / 2));
        put_fn(g, FN_dot, v->t);
        var_put(g, v);
        W(g, ", ");
        /* wp.dot(v, v) is a square, and not negative. */
        if (!u)
            u = v;
        var_put(g, u);
        W(g, ")");
        return bound_of(max_int(v->mag, 0) + max_int(u->mag, 0) + 2, u == v ? LOW_ZERO : LOW_NONE);
    }
    if (k < 5 && gt_is_float(v->t) && v->mag + 1 <= w.mag) {
        put_fn(g, FN_length, v->t);
        var_put(g, v);
        W(g, ")");
        return bound_of(max_int(v->mag, 0) + 1, LOW_ZERO);
    }
    if (k == 5 && gt_is_float(v->t) && square <= w.mag) {
        put_fn(g, FN_length_sq, v->t);
        var_put(g, v);
        W(g, ")");
        return bound_of(square, LOW_ZERO);
    }
    if (k == 6) {
        put_fn(g, below(g, 2) ? FN_max : FN_min, v->t);
        var_put(g, v);
        W(g, ")");
        return bound_of(v->mag, LOW_NONE);
    }
    if (k == 7 && w.mag >= 2 && w.t.kind == GK_SCALAR && below(g, 2)) {
        /* The index is a uint32, so it is converted. */
        put_cast(g, w.t);
        put_fn(g, below(g, 2) ? FN_argmax : FN_argmin, v->t);
        var_put(g, v);
        W(g, "))");
        return bound_of(2, LOW_ZERO);
    }
    put_component(g, v);
    return bound_of(v->mag, LOW_NONE);
}

/* A scalar of a matrix: trace, determinant (rows times the magnitude, and 2^5 for its terms), ddot
 * with itself, or an element. */
static bound reduce_mat(gen *g, want w, gvar *m)
{
    WEFT_ASSERT(m->t.kind == GK_MAT);
    int mag = max_int(m->mag, 0);
    bool square = m->t.rows == m->t.cols && m->t.rows <= 4;
    uint32_t k = below(g, 8);
    if (k < 2 && square && mag + 2 <= w.mag) {
        put_fn(g, FN_trace, m->t);
        var_put(g, m);
        W(g, ")");
        return bound_of(mag + 2, LOW_NONE);
    }
    /* A determinant of n rows has n! products of n elements each: n * mag, and 24 < 2^5 terms at
     * most. */
    if (k < 4 && square && m->t.rows * mag + 5 <= w.mag) {
        put_fn(g, FN_determinant, m->t);
        var_put(g, m);
        W(g, ")");
        return bound_of(m->t.rows * mag + 5, LOW_NONE);
    }
    /* With itself it is a sum of up to 16 squares. */
    if (k == 4 && 2 * mag + 4 <= w.mag) {
        put_fn(g, FN_ddot, m->t);
        var_put(g, m);
        W(g, ", ");
        var_put(g, m);
        W(g, ")");
        return bound_of(2 * mag + 4, LOW_ZERO);
    }
    put_component(g, m);
    return bound_of(m->mag, LOW_NONE);
}

/* A scalar of some vector or matrix in scope. False: there is none within the want, and nothing is
 * written. */
bool put_reduction(gen *g, want w, bound *b)
{
    gvar *v = composite_pick(g, w.t.sc);
    if (!v || v->mag > w.mag || w.low)
        return false;
    *b = v->t.kind == GK_VEC ? reduce_vec(g, w, v) : reduce_mat(g, w, v);
    return true;
}

/* v + u, v - u. v - v would say nothing: its sign becomes a plus in place, since the text on both
 * sides is the same anyway. */
static bound vec_sum(gen *g, want w, int budget, int prec)
{
    bool bracket = open_bracket(g, PREC_SUM, prec);
    bool minus = below(g, 5) < 2;
    int left = budget_split(g, budget - 1);
    want a = varying(w);
    a.mag = (int8_t)(w.mag - 1);
    const size_t begin = g->text.out->n;
    bound x = gen_vec(g, a, left, PREC_SUM);
    const size_t end = g->text.out->n;
    if (minus)
        W(g, " - ");
    else
        W(g, " + ");
    bound y = gen_vec(g, a, budget - 1 - left, PREC_PRODUCT);
    if (minus && is_twin(g, begin, end, end + 3)) {
        g->text.out->p[end + 1] = '+'; /* v - v would say nothing */
        minus = false;
    }
    cover_type(g, minus ? THING_SUB : THING_ADD, w.t);
    close_bracket(g, bracket);
    return bound_of(max_int(x.mag, y.mag) + 1, LOW_NONE);
}

/* v * s, s * v, v / s. Bounds are as those of scalars; a divisor is at least 1/64, so the quotient
 * grows by 2^6. */
static bound vec_scaled(gen *g, want w, int budget, int prec)
{
    bool bracket = open_bracket(g, PREC_PRODUCT, prec);
    int left = budget_split(g, budget - 1);
    want a = varying(w), s = want_of(scalar_of(w.t), 0);
    uint32_t k = below(g, gt_is_float(w.t) ? 5 : 4);
    if (target_here(g, w.t) == THING_DIV)
        k = 4;
    cover_type(g, k < 4 ? THING_MUL : THING_DIV, w.t);
    bound x, y;
    /* The factor first: its bound is known before the vector is written, and leaves it the rest.
     * Else the other way round. */
    if (k < 2) {
        s.mag = (int8_t)(w.mag / 2);
        y = gen_expr(g, s, left, PREC_PRODUCT);
        W(g, " * ");
        a.mag = (int8_t)(w.mag - y.mag);
        x = gen_vec(g, a, budget - 1 - left, PREC_UNARY);
    } else {
        a.mag = (int8_t)(w.mag / 2);
        x = gen_vec(g, a, left, PREC_PRODUCT);
        if (k < 4)
            W(g, " * ");
        else
            W(g, " / ");
        s.mag = (int8_t)(k < 4 ? w.mag - x.mag : min_int(20, mag_limit(s.t)));
        if (k == 4)
            s.low = LOW_POS;
        y = gen_expr(g, s, budget - 1 - left, PREC_UNARY);
        /* As a divisor it makes the quotient larger by 2^6 at most. */
        if (k == 4)
            y.mag = 6;
    }
    close_bracket(g, bracket);
    return bound_of(x.mag + y.mag, LOW_NONE);
}

/* wp.vec3(x + 1.0, y, 0.0): the first component varies and gets an operator more. Or
 * wp.vector(...). */
static bound vec_made(gen *g, want w, int budget)
{
    int mag = 0, each = max_int(1, (budget - 1) / w.t.rows);
    if (gt_is_float(w.t) && (below(g, 6) == 0 || target_here(g, w.t) == THING_VECTOR_CALL))
        return vec_called(g, w);
    put_cast(g, w.t);
    for (int i = 0; i < w.t.rows; i++) {
        want part = want_of(scalar_of(w.t), w.mag);
        part.varies = i == 0;
        bound b = gen_expr(g, part, i == 0 ? each + 1 : each, PREC_TERNARY);
        mag = max_int(mag, b.mag);
        if (i + 1 < w.t.rows)
            W(g, ", ");
    }
    W(g, ")");
    return bound_of(mag, LOW_NONE);
}

/* A builtin of two vectors: FN(v, u). `grows`: 1 where it multiplies (cross, cw_mul), so that both
 * get half of the want; 0 where the result is as large as the larger one. wp.cw_mul(v, v) is a
 * square, all others of twins say nothing. */
static bound vec_two(gen *g, gen_fn fn, want w, int budget, int grows)
{
    want a = varying(w);
    int left = budget_split(g, budget - 1);
    if (grows)
        a.mag = (int8_t)((w.mag - 1) / 2);
    put_fn(g, fn, w.t);
    const size_t begin = g->text.out->n;
    bound x = gen_vec(g, a, left, PREC_TERNARY);
    const size_t end = g->text.out->n;
    W(g, ", ");
    const size_t right = g->text.out->n;
    bound y = gen_vec(g, a, budget - 1 - left, PREC_TERNARY);
    /* cross(v, v) is zero, min(v, v) is v; a square has a meaning. */
    if (fn != FN_cw_mul)
        y = untwin(g, begin, end, right, y, a, PREC_TERNARY);
    W(g, ")");
    if (grows)
        return bound_of(max_int(x.mag, 0) + max_int(y.mag, 0) + 1, LOW_NONE);
    return bound_of(max_int(x.mag, y.mag), LOW_NONE);
}

/* wp.cw_div(v, wp.abs(u) + wp.vec3(1.0, ...)): each component of the divisor is at least 1/64. */
static bound vec_quotient(gen *g, want w, int budget)
{
    want a = varying(w), l = at_least(want_of(scalar_of(w.t), 2), LOW_POS);
    a.mag = (int8_t)(w.mag - 6);
    put_fn(g, FN_cw_div, w.t);
    bound x = gen_vec(g, a, budget_split(g, budget - 1), PREC_TERNARY);
    W(g, ", ");
    put_fn(g, FN_abs, w.t);
    gen_leaf(g, varying(want_of(w.t, 20)), PREC_TERNARY);
    W(g, ") + ");
    put_cast(g, w.t);
    for (int i = 0; i < w.t.rows; i++) {
        if (i)
            W(g, ", ");
        put_literal(g, l, PREC_TERNARY);
    }
    W(g, "))");
    return bound_of(x.mag + 6, LOW_NONE);
}

/* wp.normalize(v) of a vector that is no single number in all places: such a one has a constant
 * direction, and no derivative. Its squared length must be finite, hence half of the limit. */
static bound vec_normalized(gen *g, want w, int budget)
{
    const bool outer = g->scope.uneven;
    put_fn(g, FN_normalize, w.t);
    g->scope.uneven = true;
    gen_vec(g, varying(want_of(w.t, mag_limit(w.t) / 2 - 1)), budget - 1, PREC_TERNARY);
    g->scope.uneven = outer;
    W(g, ")");
    return bound_of(0, LOW_NONE);
}

/* As gen_lerp of scalars. */
static bound vec_lerp(gen *g, want w, int budget)
{
    want a = varying(w);
    a.mag = (int8_t)(w.mag - 2);
    put_fn(g, FN_lerp, w.t);
    const size_t begin = g->text.out->n;
    bound x = gen_vec(g, a, budget - 2, PREC_TERNARY);
    const size_t end = g->text.out->n;
    W(g, ", ");
    bound y = gen_leaf(g, a, PREC_TERNARY);
    y = untwin(g, begin, end, end + 2, y, a, PREC_TERNARY);
    W(g, ", ");
    gen_expr(g, at_least(want_of(scalar_of(w.t), 0), LOW_ZERO), 1, PREC_TERNARY);
    W(g, ")");
    return bound_of(max_int(x.mag, y.mag) + 2, LOW_NONE);
}

/* m[1], a vector. */
void put_row(gen *g, gvar *m)
{
    WEFT_ASSERT(m->t.kind == GK_MAT);
    cover_type(g, THING_ROW, m->t);
    var_put(g, m);
    W(g, "[");
    sb_uint(g->text.out, below(g, m->t.rows));
    W(g, "]");
}

/* wp.get_diag(m), m[1] */
static bound put_part(gen *g, gvar *m)
{
    bool row = below(g, 2) != 0;
    if (row)
        put_row(g, m);
    else {
        put_fn(g, FN_get_diag, m->t);
        var_put(g, m);
        W(g, ")");
    }
    return bound_of(m->mag, LOW_NONE);
}

/* m * v, wp.quat_rotate(q, v), a row: when such a matrix or quaternion is in scope. A rotation
 * multiplies by the square of the quaternion's length. False: none fits, and nothing is written. */
static bool vec_transformed(gen *g, want w, int budget, int prec, bound *b)
{
    /* Of any bound: what is too large is left alone below. */
    gvar *m = w.t.rows > 4 ? NULL : var_any(g, gt_mat(w.t.sc, w.t.rows, w.t.rows));
    gvar *q = w.t.rows == 3 ? var_any(g, gt_quat(w.t.sc)) : NULL;
    want a = varying(w);
    if (m && m->mag <= w.mag && below(g, 4) == 0) {
        *b = put_part(g, m);
        return true;
    }
    if (m && m->mag + 4 < w.mag) {
        bool bracket = open_bracket(g, PREC_PRODUCT, prec);
        var_put(g, m);
        W(g, " * ");
        cover_type(g, THING_MAT_VEC, m->t);
        /* Each component sums up to four products, hence 2 more. */
        a.mag = (int8_t)(w.mag - max_int(m->mag, 0) - 2);
        bound x = gen_vec(g, a, budget - 1, PREC_UNARY);
        close_bracket(g, bracket);
        *b = bound_of(max_int(m->mag, 0) + x.mag + 2, LOW_NONE);
        return true;
    }
    /* Quaternions are near unit length here; inputs are within 2^2, and rotate by the square
     * of it. */
    if (!q || w.mag < 10 || q->mag > 3)
        return false;
    put_fn(g, below(g, 3) ? FN_quat_rotate : FN_quat_rotate_inv, q->t);
    var_put(g, q);
    W(g, ", ");
    a.mag = (int8_t)(w.mag - 2 * max_int(q->mag, 0) - 4);
    bound x = gen_vec(g, a, budget - 1, PREC_TERNARY);
    W(g, ")");
    *b = bound_of(x.mag + 2 * max_int(q->mag, 0) + 4, LOW_NONE);
    return true;
}

/* -v */
static bound vec_negated(gen *g, want w, int budget, int prec)
{
    bool bracket = open_bracket(g, PREC_UNARY, prec);
    W(g, "-");
    cover_type(g, THING_NEG, w.t);
    bound x = gen_vec(g, varying(w), budget - 1, PREC_POWER);
    close_bracket(g, bracket);
    return bound_of(x.mag, LOW_NONE);
}

/* wp.abs(v), of each component. */
static bound vec_abs(gen *g, want w, int budget)
{
    put_fn(g, FN_abs, w.t);
    bound x = gen_vec(g, varying(w), budget - 1, PREC_TERNARY);
    W(g, ")");
    return bound_of(x.mag, LOW_NONE);
}

/* 32 draws: 9 sums, 7 products with a scalar, 2 vectors built, 3 cross or normalize, 2
 * component-wise products, 2 min or max, one each of negation, lerp and abs, 3 transformed. What
 * its type or the want has no room for falls through to a form below, at last to a sum. Only float
 * vectors are normalized, mixed and transformed. */
bound gen_vec(gen *g, want w, int budget, int prec)
{
    WEFT_ASSERT(w.t.kind == GK_VEC && w.t.rows >= 2);
    bound b;
    bool real = gt_is_float(w.t);
    w.mag = (int8_t)min_int(w.mag, mag_limit(w.t));
    if (budget <= 1 || w.mag < 2)
        return gen_leaf(g, w, prec);
    if (below(g, 6) == 0 && put_builtin_call(g, w, budget, &b))
        return b;
    const int targeted = target_here(g, w.t);
    /* The draw is made in any case, so a target changes nothing but the form. */
    const uint32_t drawn = below(g, 32);
    const uint32_t k = targeted == THING_DIV ? 9 : targeted == THING_NEG ? 25 : drawn;
    if (targeted == THING_VECTOR_CALL)
        return vec_called(g, w);
    if (k < 9)
        return vec_sum(g, w, budget, prec);
    /* Half of a small want would leave neither factor room. */
    if (k < 16)
        return w.mag < 10 ? gen_leaf(g, w, prec) : vec_scaled(g, w, budget, prec);
    if (k < 18 && budget > w.t.rows)
        return vec_made(g, w, budget);
    if (k < 21 && real)
        return w.t.rows == 3 && w.mag > 8 && below(g, 2) ? vec_two(g, FN_cross, w, budget, 1)
                                                         : vec_normalized(g, w, budget);
    if (k == 22 && real && w.mag > 12 && below(g, 2))
        return vec_quotient(g, w, budget);
    if (k < 23)
        return w.mag > 8 ? vec_two(g, FN_cw_mul, w, budget, 1) : gen_leaf(g, w, prec);
    if (k < 25)
        return vec_two(g, below(g, 2) ? FN_min : FN_max, w, budget, 0);
    if (k == 25 && (real || !gt_wraps(w.t)))
        return vec_negated(g, w, budget, prec);
    if (k == 26 && real && budget > 2)
        return vec_lerp(g, w, budget);
    if (k == 27)
        return vec_abs(g, w, budget);
    if (k < 31 && real && vec_transformed(g, w, budget, prec, &b))
        return b;
    if (real && put_helper_call(g, w, budget, &b))
        return b;
    return vec_sum(g, w, budget, prec);
}
