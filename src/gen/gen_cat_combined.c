/* Category combined: loops, branches, functions, vectors and atomics together. */
#include "gen/gen_arg.h"
#include "gen/gen_fill.h"
#include "gen/gen_kernel.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"

static void vector_part(gen *g)
{
    gtype v = gt_vec(g->s.sc, g->vec_rows);
    stmt_load(g, v);
    if (room(g) > 4)
        stmt_let(g, v, some(g, 2, 4));
    if (room(g) > 4)
        stmt_let(g, g->s, 2);
}

static void total_part(gen *g)
{
    uint8_t one = dim_new(g, DIM_FIXED, 1);
    stmt_atomic(g, arg_output(g, atomic_type(g->s), ARG_ATOMIC, &one, 1), 2);
}

void gen_body_combined(gen *g)
{
    kernel_type(g);
    kernel_inputs(g);
    kernel_prelude(g);
    kernel_open(g, kernel_ndim(g));
    kernel_output(g, g->s);
    if (room(g) > 5 && below(g, 3))
        kernel_loads(g, g->s, 1);
    if (room(g) > 7 && below(g, 3) == 0)
        vector_part(g);
    stmt_state(g, g->s);
    may_break(g);
    if (below(g, 3) == 0)
        stmt_for(g, 1, 0);
    else
        stmt_if(g, 1, 0, 50);
    if (room(g) > 3)
        fill(g, true, true);
    else if (room(g) > 0 && below(g, 2))
        total_part(g);
    stmt_store(g, &g->params.args[g->params.goal], some(g, 2, 5));
}
