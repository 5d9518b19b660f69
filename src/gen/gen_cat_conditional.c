/* SPDX-License-Identifier: Apache-2.0 */
/* Category conditional: a branch decides what an element becomes.
 *
 *     i = wp.tid()
 *     if input_in[i] < 0.75:
 *         dest_dst[i] = wp.erfc(wp.sign(input_in[i]))
 *
 * Half of the kernels store in the arms; most others change a state there; in some, threads leave
 * early. */
#include "gen/gen_fill.h"
#include "gen/gen_kernel.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"

/* A state that a branch changes, stored behind it. An else in half of them. */
static void update_in_arms(gen *g)
{
    stmt_state(g, g->s);
    stmt_if(g, 1, extra(g, 60), 50);
    fill(g, true, false);
    stmt_store(g, &g->params.args[g->params.goal], some(g, 1, 4));
}

/* Some threads leave early; the others store. */
static void leave_early(gen *g)
{
    stmt_exit(g);
    fill(g, true, false);
    stmt_store(g, &g->params.args[g->params.goal], some(g, 3, 5));
}

/* Both arms store. Without room for an else there is one arm, and the other threads keep what was
 * there. A bool is defined before in some, so that conditions have names. */
static void store_in_arms(gen *g)
{
    g->size.reserve = 4;
    if (below(g, 4) == 0 && room(g) > 0)
        stmt_let(g, gt_scalar(GS_BOOL), some(g, 2, 5));
    fill(g, true, false);
    stmt_if(g, 1, extra(g, 60), room(g) < 0 ? 0 : 100);
}

/* `reserve` is what the branch needs at least: its head, a store, an else and a store. */
void gen_body_conditional(gen *g)
{
    WEFT_ASSERT(g->category == GEN_CONDITIONAL);
    kernel_type(g);
    kernel_inputs(g);
    kernel_prelude(g);
    kernel_open(g, kernel_ndim(g));
    kernel_output(g, g->s);
    g->size.reserve = 4;
    kernel_loads(g, g->s, some(g, 1, 2));
    if (room(g) > 0 && below(g, 2))
        stmt_let(g, g->s, some(g, 2, 5));
    g->size.reserve = 1;
    const uint32_t k = below(g, 8);
    may_break(g);
    if (k < 4 || room(g) < 3)
        store_in_arms(g);
    else if (k < 7)
        update_in_arms(g);
    else
        leave_early(g);
}
