/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of tiles and scans, executed by lane 0 for its block: sums, extremes and where they
 * are, functions folded over the elements or along an axis, dot products, running sums. The order
 * is that of Warp's CPU device (arith_tile.h). */
#include "interp/interp_tile.h"

iv itile_reduced(const reducing *r, const uint8_t *at)
{
    uint8_t *p = (uint8_t *)(uintptr_t)at;
    return (iv){r->elem, p, r->in->dual && interp_has_tangent(r->elem) ? p + r->size : NULL, NULL};
}

static bool combine(void *arg, uint8_t *acc, const uint8_t *x)
{
    const reducing *r = arg;
    const iv to = itile_reduced(r, acc);
    r->sub->kid[0]->v = to;
    r->sub->kid[1]->v = itile_reduced(r, x);
    interp_step(r->in, r->n->at);
    itile_put(r->in, r->n, &to, meet_run_sub(r->in, r->sub));
    return true;
}

/* Copies the tile's elements, each with its tangent behind it. */
uint8_t *itile_gathered(interp *in, const itile *t, const reducing *r)
{
    uint8_t *bytes = arena_zero(&in->thread, 2 * r->size * itile_elements(t));
    for (uint32_t e = 0; e < itile_elements(t); e++) {
        const iv from = itile_item(in, t, e);
        memcpy(bytes + 2 * e * r->size, from.p, r->size);
        if (from.t)
            memcpy(bytes + (2 * e + 1) * r->size, from.t, r->size);
    }
    return bytes;
}

/* A tile with the first of what was reduced. */
static itile *first_of(interp *in, inode *n, const reducing *r, const uint8_t *bytes)
{
    const int64_t one = 1;
    itile *out = itile_make(in, n, r->elem, 1, &one);
    const iv to = itile_item(in, out, 0), first = itile_reduced(r, bytes);
    itile_put(in, n, &to, &first);
    return out;
}

static void reduce(interp *in, inode *n, inode *sub, const itile *t)
{
    const arena_mark mark = arena_save(&in->thread);
    reducing r = {in, n, sub, t->type->elem, layout_size(t->type->elem)};
    const tile_reduction all = {itile_gathered(in, t, &r), 2 * r.size, itile_elements(t), combine,
                                &r};
    tile_reduce(&in->group->shape, &all);
    itile *out = first_of(in, n, &r, all.bytes);
    arena_rewind(&in->thread, mark);
    meet_give_tile(in, out);
}

/* The number of the least or greatest element. */
static void arg_reduce(interp *in, inode *n, const char *op)
{
    const itile *t = meet_tile(in, n, 0, "a", 0);
    const tile_block *b = &in->group->shape;
    const int64_t one = 1;
    if (b->lanes < b->width && b->lanes < itile_elements(t))
        interp_refuse(in, n->at, "this in a block that is not full");
    const arena_mark mark = arena_save(&in->thread);
    reducing r = {in, n, meet_pair(in, n, op), t->type->elem, layout_size(t->type->elem)};
    const tile_reduction all = {itile_gathered(in, t, &r), 2 * r.size, itile_elements(t), combine,
                                &r};
    int32_t at = 0;
    tile_arg_reduce(b, &all, arena_zero(&in->thread, all.size), &at);
    itile *out = itile_make(in, n, type_scalar(in->c, TYPE_INT32), 1, &one);
    memcpy(out->data, &at, sizeof at);
    arena_rewind(&in->thread, mark);
    meet_give_tile(in, out);
}

void itile_op_argmin(interp *in, inode *n)
{
    arg_reduce(in, n, "min");
}

void itile_op_argmax(interp *in, inode *n)
{
    arg_reduce(in, n, "max");
}

/* Along an axis in order, without elements of lanes that a partial block lacks. */
static void reduce_axis(interp *in, inode *n, inode *sub, const itile *tile, uint32_t axis_at)
{
    const itile t = *tile;
    const int64_t axis = interp_integer(in, n->at, meet_needed(in, n, 0, "axis", axis_at));
    const type *made = meet_resolved(in, n);
    const tile_block *b = &in->group->shape;
    if (axis < 0 || axis >= t.ndim || made->ndim > TILE_RANK)
        interp_refuse(in, n->at, "this axis");
    if (b->lanes < b->width && b->lanes < itile_elements(&t))
        interp_refuse(in, n->at, "an axis in a block that is not full");
    uint32_t inner = 1;
    for (int d = 0; d < t.ndim; d++)
        inner *= d > axis ? (uint32_t)t.shape[d] : 1;
    const arena_mark mark = arena_save(&in->thread);
    reducing r = {in, n, sub, t.type->elem, layout_size(t.type->elem)};
    uint8_t *all = itile_gathered(in, &t, &r);
    const uint32_t length = (uint32_t)t.shape[axis];
    itile *out = itile_make_resolved(in, n);
    for (uint32_t e = 0; e < itile_elements(out); e++) {
        uint8_t *acc = all + 2 * r.size * (e / inner * length * inner + e % inner);
        for (uint32_t x = 1; x < length; x++)
            combine(&r, acc, acc + 2 * r.size * x * inner);
        const iv to = itile_item(in, out, e), sum = itile_reduced(&r, acc);
        itile_put(in, n, &to, &sum);
    }
    arena_rewind(&in->thread, mark);
    meet_give_tile(in, out);
}

void itile_op_sum(interp *in, inode *n)
{
    if (meet_count(in) != 1) {
        reduce_axis(in, n, meet_pair(in, n, "add"), meet_tile(in, n, 0, "a", 0), 1);
        return;
    }
    reduce(in, n, meet_pair(in, n, "add"), meet_tile(in, n, 0, "a", 0));
}

void itile_op_min(interp *in, inode *n)
{
    reduce(in, n, meet_pair(in, n, "min"), meet_tile(in, n, 0, "a", 0));
}

void itile_op_max(interp *in, inode *n)
{
    reduce(in, n, meet_pair(in, n, "max"), meet_tile(in, n, 0, "a", 0));
}

void itile_op_reduce(interp *in, inode *n)
{
    inode *sub = meet_callee(in, n, "op", 0, 2);
    const itile *t = meet_tile(in, n, 0, "a", 1);
    if (meet_count(in) == 2) {
        reduce(in, n, sub, t);
        return;
    }
    if (in->dual)
        in->wrong_adjoint = "tile_reduce";
    reduce_axis(in, n, sub, t, 2);
}

/* Products of elements, for tile_dot: 0 is added to the first one of each lane. */
static void multiply(interp *in, inode *n, const itile *a, const itile *b, const reducing *r,
                     uint8_t *bytes)
{
    struct tile_node *k = itile_node(in, n);
    if (!k->product)
        k->product = meet_named_node(in, n, type_is_scalar(a->type->elem) ? "mul" : "dot");
    for (uint32_t e = 0; e < itile_elements(a); e++) {
        const iv to = itile_reduced(r, bytes + 2 * e * r->size);
        k->product->kid[0]->v = itile_item(in, a, e);
        k->product->kid[1]->v = itile_item(in, b, e);
        interp_step(in, n->at);
        itile_put(in, n, &to, meet_run_sub(in, k->product));
        if (e < in->group->shape.width) {
            const iv zero = {r->elem, interp_zeros(in, r->size), NULL, NULL};
            r->sub->kid[0]->v = zero;
            r->sub->kid[1]->v = to;
            itile_put(in, n, &to, meet_run_sub(in, r->sub));
        }
    }
}

/* The sum of products of elements, in the order of tile_sum. */
void itile_op_dot(interp *in, inode *n)
{
    const itile a = *meet_tile(in, n, 0, "a", 0), b = *meet_tile(in, n, 0, "b", 1);
    const type *elem = type_scalar_of(a.type->elem);
    itile_common_shape(in, n, 0);
    if (!type_is_scalar(a.type->elem) && a.type->elem->kind != TYPE_VEC)
        interp_refuse(in, n->at, "tile_dot of these elements");
    const arena_mark mark = arena_save(&in->thread);
    reducing r = {in, n, meet_pair(in, n, "add"), elem, layout_size(elem)};
    const uint32_t count = itile_elements(&a);
    const tile_reduction all = {arena_zero(&in->thread, 2 * r.size * count), 2 * r.size, count,
                                combine, &r};
    multiply(in, n, &a, &b, &r, all.bytes);
    tile_reduce(&in->group->shape, &all);
    itile *out = first_of(in, n, &r, all.bytes);
    arena_rewind(&in->thread, mark);
    meet_give_tile(in, out);
}

/* Running sums, minima or maxima. */
static void scan(interp *in, inode *n, const char *op, tile_scanning kind)
{
    const itile like = *meet_tile(in, n, 0, "a", 0);
    if (in->dual)
        in->wrong_adjoint = "tile_scan"; /* Warp 1.19's are MISSINGADJOINT */
    const arena_mark mark = arena_save(&in->thread);
    const tile_block *b = &in->group->shape;
    reducing r = {in, n, meet_pair(in, n, op), like.type->elem, layout_size(like.type->elem)};
    const tile_reduction all = {itile_gathered(in, &like, &r), 2 * r.size, itile_elements(&like),
                                combine, &r};
    tile_scan(b, &all, kind, arena_alloc(&in->thread, (2 * b->width + 3) * all.size));
    itile *out = itile_make(in, n, r.elem, like.ndim, like.shape);
    EACH_ITEM(in, all.n, lane, e)
    {
        const iv to = itile_item(in, out, e), sum = itile_reduced(&r, all.bytes + e * all.size);
        itile_put(in, n, &to, &sum);
    }
    arena_rewind(&in->thread, mark);
    meet_give_tile(in, out);
}

void itile_op_scan(interp *in, inode *n)
{
    scan(in, n, "add", TILE_SCAN_INCLUSIVE);
}

void itile_op_scan_exclusive(interp *in, inode *n)
{
    scan(in, n, "add", TILE_SCAN_EXCLUSIVE);
}

void itile_op_scan_max(interp *in, inode *n)
{
    scan(in, n, "max", TILE_SCAN_CHOICES);
}

void itile_op_scan_min(interp *in, inode *n)
{
    scan(in, n, "min", TILE_SCAN_CHOICES);
}
