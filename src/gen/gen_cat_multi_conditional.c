/* SPDX-License-Identifier: Apache-2.0 */
/* Category multi_conditional: chains of elif, nested branches, compound conditions.
 *
 *     if data_array[idx] <= 0.0:
 *         dst_arr[idx] = inputs_in[idx] + dt
 *     elif (idx & 1) == 1:
 *         dst_arr[idx] = 0.25 * depth_buf[idx]
 *
 * Arms store, or change a state that is stored behind them. */
#include "gen/gen_fill.h"
#include "gen/gen_kernel.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"

/* Each arm needs two lines, for which `reserve` grows with their number. Where the room is gone
 * there is no else. */
void gen_body_multi_conditional(gen *g)
{
    WEFT_ASSERT(g->category == GEN_MULTI_CONDITIONAL);
    kernel_type(g);
    kernel_inputs(g);
    kernel_prelude(g);
    kernel_open(g, kernel_ndim(g));
    kernel_output(g, g->s);
    g->size.reserve = 6;
    kernel_loads(g, g->s, some(g, 1, 2));
    const int arms = room(g) > 1 ? some(g, 2, 4) : 2, nested = extra(g, 50);
    const bool stores = room(g) < 2 || below(g, 3) == 0;
    if (stores) {
        g->size.reserve = (uint8_t)(2 * arms + 2);
        fill(g, true, false);
        stmt_if(g, arms, nested, room(g) < 0 ? 0 : 100);
        return;
    }
    if (extra(g, 40))
        stmt_let(g, gt_scalar(GS_BOOL), 3);
    stmt_state(g, g->s);
    may_break(g);
    stmt_if(g, arms, nested, 67);
    g->size.reserve = 1;
    fill(g, true, false);
    stmt_store(g, &g->params.args[g->params.goal], some(g, 1, 3));
}
