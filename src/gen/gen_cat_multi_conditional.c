/* Category multi_conditional: chains of elif, nested branches, compound conditions. */
#include "gen/gen_internal.h"

void gen_body_multi_conditional(gen *g)
{
    g->thrift = (uint8_t)max_int(g->thrift, 3);
    kernel_type(g, true);
    g->inputs = (uint8_t)(1 + below(g, 3));
    g->scalars = (uint8_t)below(g, 3);
    kernel_prelude(g, 12, 5, 12);
    kernel_open(g, kernel_ndim(g));
    kernel_output(g, g->s);
    kernel_loads(g, g->s, some(g, 1, 2));
    if (extra(g, 60))
        stmt_let(g, g->s, some(g, 2, 4));
    if (extra(g, 40))
        stmt_let(g, gt_scalar(GS_BOOL), 3);
    int arms = some(g, 2, 4), nested = 0;
    if (extra(g, 50))
        nested = 1;
    if (below(g, 3) == 0) {
        stmt_if(g, arms, nested, 100);
        return;
    }
    stmt_state(g, g->s);
    stmt_if(g, arms, nested, 67);
    if (extra(g, 40))
        stmt_if(g, some(g, 1, 2), 1, 50);
    stmt_store(g, &g->args[g->goal], some(g, 1, 3));
}
