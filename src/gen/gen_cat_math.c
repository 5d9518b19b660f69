/* Category math: elementary functions. */
#include "gen/gen_internal.h"

void gen_body_math(gen *g)
{
    kernel_type(g, false);
    g->inputs = (uint8_t)(1 + below(g, 3));
    g->scalars = (uint8_t)below(g, 3);
    kernel_prelude(g, 15, 5, 25);
    kernel_open(g, kernel_ndim(g));
    kernel_output(g, g->s);
    kernel_loads(g, g->s, some(g, 1, 2));
    for (int i = some(g, 1, 5); i > 0; i--)
        stmt_let(g, g->s, some(g, 3, 6));
    if (below(g, 6) == 0)
        stmt_let(g, g->in, 3);
    stmt_store(g, &g->args[g->goal], some(g, 2, 6));
}
