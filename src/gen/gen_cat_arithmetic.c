/* SPDX-License-Identifier: Apache-2.0 */
/* Category arithmetic: straight-line arithmetic on elements.
 *
 *     output[wp.tid()] = x[wp.tid()] / wp.clamp(x[wp.tid()], 0.5, 1.0) * 1.5 + x[wp.tid()]
 *
 * Definitions fill the lines. Integer kernels are arithmetic as well. From level 4 on a branch may
 * stand among them. */
#include "gen/gen_fill.h"
#include "gen/gen_kernel.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"

/* Needs: nothing; the frame is in gen_kernel.h. The budget of the result grows where few lines were
 * written before. */
void gen_body_arithmetic(gen *g)
{
    WEFT_ASSERT(g->category == GEN_ARITHMETIC);
    kernel_type(g);
    kernel_inputs(g);
    kernel_prelude(g);
    kernel_open(g, kernel_ndim(g));
    kernel_output(g, g->s);
    kernel_loads(g, g->s, some(g, 1, 3));
    fill(g, g->size.level->level > 3, false);
    stmt_store(g, &g->params.args[g->params.goal], some(g, 2, 6));
}
