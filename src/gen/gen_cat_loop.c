/* SPDX-License-Identifier: Apache-2.0 */
/* Category loop: one loop, or one after another, that changes a state.
 *
 *     h = wp.float32(0.0)
 *     for step in range(24):
 *         h = w[i, step] + 0.75 * h
 *     solution[i] = wp.float32(i) - h
 *
 * The state is defined before the loop, since its magnitude must hold in all turns (gen_stmt.h). */
#include "gen/gen_fill.h"
#include "gen/gen_kernel.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"

/* One fifth of the loops are while loops. `reserve` keeps lines free for what follows: until the
 * loop is written its head, its body and the result, behind it the result. */
void gen_body_loop(gen *g)
{
    WEFT_ASSERT(g->category == GEN_LOOP);
    kernel_type(g);
    kernel_inputs(g);
    kernel_prelude(g);
    kernel_open(g, below(g, 8) ? 1 : 2);
    kernel_output(g, g->s);
    g->size.reserve = 4;
    if (room(g) > 0 && chance(g, 75))
        stmt_load(g, g->s);
    if (room(g) > 0 && below(g, 3) == 0)
        stmt_let(g, g->s, some(g, 2, 5));
    stmt_state(g, g->s);
    if (extra(g, 35))
        stmt_state(g, gt_is_float(g->s) && below(g, 2) ? g->in : g->s);
    may_break(g);
    g->size.reserve = 1;
    if (below(g, 5) == 0 && room(g) > 3)
        stmt_while(g);
    else
        stmt_for(g, min_int(some(g, 0, 3), room(g) - 2), 0);
    fill(g, true, true);
    stmt_store(g, &g->params.args[g->params.goal], some(g, 1, 3));
}
