/* Category nested_loop: a loop in a loop: products, pairs, windows, tables. */
#include "gen/gen_internal.h"

void gen_body_nested_loop(gen *g)
{
    g->thrift = (uint8_t)max_int(g->thrift, 3);
    kernel_type(g, true);
    g->inputs = (uint8_t)(1 + below(g, 3));
    g->scalars = (uint8_t)below(g, 3);
    kernel_prelude(g, 8, 4, 12);
    kernel_open(g, below(g, 4) ? 1 : 2);
    kernel_output(g, g->s);
    if (chance(g, 75))
        stmt_load(g, g->s);
    stmt_state(g, g->s);
    if (extra(g, 25))
        stmt_state(g, g->s);
    int depth = extra(g, 15) ? 2 : 1;
    stmt_for(g, some(g, 0, 1), depth);
    stmt_store(g, &g->args[g->goal], some(g, 1, 3));
}
