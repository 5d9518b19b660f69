/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix and quaternion expressions, for gen_expr.
 *
 *     want mat33 within 2^20   ->  m * n + wp.transpose(k)
 *     want mat22               ->  wp.inverse(wp.transpose(s) * s + wp.identity(n=2, dtype=float))
 *     want quat                ->  wp.quat_from_axis_angle(wp.normalize(v), x)
 *
 * What is inverted is m^T m + c I, which is never singular: its eigenvalues are at least c.
 * Quaternions stay near unit length: made from angles, normalised, or products of such. */
#include "gen/gen_call.h"
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_helper.h"
#include "gen/gen_literal.h"
#include "gen/gen_state.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

/* m + n, m - n; a difference of twins gets a plus in place. */
static bound mat_sum(gen *g, want w, int budget, int prec)
{
    bool bracket = open_bracket(g, PREC_SUM, prec);
    bool minus = below(g, 3) == 0;
    int left = budget_split(g, budget - 1);
    want a = varying(w);
    a.mag = (int8_t)(w.mag - 1);
    const size_t begin = g->text.out->n;
    bound x = gen_mat(g, a, left, PREC_SUM);
    const size_t end = g->text.out->n;
    if (minus)
        W(g, " - ");
    else
        W(g, " + ");
    bound y = gen_mat(g, a, budget - 1 - left, PREC_PRODUCT);
    if (minus && is_twin(g, begin, end, end + 3)) {
        g->text.out->p[end + 1] = '+'; /* v - v would say nothing */
        minus = false;
    }
    cover_type(g, minus ? THING_SUB : THING_ADD, w.t);
    close_bracket(g, bracket);
    return bound_of(max_int(x.mag, y.mag) + 1, LOW_NONE);
}

/* m * n or m @ n. Shapes fit: the left one is square, of the result's rows. Elements are sums of up
 * to four products, hence 2 powers of two. */
static bound mat_product(gen *g, want w, int budget, int prec)
{
    bool bracket = open_bracket(g, PREC_PRODUCT, prec);
    int left = budget_split(g, budget - 1);
    want a = varying(w);
    /* Both factors get half, less what summing up to four products adds. */
    a.mag = (int8_t)(w.mag / 2 - 1);
    a.t.cols = w.t.rows;
    bound x = gen_mat(g, a, left, PREC_PRODUCT);
    a.t = w.t;
    /* Both operators mean the same; most people write *. */
    const bool at = below(g, 8) == 0 || target_here(g, w.t) == THING_MAT_MUL;
    if (!at)
        W(g, " * ");
    else
        W(g, " @ ");
    cover_type(g, at ? THING_MAT_MUL : THING_MUL, w.t);
    bound y = gen_mat(g, a, budget - 1 - left, PREC_UNARY);
    close_bracket(g, bracket);
    return bound_of(max_int(x.mag, 0) + max_int(y.mag, 0) + 2, LOW_NONE);
}

/* m * s, s * m */
static bound mat_scaled(gen *g, want w, int budget, int prec)
{
    bool bracket = open_bracket(g, PREC_PRODUCT, prec);
    want a = varying(w), s = want_of(scalar_of(w.t), w.mag / 2);
    cover_type(g, THING_MUL, w.t);
    a.mag = (int8_t)(w.mag / 2);
    bound x, y;
    if (below(g, 2)) {
        x = gen_mat(g, a, budget_split(g, budget - 1), PREC_PRODUCT);
        W(g, " * ");
        y = gen_expr(g, s, 1, PREC_UNARY);
    } else {
        y = gen_expr(g, s, 1, PREC_PRODUCT);
        W(g, " * ");
        x = gen_mat(g, a, budget_split(g, budget - 1), PREC_UNARY);
    }
    close_bracket(g, bracket);
    return bound_of(x.mag + y.mag, LOW_NONE);
}

/* wp.transpose of a matrix of the other shape. */
static bound mat_transposed(gen *g, want w, int budget)
{
    const want a = {gt_mat(w.t.sc, w.t.cols, w.t.rows), w.mag, w.low, true};
    put_fn(g, FN_transpose, a.t);
    bound x = gen_mat(g, a, budget - 1, PREC_TERNARY);
    W(g, ")");
    return x;
}

/* wp.identity(n=3, dtype=float) */
void put_identity(gen *g, gtype t)
{
    WEFT_ASSERT(t.kind == GK_MAT && t.rows == t.cols);
    put_fn(g, FN_identity, t);
    W(g, "n=");
    sb_uint(g->text.out, t.rows);
    W(g, ", dtype=");
    put_type(g, scalar_of(t));
    W(g, ")");
}

/* Matrices out of vectors: outer, diag, skew (3x3), or rows and columns. Matrices that are not
 * square have no diag and no skew. */
static bound mat_of_vecs(gen *g, want w)
{
    /* Half of the want, as outer multiplies two of them. */
    want a = varying(want_of(gt_vec(w.t.sc, w.t.rows), min_int(w.mag / 2, 20)));
    const bool square = w.t.rows == w.t.cols;
    /* 0 outer, 1 diag, 2 rows, 3 columns, 4 skew. Without a square there are only outer and
     * rows. */
    uint32_t k = square ? below(g, w.t.rows == 3 ? 5 : 4) : 2 * below(g, 2);
    want c = a;
    c.t.rows = w.t.cols;
    if (k == 0) {
        put_fn(g, FN_outer, a.t);
        bound x = gen_leaf(g, a, PREC_TERNARY);
        W(g, ", ");
        bound y = gen_leaf(g, c, PREC_TERNARY);
        W(g, ")");
        return bound_of(max_int(x.mag, 0) + max_int(y.mag, 0), LOW_NONE);
    }
    if (k == 1 || k == 4) {
        put_fn(g, k == 1 ? FN_diag : FN_skew, a.t);
        bound x = gen_vec(g, a, 2, PREC_TERNARY);
        W(g, ")");
        return x;
    }
    int mag = 0;
    put_fn(g, k == 2 ? FN_matrix_from_rows : FN_matrix_from_cols, k == 2 ? c.t : a.t);
    for (int i = 0; i < w.t.rows; i++) {
        bound x = gen_leaf(g, k == 2 ? c : a, PREC_TERNARY);
        mag = max_int(mag, x.mag);
        if (i + 1 < w.t.rows)
            W(g, ", ");
    }
    W(g, ")");
    return bound_of(mag, LOW_NONE);
}

/* The inverse of m^T m + c I. False: no square matrix in scope fits, or there is no room. Elements
 * of the inverse are at most 1 / c: 2 or less. */
static bool mat_inverse(gen *g, want w, bound *b)
{
    /* Within 2^8, so that m^T m is far from the end of its type. Half precision loses the digits
     * that an inverse needs. */
    gvar *m = w.t.rows == w.t.cols ? var_pick(g, varying(want_of(w.t, 8))) : NULL;
    if (!m || w.t.rows > 4 || w.mag < 4 || gt_is_half(w.t))
        return false;
    put_fn(g, FN_inverse, w.t);
    put_fn(g, FN_transpose, w.t);
    var_put(g, m);
    W(g, ") * ");
    var_put(g, m);
    W(g, " + ");
    put_identity(g, w.t);
    if (below(g, 2)) {
        W(g, " * ");
        put_float_literal(g, scalar_of(w.t), below(g, 2) ? "0.5" : "2.0");
    }
    W(g, ")");
    *b = bound_of(2, LOW_NONE);
    return true;
}

/* 32 draws: 8 sums, 7 products, 6 with a scalar, 4 transposed, 2 inverses, one each of a rotation
 * matrix, an identity and wp.matrix(...); the rest out of vectors. A product needs 2^12, since each
 * factor gets less than half of the want. Matrices larger than 4x4 have few builtins, so they are
 * scaled. */
bound gen_mat(gen *g, want w, int budget, int prec)
{
    WEFT_ASSERT(w.t.kind == GK_MAT && w.t.rows >= 2 && w.t.cols >= 2);
    bound b;
    w.mag = (int8_t)min_int(w.mag, mag_limit(w.t));
    if (budget <= 1 || w.mag < 6)
        return gen_leaf(g, w, prec);
    if (below(g, 6) == 0 && put_builtin_call(g, w, budget, &b))
        return b;
    if (below(g, 4) == 0 && put_helper_call(g, w, budget, &b))
        return b;
    const uint32_t drawn = below(g, 32);
    const uint32_t k = target_here(g, w.t) == THING_MAT_MUL ? 8 : drawn;
    if (k == 31 || target_here(g, w.t) == THING_MATRIX_CALL)
        return mat_called(g, w);
    if (k < 8)
        return mat_sum(g, w, budget, prec);
    if (k < 15)
        return w.mag < 12 ? mat_sum(g, w, budget, prec) : mat_product(g, w, budget, prec);
    if (k < 21)
        return mat_scaled(g, w, budget, prec);
    if (k < 25)
        return mat_transposed(g, w, budget);
    if (k < 27 && mat_inverse(g, w, &b))
        return b;
    if (k == 27 && w.t.rows == 3 && w.t.cols == 3 && w.t.sc >= GS_F32) {
        /* Only of unit length: others give a matrix that scales. */
        gvar *q = var_pick(g, want_of(gt_quat(w.t.sc), 0));
        if (q) {
            put_fn(g, FN_quat_to_matrix, q->t);
            var_put(g, q);
            W(g, ")");
            return bound_of(3, LOW_NONE);
        }
    }
    if (w.t.rows > 4)
        return mat_scaled(g, w, budget, prec);
    if (k == 28 && w.t.rows == w.t.cols) {
        put_identity(g, w.t);
        return bound_of(0, LOW_NONE);
    }
    return mat_of_vecs(g, w);
}

/* Of an axis and an angle, or of three angles. */
static bound quat_made(gen *g, want w, int budget)
{
    want angle = varying(want_of(scalar_of(w.t), 6));
    if (below(g, 3)) {
        put_fn(g, FN_quat_from_axis_angle, w.t);
        put_fn(g, FN_normalize, gt_vec(w.t.sc, 3));
        /* The axis: any vector, normalized. */
        gen_vec(g, varying(want_of(gt_vec(w.t.sc, 3), 10)), 1, PREC_TERNARY);
        W(g, "), ");
        gen_float(g, angle, budget - 1, PREC_TERNARY);
    } else {
        put_fn(g, FN_quat_rpy, w.t);
        for (int i = 0; i < 3; i++) {
            gen_float(g, angle, 1, PREC_TERNARY);
            if (i < 2)
                W(g, ", ");
        }
    }
    W(g, ")");
    return bound_of(0, LOW_NONE);
}

/* Between two of unit length, at t in [0, 1]. */
static bound quat_between(gen *g, want w)
{
    put_fn(g, FN_quat_slerp, w.t);
    for (int i = 0; i < 2; i++) {
        gen_leaf(g, varying(want_of(w.t, 0)), PREC_TERNARY);
        W(g, ", ");
    }
    gen_float(g, at_least(want_of(scalar_of(w.t), 0), LOW_ZERO), 1, PREC_TERNARY);
    W(g, ")");
    return bound_of(1, LOW_NONE);
}

/* A want of magnitude 0 means unit length: put_unit of gen_call.c relies on it. */
bound gen_quat(gen *g, want w, int budget, int prec)
{
    WEFT_ASSERT(w.t.kind == GK_QUAT);
    uint32_t k = below(g, 9);
    want a = varying(want_of(w.t, 4));
    /* Asks the scope first: the ends must be of unit length, and only variables are known to be. */
    if (k == 8 && budget > 1 && var_pick(g, want_of(w.t, 0)))
        return quat_between(g, w);
    bound b;
    if (budget <= 1)
        return gen_leaf(g, w, prec);
    if (below(g, 3) == 0 && put_builtin_call(g, w, budget, &b))
        return b;
    if (below(g, 4) == 0 && put_helper_call(g, w, budget, &b))
        return b;
    if (k < 2) {
        put_fn(g, FN_normalize, w.t);
        gen_quat(g, a, budget - 1, PREC_TERNARY);
        W(g, ")");
        return bound_of(0, LOW_NONE);
    }
    if (k < 4) {
        /* The length of a product is the product of lengths; a component sums four products. */
        bool bracket = open_bracket(g, PREC_PRODUCT, prec);
        bound x = gen_quat(g, a, 1, PREC_PRODUCT);
        W(g, " * ");
        cover_type(g, THING_MUL_QUAT, w.t);
        bound y = gen_quat(g, a, budget - 1, PREC_UNARY);
        close_bracket(g, bracket);
        return bound_of(max_int(x.mag, 0) + max_int(y.mag, 0) + 2, LOW_NONE);
    }
    if (k == 4) {
        put_fn(g, FN_quat_inverse, w.t);
        bound x = gen_leaf(g, a, PREC_TERNARY);
        W(g, ")");
        return x;
    }
    return quat_made(g, w, budget);
}
