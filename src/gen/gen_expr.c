/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of any type, for statements and for each other: the switch by type, leaves, and what
 * a leaf falls back on where no variable fits.
 *
 *     want float within 2^2   ->  x             a variable in scope that fits
 *                             ->  xs[i]         a new input, where the body may add one
 *                             ->  0.5           a literal, where the want does not have to vary
 *                             ->  wp.sin(big)   a variable that is too large, made small
 *                             ->  float(k)      an index or integer, converted
 *     want vec3               ->  wp.vec3(x, 0.4, y)   built of scalars
 *
 * A leaf never fails. So every expression can stop at any budget, and the generator has no dead
 * ends. */
#include "gen/gen_expr.h"

#include "gen/gen_arg.h"
#include "gen/gen_coverage.h"
#include "gen/gen_literal.h"
#include "gen/gen_state.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

/* Conditions have no bound of their own: a bool is within 2^0. */
bound gen_expr(gen *g, want w, int budget, int prec)
{
    WEFT_ASSERT(prec >= PREC_TERNARY && prec <= PREC_ATOM && w.t.sc < GS_COUNT);
    switch ((gen_kind)w.t.kind) {
    case GK_SCALAR:
        if (w.t.sc == GS_BOOL) {
            gen_cond(g, budget, prec);
            return bound_of(0, LOW_ZERO);
        }
        return gt_is_float(w.t) ? gen_float(g, w, budget, prec) : gen_int(g, w, budget, prec);
    case GK_VEC: return gen_vec(g, w, budget, prec);
    case GK_MAT: return gen_mat(g, w, budget, prec);
    case GK_QUAT: return gen_quat(g, w, budget, prec);
    case GK_XFORM: return gen_xform(g, w, budget, prec);
    }
    return bound_of(0, LOW_NONE);
}

/* A new argument, if one of this type would be natural here; its bound may be beyond the want,
 * which the caller checks. Inputs come before scalars, since they differ from thread to thread. */
static gvar *new_source(gen *g, want w)
{
    if (can_add_input(g) && below(g, 8) < 5)
        return arg_input(g, w.t);
    if (can_add_scalar(g) && (w.t.kind == GK_SCALAR || below(g, 4) == 0))
        return arg_scalar(g, w.t);
    return NULL;
}

/* A float leaf whose variable lies beyond the want, made small by a function: wp.sin(v) for |x| <=
 * 1, wp.clamp(v, 0.5, 1.0) where it must be positive, 0.1 * wp.cos(v) for less. Without a variable,
 * or for very small wants, a literal. */
static bound put_small_float(gen *g, want w)
{
    WEFT_ASSERT(gt_is_scalar(w.t) && gt_is_float(w.t));
    gvar *v = var_any(g, w.t);
    if (!v || w.mag < -4) {
        w.varies = false;
        return put_literal(g, w, PREC_ATOM);
    }
    if (w.mag < 0) {
        put_float_literal(g, w.t, w.mag >= -1 ? "0.5" : w.mag >= -3 ? "0.1" : "0.05");
        W(g, " * ");
        cover_type(g, THING_MUL, w.t);
    }
    static const uint8_t fns[] = {FN_sin, FN_cos, FN_tanh, FN_clamp};
    uint32_t k = below(g, w.low == LOW_NONE ? 4 : 1);
    put_fn(g, w.low == LOW_NONE ? (gen_fn)fns[k] : FN_clamp, w.t);
    var_put(g, v);
    if (w.low != LOW_NONE || k == 3) {
        W(g, ", ");
        put_float_literal(g, w.t, w.low == LOW_NONE ? "-1.0" : w.low == LOW_ZERO ? "0.0" : "0.5");
        W(g, ", ");
        put_float_literal(g, w.t, "1.0");
    }
    W(g, ")");
    gen_low low = w.mag < 0 && w.low == LOW_POS ? LOW_ZERO : (gen_low)w.low;
    return bound_of(min_int(w.mag, 0), low);
}

/* x & 7, x % 5, (x & 7) | 1: small whatever x is. A mask is never negative, so it is the form for a
 * lower bound; `| 1` makes it positive. Else a literal. */
static bound put_small_int(gen *g, want w, int prec)
{
    WEFT_ASSERT(gt_is_scalar(w.t) && !gt_is_float(w.t));
    gvar *v = var_any(g, w.t);
    if (!v || w.mag < 1) {
        w.varies = false;
        return put_literal(g, w, PREC_ATOM);
    }
    int mag = min_int(w.mag, 1 + (int)below(g, 4));
    const bool mask = w.low != LOW_NONE || below(g, 2);
    const int own = w.low == LOW_POS ? PREC_BIT_OR : mask ? PREC_BIT_AND : PREC_PRODUCT;
    const bool bracket = open_bracket(g, own, prec);
    var_put(g, v);
    if (mask) {
        W(g, " & ");
        cover_type(g, THING_BIT_AND, w.t);
        put_int_literal(g, w.t, (1 << mag) - 1);
    } else {
        W(g, " % ");
        cover_type(g, THING_MOD, w.t);
        put_int_literal(g, w.t, (1 << mag) - (int)below(g, 1u << (mag - 1)));
    }
    if (w.low == LOW_POS) {
        W(g, " | ");
        cover_type(g, THING_BIT_OR, w.t);
        put_int_literal(g, w.t, 1);
    }
    close_bracket(g, bracket);
    return bound_of(mag, (gen_low)w.low);
}

/* Another scalar type out of an index or an integer in scope; or of a float, for a float. False:
 * nothing in scope can be converted, and nothing is written. In helpers an integer expression would
 * have only parameters, hence no second try there. */
static bool put_converted(gen *g, want w, bound *b)
{
    want from = varying(at_least(want_of(g->in, w.mag), (gen_low)w.low));
    gvar *v = gt_same(w.t, g->in) ? NULL : var_pick(g, from);
    from.t = g->s;
    gvar *real =
        gt_is_float(w.t) && gt_is_float(g->s) && !gt_same(w.t, g->s) ? var_pick(g, from) : NULL;
    if (real && (!v || below(g, 4)))
        v = real;
    if (!v && gt_same(w.t, g->in))
        return false;
    if (!v && !gt_is_float(w.t) && w.mag >= 2 && !g->defs.in_helper) {
        put_cast(g, w.t);
        *b = gen_int(g, (want){g->in, (int8_t)min_int(w.mag, 6), w.low, w.varies}, 1, PREC_TERNARY);
        W(g, ")");
        return true;
    }
    if (!v)
        return false;
    put_cast(g, w.t);
    var_put(g, v);
    W(g, ")");
    *b = bound_of(v->mag, (gen_low)v->low);
    return true;
}

/* Composites made of smaller ones when nothing of the type is in scope. More than 9 components, and
 * a third of those with more than 4, become one number in every place, unless the caller needs a
 * direction (`uneven`). Six numbers are always written, since Warp's spatial_vector takes no single
 * one. */
static bound put_built(gen *g, want w)
{
    if (w.t.kind == GK_QUAT) {
        put_fn(g, FN_quat_identity, w.t);
        if (w.t.sc != GS_F32) {
            W(g, "dtype=");
            put_type(g, scalar_of(w.t));
        }
        W(g, ")");
        return bound_of(0, LOW_NONE);
    }
    if (w.t.kind == GK_XFORM)
        return gen_xform(g, w, 1, PREC_ATOM);
    int n = w.t.kind == GK_MAT ? w.t.rows * w.t.cols : w.t.rows;
    int mag = -120;
    if (!g->scope.uneven && (n > 9 || (n > 4 && n != 6 && below(g, 3) == 0)))
        n = 1; /* the same in every place */
    put_cast(g, w.t);
    for (int i = 0; i < n; i++) {
        want part = want_of(scalar_of(w.t), w.mag);
        part.varies = i == 0;
        bound b = below(g, 3) || i == 0 ? gen_leaf(g, part, PREC_TERNARY)
                                        : put_literal(g, part, PREC_TERNARY);
        mag = max_int(mag, b.mag);
        if (i + 1 < n)
            W(g, ", ");
    }
    W(g, ")");
    return bound_of(mag, LOW_NONE);
}

/* No variable fits: builds, converts or makes small what there is. A lower bound is more than a
 * reduction like v[0] can keep, so those are for wants without one. */
static bound leaf_fallback(gen *g, want w, int prec)
{
    bound b;
    if (w.t.kind != GK_SCALAR)
        return put_built(g, w);
    if (gt_is_float(w.t) && w.low == LOW_NONE && put_reduction(g, w, &b))
        return b;
    if (put_converted(g, w, &b))
        return b;
    return gt_is_float(w.t) ? put_small_float(g, w) : put_small_int(g, w, prec);
}

/* Texts are compared, not trees: equal text is the same value, as expressions have no effects. */
bool is_twin(const gen *g, size_t left, size_t end, size_t right)
{
    WEFT_ASSERT(left <= end && end <= right && right <= g->text.out->n);
    const char *p = g->text.out->p;
    return g->text.out->n - right == end - left && memcmp(p + left, p + right, end - left) == 0;
}

/* Takes the right operand's text back and writes another. */
bound untwin(gen *g, size_t left, size_t end, size_t right, bound b, want w, int prec)
{
    if (!is_twin(g, left, end, right))
        return b;
    g->text.out->n = right;
    return w.t.kind == GK_SCALAR ? put_literal(g, w, prec) : put_built(g, w);
}

/* Order of what is tried: a literal now and then, where the want does not have to vary; the
 * variable that var_pick prefers; a new argument in three of four cases where that variable is used
 * already; a neighbour's element of an input, which makes stencils; the fallback. */
bound gen_leaf(gen *g, want w, int prec)
{
    WEFT_ASSERT(prec >= PREC_TERNARY && prec <= PREC_ATOM && w.t.kind <= GK_XFORM);
    bound b;
    if (!w.varies && w.t.kind == GK_SCALAR && below(g, 8) == 0) {
        const bool computed = below(g, 24) == 0 || target_is(g, THING_STATIC_CALL);
        return computed && put_static(g, w, &b) ? b : put_literal(g, w, prec);
    }
    gvar *v = var_pick(g, w);
    if (v && v - g->scope.vars == g->scope.last_leaf && !w.varies && w.t.kind == GK_SCALAR &&
        below(g, 4))
        return put_literal(g, w, prec);
    if ((!v || v->uses) && w.low == LOW_NONE && below(g, 4)) {
        gvar *fresh = new_source(g, w);
        if (fresh && fresh->mag <= w.mag)
            v = fresh;
    }
    if (v && v->uses && w.mag >= MAG_INT_INPUT && below(g, 20) == 0 && w.low == LOW_NONE &&
        put_neighbour_load(g, w.t))
        return bound_of(gt_is_float(w.t) ? MAG_INPUT : MAG_INT_INPUT, LOW_NONE);
    if (!v)
        return leaf_fallback(g, w, prec);
    var_put(g, v);
    return var_bound(v);
}
