/* Category nested_loop: a loop in a loop: products, pairs, windows, tables. */
#include "gen/gen_internal.h"

void gen_body_nested_loop(gen *g)
{
    kernel_type(g, true);
    g->inputs = (uint8_t)(1 + below(g, 3));
    g->scalars = (uint8_t)below(g, 3);
    kernel_prelude(g, 8, 4, 12);
    kernel_open(g, below(g, 4) ? 1 : 2);
    kernel_output(g, g->s);
    if (below(g, 2))
        kernel_loads(g, g->s, 1);
    stmt_state(g, g->s);
    if (below(g, 5) == 0)
        stmt_state(g, g->s);
    stmt_for(g, (int)below(g, 3), 1 + (below(g, 10) == 0));
    stmt_store(g, &g->args[g->goal], 1 + (int)below(g, 4));
}
