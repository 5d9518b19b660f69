/* SPDX-License-Identifier: Apache-2.0 */
/* Tile operations on memory: loads and stores of arrays, with their gradients; views of tiles, and
 * copies from one tile to another. Executed as vm_tile_ops.c says. */
#include "base/assert.h"
#include "textvm/vm_tile_item.h"

/* ---- global memory ---- */

/* Where the offsets are: behind the array, or where there are indices, behind those and the
 * axis. */
static uint32_t first_offset(const tile_info *info, uint32_t array)
{
    return array + (info->indexed ? 3 : 1);
}

/* The array's index in dimension d for coordinate c of the tile. Along the axis of an indexed
 * access it is that of the tile of indices. */
static int64_t array_index(const machine *m, const ins *i, const tile_info *info, uint32_t array,
                           int d, uint32_t c, uint32_t lane)
{
    int32_t x = (int32_t)c;
    if (info->indexed && lane_int(m, i, array + 2, lane) == d)
        memcpy(&x, item(i, info, array + 1, c), sizeof x);
    return (int64_t)x + lane_int(m, i, first_offset(info, array) + (uint32_t)d, lane);
}

/* The offset in bytes of element e of a tile in the array, argument `array`. -1: outside, which
 * Warp reads as zero and does not write; -2: after a fault. */
static int64_t global_at(machine *m, const ins *i, const tile_info *info, const array_view *view,
                         const type *t, uint32_t array, uint32_t lane, uint32_t e)
{
    if (!view || !view->data || view->ndim != t->ndim) {
        fault(m, i, "an array of other dimensions than the tile");
        return -2;
    }
    int64_t at = view->offset;
    for (int d = t->ndim; d-- > 0; e /= (uint32_t)t->dims[d]) {
        const int64_t x = array_index(m, i, info, array, d, e % (uint32_t)t->dims[d], lane);
        if (x >= view->shape[d] || (x < 0 && info->indexed))
            return -1;
        if (x < 0) {
            vm_fault(m, i, TEXTVM_FAULT,
                     "index %lld of a tile is out of bounds for dimension %d of array %s",
                     (long long)x, d, view->data->name ? view->data->name : "?");
            return -2;
        }
        at += x * view->strides[d];
    }
    if (at < 0 || (uint64_t)at + vm_type_size(t->elem) > view->data->size) {
        fault(m, i, "an element of a tile lies outside of its array's memory");
        return -2;
    }
    return at;
}

/* Sets *to to the array's element for element e of the tile; NULL: it is outside, which without a
 * bounds check is a fault. False: after a fault. */
static bool find_global(machine *m, const ins *i, const tile_info *info, uint32_t array,
                        const type *t, uint32_t lane, uint32_t e, uint8_t **to)
{
    const array_view *view = lane_view(m, i, array, lane);
    const int64_t at = global_at(m, i, info, view, t, array, lane, e);
    *to = at >= 0 ? view->data->bytes + at : NULL;
    if (at == -1 && !info->param && !info->indexed)
        return fault(m, i, "a tile without bounds check is outside of its array");
    return at != -2;
}

/* result, array, offsets; param: are bounds checked? */
bool tile_run_load(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[0].type;
    const size_t size = vm_type_size(t->elem);
    EACH_ITEM(m, tile_elements(t), lane, e)
    {
        uint8_t *from;
        if (!find_global(m, i, info, 1, t, lane, e, &from))
            return false;
        if (from)
            memcpy(item(i, info, 0, e), from, size);
        else
            memset(item(i, info, 0, e), 0, size);
    }
    return spend(m, i, tile_elements(t));
}

/* array, offsets, tile */
bool tile_run_store(machine *m, const ins *i, const tile_info *info)
{
    const uint32_t tile = info->n - 1;
    const type *t = info->args[tile].type;
    EACH_ITEM(m, tile_elements(t), lane, e)
    {
        uint8_t *to;
        if (!find_global(m, i, info, 0, t, lane, e, &to))
            return false;
        if (to)
            memcpy(to, item(i, info, tile, e), vm_type_size(t->elem));
    }
    return spend(m, i, tile_elements(t));
}

/* result, array, offsets, tile: the result gets the old elements, zero outside. The old one is set
 * aside, as the result may be the tile that is added. */
bool tile_run_atomic_add(machine *m, const ins *i, const tile_info *info)
{
    const uint32_t tile = info->n - 1;
    const type *t = info->args[tile].type;
    const size_t size = vm_type_size(t->elem);
    EACH_ITEM(m, tile_elements(t), lane, e)
    {
        uint8_t *to;
        if (!find_global(m, i, info, 1, t, lane, e, &to))
            return false;
        const arena_mark mark = arena_save(m->views);
        uint8_t *old = arena_zero(m->views, size);
        if (to) {
            memcpy(old, to, size);
            accum_run(info->accum, to, item(i, info, tile, e));
        }
        memcpy(item(i, info, 0, e), old, size);
        arena_rewind(m->views, mark);
    }
    return spend(m, i, tile_elements(t));
}

/* The gradient of an element of an array: in the adjoint array if it has data, else in the array's
 * own gradient. NULL: none, or after a fault. */
static uint8_t *global_grad(machine *m, const ins *i, const tile_info *info, uint32_t array,
                            uint32_t adjoint, const type *t, uint32_t lane, uint32_t e)
{
    const array_view *view = lane_view(m, i, array, lane), *adj = lane_view(m, i, adjoint, lane);
    const array_data *grad = adj && adj->data ? adj->data : vm_gradient_of(m, view);
    const int64_t at = grad ? global_at(m, i, info, view, t, array, lane, e) : -1;
    if (at < 0)
        return NULL;
    if ((uint64_t)at + vm_type_size(t->elem) > grad->size) {
        fault(m, i, "the gradient of an array is smaller than the array");
        return NULL;
    }
    return grad->bytes + at;
}

/* array, offsets, adj_array, adj_offsets, adj_tile: the array's gradient += the tile's */
bool tile_run_adj_load(machine *m, const ins *i, const tile_info *info)
{
    const uint32_t tile = info->n - 1;
    const type *t = info->args[tile].type;
    EACH_ITEM(m, tile_elements(t), lane, e)
    {
        uint8_t *g = global_grad(m, i, info, 0, (info->n - 1) / 2, t, lane, e);
        const uint8_t *from = item_grad(i, info, tile, e);
        if (m->error->kind != TEXTVM_OK)
            return false;
        if (g && from)
            accum_run(info->accum, g, from);
    }
    return spend(m, i, tile_elements(t));
}

/* array, offsets, tile, adj_array, adj_offsets, adj_tile: the tile's gradient += the array's, which
 * a store (param 0) then clears: it has overwritten the element. */
bool tile_run_adj_store(machine *m, const ins *i, const tile_info *info)
{
    const uint32_t half = (info->n - (uint32_t)info->param) / 2, tile = 2 * half - 1;
    const type *t = info->args[tile].type;
    for (int clear = 0; clear <= !info->param; clear++)
        EACH_ITEM(m, tile_elements(t), lane, e)
        {
            uint8_t *g = global_grad(m, i, info, 0, half, t, lane, e);
            uint8_t *to = item_grad(i, info, tile, e);
            if (m->error->kind != TEXTVM_OK)
                return false;
            if (g && clear)
                memset(g, 0, info->accum->size);
            else if (g && to)
                accum_run(info->accum, to, g);
        }
    return spend(m, i, tile_elements(t));
}

/* ---- views and copies ---- */

/* From the first byte of a tile's first element to the last one of its last. */
static int64_t tile_span(const type *t)
{
    const int64_t last = t->shared ? place_of(t, tile_elements(t) - 1) : tile_elements(t) - 1;
    return (last + 1) * (int64_t)vm_type_size(t->elem);
}

/* result, tile[, offsets]. The offsets are the same in all lanes. */
bool tile_run_view(machine *m, const ins *i, const tile_info *info)
{
    vm_tile *out = tile_at(i, 0);
    const vm_tile *from = tile_at(i, 1);
    int64_t at = 0;
    for (uint32_t lane = 0; lane < block_shape(m)->lanes && info->n > 2; lane++) {
        const int64_t own = tile_indexed(m, i, info, 1, 2, info->n - 2, lane_value, lane);
        if (own < 0)
            return false;
        if (lane && own != at) {
            vm_fault(m, i, TEXTVM_MISSING, "cannot execute views that differ among threads");
            return false;
        }
        at = own;
    }
    if (at + tile_span(info->args[0].type) > tile_span(info->args[1].type))
        return fault(m, i, "a view beyond the end of its tile");
    out->data = from->data ? from->data + at : NULL;
    out->grad = from->grad ? from->grad + at : NULL;
    if (!out->data)
        return fault(m, i, "a view of no tile");
    return true;
}

/* Where element e of the source is in the destination, from its first element in bytes; -1 after a
 * fault. */
static int64_t assigned_at(machine *m, const ins *i, const tile_info *info, uint32_t lane,
                           uint32_t e)
{
    const type *to = info->args[0].type, *from = info->args[1].type;
    int64_t at = 0;
    for (int d = to->ndim; d-- > 0; e /= (uint32_t)from->dims[d]) {
        const int64_t x =
            (int64_t)(e % (uint32_t)from->dims[d]) + lane_int(m, i, 2 + (uint32_t)d, lane);
        if (x < 0 || x >= to->dims[d]) {
            fault(m, i, "a tile is assigned beyond the end of another");
            return -1;
        }
        at += x * to->dims[to->ndim + d];
    }
    return at * (int64_t)vm_type_size(to->elem);
}

/* to, from, offsets */
bool tile_run_assign_tile(machine *m, const ins *i, const tile_info *info)
{
    const type *from = info->args[1].type;
    const size_t size = vm_type_size(from->elem);
    const arena_mark mark = arena_save(m->views);
    uint8_t *staged = scratch(m, tile_elements(from), size);
    for (uint32_t e = 0; e < tile_elements(from); e++)
        memcpy(staged + e * size, item(i, info, 1, e), size);
    EACH_ITEM(m, tile_elements(from), lane, e)
    {
        const int64_t at = assigned_at(m, i, info, lane, e);
        if (at < 0)
            return false;
        memcpy(tile_at(i, 0)->data + at, staged + e * size, size);
    }
    arena_rewind(m->views, mark);
    return true;
}

/* to, from, offsets, adj_to, adj_from, adj_offsets: gradients are read, cleared, then added. */
bool tile_run_adj_assign_tile(machine *m, const ins *i, const tile_info *info)
{
    const type *from = info->args[1].type;
    const size_t size = vm_type_size(from->elem);
    const uint32_t adj_from = info->n / 2 + 1;
    uint8_t *grad = tile_at(i, 0)->grad;
    if (!grad)
        return true;
    const arena_mark mark = arena_save(m->views);
    uint8_t *staged = scratch(m, tile_elements(from), size);
    for (int clear = 0; clear < 2; clear++)
        EACH_ITEM(m, tile_elements(from), lane, e)
        {
            const int64_t at = assigned_at(m, i, info, lane, e);
            if (at < 0)
                return false;
            if (clear)
                memset(grad + at, 0, size);
            else
                memcpy(staged + e * size, grad + at, size);
        }
    EACH_ITEM(m, tile_elements(from), lane, e)
    {
        uint8_t *to = item_grad(i, info, adj_from, e);
        if (to)
            accum_run(info->accum, to, staged + e * size);
    }
    arena_rewind(m->views, mark);
    return true;
}

/* tile: its gradient becomes zero */
bool tile_run_grad_zero(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[0].type;
    EACH_ITEM(m, tile_elements(t), lane, e)
    {
        uint8_t *g = item_grad(i, info, 0, e);
        if (g)
            memset(g, 0, vm_type_size(t->elem));
    }
    return true;
}

/* tile, adj_tile, adj_result. Warp 1.19 adj_tile_transpose adds data, not gradients: those are
 * shared anyway, and the data of the tile, of which the result is a view, are doubled. */
bool tile_run_adj_transpose(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[1].type;
    const size_t size = vm_type_size(t->elem);
    const arena_mark mark = arena_save(m->views);
    uint8_t *sum = scratch(m, tile_elements(t), size);
    const uint32_t columns = (uint32_t)t->dims[1], rows = (uint32_t)t->dims[0];
    EACH_ITEM(m, tile_elements(t), lane, e)
    {
        memcpy(sum + e * size, item(i, info, 1, e), size);
        accum_run(info->accum, sum + e * size, item(i, info, 2, e % columns * rows + e / columns));
    }
    EACH_ITEM(m, tile_elements(t), lane, e)
    memcpy(item(i, info, 1, e), sum + e * size, size);
    arena_rewind(m->views, mark);
    return true;
}

/* ---- products of matrices ---- */

static tile_matrix matrix(const ins *i, const tile_info *info, uint32_t a, bool grad)
{
    const type *t = info->args[a].type;
    const vm_tile *tile = tile_at(i, a);
    return (tile_matrix){t->elem->kind, grad ? tile->grad : tile->data, t->dims[2], t->dims[3]};
}

/* alpha or beta, as the first lane has it, in the type of the sums. */
static num factor(const machine *m, const ins *i, const tile_info *info, uint32_t a, type_kind t)
{
    const type_kind k = info->args[a].type->kind;
    return num_cast(t, k, num_load(k, lane_value(m, i, a, 0)));
}

/* The steps of a product; no lanes may be missing. */
static bool may_multiply(machine *m, const ins *i, const tile_info *info)
{
    const type *a = info->args[3].type, *b = info->args[4].type;
    if (block_shape(m)->lanes < block_shape(m)->width) {
        vm_fault(m, i, TEXTVM_MISSING, "cannot execute a product in a block that is not full");
        return false;
    }
    return spend(m, i, (uint32_t)(a->dims[0] * a->dims[1] * b->dims[1]));
}

/* functions, a, b, c, alpha, beta; param: c is read */
bool tile_run_matmul(machine *m, const ins *i, const tile_info *info)
{
    const type *a = info->args[3].type, *b = info->args[4].type;
    const type_kind t = info->args[5].type->elem->kind;
    const num none = {.f = 0};
    if (!may_multiply(m, i, info))
        return false;
    tile_matmul(&(tile_product){
        matrix(i, info, 3, false), matrix(i, info, 4, false), matrix(i, info, 5, false),
        (uint32_t)a->dims[0], (uint32_t)a->dims[1], (uint32_t)b->dims[1], t,
        factor(m, i, info, 6, t), info->param ? factor(m, i, info, 7, t) : none});
    return true;
}

/* The same, then its adjoints: adj_a += alpha adj_c b', adj_b += alpha a' adj_c, and where c was
 * read adj_c *= beta. */
bool tile_run_adj_matmul(machine *m, const ins *i, const tile_info *info)
{
    const type *a = info->args[3].type, *b = info->args[4].type, *c = info->args[5].type;
    const type_kind ka = a->elem->kind, kb = b->elem->kind, kc = c->elem->kind;
    const tile_matrix dc = matrix(i, info, 13, true), da = matrix(i, info, 11, true),
                      db = matrix(i, info, 12, true);
    const uint32_t rows = (uint32_t)a->dims[0], inner = (uint32_t)a->dims[1],
                   columns = (uint32_t)b->dims[1];
    const num one = {.f = 1};
    if (!may_multiply(m, i, info))
        return false;
    if (!dc.at || !da.at || !db.at)
        return fault(m, i, "a product of tiles without gradients");
    tile_matmul(&(tile_product){dc, tile_transposed(matrix(i, info, 4, false)), da, rows, columns,
                                inner, ka, factor(m, i, info, 6, ka), one});
    tile_matmul(&(tile_product){tile_transposed(matrix(i, info, 3, false)), dc, db, inner, rows,
                                columns, kb, factor(m, i, info, 6, kb), one});
    const num beta = factor(m, i, info, 7, kc);
    for (uint32_t e = 0; info->param && beta.f != 1 && e < tile_elements(c); e++) {
        uint8_t *g = item_grad(i, info, 13, e);
        num_store(kc, g, num_wrap(kc, (num){.f = num_load(kc, g).f * beta.f}));
    }
    return true;
}
