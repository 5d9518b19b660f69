/* SPDX-License-Identifier: Apache-2.0 */
/* Executes tile operations for a block whose lanes have met (vm_tile.h), as Warp 1.19's
 * native/tile.h and tile_reduce.h do.
 *
 * Each lane's elements are visited in order, and the lanes in order: sums into shared memory and
 * into arrays are made in this order. Operations that may read what they write work on a copy. */
#include "base/assert.h"
#include "textvm/vm_tile_item.h"

/* Waits for the other lanes. */
const ins *do_tile(const ins *i, machine *m)
{
    m->met = i;
    m->resume = i + 1;
    return NULL;
}

/* size: bytes; data, grad or NULL. The declaration of a tile: each lane clears it before any lane
 * meets another, so that once is enough. */
const ins *do_tile_clear(const ins *i, machine *m)
{
    if (!lane_is_first(m))
        return i + 1;
    memset(i->v[0], 0, i->size);
    if (i->v[1])
        memset(i->v[1], 0, i->size);
    return i + 1;
}

/* The same in a function, which may be called again while other lanes still read the tile: when all
 * have met. */
bool tile_run_clear(machine *m, const ins *i, const tile_info *info)
{
    (void)m;
    memset(i->v[0], 0, (size_t)info->param);
    if (i->v[1])
        memset(i->v[1], 0, (size_t)info->param);
    return true;
}

/* ---- elementwise ---- */

/* Fills the snippet's temporaries with element e of the arguments from `first` on. */
static void load_temps(machine *m, const ins *i, const tile_info *info, uint32_t first, uint32_t n,
                       uint32_t lane, uint32_t e)
{
    for (uint32_t a = 0; a < n; a++) {
        const type *t = info->args[first + a].type;
        if (type_is_tile(t))
            memcpy(info->temps[a], item(i, info, first + a, e), vm_type_size(t->elem));
        else
            memcpy(info->temps[a], lane_value(m, i, first + a, lane), vm_type_size(t));
    }
}

bool tile_run_map(machine *m, const ins *i, const tile_info *info)
{
    const type *out = info->args[0].type;
    const uint32_t count = tile_elements(out), n = info->n - 1;
    const size_t size = vm_type_size(out->elem);
    const arena_mark mark = arena_save(m->views);
    uint8_t *made = scratch(m, count, size);
    EACH_ITEM(m, count, lane, e)
    {
        load_temps(m, i, info, 1, n, lane, e);
        if (!spend(m, i, 1) || !snippet_run(m, info->snippet))
            return false;
        memcpy(made + e * size, info->temps[n], size);
    }
    put_items(m, i, info, 0, made);
    arena_rewind(m->views, mark);
    return true;
}

/* Adds the temporaries' adjoints to those of the arguments. */
static void add_temps(machine *m, const ins *i, const tile_info *info, uint32_t n, uint32_t lane,
                      uint32_t e)
{
    for (uint32_t a = 0; a < n; a++) {
        const uint32_t adj = n + a;
        uint8_t *to = type_is_tile(info->args[adj].type) ? item_grad(i, info, adj, e)
                                                         : lane_at(m, lane, i->v[adj]);
        if (to)
            accum_run(info->sums[a], to, info->temps[n + 1 + a]);
    }
}

/* Arguments, their adjoints, the result's adjoint. */
bool tile_run_adj_map(machine *m, const ins *i, const tile_info *info)
{
    const uint32_t n = (info->n - 1) / 2, ret = 2 * n;
    const type *out = info->args[ret].type;
    EACH_ITEM(m, tile_elements(out), lane, e)
    {
        const uint8_t *g = item_grad(i, info, ret, e);
        load_temps(m, i, info, 0, n, lane, e);
        for (uint32_t a = 0; a < n; a++)
            memset(info->temps[n + 1 + a], 0, info->sums[a]->size);
        if (g)
            memcpy(info->temps[2 * n + 1], g, vm_type_size(out->elem));
        else
            memset(info->temps[2 * n + 1], 0, vm_type_size(out->elem));
        if (!spend(m, i, 1) || !snippet_run(m, info->snippet))
            return false;
        add_temps(m, i, info, n, lane, e);
    }
    return true;
}

/* The element at indices of a lane, in bytes from the tile's first; -1 after a fault. Indices
 * beyond the tile's dimensions go on into the element. */
int64_t tile_indexed(machine *m, const ins *i, const tile_info *info, uint32_t a, uint32_t first,
                     uint32_t n, tile_value *get, uint32_t lane)
{
    const type *t = info->args[a].type, *e = t->elem;
    int64_t at = 0, size = (int64_t)vm_type_size(e);
    for (uint32_t d = 0; d < n; d++) {
        int32_t x;
        memcpy(&x, get(m, i, first + d, lane), sizeof x);
        const bool inside = d >= (uint32_t)t->ndim;
        int64_t length = inside ? e->rows : t->dims[d];
        int64_t step = inside ? 0 : t->dims[t->ndim + (int)d] * size;
        if (inside && e->kind == TYPE_VEC)
            step = size / e->rows;
        if (inside && e->kind == TYPE_MAT) {
            const bool row = d == (uint32_t)t->ndim;
            length = row ? e->rows : e->cols;
            step = row ? size / e->rows : size / ((int64_t)e->rows * e->cols);
        }
        if (x < 0 || x >= length) {
            vm_fault(m, i, TEXTVM_FAULT, "index %d is out of bounds for a tile of size %d", (int)x,
                     (int)length);
            return -1;
        }
        at += x * step;
    }
    return at;
}

/* result, tile, indices: by one lane alone */
const ins *do_tile_extract(const ins *i, machine *m)
{
    const tile_info *info = i->aux;
    const int64_t at = tile_indexed(m, i, info, 1, 2, (uint32_t)info->param, own_value, 0);
    if (at < 0)
        return NULL;
    if (!tile_at(i, 1)->data)
        return vm_fault(m, i, TEXTVM_FAULT, "a view of no tile is read");
    memcpy(i->v[0], tile_at(i, 1)->data + at, vm_type_size(info->args[0].type));
    return i + 1;
}

/* The same of a register tile, where the owner gives its element to the others: all ask for the
 * same one. */
bool tile_run_extract(machine *m, const ins *i, const tile_info *info)
{
    int64_t first = -1;
    for (uint32_t lane = 0; lane < block_shape(m)->lanes; lane++) {
        const int64_t at = tile_indexed(m, i, info, 1, 2, (uint32_t)info->param, lane_value, lane);
        if (at < 0)
            return false;
        if (lane && at != first) {
            vm_fault(m, i, TEXTVM_MISSING,
                     "cannot execute different elements of a register tile at once");
            return false;
        }
        first = at;
        memcpy(lane_at(m, lane, i->v[0]), tile_at(i, 1)->data + at,
               vm_type_size(info->args[0].type));
    }
    return true;
}

/* tile, indices, adj_tile, adj_indices, adj_result. A register tile's owner adds its own adjoint
 * only. */
bool tile_run_adj_extract(machine *m, const ins *i, const tile_info *info)
{
    const uint32_t n = (uint32_t)info->param, adj = n + 1, ret = 2 * n + 2;
    const type *t = info->args[0].type;
    const size_t size = vm_type_size(t->elem);
    uint8_t *base = t->shared ? tile_at(i, adj)->grad : tile_at(i, adj)->data;
    for (uint32_t lane = 0; base && lane < block_shape(m)->lanes; lane++) {
        const int64_t at = tile_indexed(m, i, info, 0, 1, n, lane_value, lane);
        if (at < 0)
            return false;
        if (t->shared || (uint32_t)((size_t)at / size) % block_shape(m)->width == lane)
            accum_run(info->accum, base + at, lane_value(m, i, ret, lane));
    }
    return true;
}

/* tile, indices, value */
bool tile_run_assign(machine *m, const ins *i, const tile_info *info)
{
    const uint32_t n = (uint32_t)info->param;
    for (uint32_t lane = 0; lane < block_shape(m)->lanes; lane++) {
        const int64_t at = tile_indexed(m, i, info, 0, 1, n, lane_value, lane);
        if (at < 0)
            return false;
        memcpy(tile_at(i, 0)->data + at, lane_value(m, i, n + 1, lane),
               vm_type_size(info->args[n + 1].type));
    }
    return true;
}

/* tile, indices, value, adj_tile, adj_indices, adj_value */
bool tile_run_adj_assign(machine *m, const ins *i, const tile_info *info)
{
    const uint32_t n = (uint32_t)info->param, ret = 2 * n + 3;
    uint8_t *grad = tile_at(i, 0)->grad;
    for (uint32_t lane = 0; grad && lane < block_shape(m)->lanes; lane++) {
        const int64_t at = tile_indexed(m, i, info, 0, 1, n, lane_value, lane);
        if (at < 0)
            return false;
        accum_run(info->accum, lane_at(m, lane, i->v[ret]), grad + at);
        memset(grad + at, 0, info->accum->size);
    }
    return true;
}

/* a OP= b: of tiles, or of elements with indices; the operation is the snippet t2 = OP(t0, t1). */
static bool inplace_elements(machine *m, const ins *i, const tile_info *info)
{
    const uint32_t n = info->n - 2;
    const size_t size = vm_type_size(info->args[0].type->elem);
    for (uint32_t lane = 0; lane < block_shape(m)->lanes; lane++) {
        const int64_t at = tile_indexed(m, i, info, 0, 1, n, lane_value, lane);
        if (at < 0)
            return false;
        memcpy(info->temps[0], tile_at(i, 0)->data + at, size);
        memcpy(info->temps[1], lane_value(m, i, n + 1, lane), size);
        if (!snippet_run(m, info->snippet))
            return false;
        memcpy(tile_at(i, 0)->data + at, info->temps[2], size);
    }
    return true;
}

bool tile_run_inplace(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[0].type;
    if (!type_is_tile(info->args[info->n - 1].type))
        return inplace_elements(m, i, info);
    const size_t size = vm_type_size(t->elem);
    const arena_mark mark = arena_save(m->views);
    uint8_t *made = scratch(m, tile_elements(t), size);
    EACH_ITEM(m, tile_elements(t), lane, e)
    {
        load_temps(m, i, info, 0, 2, lane, e);
        if (!spend(m, i, 1) || !snippet_run(m, info->snippet))
            return false;
        memcpy(made + e * size, info->temps[2], size);
    }
    put_items(m, i, info, 0, made);
    arena_rewind(m->views, mark);
    return true;
}

/* a, b, adj_a, adj_b: b's adjoint gets plus or minus (param) that of a. */
bool tile_run_adj_inplace(machine *m, const ins *i, const tile_info *info)
{
    EACH_ITEM(m, tile_elements(info->args[0].type), lane, e)
    {
        const uint8_t *from = item_grad(i, info, 2, e);
        uint8_t *to = item_grad(i, info, 3, e);
        if (from && to && info->param)
            accum_minus(info->accum, to, from);
        else if (from && to)
            accum_run(info->accum, to, from);
    }
    return true;
}

/* ---- made of numbers ---- */

/* A composite's components, or the number, all one. */
static void put_ones(const type *t, uint8_t *to)
{
    const type *s = type_scalar_of(t);
    const size_t size = vm_type_size(s);
    for (int k = 0; k < lane_count(t); k++)
        num_store(s->kind, to + (size_t)k * size, type_is_float(s) ? (num){.f = 1} : (num){.i = 1});
}

/* result[, value]; param: '0', '1', 'e'mpty, 'f'ull */
bool tile_run_fill(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[0].type;
    const size_t size = vm_type_size(t->elem);
    if (info->param == 'e')
        return true;
    EACH_ITEM(m, tile_elements(t), lane, e)
    {
        uint8_t *to = item(i, info, 0, e);
        if (info->param == 'f')
            memcpy(to, lane_value(m, i, 1, lane), size);
        else if (info->param == '1')
            put_ones(t->elem, to);
        else
            memset(to, 0, size);
    }
    return true;
}

/* result, start, stop, step: start + e * step */
bool tile_run_arange(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[0].type;
    const type_kind k = t->elem->kind;
    EACH_ITEM(m, tile_elements(t), lane, e)
    {
        const num start = num_load(k, lane_value(m, i, 1, lane));
        const num step = num_load(k, lane_value(m, i, 3, lane));
        const num index = num_cast(k, TYPE_INT32, (num){.i = (int64_t)e});
        num x = type_is_float(t->elem)
                    ? (num){.f = index.f * step.f}
                    : (num){.i = (int64_t)((uint64_t)index.i * (uint64_t)step.i)};
        x = num_binary(k, SCALAR_ADD, start, num_wrap(k, x));
        num_store(k, item(i, info, 0, e), x);
    }
    return true;
}

/* result, value, thread */
bool tile_run_from_thread(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[0].type;
    EACH_ITEM(m, tile_elements(t), lane, e)
    {
        const int32_t from = lane_int(m, i, 2, lane);
        if (from < 0 || (uint32_t)from >= block_shape(m)->lanes)
            return fault(m, i, "tile_from_thread of a thread that the block does not have");
        memcpy(item(i, info, 0, e), lane_value(m, i, 1, (uint32_t)from), vm_type_size(t->elem));
    }
    return true;
}

/* Is the tile as wide as the block, so that each lane has the same number of elements? */
static bool fits_block(machine *m, const ins *i, const type *t)
{
    if (t->dims[t->ndim - 1] == (int64_t)block_shape(m)->width)
        return true;
    vm_fault(m, i, TEXTVM_FAULT, "a tile for blocks of %d threads in a block of %u",
             (int)t->dims[t->ndim - 1], block_shape(m)->width);
    return false;
}

/* Element e of a lane is component e / width of its value. */
static size_t component(const machine *m, const type *t, uint32_t e)
{
    return e / block_shape(m)->width * vm_type_size(t->elem);
}

/* result, value */
bool tile_run_tile(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[0].type;
    if (!fits_block(m, i, t))
        return false;
    EACH_ITEM(m, tile_elements(t), lane, e)
    memcpy(item(i, info, 0, e), (const uint8_t *)lane_value(m, i, 1, lane) + component(m, t, e),
           vm_type_size(t->elem));
    return true;
}

/* value, adj_value, adj_tile. Warp copies a shared tile's data here, not its gradient. */
bool tile_run_adj_tile(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[2].type;
    if (!fits_block(m, i, t))
        return false;
    EACH_ITEM(m, tile_elements(t), lane, e)
    accum_run(info->accum, (uint8_t *)lane_at(m, lane, i->v[1]) + component(m, t, e),
              item(i, info, 2, e));
    return true;
}

/* result, tile */
bool tile_run_untile(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[1].type;
    if (!fits_block(m, i, t))
        return false;
    EACH_ITEM(m, tile_elements(t), lane, e)
    memcpy((uint8_t *)lane_at(m, lane, i->v[0]) + component(m, t, e), item(i, info, 1, e),
           vm_type_size(t->elem));
    return true;
}

/* tile, adj_tile, adj_value: of a register tile */
bool tile_run_adj_untile(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[0].type;
    if (!fits_block(m, i, t))
        return false;
    EACH_ITEM(m, tile_elements(t), lane, e)
    accum_run(info->accum, item(i, info, 1, e),
              (const uint8_t *)lane_value(m, i, 2, lane) + component(m, t, e));
    return true;
}

/* ---- reductions ---- */

bool fold_run(void *arg, uint8_t *acc, const uint8_t *x)
{
    const folding *c = arg;
    memcpy(c->info->temps[0], acc, c->size);
    memcpy(c->info->temps[1], x, c->size);
    if (!snippet_run(c->m, c->info->snippet))
        return false;
    memcpy(acc, c->info->temps[2], c->size);
    return true;
}

tile_reduction fold_gathered(machine *m, const ins *i, folding *c)
{
    const uint32_t n = tile_elements(c->info->args[1].type);
    const tile_reduction all = {scratch(m, n, c->size), c->size, n, fold_run, c};
    for (uint32_t e = 0; e < n; e++)
        memcpy(all.bytes + e * c->size, item(i, c->info, 1, e), c->size);
    return all;
}

/* result, tile. The result has one element, lane 0's. */
bool tile_run_reduce(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[1].type;
    const size_t size = vm_type_size(t->elem);
    const arena_mark mark = arena_save(m->views);
    folding c = {m, info, size};
    const tile_reduction r = fold_gathered(m, i, &c);
    if (!spend(m, i, r.n) || !tile_reduce(block_shape(m), &r))
        return false;
    memcpy(item(i, info, 0, 0), r.bytes, size);
    arena_rewind(m->views, mark);
    return true;
}

/* result, tile: the number of the least or greatest element, where the snippet is min or max. */
bool tile_run_arg_reduce(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[1].type;
    const tile_block *b = block_shape(m);
    const size_t size = vm_type_size(t->elem);
    if (b->lanes < b->width && b->lanes < tile_elements(t)) {
        vm_fault(m, i, TEXTVM_MISSING, "cannot execute this in a block that is not full");
        return false;
    }
    const arena_mark mark = arena_save(m->views);
    folding c = {m, info, size};
    const tile_reduction r = fold_gathered(m, i, &c);
    int32_t at = 0;
    if (!spend(m, i, r.n) || !tile_arg_reduce(b, &r, scratch(m, 1, size), &at))
        return false;
    memcpy(item(i, info, 0, 0), &at, sizeof at);
    arena_rewind(m->views, mark);
    return true;
}

/* tile, adj_tile, adj_result */
bool tile_run_adj_sum(machine *m, const ins *i, const tile_info *info)
{
    const uint8_t *g = item_grad(i, info, 2, 0);
    EACH_ITEM(m, tile_elements(info->args[0].type), lane, e)
    {
        uint8_t *to = item_grad(i, info, 1, e);
        if (g && to)
            accum_run(info->accum, to, g);
    }
    return true;
}

/* keys, values: both in the order of the keys; equal keys keep their order. */
bool tile_run_sort(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[0].type, *u = info->args[1].type;
    const uint32_t n = tile_elements(t);
    const size_t size = vm_type_size(t->elem), values = vm_type_size(u->elem);
    const arena_mark mark = arena_save(m->views);
    uint8_t *key = scratch(m, 1, size), *with = scratch(m, 1, values);
    if (block_shape(m)->lanes < block_shape(m)->width) {
        vm_fault(m, i, TEXTVM_MISSING, "cannot execute a sort in a block that is not full");
        return false;
    }
    for (uint32_t e = 1; e < n; e++) {
        memcpy(key, item(i, info, 0, e), size);
        memcpy(with, item(i, info, 1, e), values);
        uint32_t to = e;
        for (; to && num_compare("<", t->elem->kind, num_load(t->elem->kind, key), t->elem->kind,
                                 num_load(t->elem->kind, item(i, info, 0, to - 1)));
             to--) {
            memcpy(item(i, info, 0, to), item(i, info, 0, to - 1), size);
            memcpy(item(i, info, 1, to), item(i, info, 1, to - 1), values);
        }
        memcpy(item(i, info, 0, to), key, size);
        memcpy(item(i, info, 1, to), with, values);
        if (!spend(m, i, e - to + 1))
            return false;
    }
    arena_rewind(m->views, mark);
    return true;
}
