/* Category loop: one loop, or one after another, that changes a state. */
#include "gen/gen_internal.h"

void gen_body_loop(gen *g)
{
    kernel_type(g, true);
    g->inputs = (uint8_t)(1 + below(g, 3));
    g->scalars = (uint8_t)below(g, 3);
    kernel_prelude(g, 10, 5, 15);
    kernel_open(g, below(g, 8) ? 1 : 2);
    kernel_output(g, g->s);
    if (chance(g, 75))
        stmt_load(g, g->s);
    if (extra(g, 60))
        stmt_let(g, g->s, some(g, 2, 5));
    stmt_state(g, g->s);
    if (extra(g, 35))
        stmt_state(g, gt_is_float(g->s) && below(g, 2) ? g->in : g->s);
    if (below(g, 5) == 0)
        stmt_while(g);
    else
        stmt_for(g, some(g, 0, 3), 0);
    if (extra(g, 25))
        stmt_for(g, 1, 0);
    stmt_store(g, &g->args[g->goal], some(g, 1, 3));
}
