/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of matrices as places. The plain matrix has no vector in it that a reference could name, so
 * a row is written lane by lane:
 *
 *     m[i] = v     ->   m[i][0] = v.x; m[i][1] = v.y; m[i][2] = v.z;
 *     m[i] += v    ->   m[i][0] += v.x; ...
 *     atomic_add   ->   one atomic operation for each lane, as in Warp's atomic_add of a vector
 *
 * For the readers of statements, where the row belongs to an element of an array; of a matrix in a
 * variable rows are set by a device function (change_part in cuda_read_call.c). A row that is read
 * is extracted (cuda_print_expr.c). */
#include "cuda/cuda_row.h"

#include "cuda/cuda_tree.h"

/* A component of a matrix by one index. */
bool cuda_is_row(const cx *e)
{
    return e->kind == CX_COMPONENT && e->nargs == 2 && e->args[0]->type->kind == TYPE_MAT;
}

/* The place of one lane of the row. */
static cx *lane_of_row(cuda_fn *f, const cx *row, int lane)
{
    cx *e = cx_new(f, CX_COMPONENT, row->args[0]->type->elem, 3);
    e->args[0] = row->args[0];
    e->args[1] = row->args[1];
    e->args[2] = cx_number(f, lane);
    return e;
}

/* The value of one lane of the vector. */
static cx *lane_of_vector(cuda_fn *f, cx *vector, int lane)
{
    cx *e = cx_new(f, CX_COMPONENT, vector->type->elem, 2);
    e->args[0] = vector;
    e->args[1] = cx_number(f, lane);
    return cx_unary(f, CX_LOAD, e->type, e);
}

/* A variable that holds the value, so that it is computed once for all lanes. */
static cx *kept(cuda_fn *f, cs_list *out, cx *from)
{
    uint32_t var;
    if (cx_is_var(from, &var))
        return from;
    cx *v = cx_var(f, cv_new(f, from->type, (str){NULL, 0}));
    cs_set(f, out, v, from);
    return v;
}

/* A zero has no lanes: each lane of the row becomes zero. */
void cuda_set_row(cuda_fn *f, cs_list *out, const cx *row, cx *from, char how)
{
    WEFT_ASSERT(cuda_is_row(row) && (how == '=' || how == '+' || how == '-'));
    cx *v = from->kind == CX_ZERO ? NULL : kept(f, out, from);
    const type *elem = row->args[0]->type->elem;
    for (int i = 0; i < row->args[0]->type->cols; i++) {
        cx *x = v ? lane_of_vector(f, v, i) : cx_new(f, CX_ZERO, elem, 0);
        cs *s = cs_set(f, out, lane_of_row(f, row, i), x);
        s->add = how == '+';
        s->sub = how == '-';
    }
}

void cuda_atomic_row(cuda_fn *f, cs_list *out, const cx *row, cx *from, cuda_op op)
{
    WEFT_ASSERT(cuda_is_row(row));
    cx *v = kept(f, out, from);
    for (int i = 0; i < row->args[0]->type->cols; i++) {
        cx *place = lane_of_row(f, row, i);
        cs_put(f, out, CS_CALL)->e = cx_atomic(f, op, place, lane_of_vector(f, v, i));
    }
}
