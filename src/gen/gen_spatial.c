/* SPDX-License-Identifier: Apache-2.0 */
/* Transforms: a point and a rotation, whole or put together.
 *
 *     want transform   ->  wp.transform(p, wp.normalize(q)), x * y, wp.transform_inverse(x)
 *
 * A transform's magnitude is that of its point; its rotation has unit length or nearly so. */
#include "gen/gen_arg.h"
#include "gen/gen_call.h"
#include "gen/gen_expr.h"
#include "gen/gen_state.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

/* wp.transform(p, q), q of unit length: one in scope, or one that is normalized. */
static bound put_made(gen *g, uint8_t sc, int mag)
{
    put_cast(g, gt_xform(sc));
    bound p = gen_leaf(g, varying(want_of(gt_vec(sc, 3), mag)), PREC_TERNARY);
    W(g, ", ");
    if (!var_pick(g, want_of(gt_quat(sc), 0))) {
        put_fn(g, FN_normalize, gt_quat(sc));
        gen_leaf(g, varying(want_of(gt_quat(sc), 4)), PREC_TERNARY);
        W(g, ")");
    } else {
        gen_leaf(g, want_of(gt_quat(sc), 0), PREC_TERNARY);
    }
    W(g, ")");
    return bound_of(max_int(p.mag, 0), LOW_NONE);
}

/* A new transform whose point is within the bound of inputs, for statements that change its
 * parts. */
void put_rigid(gen *g, uint8_t sc)
{
    put_made(g, sc, MAG_INPUT);
}

/* A variable; the product of two; a builtin by its row; a new input; else one that is made. The
 * rotation moves the point of the right factor, and its length counts twice, hence the bound. */
bound gen_xform(gen *g, want w, int budget, int prec)
{
    WEFT_ASSERT(w.t.kind == GK_XFORM);
    bound b;
    gvar *v = var_pick(g, w);
    if (w.mag < 1)
        w.mag = 1;
    if (v && (budget <= 1 || below(g, 3) == 0)) {
        var_put(g, v);
        return var_bound(v);
    }
    if (budget > 1 && w.mag > 16 && below(g, 3) == 0) {
        bool bracket = open_bracket(g, PREC_PRODUCT, prec);
        want a = varying(want_of(w.t, 4));
        bound x = gen_xform(g, a, 1, PREC_PRODUCT);
        W(g, " * ");
        bound y = gen_xform(g, a, 1, PREC_UNARY);
        close_bracket(g, bracket);
        return bound_of(2 * max_int(x.mag, 0) + 2 * max_int(y.mag, 0) + 3, LOW_NONE);
    }
    if (budget > 1 && put_builtin_call(g, w, budget, &b))
        return b;
    if (can_add_input(g) && w.mag >= MAG_INPUT && !v && below(g, 2)) {
        v = arg_input(g, w.t);
        var_put(g, v);
        return var_bound(v);
    }
    return put_made(g, w.t.sc, w.mag);
}
