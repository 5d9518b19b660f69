/* SPDX-License-Identifier: Apache-2.0 */
/* Scans of tiles, reductions along an axis by any function, and dot products: read, and executed in
 * Warp's order (arith_tile.h).
 *
 *     var_5 = wp::tile_scan_inclusive(var_4);
 *     var_8 = wp::tile_reduce_axis(larger_0, var_4, var_7, var_9, var_10);   tile, axis, identity
 *     var_9 = wp::tile_dot(var_4, var_8); */
#include "base/assert.h"
#include "textvm/vm_tile_item.h"
#include "textvm/vm_tile_read.h"

/* ---- scans ---- */

/* result, tile; param: tile_scanning. The order matters for sums of floats alone. */
static bool run_scan(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[1].type;
    const uint32_t n = tile_elements(t);
    const size_t size = vm_type_size(t->elem);
    const tile_block *b = block_shape(m);
    if (b->warps && b->lanes < b->width && b->lanes < n) {
        vm_fault(m, i, TEXTVM_MISSING, "cannot execute a scan in a block that is not full");
        return false;
    }
    const arena_mark mark = arena_save(m->views);
    folding c = {m, info, size};
    const tile_reduction all = fold_gathered(m, i, &c);
    if (!spend(m, i, n) ||
        !tile_scan(b, &all, (tile_scanning)info->param, scratch(m, 2 * b->width + 3, size)))
        return false;
    put_items(m, i, info, 0, all.bytes);
    arena_rewind(m->views, mark);
    return true;
}

/* op: the operation, with '-' in front if the element itself is left out. */
void read_scan(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    const type *tile = tile_arg_type(r, k, 0), *out = tile_result(r, k);
    const type *in[2] = {tile->elem, tile->elem};
    if (t->ntargs || t->nfns || k->n != 1 || out->elem != tile->elem)
        tile_wrong(r, k);
    tile_need_shape(r, k, out, tile);
    const bool exclusive = *op == '-';
    tile_info *info = tile_emit(r, k, run_scan);
    info->param = exclusive    ? TILE_SCAN_EXCLUSIVE
                  : *op == 'm' ? TILE_SCAN_CHOICES
                               : TILE_SCAN_INCLUSIVE;
    info->folds = true;
    tile_snippet(r, info, tile_native_fn(r, op + exclusive), in, 2, tile->elem);
}

/* ---- along an axis ---- */

/* Element e of a tile without the dimension `axis`, with index x in that: an element of t. */
static uint32_t with_axis(const type *t, uint32_t axis, uint32_t e, uint32_t x)
{
    uint32_t inner = 1;
    for (int d = t->ndim - 1; d > (int)axis; d--)
        inner *= (uint32_t)t->dims[d];
    return (e / inner * (uint32_t)t->dims[axis] + x) * inner + e % inner;
}

/* Does `out` have the other dimensions of t? Those of a tile with one dimension are 1. */
static bool fits_axis(const type *out, const type *t, int64_t axis)
{
    if (axis < 0 || axis >= t->ndim)
        return false;
    if (t->ndim == 1)
        return tile_elements(out) == 1;
    for (int d = 0; d < out->ndim; d++)
        if (out->dims[d] != t->dims[d + (d >= axis)])
            return false;
    return out->ndim == t->ndim - 1;
}

/* result, tile[, axis, identity, whether it is one]. param: the axis, or -1: it is an argument. One
 * lane goes along it; CUDA text has another order for more than 32 elements. */
static bool run_reduce_axis(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[1].type, *out = info->args[0].type;
    const uint32_t axis = (uint32_t)(info->param < 0 ? lane_int(m, i, 2, 0) : info->param);
    const size_t size = vm_type_size(t->elem);
    const tile_block *b = block_shape(m);
    if (!fits_axis(out, t, axis))
        return fault(m, i, "a tile is reduced along an axis that does not fit its result");
    const uint32_t n = (uint32_t)t->dims[axis];
    if (b->warps && t->ndim == 1)
        return tile_run_reduce(m, i, info); /* by the whole block */
    if ((b->warps && n > 32) || (b->lanes < b->width && b->lanes < tile_elements(t))) {
        vm_fault(m, i, TEXTVM_MISSING, "cannot execute a sum along an axis of this size or block");
        return false;
    }
    const arena_mark mark = arena_save(m->views);
    uint8_t *sums = scratch(m, tile_elements(out), size);
    folding c = {m, info, size};
    EACH_ITEM(m, tile_elements(out), lane, e)
    {
        uint8_t *acc = sums + e * size;
        memcpy(acc, item(i, info, 1, with_axis(t, axis, e, 0)), size);
        for (uint32_t x = 1; x < n; x++)
            if (!fold_run(&c, acc, item(i, info, 1, with_axis(t, axis, e, x))))
                return false;
    }
    put_items(m, i, info, 0, sums);
    arena_rewind(m->views, mark);
    return spend(m, i, tile_elements(t));
}

/* tile, adj_tile, adj_result */
static bool run_adj_sum_axis(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[1].type;
    const uint32_t axis = (uint32_t)info->param;
    EACH_ITEM(m, tile_elements(info->args[2].type), lane, e)
    {
        const uint8_t *g = item_grad(i, info, 2, e);
        for (uint32_t x = 0; g && x < (uint32_t)t->dims[axis]; x++) {
            uint8_t *to = item_grad(i, info, 1, with_axis(t, axis, e, x));
            if (to)
                accum_run(info->accum, to, g);
        }
    }
    return spend(m, i, tile_elements(t));
}

/* The axis, a template argument; `out` has the tile's other dimensions. */
static int32_t axis_of(reader *r, const call *k, const tile_call *t, const type *tile,
                       const type *out)
{
    if (t->ntargs != 1 || t->targs[0].t || !fits_axis(out, tile, t->tnums[0]) ||
        out->elem != tile->elem)
        tile_wrong(r, k);
    return (int32_t)t->tnums[0];
}

/* tile_sum_axis<1>(tile) */
void read_sum_axis(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    const type *tile = tile_arg_type(r, k, 0), *out = tile_result(r, k);
    const type *in[2] = {tile->elem, tile->elem};
    const int32_t axis = axis_of(r, k, t, tile, out);
    if (k->n != 1)
        tile_wrong(r, k);
    tile_info *info = tile_emit(r, k, run_reduce_axis);
    info->param = axis;
    info->folds = true;
    tile_snippet(r, info, tile_native_fn(r, op), in, 2, tile->elem);
}

/* adj_tile_sum_axis<1>(tile, adj_tile, adj_result) */
void read_adj_sum_axis(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    (void)op;
    const type *tile = tile_arg_type(r, k, 0);
    if (k->n != 3 || tile_arg_type(r, k, 1) != tile)
        tile_wrong(r, k);
    const int32_t axis = axis_of(r, k, t, tile, tile_arg_type(r, k, 2));
    var_pair(r, k->args[0].v, k->args[1].v);
    tile_changes(&k->args[1]);
    const accum *sum = accum_of(r, tile->elem, false);
    tile_info *info = tile_emit(r, k, run_adj_sum_axis);
    info->param = axis;
    info->accum = sum;
}

/* tile_reduce_axis(f, tile, axis, identity, whether it is one): the axis is a constant. */
void read_reduce_axis(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    (void)op;
    const type *tile = tile_arg_type(r, k, 0), *out = tile_result(r, k);
    const type *in[2] = {tile->elem, tile->elem};
    if (t->nfns != 1 || t->ntargs || k->n != 4 || out->elem != tile->elem ||
        !int_operand(&k->args[1]) || !k->args[1].v->is_const || k->args[2].type.ptr ||
        k->args[2].type.t != tile->elem || k->args[3].type.ptr ||
        k->args[3].type.t->kind != TYPE_BOOL)
        tile_wrong(r, k);
    tile_info *info = tile_emit(r, k, run_reduce_axis);
    info->param = -1;
    info->folds = t->fns[0].native;
    tile_snippet(r, info, t->fns[0], in, 2, tile->elem);
}

/* ---- dot products ---- */

/* *acc += *x */
static bool add_to(void *arg, uint8_t *acc, const uint8_t *x)
{
    accum_run(arg, acc, x);
    return true;
}

/* result, a, b; the snippet: the product of two elements. Each lane begins at 0. */
static bool run_dot(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[1].type;
    const size_t item_size = vm_type_size(t->elem), size = info->accum->size;
    const uint32_t n = tile_elements(t), width = block_shape(m)->width;
    const arena_mark mark = arena_save(m->views);
    const tile_reduction all = {arena_zero(m->views, n * size + 8), size, n, add_to,
                                (void *)(uintptr_t)info->accum};
    EACH_ITEM(m, n, lane, e)
    {
        memcpy(info->temps[0], item(i, info, 1, e), item_size);
        memcpy(info->temps[1], item(i, info, 2, e), item_size);
        if (!spend(m, i, 1) || !snippet_run(m, info->snippet))
            return false;
        if (e < width)
            accum_run(info->accum, all.bytes + e * size, info->temps[2]);
        else
            memcpy(all.bytes + e * size, info->temps[2], size);
    }
    tile_reduce(block_shape(m), &all);
    memcpy(item(i, info, 0, 0), all.bytes, size);
    arena_rewind(m->views, mark);
    return true;
}

/* a, b, adj_a, adj_b, adj_result; the snippet: a scalar times an element */
static bool run_adj_dot(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[0].type;
    const uint8_t *g = item_grad(i, info, 4, 0);
    const size_t item_size = vm_type_size(t->elem);
    EACH_ITEM(m, tile_elements(t), lane, e)
    for (uint32_t a = 0; g && a < 2; a++) {
        uint8_t *to = item_grad(i, info, 2 + a, e);
        memcpy(info->temps[0], g, vm_type_size(type_scalar_of(t->elem)));
        memcpy(info->temps[1], item(i, info, 1 - a, e), item_size);
        if (!spend(m, i, 1) || !snippet_run(m, info->snippet))
            return false;
        if (to)
            accum_run(info->accum, to, info->temps[2]);
    }
    return true;
}

static const type *dot_args(reader *r, const call *k, const tile_call *t)
{
    const type *a = tile_arg_type(r, k, 0), *b = tile_arg_type(r, k, 1);
    if (t->ntargs || t->nfns || a->elem != b->elem)
        tile_wrong(r, k);
    if (!type_is_scalar(a->elem) && a->elem->kind != TYPE_VEC)
        read_missing(r, k->id->s);
    tile_need_shape(r, k, a, b);
    return a;
}

void read_dot(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    (void)op;
    if (k->n != 2)
        tile_wrong(r, k);
    const type *a = dot_args(r, k, t), *out = tile_result(r, k), *in[2] = {a->elem, a->elem};
    if (out->elem != type_scalar_of(a->elem) || tile_elements(out) != 1)
        tile_wrong(r, k);
    const accum *sum = accum_of(r, out->elem, false);
    tile_info *info = tile_emit(r, k, run_dot);
    info->accum = sum;
    tile_snippet(r, info, tile_native_fn(r, type_is_scalar(a->elem) ? "mul" : "dot"), in, 2,
                 out->elem);
}

void read_adj_dot(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    (void)op;
    if (k->n != 5 || k->result)
        tile_wrong(r, k);
    const type *a = dot_args(r, k, t), *in[2] = {type_scalar_of(a->elem), a->elem};
    if (tile_arg_type(r, k, 4)->elem != in[0])
        tile_wrong(r, k);
    for (uint32_t x = 0; x < 2; x++) {
        if (tile_arg_type(r, k, 2 + x) != tile_arg_type(r, k, x))
            tile_wrong(r, k);
        var_pair(r, k->args[x].v, k->args[2 + x].v);
        tile_changes(&k->args[2 + x]);
    }
    const accum *sum = accum_of(r, a->elem, false);
    tile_info *info = tile_emit(r, k, run_adj_dot);
    info->accum = sum;
    tile_snippet(r, info, tile_native_fn(r, "mul"), in, 2, a->elem);
}
