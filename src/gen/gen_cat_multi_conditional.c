/* Category multi_conditional: chains of elif, nested branches, compound conditions. */
#include "gen/gen_internal.h"

void gen_body_multi_conditional(gen *g)
{
    kernel_type(g, true);
    g->inputs = (uint8_t)(1 + below(g, 3));
    g->scalars = (uint8_t)below(g, 3);
    kernel_prelude(g, 12, 5, 12);
    kernel_open(g, kernel_ndim(g));
    kernel_output(g, g->s);
    kernel_loads(g, g->s, 1 + (int)below(g, 2));
    if (below(g, 2))
        stmt_let(g, g->s, 2 + (int)below(g, 3));
    if (below(g, 4) == 0)
        stmt_let(g, gt_scalar(GS_BOOL), 3);
    if (below(g, 3) == 0) {
        stmt_if(g, 2 + (int)below(g, 3), 1, true);
        return;
    }
    stmt_state(g, g->s);
    stmt_if(g, 2 + (int)below(g, 3), 1, below(g, 4) != 0);
    if (below(g, 3) == 0)
        stmt_if(g, 1 + (int)below(g, 2), 1, below(g, 2) != 0);
    stmt_store(g, &g->args[g->goal], 2 + (int)below(g, 3));
}
