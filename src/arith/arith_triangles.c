/* SPDX-License-Identifier: Apache-2.0 */
/* intersect_tri_tri(v0, v1, v2, u0, u1, u2) of float32 or float64: int32, 1 if the triangles meet.
 *
 *     (0,0,0) (1,0,0) (0,1,0), (0.2,0.2,-1) (0.2,0.2,1) (2,2,0)   ->   1
 *
 * It has no derivatives, in Warp too. */
#include "arith/arith_family.h"

#define REAL_BODY "arith/body_triangles.h"
#include "arith/arith_each_real.h"
#undef REAL_BODY

static arith_status op_triangles_f32(const arith_op *op, void *const *operands)
{
    const float *const *corners = (const float *const *)(const void *)operands;
    store_i32(operands[op->n], 0, triangles_meet_f32(corners, corners + 3));
    return ARITH_OK;
}

static arith_status op_triangles_f64(const arith_op *op, void *const *operands)
{
    const double *const *corners = (const double *const *)(const void *)operands;
    store_i32(operands[op->n], 0, triangles_meet_f64(corners, corners + 3));
    return ARITH_OK;
}

static bool find_triangles(const arith_request *q, arith_op *op)
{
    const type *t = q->n == 6 ? q->args[0] : NULL;
    if (!t || t->kind != TYPE_VEC || t->rows != 3 ||
        (t->elem->kind != TYPE_FLOAT32 && t->elem->kind != TYPE_FLOAT64))
        return false;
    for (int i = 1; i < 6; i++)
        if (q->args[i] != t)
            return false;
    *op = (arith_op){.run = t->elem->kind == TYPE_FLOAT32 ? op_triangles_f32 : op_triangles_f64};
    return arith_set_types(q, op, type_scalar(q->c, TYPE_INT32));
}

static const arith_row rows[] = {{"intersect_tri_tri", find_triangles}};

const arith_family arith_triangles = {rows, sizeof rows / sizeof *rows};
