/* Category conditional: a branch decides what an element becomes. */
#include "gen/gen_fill.h"
#include "gen/gen_kernel.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"

/* A state that a branch changes. */
static void update_in_arms(gen *g)
{
    stmt_state(g, g->s);
    stmt_if(g, 1, extra(g, 60), 50);
    fill(g, true, false);
    stmt_store(g, &g->params.args[g->params.goal], some(g, 1, 4));
}

/* Some threads leave early. */
static void leave_early(gen *g)
{
    stmt_exit(g);
    fill(g, true, false);
    stmt_store(g, &g->params.args[g->params.goal], some(g, 3, 5));
}

/* Both arms store. */
static void store_in_arms(gen *g)
{
    g->size.reserve = 4;
    if (below(g, 4) == 0 && room(g) > 0)
        stmt_let(g, gt_scalar(GS_BOOL), some(g, 2, 5));
    fill(g, true, false);
    stmt_if(g, 1, extra(g, 60), room(g) < 0 ? 0 : 100);
}

void gen_body_conditional(gen *g)
{
    kernel_type(g);
    kernel_inputs(g);
    kernel_prelude(g);
    kernel_open(g, kernel_ndim(g));
    kernel_output(g, g->s);
    g->size.reserve = 4;
    kernel_loads(g, g->s, some(g, 1, 2));
    if (room(g) > 0 && below(g, 2))
        stmt_let(g, g->s, some(g, 2, 5));
    g->size.reserve = 1;
    const uint32_t k = below(g, 8);
    may_break(g);
    if (k < 4 || room(g) < 3)
        store_in_arms(g);
    else if (k < 7)
        update_in_arms(g);
    else
        leave_early(g);
}
