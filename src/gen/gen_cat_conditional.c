/* Category conditional: a branch decides what an element becomes. */
#include "gen/gen_internal.h"

/* Both arms store. */
static void store_in_arms(gen *g)
{
    stmt_if(g, 1, extra(g, 60), 100);
}

/* A state that a branch changes. */
static void update_in_arms(gen *g)
{
    stmt_state(g, g->s);
    for (int i = some(g, 1, 2); i > 0; i--)
        stmt_if(g, 1, extra(g, 60), 50);
    stmt_store(g, &g->args[g->goal], some(g, 1, 4));
}

/* Some threads leave early. */
static void leave_early(gen *g)
{
    stmt_exit(g);
    stmt_block(g, some(g, 1, 2), 0);
    stmt_store(g, &g->args[g->goal], some(g, 3, 5));
}

static void choose_by_value(gen *g)
{
    if (below(g, 2))
        stmt_let(g, gt_scalar(GS_BOOL), some(g, 2, 5));
    stmt_let(g, g->s, some(g, 3, 5));
    stmt_if(g, 1, 0, 100);
}

void gen_body_conditional(gen *g)
{
    kernel_type(g, true);
    g->inputs = (uint8_t)(1 + below(g, 3));
    g->scalars = (uint8_t)below(g, 3);
    kernel_prelude(g, 15, 5, 15);
    kernel_open(g, kernel_ndim(g));
    kernel_output(g, g->s);
    kernel_loads(g, g->s, some(g, 1, 2));
    for (int i = some(g, 0, 2); i > 0; i--)
        stmt_let(g, g->s, some(g, 2, 5));
    switch (below(g, 8)) {
    case 0:
    case 1:
    case 2: store_in_arms(g); break;
    case 3:
    case 4:
    case 5: update_in_arms(g); break;
    case 6: leave_early(g); break;
    default: choose_by_value(g); break;
    }
}
