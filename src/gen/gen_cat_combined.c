/* Category combined: loops, branches, functions, vectors and atomics together. */
#include "gen/gen_internal.h"

static void vector_part(gen *g)
{
    gtype v = gt_vec(g->s.sc, g->vec_rows);
    stmt_load(g, v);
    stmt_let(g, v, some(g, 2, 4));
    stmt_let(g, g->s, 2);
}

void gen_body_combined(gen *g)
{
    g->thrift = (uint8_t)max_int(g->thrift, 2);
    kernel_type(g, false);
    g->inputs = (uint8_t)(1 + below(g, 3));
    g->scalars = (uint8_t)(1 + below(g, 3));
    kernel_prelude(g, 15, 15, 35);
    kernel_open(g, kernel_ndim(g));
    kernel_output(g, g->s);
    if (extra(g, 60))
        kernel_loads(g, g->s, 1);
    if (extra(g, 50))
        vector_part(g);
    stmt_state(g, g->s);
    if (below(g, 3) == 0)
        stmt_for(g, 1, 0);
    else
        stmt_block(g, some(g, 1, 3), 1);
    if (extra(g, 80))
        stmt_if(g, some(g, 1, 2), 0, 50);
    if (below(g, 4) == 0) {
        uint8_t one = dim_new(g, DIM_FIXED, 1);
        stmt_atomic(g, arg_output(g, g->s, ARG_ATOMIC, &one, 1), 2);
    }
    stmt_store(g, &g->args[g->goal], some(g, 2, 5));
}
