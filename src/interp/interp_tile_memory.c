/* SPDX-License-Identifier: Apache-2.0 */
/* Operations between tiles and what is no tile: arrays, numbers, values of the lanes. */
#include "interp/interp_tile.h"

/* An access with a tile of indices along an axis; indices NULL: without. */
typedef struct indexing {
    const itile *indices;
    int axis;
} indexing;

/* The arguments "indices" and "axis" of a call at these positions. */
static indexing indexing_of(interp *in, const inode *n, uint32_t indices, uint32_t axis)
{
    const iv *a = meet_named(in, 0, "axis", axis);
    const itile *t = meet_tile(in, n, 0, "indices", indices);
    if (t->ndim != 1 || t->type->elem->kind != TYPE_INT32)
        interp_refuse(in, n->at, "these indices");
    return (indexing){t, a && a->type ? (int)interp_integer(in, n->at, a) : 0};
}

/* The element of the array for element e of a tile of this shape. False: it is beyond the end, or
 * of an indexed access before the beginning. */
static bool global_item(interp *in, const inode *n, const iv *array, const itile *t,
                        const int64_t *offset, indexing by, uint32_t e, iv *out)
{
    const array_view *view = *(const array_view **)array->p;
    int32_t at[TILE_RANK];
    iv index[TILE_RANK];
    const iv *indices[TILE_RANK];
    if (view->ndim != t->ndim)
        interp_fail(in, n->at, "an array of other dimensions than the tile");
    for (int d = t->ndim; d-- > 0; e /= (uint32_t)t->shape[d]) {
        int32_t c = (int32_t)(e % (uint32_t)t->shape[d]);
        if (by.indices && by.axis == d)
            memcpy(&c, itile_item(in, by.indices, (uint32_t)c).p, sizeof c);
        const int64_t x = (int64_t)c + offset[d];
        if (x >= view->shape[d] || (x < 0 && by.indices))
            return false;
        if (x < 0)
            interp_fail(in, n->at, "a tile begins before its array: index %lld", (long long)x);
        at[d] = (int32_t)x;
        index[d] = (iv){.type = in->t_int, .p = &at[d]};
        indices[d] = &index[d];
    }
    *out = interp_element(in, n->at, array, indices, (uint32_t)t->ndim);
    return true;
}

/* The same, to store there. */
static bool global_place(interp *in, const inode *n, const iv *array, const itile *t,
                         const int64_t *offset, indexing by, uint32_t e, iv *out)
{
    interp_check_store(in, n->at, array);
    return global_item(in, n, array, t, offset, by, e, out);
}

/* Without a bounds check Warp reads and writes outside. */
static bool is_checked(interp *in, const inode *n, uint32_t position)
{
    const iv *v = meet_named(in, 0, "bounds_check", position);
    return !v || !v->type || interp_truth(in, n->at, v);
}

static void load(interp *in, inode *n, indexing by, uint32_t offset_at)
{
    int64_t offset[TILE_RANK];
    const bool checked = by.indices || is_checked(in, n, 4);
    itile *t = itile_make_resolved(in, n);
    iv from = {0};
    EACH_ITEM(in, itile_elements(t), lane, e)
    {
        const iv *array = meet_array(in, n, lane, "a");
        meet_offsets(in, n, lane, offset_at, t->ndim, offset);
        const iv to = itile_item(in, t, e);
        if (global_item(in, n, array, t, offset, by, e, &from))
            itile_put(in, n, &to, &from);
        else if (!checked)
            interp_fail(in, n->at, "a tile without bounds check is outside of its array");
    }
    meet_give_tile(in, t);
}

static void store(interp *in, inode *n, indexing by)
{
    int64_t offset[TILE_RANK];
    const uint32_t at = by.indices ? 2 : 1;
    const itile *t = meet_tile(in, n, 0, "t", at);
    const bool checked = by.indices || is_checked(in, n, 3);
    iv to = {0};
    EACH_ITEM(in, itile_elements(t), lane, e)
    {
        const iv *array = meet_array(in, n, lane, "a"), from = itile_item(in, t, e);
        meet_offsets(in, n, lane, at + 1, t->ndim, offset);
        if (global_place(in, n, array, t, offset, by, e, &to)) {
            if (in->apart)
                interp_note_store(in, to.p, layout_size(to.type));
            itile_put(in, n, &to, &from);
        } else if (!checked)
            interp_fail(in, n->at, "a tile without bounds check is outside of its array");
    }
    meet_give_nothing(in);
}

/* The old elements are the result. */
static void atomic_add(interp *in, inode *n, indexing by)
{
    int64_t offset[TILE_RANK];
    const uint32_t at = by.indices ? 2 : 1;
    const itile like = *meet_tile(in, n, 0, "t", at);
    inode *sub = meet_pair(in, n, "add");
    itile *out = itile_make(in, n, like.type->elem, like.ndim, like.shape);
    iv to = {0};
    EACH_ITEM(in, itile_elements(&like), lane, e)
    {
        const iv *array = meet_array(in, n, lane, "a"), old = itile_item(in, out, e);
        meet_offsets(in, n, lane, at + 1, like.ndim, offset);
        if (!global_place(in, n, array, &like, offset, by, e, &to))
            continue;
        itile_put(in, n, &old, &to);
        sub->kid[0]->v = to;
        sub->kid[1]->v = itile_item(in, &like, e);
        itile_put(in, n, &to, meet_run_sub(in, sub));
    }
    meet_give_tile(in, out);
}

void itile_op_load(interp *in, inode *n)
{
    load(in, n, (indexing){0}, 2);
}

void itile_op_load_indexed(interp *in, inode *n)
{
    load(in, n, indexing_of(in, n, 1, 4), 3);
}

void itile_op_store(interp *in, inode *n)
{
    store(in, n, (indexing){0});
}

void itile_op_store_indexed(interp *in, inode *n)
{
    store(in, n, indexing_of(in, n, 1, 4));
}

void itile_op_atomic_add(interp *in, inode *n)
{
    atomic_add(in, n, (indexing){0});
}

void itile_op_atomic_add_indexed(interp *in, inode *n)
{
    atomic_add(in, n, indexing_of(in, n, 1, 4));
}

void itile_op_zeros(interp *in, inode *n)
{
    meet_give_tile(in, itile_make_resolved(in, n));
}

void itile_op_ones(interp *in, inode *n)
{
    itile *t = itile_make_resolved(in, n);
    const type *s = type_scalar_of(t->type->elem);
    for (uint32_t e = 0; e < itile_elements(t); e++)
        for (int k = 0; k < lane_count(t->type->elem); k++)
            num_store(s->kind, (uint8_t *)itile_item(in, t, e).p + (size_t)k * layout_size(s),
                      type_is_float(s) ? (num){.f = 1} : (num){.i = 1});
    meet_give_tile(in, t);
}

/* A number is converted to the tile's elements, as Warp does with literals. */
static void fill(interp *in, inode *n, itile *t, bool from_thread)
{
    EACH_ITEM(in, itile_elements(t), lane, e)
    {
        uint32_t from = lane;
        const iv to = itile_item(in, t, e);
        if (from_thread) {
            const int64_t who =
                interp_integer(in, n->at, meet_needed(in, n, lane, "thread_idx", 2));
            if (who < 0 || who >= (int64_t)in->group->shape.lanes)
                interp_fail(in, n->at, "thread %lld is not in the block", (long long)who);
            from = (uint32_t)who;
        }
        const iv *v = meet_needed(in, n, from, "value", 1);
        if (!v->type)
            interp_refuse(in, n->at, "a tile of this value");
        interp_store(in, n->at, &to, v);
    }
    meet_give_tile(in, t);
}

void itile_op_full(interp *in, inode *n)
{
    fill(in, n, itile_make_resolved(in, n), false);
}

void itile_op_from_thread(interp *in, inode *n)
{
    fill(in, n, itile_make_resolved(in, n), true);
}

/* (stop), (start, stop) or (start, stop, step): start + e * step */
void itile_op_arange(interp *in, inode *n)
{
    const icallee *callee = n->aux;
    const uint32_t plain = meet_count(in) - callee->nnames;
    itile *t = itile_make_resolved(in, n);
    const type_kind k = t->type->elem->kind;
    const bool is_float = type_is_float(t->type->elem);
    EACH_ITEM(in, itile_elements(t), lane, e)
    {
        num range[2] = {{0}, {0}};
        range[1] = is_float ? (num){.f = 1} : (num){.i = 1};
        for (uint32_t i = 0; i < 2; i++) {
            const iv *v = plain > 2 * i + (i == 0) ? meet_arg(in, lane, 2 * i) : NULL;
            if (v && v->type)
                range[i] = num_cast(k, v->type->kind, num_load(v->type->kind, v->p));
        }
        const num index = num_cast(k, TYPE_INT32, (num){.i = (int64_t)e});
        const num x = is_float ? (num){.f = index.f * range[1].f}
                               : (num){.i = (int64_t)((uint64_t)index.i * (uint64_t)range[1].i)};
        num_store(k, itile_item(in, t, e).p, num_binary(k, SCALAR_ADD, range[0], num_wrap(k, x)));
    }
    meet_give_tile(in, t);
}

/* tile(x): element e is component e / width of its lane's value. */
void itile_op_tile(interp *in, inode *n)
{
    const iv *kept = meet_named(in, 0, "preserve_type", 1);
    const bool whole = kept && kept->type && interp_truth(in, n->at, kept);
    const type *x = meet_needed(in, n, 0, "x", 0)->type;
    const uint32_t width = in->group->shape.width;
    int64_t shape[TILE_RANK];
    int ndim = 0;
    if (!x || !type_is_value(x))
        interp_refuse(in, n->at, "a tile of this value");
    if (!whole && (x->kind == TYPE_VEC || x->kind == TYPE_MAT))
        shape[ndim++] = x->rows;
    if (!whole && x->kind == TYPE_MAT)
        shape[ndim++] = x->cols;
    const type *elem = ndim ? x->elem : x;
    shape[ndim++] = width;
    itile *t = itile_make(in, n, elem, ndim, shape);
    const size_t size = layout_size(elem);
    EACH_ITEM(in, itile_elements(t), lane, e)
    {
        const iv *v = meet_needed(in, n, lane, "x", 0), to = itile_item(in, t, e);
        const size_t at = e / width * size;
        itile_put(in, n, &to,
                  &(iv){elem, (uint8_t *)v->p + at, v->t ? (uint8_t *)v->t + at : NULL, NULL});
    }
    meet_give_tile(in, t);
}

/* untile(t): the lane's own elements */
void itile_op_untile(interp *in, inode *n)
{
    const itile *t = meet_tile(in, n, 0, "a", 0);
    const type *elem = t->type->elem, *x = elem;
    const uint32_t width = in->group->shape.width;
    const size_t size = layout_size(elem);
    if (t->shape[t->ndim - 1] != (int64_t)width || t->ndim > 3)
        interp_refuse(in, n->at, "untile of a tile that is not as wide as the block");
    if (t->ndim == 2)
        x = type_vec(in->c, elem, (int)t->shape[0]);
    if (t->ndim == 3)
        x = type_mat(in->c, elem, (int)t->shape[0], (int)t->shape[1]);
    const arena_mark mark = arena_save(&in->thread);
    uint8_t *bytes = arena_zero(&in->thread, 2 * layout_size(x));
    for (uint32_t lane = 0; lane < in->group->shape.lanes; lane++) {
        for (uint32_t e = lane; e < itile_elements(t); e += width) {
            const iv from = itile_item(in, t, e);
            memcpy(bytes + e / width * size, from.p, size);
            if (from.t)
                memcpy(bytes + layout_size(x) + e / width * size, from.t, size);
        }
        const bool tangent = in->dual && interp_has_tangent(x);
        meet_give_value(in, lane, &(iv){x, bytes, tangent ? bytes + layout_size(x) : NULL, NULL});
    }
    arena_rewind(&in->thread, mark);
}

static tile_matrix matrix_of(interp *in, const inode *n, const itile *t, bool tangent)
{
    if (t->ndim != 2 || !type_is_float(t->type->elem))
        interp_refuse(in, n->at, "a product of these tiles");
    return (tile_matrix){t->type->elem->kind, tangent ? t->tangent : t->data, t->stride[0],
                         t->stride[1]};
}

/* alpha or beta in the type of the sums; 1 if it is not given. */
static num factor_of(interp *in, const inode *n, const char *name, uint32_t position, type_kind t)
{
    const iv *v = meet_named(in, 0, name, position);
    if (!v || !v->type)
        return (num){.f = 1};
    if (!type_is_scalar(v->type) || (in->dual && v->t))
        interp_refuse(in, n->at, "tile_matmul with this %s", name);
    return num_cast(t, v->type->kind, num_load(v->type->kind, v->p));
}

/* tile_matmul(a, b, out, alpha, beta), or out = tile_matmul(a, b, alpha) */
void itile_op_matmul(interp *in, inode *n)
{
    const iv *given = meet_named(in, 0, "out", 2);
    const bool sums = given && interp_is_tile(given);
    const itile a = *meet_tile(in, n, 0, "a", 0), b = *meet_tile(in, n, 0, "b", 1);
    itile *c = sums ? itile_of(given) : itile_make_resolved(in, n);
    const type_kind t = c->type->elem->kind;
    const num zero = {.f = 0}, one = {.f = 1};
    if (in->group->shape.lanes < in->group->shape.width)
        interp_refuse(in, n->at, "a product in a block that is not full");
    tile_product p = {matrix_of(in, n, &a, false),
                      matrix_of(in, n, &b, false),
                      matrix_of(in, n, c, false),
                      (uint32_t)a.shape[0],
                      (uint32_t)a.shape[1],
                      (uint32_t)b.shape[1],
                      t,
                      factor_of(in, n, "alpha", sums ? 3 : 2, t),
                      sums ? factor_of(in, n, "beta", 4, t) : zero};
    if (a.shape[1] != b.shape[0] || c->shape[0] != a.shape[0] || c->shape[1] != b.shape[1])
        interp_fail(in, n->at, "a product of tiles whose shapes do not fit");
    interp_spend(in, n->at, (uint64_t)p.rows * p.inner * p.columns);
    tile_matmul(&p);
    if (in->dual) { /* dc = alpha (da b + a db) + beta dc */
        p.c = matrix_of(in, n, c, true);
        p.a = matrix_of(in, n, &a, true);
        tile_matmul(&p);
        p.a = matrix_of(in, n, &a, false);
        p.b = matrix_of(in, n, &b, true);
        p.beta = one;
        tile_matmul(&p);
    }
    if (sums)
        meet_give_nothing(in);
    else
        meet_give_tile(in, c);
}
