/* SPDX-License-Identifier: Apache-2.0 */
/* Tile operations that change elements in place, and tiles of random numbers: read and executed as
 * Warp 1.19's native/tile.h and tile_reduce.h do.
 *
 *     wp::tile_scatter_add(var_3, var_10, var_11, var_8);      tile, indices, value, has it one?
 *     wp::tile_axpy(var_12, var_4, var_11);                    alpha, tile, what is added to
 *     var_12 = wp::tile_diag_add(var_5, var_10, var_12);       the result is also an argument
 *     var_3 = wp::tile_randf<300>(var_1);                      the state, and a range */
#include "base/assert.h"
#include "textvm/vm_tile_item.h"
#include "textvm/vm_tile_read.h"

/* ---- t[i] += v, backward: value's adjoint ---- */

/* tile, indices, value, adj_tile, adj_indices, adj_value; param: minus */
static bool adj_inplace_elements(machine *m, const ins *i, const tile_info *info)
{
    const uint32_t n = info->n / 2 - 2, ret = info->n - 1;
    uint8_t *grad = tile_at(i, 0)->grad;
    for (uint32_t lane = 0; grad && lane < block_shape(m)->lanes; lane++) {
        const int64_t at = tile_indexed(m, i, info, 0, 1, n, lane_value, lane);
        if (at < 0)
            return false;
        if (info->param)
            accum_minus(info->accum, lane_at(m, lane, i->v[ret]), grad + at);
        else
            accum_run(info->accum, lane_at(m, lane, i->v[ret]), grad + at);
    }
    return true;
}

void read_adj_inplace_element(reader *r, call *k, const char *op)
{
    const uint32_t half = k->n / 2;
    const type *t = tile_arg_type(r, k, 0);
    if (k->n % 2 || half != 2 + (uint32_t)t->ndim || k->result || !t->shared ||
        tile_arg_type(r, k, half) != t || k->args[half - 1].type.t != t->elem ||
        k->args[k->n - 1].type.t != t->elem || k->args[k->n - 1].type.ptr)
        tile_wrong(r, k);
    for (uint32_t a = 1; a + 1 < half; a++)
        if (!int_operand(&k->args[a]))
            tile_wrong(r, k);
    var_pair(r, k->args[0].v, k->args[half].v);
    var_pair(r, k->args[half - 1].v, k->args[k->n - 1].v);
    tile_changes(&k->args[k->n - 1]);
    const accum *sum = accum_of(r, t->elem, false);
    tile_info *info = tile_emit(r, k, adj_inplace_elements);
    info->accum = sum;
    info->param = op[0] == 's';
}

/* ---- scattered values ---- */

enum { ADDS = 1, BACKWARD = 2 };

/* (tile, indices ..., value, has), for an adjoint followed by the adjoints of these. */
static bool run_scatter(machine *m, const ins *i, const tile_info *info)
{
    const bool back = info->param & BACKWARD;
    const uint32_t half = back ? info->n / 2 : info->n, n = half - 3;
    uint8_t *base = back ? tile_at(i, 0)->grad : tile_at(i, 0)->data;
    const size_t size = info->accum->size;
    for (uint32_t lane = 0; base && lane < block_shape(m)->lanes; lane++) {
        const uint8_t *has = lane_value(m, i, half - 1, lane);
        if (!*has)
            continue;
        const int64_t at = tile_indexed(m, i, info, 0, 1, n, lane_value, lane);
        if (at < 0)
            return false;
        if (back)
            accum_run(info->accum, lane_at(m, lane, i->v[info->n - 2]), base + at);
        else if (info->param & ADDS)
            accum_run(info->accum, base + at, lane_value(m, i, half - 2, lane));
        else
            memcpy(base + at, lane_value(m, i, half - 2, lane), size);
        if (back && !(info->param & ADDS))
            memset(base + at, 0, size);
    }
    return spend(m, i, block_shape(m)->lanes);
}

/* Half of the arguments of an adjoint, or all of a call, are these. */
static const type *scatter_args(reader *r, const call *k, const tile_call *t, uint32_t half)
{
    const type *tile = tile_arg_type(r, k, 0);
    if (half != 3 + (uint32_t)tile->ndim || k->result || !tile->shared || t->nfns ||
        t->ntargs > 1 || k->args[half - 2].type.ptr || k->args[half - 2].type.t != tile->elem ||
        k->args[half - 1].type.ptr || k->args[half - 1].type.t->kind != TYPE_BOOL)
        tile_wrong(r, k);
    for (uint32_t a = 1; a + 2 < half; a++)
        if (!int_operand(&k->args[a]))
            tile_wrong(r, k);
    return tile;
}

void read_scatter(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    const type *tile = scatter_args(r, k, t, k->n);
    tile_changes(&k->args[0]);
    const accum *sum = accum_of(r, tile->elem, false);
    tile_info *info = tile_emit(r, k, run_scatter);
    info->accum = sum;
    info->param = *op == 'a' ? ADDS : 0;
}

void read_adj_scatter(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    const uint32_t half = k->n / 2;
    if (k->n % 2 || half < 4)
        tile_wrong(r, k);
    const type *tile = scatter_args(r, k, t, half);
    if (tile_arg_type(r, k, half) != tile || k->args[k->n - 2].type.t != tile->elem)
        tile_wrong(r, k);
    for (uint32_t a = 0; a < half; a++)
        var_pair(r, k->args[a].v, k->args[half + a].v);
    tile_changes(&k->args[k->n - 2]);
    const accum *sum = accum_of(r, tile->elem, false);
    tile_info *info = tile_emit(r, k, run_scatter);
    info->accum = sum;
    info->param = BACKWARD | (*op == 'a' ? ADDS : 0);
}

/* ---- dest += src * alpha ---- */

/* alpha, src, dest; the snippet: src * alpha */
static bool run_axpy(machine *m, const ins *i, const tile_info *info)
{
    const size_t size = info->accum->size;
    EACH_ITEM(m, tile_elements(info->args[2].type), lane, e)
    {
        memcpy(info->temps[0], item(i, info, 1, e), size);
        memcpy(info->temps[1], lane_value(m, i, 0, lane), vm_type_size(info->args[0].type));
        if (!spend(m, i, 1) || !snippet_run(m, info->snippet))
            return false;
        accum_run(info->accum, item(i, info, 2, e), info->temps[2]);
    }
    return true;
}

/* *acc += *x */
static bool add_scalar(void *arg, uint8_t *acc, const uint8_t *x)
{
    accum_run(arg, acc, x);
    return true;
}

/* alpha, src, dest and their adjoints: adj_src += adj_dest * alpha, and lane 0's adj_alpha gets the
 * sum of adj_dest * src, in the order of tile_dot. */
static bool run_adj_axpy(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[1].type;
    const uint32_t n = tile_elements(t), width = block_shape(m)->width;
    const size_t size = info->accum->size;
    const arena_mark mark = arena_save(m->views);
    uint8_t *products = arena_zero(m->views, n * size + 8);
    EACH_ITEM(m, n, lane, e)
    {
        const uint8_t *g = item_grad(i, info, 5, e);
        uint8_t *to = item_grad(i, info, 4, e);
        if (!g || !spend(m, i, 1))
            continue;
        memcpy(info->temps[0], g, size);
        memcpy(info->temps[1], lane_value(m, i, 0, lane), size);
        if (!snippet_run(m, info->snippet))
            return false;
        if (to)
            accum_run(info->accum, to, info->temps[2]);
        memcpy(info->temps[1], item(i, info, 1, e), size);
        if (!snippet_run(m, info->snippet))
            return false;
        if (e < width)
            accum_run(info->accum, products + e * size, info->temps[2]);
        else
            memcpy(products + e * size, info->temps[2], size);
    }
    const tile_reduction all = {products, size, n, add_scalar, (void *)(uintptr_t)info->accum};
    tile_reduce(block_shape(m), &all);
    accum_run(info->accum, lane_at(m, 0, i->v[3]), products);
    arena_rewind(m->views, mark);
    return m->error->kind == TEXTVM_OK;
}

static const type *axpy_args(reader *r, const call *k, const tile_call *t)
{
    const type *from = tile_arg_type(r, k, 1), *to = tile_arg_type(r, k, 2);
    if (t->ntargs || t->nfns || k->result || from->elem != to->elem || k->args[0].type.ptr ||
        k->args[0].type.t != type_scalar_of(to->elem))
        tile_wrong(r, k);
    tile_need_shape(r, k, from, to);
    return to;
}

void read_axpy(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    if (k->n != 3)
        tile_wrong(r, k);
    const type *to = axpy_args(r, k, t), *in[2] = {to->elem, type_scalar_of(to->elem)};
    tile_changes(&k->args[2]);
    const accum *sum = accum_of(r, to->elem, false);
    tile_info *info = tile_emit(r, k, run_axpy);
    info->accum = sum;
    tile_snippet(r, info, tile_native_fn(r, op), in, 2, to->elem);
}

void read_adj_axpy(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    if (k->n != 6 || !tile_arg_type(r, k, 4) || !tile_arg_type(r, k, 5))
        tile_wrong(r, k);
    const type *to = axpy_args(r, k, t), *in[2] = {to->elem, to->elem};
    if (!type_is_scalar(to->elem))
        read_missing(r, k->id->s);
    for (uint32_t a = 0; a < 3; a++) {
        var_pair(r, k->args[a].v, k->args[3 + a].v);
        tile_changes(&k->args[3 + a]);
    }
    const accum *sum = accum_of(r, to->elem, false);
    tile_info *info = tile_emit(r, k, run_adj_axpy);
    info->accum = sum;
    tile_snippet(r, info, tile_native_fn(r, op), in, 2, to->elem);
}

/* ---- a diagonal ---- */

/* a, d, out: out = a, and d is added to its diagonal. */
static bool run_diag_add(machine *m, const ins *i, const tile_info *info)
{
    const uint32_t n = (uint32_t)info->args[1].type->dims[0];
    EACH_ITEM(m, n * n, lane, e)
    memcpy(item(i, info, 2, e), item(i, info, 0, e), info->accum->size);
    EACH_ITEM(m, n, lane, e)
    accum_run(info->accum, item(i, info, 2, e * n + e), item(i, info, 1, e));
    return spend(m, i, n * n);
}

void read_diag_add(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    (void)op;
    if (k->n != 3 || t->ntargs || t->nfns || !k->result || k->result != k->args[2].v)
        tile_wrong(r, k);
    const type *a = tile_arg_type(r, k, 0), *d = tile_arg_type(r, k, 1),
               *out = tile_arg_type(r, k, 2);
    if (a->ndim != 2 || d->ndim != 1 || a->dims[0] != a->dims[1] || d->dims[0] != a->dims[0] ||
        a->elem != d->elem || a->elem != out->elem || !type_is_scalar(a->elem) || !a->shared ||
        !d->shared || !out->shared)
        tile_wrong(r, k);
    tile_need_shape(r, k, out, a);
    var_define(r, k->result);
    k->result = NULL;
    tile_changes(&k->args[2]);
    const accum *sum = accum_of(r, a->elem, false);
    tile_emit(r, k, run_diag_add)->accum = sum;
}

/* ---- random numbers ---- */

/* result, state[, low, high] */
static bool run_random(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[0].type;
    const bool ranged = info->n == 4;
    uint32_t state = 0, last = UINT32_MAX;
    EACH_ITEM(m, tile_elements(t), lane, e)
    {
        if (lane != last) {
            memcpy(&state, lane_value(m, i, 1, lane), sizeof state);
            state = random_next(state + lane);
        }
        last = lane;
        if (!random_item(t->elem->kind, &state, ranged ? lane_value(m, i, 2, lane) : NULL,
                         ranged ? lane_value(m, i, 3, lane) : NULL, item(i, info, 0, e)))
            return fault(m, i, "an integer is divided by zero");
    }
    return spend(m, i, tile_elements(t));
}

void read_random(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    const type *out = tile_result(r, k);
    const type_kind wanted = *op == 'f' ? TYPE_FLOAT32 : TYPE_INT32;
    if (out->elem->kind != wanted || t->nfns || (k->n != 1 && k->n != 3) || k->args[0].type.ptr ||
        k->args[0].type.t->kind != TYPE_UINT32)
        tile_wrong(r, k);
    for (uint32_t a = 1; a < k->n; a++)
        if (k->args[a].type.ptr || k->args[a].type.t != out->elem)
            tile_wrong(r, k);
    tile_check_dims(r, k, t, 0, out);
    tile_emit(r, k, run_random);
}
