/* SPDX-License-Identifier: Apache-2.0 */
/* Operands of tile operations at run time, for vm_tile_ops.c and vm_tile_memory.c: elements of
 * tiles, and the values that a lane has for what is no tile. */
#ifndef WEFT_TEXTVM_VM_TILE_ITEM_H
#define WEFT_TEXTVM_VM_TILE_ITEM_H

#include "textvm/vm_tile.h"

static inline vm_tile *tile_at(const ins *i, uint32_t a)
{
    return i->v[a];
}

/* In elements, where element e of the tile is. */
static inline int64_t place_of(const type *t, uint32_t e)
{
    int64_t at = 0;
    for (int d = t->ndim; d-- > 0; e /= (uint32_t)t->dims[d])
        at += (int64_t)(e % (uint32_t)t->dims[d]) * t->dims[t->ndim + d];
    return at;
}

static inline uint8_t *item_in(uint8_t *base, const type *t, uint32_t e)
{
    const int64_t size = (int64_t)vm_type_size(t->elem);
    return base ? base + (t->shared ? place_of(t, e) : (int64_t)e) * size : NULL;
}

static inline uint8_t *item(const ins *i, const tile_info *info, uint32_t a, uint32_t e)
{
    return item_in(tile_at(i, a)->data, info->args[a].type, e);
}

/* The gradient of an element, where argument a is an adjoint: a register tile's own data. NULL: the
 * tile has none. */
static inline uint8_t *item_grad(const ins *i, const tile_info *info, uint32_t a, uint32_t e)
{
    const type *t = info->args[a].type;
    return item_in(t->shared ? tile_at(i, a)->grad : tile_at(i, a)->data, t, e);
}

static inline const void *lane_value(const machine *m, const ins *i, uint32_t a, uint32_t lane)
{
    return lane_at(m, lane, i->v[a]);
}

static inline int32_t lane_int(const machine *m, const ins *i, uint32_t a, uint32_t lane)
{
    int32_t x;
    memcpy(&x, lane_value(m, i, a, lane), sizeof x);
    return x;
}

/* The view that a lane's array variable points to; views made by the lane are saved with it. */
static inline const array_view *lane_view(const machine *m, const ins *i, uint32_t a, uint32_t lane)
{
    const array_view *view;
    memcpy(&view, lane_value(m, i, a, lane), sizeof view);
    return view ? lane_at(m, lane, view) : NULL;
}

/* for (lane) for (e of the lane) */
#define EACH_ITEM(m, n, lane, e)                                                                   \
    for (uint32_t lane = 0; lane < block_shape(m)->lanes; lane++)                                  \
        for (uint32_t e = lane; e < (n); e += block_shape(m)->width)

static inline bool fault(machine *m, const ins *i, const char *text)
{
    vm_fault(m, i, TEXTVM_FAULT, "%s", text);
    return false;
}

/* Memory for n items during one operation. */
static inline uint8_t *scratch(machine *m, size_t n, size_t size)
{
    return arena_alloc(m->views, n * size + 8);
}

/* Takes fuel for work that depends on sizes. */
static inline bool spend(machine *m, const ins *i, uint32_t steps)
{
    m->fuel -= steps;
    if (m->fuel >= 0 || vm_refuel(m))
        return true;
    vm_fault(m, i, TEXTVM_FUEL, "no end after the allowed number of steps");
    return false;
}

/* Copies the lanes' items from `from` to the result tile. Where the result is a whole tile whose
 * elements the lanes of a partial block do not have, those stay. */
static inline void put_items(machine *m, const ins *i, const tile_info *info, uint32_t a,
                             const uint8_t *from)
{
    const type *t = info->args[a].type;
    const size_t size = vm_type_size(t->elem);
    EACH_ITEM(m, tile_elements(t), lane, e)
    memcpy(item(i, info, a, e), from + e * size, size);
}

static inline const void *own_value(const machine *m, const ins *i, uint32_t a, uint32_t lane)
{
    (void)m;
    (void)lane;
    return i->v[a];
}

/* vm_tile_ops.c: *acc = f(*acc, *x) by the snippet t2 = f(t0, t1); a tile_combine whose arg is a
 * folding. */
typedef struct folding {
    machine *m;
    const tile_info *info;
    size_t size; /* of an element */
} folding;
bool fold_run(void *arg, uint8_t *acc, const uint8_t *x);
/* The elements of tile 1, copied, and their folding. */
tile_reduction fold_gathered(machine *m, const ins *i, folding *c);

/* vm_tile_ops.c: the element at n indices (arguments from `first` on), in bytes from the first
 * element of tile a; -1 after a fault. */
typedef const void *tile_value(const machine *m, const ins *i, uint32_t a, uint32_t lane);
int64_t tile_indexed(machine *m, const ins *i, const tile_info *info, uint32_t a, uint32_t first,
                     uint32_t n, tile_value *get, uint32_t lane);

#endif
