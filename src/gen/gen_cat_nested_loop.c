/* SPDX-License-Identifier: Apache-2.0 */
/* Category nested_loop: a loop in a loop: products, pairs, windows, tables.
 *
 *     s = float(0.0)
 *     for y in range(num):
 *         for k in range(n):
 *             s += tensor[i, y, k]
 *     dst[i] = beta - s
 */
#include "gen/gen_fill.h"
#include "gen/gen_kernel.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"

/* Three loops in each other, where there is room for them; most kernels have two. */
void gen_body_nested_loop(gen *g)
{
    WEFT_ASSERT(g->category == GEN_NESTED_LOOP);
    kernel_type(g);
    kernel_inputs(g);
    kernel_prelude(g);
    kernel_open(g, below(g, 4) ? 1 : 2);
    kernel_output(g, g->s);
    g->size.reserve = 5;
    if (room(g) > 0 && chance(g, 75))
        stmt_load(g, g->s);
    stmt_state(g, g->s);
    if (extra(g, 25))
        stmt_state(g, g->s);
    may_break(g);
    g->size.reserve = 1;
    const int depth = room(g) > 6 && extra(g, 30) ? 2 : 1;
    stmt_for(g, min_int(some(g, 0, 1), room(g) - 3), depth);
    fill(g, true, true);
    stmt_store(g, &g->params.args[g->params.goal], some(g, 1, 3));
}
