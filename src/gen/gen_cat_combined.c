/* SPDX-License-Identifier: Apache-2.0 */
/* Category combined: loops, branches, functions, vectors and atomics together.
 *
 *     acc = wp.float32(0.0)
 *     if mask[wp.tid()] > 0.0:
 *         acc += data[wp.tid()]
 *     out[wp.tid()] = acc - data[wp.tid()]
 *
 * Each kernel has a state that a loop or a branch changes; what else is in it depends on the
 * lines. */
#include "gen/gen_arg.h"
#include "gen/gen_fill.h"
#include "gen/gen_kernel.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"

/* A vector of the kernel's length, and a number that may be made of it. */
static void vector_part(gen *g)
{
    gtype v = gt_vec(g->s.sc, g->vec_rows);
    stmt_load(g, v);
    if (room(g) > 4)
        stmt_let(g, v, some(g, 2, 4));
    if (room(g) > 4)
        stmt_let(g, g->s, 2);
}

/* A total over all threads, in an array of one element, beside the result. */
static void total_part(gen *g)
{
    uint8_t one = dim_new(g, DIM_FIXED, 1);
    stmt_atomic(g, arg_output(g, atomic_type(g->s), ARG_ATOMIC, &one, 1), 2);
}

/* The branch or loop is small, as fill adds more of both where lines are left. */
void gen_body_combined(gen *g)
{
    WEFT_ASSERT(g->category == GEN_COMBINED);
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
