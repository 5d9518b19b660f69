/* Category arithmetic: straight-line arithmetic on elements. */
#include "gen/gen_internal.h"

void gen_body_arithmetic(gen *g)
{
    kernel_type(g, true);
    g->inputs = (uint8_t)(1 + below(g, 4));
    g->scalars = (uint8_t)below(g, 3);
    kernel_prelude(g, 20, 8, 20);
    kernel_open(g, kernel_ndim(g));
    kernel_output(g, g->s);
    kernel_loads(g, g->s, some(g, 1, 3));
    for (int i = some(g, 1, 5); i > 0; i--)
        stmt_let(g, g->s, some(g, 2, 6));
    if (below(g, 4) == 0) {
        garg *second = kernel_output(g, below(g, 3) ? g->s : g->in);
        stmt_store(g, second, 3);
        g->goal = 0;
        for (uint32_t i = 0; i < g->nargs; i++)
            if (g->args[i].mode == ARG_OWN) {
                g->goal = (uint8_t)i;
                break;
            }
    }
    stmt_store(g, &g->args[g->goal], some(g, 2, 6));
}
