/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of tiles, views of them, and copies from one to another. */
#include "interp/interp_tile.h"

/* A view of t from its element at `first` on, without the first `skip` dimensions. */
static itile *make_view(interp *in, inode *n, const itile *t, int64_t first, int skip)
{
    itile *v = &itile_node(in, n)->own;
    const int64_t at = first * (int64_t)layout_size(t->type->elem);
    const itile from = *t;
    itile_node(in, n)->room = 0; /* the memory is another tile's */
    v->ndim = from.ndim - skip;
    for (int d = 0; d < v->ndim; d++) {
        v->shape[d] = from.shape[d + skip];
        v->stride[d] = from.stride[d + skip];
    }
    v->data = from.data + at;
    v->tangent = from.tangent + at;
    v->type = itile_type(in, from.type->elem, v->ndim, v->shape);
    return v;
}

/* The place of indices of a lane in the tile, in elements. A negative index counts from the end. */
static int64_t place_of(interp *in, const inode *n, const itile *t, const int64_t *index, int count)
{
    int64_t at = 0;
    for (int d = 0; d < count; d++) {
        const int64_t x = index[d] < 0 ? index[d] + t->shape[d] : index[d];
        if (x < 0 || x >= t->shape[d])
            interp_fail(in, n->at, "index %lld is out of bounds for a tile of size %lld",
                        (long long)index[d], (long long)t->shape[d]);
        at += x * t->stride[d];
    }
    return at;
}

/* Integers of a lane from argument `first` on. */
static int indices_of(interp *in, const inode *n, uint32_t lane, uint32_t first, uint32_t count,
                      int64_t *out)
{
    if (count > TILE_RANK)
        interp_refuse(in, n->at, "so many indices of a tile");
    for (uint32_t i = 0; i < count; i++) {
        const iv *v = meet_arg(in, lane, first + i);
        if (!v->type || !type_is_integer(v->type))
            interp_refuse(in, n->at, "this subscript of a tile");
        out[i] = interp_integer(in, n->at, v);
    }
    return (int)count;
}

/* tile, indices: an element for each lane, or a view of rows. */
static void op_index(interp *in, inode *n)
{
    const itile *t = itile_of(meet_arg(in, 0, 0));
    int64_t index[TILE_RANK];
    const int count = indices_of(in, n, 0, 1, meet_count(in) - 1, index);
    if (count > t->ndim)
        interp_refuse(in, n->at, "a component of a tile's element");
    if (count < t->ndim) {
        meet_give_tile(in, make_view(in, n, t, place_of(in, n, t, index, count), count));
        return;
    }
    const size_t size = layout_size(t->type->elem);
    for (uint32_t lane = 0; lane < in->group->shape.lanes; lane++) {
        indices_of(in, n, lane, 1, (uint32_t)count, index);
        const size_t at = (size_t)place_of(in, n, t, index, count) * size;
        const bool tangent = in->dual && interp_has_tangent(t->type->elem);
        meet_give_value(in, lane,
                        &(iv){t->type->elem, t->data + at, tangent ? t->tangent + at : NULL, NULL});
    }
}

/* By all lanes alike, or by one alone: reading an element changes nothing, so that a lane that
 * branches off may do it without the others. */
const iv *interp_tile_index(interp *in, inode *n, const iv *tile, const iv *const *index,
                            uint32_t count)
{
    const itile *t = itile_of(tile);
    const iv *args[TILE_RANK + 1] = {tile};
    int64_t at[TILE_RANK];
    if (count > TILE_RANK || (int)count > t->ndim)
        interp_refuse(in, n->at, "this subscript of a tile");
    for (uint32_t i = 0; i < count; i++)
        args[i + 1] = index[i];
    if ((int)count < t->ndim)
        return interp_meet(in, n, args, count + 1, op_index);
    for (uint32_t i = 0; i < count; i++) {
        if (!index[i]->type || !type_is_integer(index[i]->type))
            interp_refuse(in, n->at, "this subscript of a tile");
        at[i] = interp_integer(in, n->at, index[i]);
    }
    const size_t place = (size_t)place_of(in, n, t, at, (int)count) * layout_size(t->type->elem);
    const bool tangent = in->dual && interp_has_tangent(t->type->elem);
    if (!n->slot)
        n->slot = ARENA_NEW(in->a, islot);
    interp_keep(in, n->slot,
                &(iv){t->type->elem, t->data + place, tangent ? t->tangent + place : NULL, NULL});
    return &n->slot->v;
}

/* tile_extract(t, i, ...) */
const iv *itile_eval_extract(interp *in, inode *n)
{
    const iv *args[INTERP_ARGS];
    const icallee *callee = n->aux;
    const uint32_t count = interp_eval_args(in, n, args);
    if (callee->nnames || count < 2 || !interp_is_tile(args[0]) ||
        (int)count - 1 != itile_of(args[0])->ndim)
        interp_refuse(in, n->at, "this tile_extract");
    return interp_tile_index(in, n, args[0], args + 1, count - 1);
}

iv itile_lane_item(interp *in, const inode *n, const itile *t, uint32_t lane, uint32_t first,
                   uint32_t count)
{
    int64_t index[TILE_RANK];
    if ((int)count != t->ndim)
        interp_refuse(in, n->at, "this assignment to a part of a tile");
    indices_of(in, n, lane, first, count, index);
    const size_t at = (size_t)place_of(in, n, t, index, (int)count) * layout_size(t->type->elem);
    const bool tangent = in->dual && interp_has_tangent(t->type->elem);
    return (iv){t->type->elem, t->data + at, tangent ? t->tangent + at : NULL, NULL};
}

/* tile, value, indices */
static void op_assign_item(interp *in, inode *n)
{
    const itile *t = itile_of(meet_arg(in, 0, 0));
    for (uint32_t lane = 0; lane < in->group->shape.lanes; lane++) {
        const iv to = itile_lane_item(in, n, t, lane, 2, meet_count(in) - 2);
        interp_store(in, n->at, &to, meet_arg(in, lane, 1));
    }
    meet_give_nothing(in);
}

/* t[i, j] = v */
void interp_tile_store(interp *in, inode *target, const iv *v)
{
    const iv *args[TILE_RANK + 2];
    const uint32_t count = target->n - 1u;
    if (count > TILE_RANK || interp_is_tile(v))
        interp_refuse(in, target->at, "this assignment to a part of a tile");
    args[0] = interp_eval(in, target->kid[0]);
    args[1] = v;
    for (uint32_t i = 0; i < count; i++)
        args[i + 2] = interp_eval(in, target->kid[i + 1]);
    interp_meet(in, target, args, count + 2, op_assign_item);
}

/* Elements of `from` to those of `to`; both have the same shape. */
static void copy_items(interp *in, inode *n, const itile *to, const itile *from)
{
    const arena_mark mark = arena_save(&in->thread);
    const reducing r = {in, n, NULL, from->type->elem, layout_size(from->type->elem)};
    const uint8_t *staged = itile_gathered(in, from, &r);
    EACH_ITEM(in, itile_elements(from), lane, e)
    {
        const iv at = itile_item(in, to, e), v = itile_reduced(&r, staged + 2 * e * r.size);
        itile_put(in, n, &at, &v);
    }
    arena_rewind(&in->thread, mark);
}

/* tile, new elements */
static void op_update(interp *in, inode *n)
{
    const itile *to = itile_of(meet_arg(in, 0, 0)), *from = itile_of(meet_arg(in, 0, 1));
    itile_common_shape(in, n, 0);
    copy_items(in, n, to, from);
    meet_give_nothing(in);
}

void interp_tile_update(interp *in, inode *n, const iv *t, const iv *v)
{
    const iv *args[2] = {t, v};
    const iv kept = n->v; /* the node is that of the value */
    interp_meet(in, n, args, 2, op_update);
    n->v = kept;
}

/* A name given to a name: Warp copies the elements. */
static void op_copied(interp *in, inode *n)
{
    const itile like = *itile_of(meet_arg(in, 0, 0));
    const arena_mark mark = arena_save(&in->thread);
    const reducing r = {in, n, NULL, like.type->elem, layout_size(like.type->elem)};
    const uint8_t *staged = itile_gathered(in, &like, &r);
    itile *t = itile_make(in, n, like.type->elem, like.ndim, like.shape);
    EACH_ITEM(in, itile_elements(t), lane, e)
    {
        const iv at = itile_item(in, t, e), v = itile_reduced(&r, staged + 2 * e * r.size);
        itile_put(in, n, &at, &v);
    }
    arena_rewind(&in->thread, mark);
    meet_give_tile(in, t);
}

const iv *interp_tile_copied(interp *in, inode *n, const iv *v)
{
    const iv *args[1] = {v};
    return interp_meet(in, n, args, 1, op_copied);
}

/* tile_assign(to, from, offset) */
void itile_op_assign(interp *in, inode *n)
{
    const itile *to = meet_tile(in, n, 0, "dst", 0), *from = meet_tile(in, n, 0, "src", 1);
    int64_t offset[TILE_RANK];
    meet_offsets(in, n, 0, 2, to->ndim, offset);
    if (to->ndim != from->ndim)
        interp_fail(in, n->at, "tiles of different dimensions");
    itile piece = *to;
    for (int d = 0; d < to->ndim; d++) {
        if (offset[d] < 0 || offset[d] + from->shape[d] > to->shape[d])
            interp_fail(in, n->at, "a tile is assigned beyond the end of another");
        const int64_t at = offset[d] * to->stride[d] * (int64_t)layout_size(to->type->elem);
        piece.data += at;
        piece.tangent += at;
        piece.shape[d] = from->shape[d];
    }
    copy_items(in, n, &piece, from);
    meet_give_nothing(in);
}

/* tile_view(t, offset, shape) */
void itile_op_view(interp *in, inode *n)
{
    const itile *t = meet_tile(in, n, 0, "t", 0);
    const iv *o = meet_needed(in, n, 0, "offset", 1), *s = meet_named(in, 0, "shape", 2);
    int64_t offset[TILE_RANK], shape[TILE_RANK];
    const int given = meet_integers(in, n, o, offset);
    if (s && s->type) {
        if (given != t->ndim || meet_integers(in, n, s, shape) != t->ndim)
            interp_refuse(in, n->at, "this tile_view");
        itile *v = make_view(in, n, t, place_of(in, n, t, offset, given), 0);
        for (int d = 0; d < v->ndim; d++) {
            if (shape[d] < 1 || offset[d] + shape[d] > v->shape[d])
                interp_fail(in, n->at, "a view beyond the end of its tile");
            v->shape[d] = shape[d];
        }
        v->type = itile_type(in, t->type->elem, v->ndim, v->shape);
        meet_give_tile(in, v);
        return;
    }
    if (given >= t->ndim)
        interp_refuse(in, n->at, "this tile_view");
    meet_give_tile(in, make_view(in, n, t, place_of(in, n, t, offset, given), given));
}

void itile_op_transpose(interp *in, inode *n)
{
    const itile *t = meet_tile(in, n, 0, "a", 0);
    if (t->ndim != 2)
        interp_fail(in, n->at, "a tile of other than 2 dimensions is transposed");
    const itile from = *t;
    itile *v = make_view(in, n, t, 0, 0);
    for (int d = 0; d < 2; d++) {
        v->shape[d] = from.shape[1 - d];
        v->stride[d] = from.stride[1 - d];
    }
    v->type = itile_type(in, from.type->elem, 2, v->shape);
    meet_give_tile(in, v);
}

/* Are the elements one behind the other, in rows? */
static bool is_contiguous(const itile *t)
{
    int64_t size = 1;
    for (int d = t->ndim; d-- > 0; size *= t->shape[d])
        if (t->shape[d] != 1 && t->stride[d] != size)
            return false;
    return true;
}

/* reshape: the same elements in rows of another shape */
void itile_op_reshape(interp *in, inode *n)
{
    const itile from = *meet_tile(in, n, 0, "a", 0);
    const type *made = meet_resolved(in, n);
    itile *v = make_view(in, n, &from, 0, 0);
    int64_t size = 1;
    if (made->ndim > TILE_RANK || !is_contiguous(&from))
        interp_refuse(in, n->at, "this tile_reshape");
    for (int d = made->ndim; d-- > 0; size *= made->dims[d]) {
        v->shape[d] = made->dims[d];
        v->stride[d] = size;
    }
    if (size != itile_elements(&from))
        interp_refuse(in, n->at, "this tile_reshape");
    v->ndim = made->ndim;
    v->type = itile_type(in, from.type->elem, v->ndim, v->shape);
    meet_give_tile(in, v);
}

/* squeeze: without some of the dimensions of size 1, whose strides do not matter */
void itile_op_squeeze(interp *in, inode *n)
{
    const itile from = *meet_tile(in, n, 0, "a", 0);
    const type *made = meet_resolved(in, n);
    itile *v = make_view(in, n, &from, 0, 0);
    int kept = 0;
    WEFT_ASSERT(from.ndim <= TILE_RANK);
    for (int d = 0; d < from.ndim && d < TILE_RANK; d++) {
        if (kept < made->ndim && made->dims[kept] == from.shape[d]) {
            v->shape[kept] = from.shape[d];
            v->stride[kept++] = from.stride[d];
        } else if (from.shape[d] != 1) {
            interp_refuse(in, n->at, "this tile_squeeze");
        }
    }
    if (kept != made->ndim)
        interp_refuse(in, n->at, "this tile_squeeze");
    v->ndim = kept;
    v->type = itile_type(in, from.type->elem, kept, v->shape);
    meet_give_tile(in, v);
}

/* broadcast: dimensions of size 1, and new ones in front, are repeated: their stride is 0. */
void itile_op_broadcast(interp *in, inode *n)
{
    const itile from = *meet_tile(in, n, 0, "a", 0);
    const type *made = meet_resolved(in, n);
    itile *v = make_view(in, n, &from, 0, 0);
    if (made->ndim > TILE_RANK || made->ndim < from.ndim)
        interp_refuse(in, n->at, "this tile_broadcast");
    v->ndim = made->ndim;
    for (int d = 0; d < v->ndim; d++) {
        const int own = d - (v->ndim - from.ndim);
        v->shape[d] = made->dims[d];
        v->stride[d] = own < 0 || from.shape[own] != v->shape[d] ? 0 : from.stride[own];
    }
    v->type = itile_type(in, from.type->elem, v->ndim, v->shape);
    meet_give_tile(in, v);
}

/* Equal keys keep their order. */
void itile_op_sort(interp *in, inode *n)
{
    const itile *keys = meet_tile(in, n, 0, "keys", 0), *values = meet_tile(in, n, 0, "values", 1);
    const type_kind k = keys->type->elem->kind;
    const size_t size = layout_size(keys->type->elem), width = layout_size(values->type->elem);
    uint8_t key[16], with[256];
    if (in->dual || !type_is_scalar(keys->type->elem) || width > sizeof with ||
        itile_elements(keys) != itile_elements(values) ||
        in->group->shape.lanes < in->group->shape.width)
        interp_refuse(in, n->at, "this tile_sort");
    for (uint32_t e = 1; e < itile_elements(keys); e++) {
        memcpy(key, itile_item(in, keys, e).p, size);
        memcpy(with, itile_item(in, values, e).p, width);
        uint32_t to = e;
        for (; to && num_compare("<", k, num_load(k, key), k,
                                 num_load(k, itile_item(in, keys, to - 1).p));
             to--) {
            memcpy(itile_item(in, keys, to).p, itile_item(in, keys, to - 1).p, size);
            memcpy(itile_item(in, values, to).p, itile_item(in, values, to - 1).p, width);
        }
        memcpy(itile_item(in, keys, to).p, key, size);
        memcpy(itile_item(in, values, to).p, with, width);
        interp_spend(in, n->at, e - to + 1);
    }
    meet_give_nothing(in);
}
