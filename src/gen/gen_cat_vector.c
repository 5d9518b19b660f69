/* SPDX-License-Identifier: Apache-2.0 */
/* Category vector: vectors, and scalars made of them.
 *
 *     y[i] = wp.cw_mul(q[i] + q[i], q[i])
 *     outputs_out[i] = -pos_src[i] * (depth_src[i] + radii_in[i])
 *
 * One kernel in 16 has integer vectors; a quarter of those with length 3 have rotations. */
#include "gen/gen_call.h"
#include "gen/gen_fill.h"
#include "gen/gen_kernel.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"
#include "gen/gen_type.h"

/* One to four definitions: vectors mostly, numbers in a third, and now and then a call of a builtin
 * with whatever type it has. */
static void vector_lets(gen *g, gtype v)
{
    for (int i = some(g, 1, 4); i > 0 && room(g) > 0; i--) {
        const uint32_t k = below(g, 6);
        if (k == 0 && room(g) > 1)
            stmt_call(g);
        else if (k < 4)
            stmt_let(g, v, some(g, 2, 5));
        else
            stmt_let(g, g->s, some(g, 2, 4));
    }
}

/* Two thirds store a vector, the others a number, which the last statement makes of vectors
 * (put_final). */
void gen_body_vector(gen *g)
{
    WEFT_ASSERT(g->category == GEN_VECTOR);
    uint32_t k = below(g, 16);
    kernel_type(g);
    if (k == 0)
        g->s = gt_scalar(integer_type(g));
    gtype v = gt_vec(g->s.sc, g->vec_rows);
    bool turns = k >= 12 && g->vec_rows == 3 && g->s.sc >= GS_F32;
    kernel_inputs(g);
    kernel_prelude(g);
    kernel_open(g, below(g, 8) ? 1 : 2);
    kernel_output(g, below(g, 3) || room(g) < 1 ? v : g->s);
    for (int i = 1 + (int)below(g, 2); i > 0 && room(g) > 0; i--)
        stmt_load(g, v);
    if (turns && room(g) > 0)
        stmt_let(g, gt_quat(g->s.sc), some(g, 2, 3));
    vector_lets(g, v);
    if (below(g, 4) == 0 && room(g) > 3) {
        stmt_state(g, v);
        if (below(g, 2))
            stmt_if(g, 1, 0, 50);
        else
            stmt_update(g, state_pick(g), 3);
    }
    while (room(g) > 3) {
        may_break(g);
        vector_lets(g, v);
        if (room(g) > 5 && below(g, 2))
            fill_some(g, 5, g->size.level->level > 2, false);
    }
    fill(g, false, false);
    stmt_store(g, &g->params.args[g->params.goal], some(g, 2, 5));
}
