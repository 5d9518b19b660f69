/* SPDX-License-Identifier: Apache-2.0 */
/* Category atomic: sums, histograms, scattered updates.
 *
 *     wp.atomic_add(out_data, 0, float(wp.tid()) + dt / wp.clamp(weight, 0.1, 1.0))
 *
 *     key = wp.clamp(int(x[i] * 8.0), 0, bins.shape[0] - 1)
 *     bins[key] += 1
 *
 * An array takes atomics of one kind only (garg.op), so that results do not depend on the order of
 * threads. There is no output of another kind, unless threads exchange. */
#include "gen/gen_arg.h"
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_fill.h"
#include "gen/gen_kernel.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"

/* Is the target an atomic, or a shared array? */
static bool targets_atomic(const gen *g)
{
    return target_is(g, THING_ARG_SHARED) || target_is(g, THING_ATOMIC_ASSIGN) ||
           (g->target.thing >= 0 && g->target.thing < FN_COUNT &&
            atomic_op((gen_fn)g->target.thing) < ATOMIC_OPS);
}

/* A new array for atomics: one total, a few bins, as many cells as an argument says, or the
 * thread's own row; the target's type and operation, if that is one. Operations: sums mostly;
 * extrema, and for integers bits. Vectors and half precision have only sums. */
static garg *shared_array(gen *g, gtype t)
{
    const bool targeted =
        g->target.typed && takes(THING_ATOMIC_ASSIGN, g->target.type) && targets_atomic(g);
    if (targeted)
        t = g->target.type;
    static const uint8_t bins[] = {4, 8, 10, 16, 32, 64};
    uint8_t dims[RANK_MAX];
    int rank = 0;
    uint32_t k = below(g, 10);
    if (!targeted)
        t = atomic_type(t);
    if (k < 3)
        dims[rank++] = dim_new(g, DIM_FIXED, 1);
    else if (k < 6)
        dims[rank++] = dim_new(g, DIM_FIXED, bins[below(g, sizeof bins)]);
    else if (k < 8)
        dims[rank++] = dim_new(g, DIM_FREE, 0);
    else
        dims[rank++] = (uint8_t)below(g, g->params.launch_dims);
    if (k == 5 || k == 7)
        dims[rank++] = dim_new(g, DIM_FIXED, some(g, 2, 4));
    garg *a = arg_output(g, t, ARG_ATOMIC, dims, rank);
    a->op = (uint8_t)below(g, below(g, 4) ? 5 : 10);
    if (!gt_is_float(t) && below(g, 4) == 0)
        a->op = (uint8_t)(8 + below(g, 3)); /* of bits */
    else if (a->op > 7)
        a->op = 0;
    if (t.kind != GK_SCALAR || gt_is_half(t))
        a->op = below(g, 4) ? 0 : 4;
    if (targeted && g->target.thing < FN_COUNT)
        a->op = atomic_op((gen_fn)g->target.thing);
    return a;
}

/* An array that atomics may still use; those of exchanges may not. */
static bool is_free(const garg *a)
{
    return a->mode == ARG_ATOMIC && a->op < ATOMIC_OPS;
}

/* One that is there already, or a new one. One more than there are is drawn, so that kernels of
 * several arrays stay seldom. */
static garg *target_array(gen *g, gtype t)
{
    uint32_t have = 0;
    for (uint32_t i = 0; i < g->params.nargs; i++)
        have += is_free(&g->params.args[i]);
    if (have > 1 && below(g, have + 1)) {
        uint32_t k = below(g, have);
        for (uint32_t i = 0; i < g->params.nargs; i++)
            if (is_free(&g->params.args[i]) && k-- == 0)
                return &g->params.args[i];
    }
    return shared_array(g, t);
}

/* if ...: an atomic. The array is kept by its number, as the condition may add arguments. */
static void guarded_atomic(gen *g, garg *a, int budget)
{
    uint32_t mark, number = (uint32_t)(a - g->params.args);
    line_open(g);
    W(g, "if ");
    cover(g, THING_IF);
    cover(g, THING_ATOMIC_IN_IF);
    gen_cond(g, some(g, 1, 3), PREC_TERNARY);
    block_open(g, &mark);
    stmt_atomic(g, &g->params.args[number], budget);
    block_close(g, mark);
    g->flow.branches++;
}

/* Definitions, then an atomic that uses them; again, while lines are left. Half precision becomes
 * float32, which atomics take. */
void gen_body_atomic(gen *g)
{
    WEFT_ASSERT(g->category == GEN_ATOMIC);
    kernel_type(g);
    gtype v = gt_vec(g->s.sc, g->vec_rows);
    g->s = atomic_type(g->s);
    bool vector = gt_is_float(g->s) && below(g, 8) == 0;
    v.sc = g->s.sc;
    kernel_inputs(g);
    kernel_prelude(g);
    kernel_open(g, kernel_ndim(g));
    if (room(g) > 0)
        kernel_loads(g, g->s, some(g, 1, 2));
    if (vector && room(g) > 0)
        stmt_load(g, v);
    if (room(g) > 2 && (below(g, 16) == 0 || target_is(g, (gen_thing)FN_atomic_cas) ||
                        target_is(g, (gen_thing)FN_atomic_exch)))
        stmt_exchange(g, some(g, 1, 3));
    do {
        for (int i = some(g, 1, 4); i > 0 && room(g) > 0; i--) {
            gtype t = vector && below(g, 2) ? v : g->s;
            stmt_let(g, t, some(g, 2, 5));
        }
        may_break(g);
        if (room(g) > 5 && below(g, 2))
            fill_some(g, 5, g->size.level->level > 2, g->size.level->level > 3);
        garg *a = target_array(g, vector && below(g, 2) ? v : below(g, 16) ? g->s : g->in);
        if (below(g, 3) == 0 && room(g) > 0)
            guarded_atomic(g, a, some(g, 2, 4));
        else
            stmt_atomic(g, a, some(g, 2, 4));
    } while (room(g) >= 0);
}
