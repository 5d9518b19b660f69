/* Category combined: loops, branches, functions, vectors and atomics together. */
#include "gen/gen_internal.h"

static void vector_part(gen *g)
{
    gtype v = gt_vec(g->s.sc, g->vec_rows);
    stmt_load(g, v);
    stmt_let(g, v, 2 + (int)below(g, 3));
    stmt_let(g, g->s, 2);
}

void gen_body_combined(gen *g)
{
    kernel_type(g, false);
    g->inputs = (uint8_t)(2 + below(g, 3));
    g->scalars = (uint8_t)(1 + below(g, 3));
    kernel_prelude(g, 15, 15, 35);
    kernel_open(g, kernel_ndim(g));
    kernel_output(g, g->s);
    kernel_loads(g, g->s, 1);
    if (below(g, 3) == 0)
        vector_part(g);
    stmt_state(g, g->s);
    if (below(g, 2))
        stmt_for(g, 1, 0);
    else
        stmt_block(g, 2, 1);
    stmt_if(g, 1 + (int)below(g, 2), 0, below(g, 2) != 0);
    if (below(g, 4) == 0) {
        uint8_t one = dim_new(g, DIM_FIXED, 1);
        stmt_atomic(g, arg_output(g, g->s, ARG_ATOMIC, &one, 1), 2);
    }
    stmt_store(g, &g->args[g->goal], 2 + (int)below(g, 4));
}
