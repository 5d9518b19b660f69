/* SPDX-License-Identifier: Apache-2.0 */
/* Category math: elementary functions.
 *
 *     response[wp.tid()] = wp.asin(0.5 * wp.tanh(levels[wp.tid()])) - z[wp.tid()]
 *
 * The weights of gen_category.def make calls of functions the commonest operator. A short kernel
 * may miss one all the same; then shows_category of gen_sample.c refuses it. */
#include "gen/gen_fill.h"
#include "gen/gen_kernel.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"

/* An integer definition gives conversions now and then. */
void gen_body_math(gen *g)
{
    WEFT_ASSERT(g->category == GEN_MATH);
    kernel_type(g);
    kernel_inputs(g);
    kernel_prelude(g);
    kernel_open(g, kernel_ndim(g));
    kernel_output(g, g->s);
    kernel_loads(g, g->s, some(g, 1, 2));
    if (below(g, 6) == 0 && room(g) > 1)
        stmt_let(g, g->in, 3);
    fill(g, g->size.level->level > 3, false);
    stmt_store(g, &g->params.args[g->params.goal], some(g, 2, 6));
}
