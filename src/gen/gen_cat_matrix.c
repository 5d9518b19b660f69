/* SPDX-License-Identifier: Apache-2.0 */
/* Category matrix: small matrices, with vectors and quaternions where they meet.
 *
 *     M0 = q[wp.tid(), 4]
 *     z[wp.tid()] = 13.637 * wp.ddot(M0, M0)
 *
 * Half of the kernels store a matrix, a quarter a vector, a quarter a number. */
#include "gen/gen_call.h"
#include "gen/gen_fill.h"
#include "gen/gen_kernel.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"

/* n is the kernel's vector length, if Warp has such matrices; a twelfth of the matrices are not
 * square. k decides what is stored. The loop ends with the room. */
void gen_body_matrix(gen *g)
{
    WEFT_ASSERT(g->category == GEN_MATRIX);
    kernel_type(g);
    int n = below(g, 8) < 5 && g->vec_rows <= 4 ? g->vec_rows : 2;
    const int cols = below(g, 12) ? n : 2 + (int)below(g, 3);
    g->vec_rows = (uint8_t)n;
    gtype m = gt_mat(g->s.sc, n, cols), v = gt_vec(g->s.sc, n);
    uint32_t k = below(g, 8);
    kernel_inputs(g);
    kernel_prelude(g);
    kernel_open(g, below(g, 10) ? 1 : 2);
    kernel_output(g, k < 4 ? m : k < 6 ? v : g->s);
    if (room(g) > 0)
        stmt_load(g, m);
    if (room(g) > 0 && (k >= 4 || below(g, 4) == 0))
        stmt_load(g, v);
    if (n == 3 && g->s.sc >= GS_F32 && room(g) > 1 && below(g, 4) == 0)
        stmt_let(g, gt_quat(g->s.sc), 2);
    do {
        for (int i = some(g, 1, 3); i > 0 && room(g) > 0; i--)
            if (below(g, 5) == 0 && room(g) > 1)
                stmt_call(g);
            else
                stmt_let(g, m, some(g, 2, 4));
        may_break(g);
        if (k >= 4 && below(g, 2) && room(g) > 0)
            stmt_let(g, v, some(g, 2, 4));
        if (below(g, 4) == 0 && room(g) > 0)
            stmt_let(g, g->s, 2);
        if (room(g) > 5 && below(g, 3) == 0)
            fill_some(g, 5, g->size.level->level > 2, false);
    } while (room(g) > 0);
    stmt_store(g, &g->params.args[g->params.goal], some(g, 2, 4));
}
