/* SPDX-License-Identifier: Apache-2.0 */
/* Category scalar_param: many scalar arguments, as in models and integrators.
 *
 *     i = wp.tid()
 *     res[i] = rate * 9.81 - sigma
 *
 * Two to six arguments are made before the body needs them, so that expressions find them in scope;
 * two more may be added by expressions. */
#include "gen/gen_arg.h"
#include "gen/gen_fill.h"
#include "gen/gen_kernel.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"

/* The number of scalars is that of this category, not of the level, hence no kernel_inputs. */
void gen_body_scalar_param(gen *g)
{
    WEFT_ASSERT(g->category == GEN_SCALAR_PARAM);
    kernel_type(g);
    int scalars = some(g, 2, 6);
    g->params.inputs = (uint8_t)(1 + below(g, 2));
    g->params.scalars = (uint8_t)(scalars + 2);
    kernel_prelude(g);
    kernel_open(g, kernel_ndim(g));
    kernel_output(g, g->s);
    for (int i = 0; i < scalars; i++)
        arg_scalar(g, below(g, 6) ? g->s : g->in);
    kernel_loads(g, g->s, 1);
    fill(g, g->size.level->level > 2 || below(g, 3) == 0, false);
    stmt_store(g, &g->params.args[g->params.goal], some(g, 3, 6));
}
