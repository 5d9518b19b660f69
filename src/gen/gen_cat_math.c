/* Category math: elementary functions. */
#include "gen/gen_internal.h"

void gen_body_math(gen *g)
{
    kernel_type(g, false);
    kernel_inputs(g, 3, 2);
    kernel_prelude(g, 15, 5, 25);
    kernel_open(g, kernel_ndim(g));
    kernel_output(g, g->s);
    kernel_loads(g, g->s, some(g, 1, 2));
    if (below(g, 6) == 0 && room(g) > 1)
        stmt_let(g, g->in, 3);
    fill(g, g->level->level > 3, false);
    stmt_store(g, &g->args[g->goal], some(g, 2, 6));
}
