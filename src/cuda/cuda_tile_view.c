/* SPDX-License-Identifier: Apache-2.0 */
/* Views of tiles, which have no memory of their own, and the assignment to a part.
 *
 *     b = wp.tile_transpose(a)
 *     wp.tile_assign(a, c, offset=(0, 1))
 *     ->
 *     for (int e = threadIdx.x; e < 6; e += blockDim.x) {
 *         const int row = e / 3;
 *         const int col = e % 3;
 *         a[row][col + 1] = c[row][col];
 *     }
 */
#include "cuda/cuda_operand.h"
#include "cuda/cuda_tile_ops.h"
#include "cuda/cuda_tree.h"

/* The result is a view of operand 0. */
static cuda_tile *begin_view(const tile_call *r, cuda_tile_kind kind)
{
    cuda_tile *of = cuda_tile_operand(r, 0);
    const type *t = type_strip_ref(r->f->u->vars.v[r->var].type);
    if (!r->result || !of || t->kind != TYPE_TILE || t->ndim > CUDA_TILE_DIMS ||
        r->f->tiles[r->var])
        return r->f->tiles[r->var];
    cuda_tile *x = cuda_tile_new(r->f, r->var, kind);
    x->of = of;
    for (uint32_t d = 0; d < of->ndim; d++) {
        x->offset[d] = cx_number(r->f, 0);
        x->from[d] = -1;
    }
    return x;
}

bool cuda_tile_read_transpose(const tile_call *r)
{
    cuda_tile *v = begin_view(r, CUDA_TILE_MAPPED);
    if (!v || v->ndim != 2)
        return cuda_tile_refuse(r);
    v->from[0] = 1;
    v->from[1] = 0;
    return true;
}

bool cuda_tile_read_reshape(const tile_call *r)
{
    cuda_tile *v = begin_view(r, CUDA_TILE_RESHAPED);
    return v && cuda_tile_size(v) == cuda_tile_size(v->of) ? true : cuda_tile_refuse(r);
}

/* Extents of one are left out. */
bool cuda_tile_read_squeeze(const tile_call *r)
{
    cuda_tile *v = begin_view(r, CUDA_TILE_RESHAPED);
    return v ? true : cuda_tile_refuse(r);
}

/* The template arguments are the shape and then the strides, 0 where elements repeat. */
bool cuda_tile_read_broadcast(const tile_call *r)
{
    cuda_tile *v = begin_view(r, CUDA_TILE_MAPPED);
    if (!v || v->ndim < v->of->ndim || r->callee->native.ntemplates != 2 * v->ndim)
        return cuda_tile_refuse(r);
    const uint32_t more = v->ndim - v->of->ndim;
    for (uint32_t d = more; d < v->ndim; d++)
        if (cuda_tile_template(r, v->ndim + d))
            v->from[d - more] = (int8_t)d;
    return true;
}

/* A part at an offset, of as many dimensions or fewer: the type's strides tell which of the tile's
 * dimensions are the part's. */
bool cuda_tile_read_view(const tile_call *r)
{
    cuda_fn *f = r->f;
    cuda_tile *v = begin_view(r, CUDA_TILE_MAPPED);
    const cuda_tile *of = cuda_tile_operand(r, 0);
    if (!v || r->n - 1 > of->ndim)
        return cuda_tile_refuse(r);
    const type *part = type_strip_ref(f->u->vars.v[r->var].type),
               *whole = type_strip_ref(f->u->vars.v[ir_index(r->args[0])].type);
    for (uint32_t d = 0; d < r->n - 1; d++)
        v->offset[d] = cuda_operand_value(f, r->args[d + 1]);
    uint32_t m = 0;
    for (uint32_t d = 0; d < v->ndim; d++, m++) {
        while (m < of->ndim && part->dims[v->ndim + d] != whole->dims[of->ndim + m])
            m++;
        if (m == of->ndim)
            return cuda_tile_refuse(r);
        v->from[m] = (int8_t)d;
    }
    return true;
}

const cuda_tile *cuda_tile_array_of(const cuda_tile *t)
{
    while (t->of)
        t = t->of;
    return t;
}

/* Elements of the part of `to` at the offsets become those of `from`. Parts of one array may
 * overlap, so that a thread would read what another one has set. */
bool cuda_tile_read_assign(const tile_call *r)
{
    cuda_fn *f = r->f;
    cuda_tile *to = cuda_tile_operand(r, 0), *from = cuda_tile_operand(r, 1);
    if (!to || !from || cuda_tile_array_of(to) == cuda_tile_array_of(from) ||
        r->n != 2 + to->ndim || to->ndim != from->ndim || to->elem != from->elem)
        return cuda_tile_refuse(r);
    const cuda_tile_use uses[] = {{to, true, false}, {from, false, true}};
    cuda_tile_meet(f, r->out, uses, 2);
    const cuda_tile_loop l = cuda_tile_each(f, r->out, from);
    cx *at[CUDA_TILE_DIMS];
    for (uint32_t d = 0; d < to->ndim; d++)
        at[d] = cuda_int_sum(f, cuda_operand_value(f, r->args[2 + d]), l.at[d]);
    cs_set(f, l.body, cuda_tile_element(f, to, at), cuda_tile_value(f, from, l.at));
    return true;
}

/* The operand of the operation of this file that makes the variable; CUDA_NO_VAR: none does. */
static uint32_t viewed(const ir_unit *u, uint32_t var)
{
    static const char *const names[] = {"tile_transpose", "tile_reshape", "tile_squeeze",
                                        "tile_broadcast", "tile_view"};
    for (uint32_t i = 0; i < u->forward.n; i++) {
        const ir_stmt *s = &u->stmts.v[u->forward.v[i].stmt];
        const ir_arg *a = u->args.v + s->args;
        if (s->op == IR_CALL && ir_index(a[0]) == var && STR_IS_IN(cuda_called_name(u, s), names))
            return ir_index(a[2]);
    }
    return CUDA_NO_VAR;
}

bool cuda_tile_is_view(const ir_unit *u, uint32_t var)
{
    return viewed(u, var) != CUDA_NO_VAR;
}

uint32_t cuda_tile_root(const ir_unit *u, uint32_t var)
{
    for (uint32_t of = viewed(u, var); of != CUDA_NO_VAR; of = viewed(u, of))
        var = of;
    return var;
}
