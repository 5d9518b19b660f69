/* Category arithmetic: straight-line arithmetic on elements. */
#include "gen/gen_fill.h"
#include "gen/gen_kernel.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"

void gen_body_arithmetic(gen *g)
{
    kernel_type(g);
    kernel_inputs(g);
    kernel_prelude(g);
    kernel_open(g, kernel_ndim(g));
    kernel_output(g, g->s);
    kernel_loads(g, g->s, some(g, 1, 3));
    fill(g, g->size.level->level > 3, false);
    stmt_store(g, &g->params.args[g->params.goal], some(g, 2, 6));
}
