/* SPDX-License-Identifier: Apache-2.0 */
/* Elements, components and fields: reading them, and the places that assignments go to.
 *
 *     x[i]         array: the element's address            a place
 *     x[1:3], x[i] of a 2D array: a view                    no place
 *     v[0], v.x    composite: the component's address       a place if v is one
 *     m[0, 1:]     a copy of the components                 assigned to lane by lane
 *     s.field      struct: the field's address              a place if s is one
 *
 * Reading and writing use the same functions: a read gives the address of the bytes, and an
 * assignment writes there. Only places have a tangent that can be written, see interp_place. */
#include "base/format.h"
#include "interp/interp_tile.h"

/* Ends the run, and notes the access for interp_met_outside. */
static void out_of_bounds(interp *in, const node *at, const array_view *a, uint32_t dim, int64_t i)
{
    in->outside = (interp_outside){a->data ? a->data->name : "?", a->ndim, dim, i};
    interp_fail(in, at, "array '%s': index %lld is out of bounds: dimension %u has size %lld",
                a->data ? a->data->name : "?", (long long)i, dim, (long long)a->shape[dim]);
}

/* The index counted from the front; a negative one counts from the end, and is noted. */
static int64_t array_index(interp *in, const node *at, const array_view *a, uint32_t dim,
                           const iv *index)
{
    const int64_t i = interp_integer(in, at, index);
    const int64_t j = i < 0 ? i + a->shape[dim] : i;
    in->negative |= i < 0;
    if (j < 0 || j >= a->shape[dim])
        out_of_bounds(in, at, a, dim, i);
    return j;
}

/* The array's view; ends the run for an array that the caller did not pass. */
static const array_view *view_of(interp *in, const node *at, const iv *array)
{
    const array_view *a = *(const array_view **)array->p;
    if (!a)
        interp_fail(in, at, "this array was not given");
    return a;
}

/* The view of the array's tangent, or NULL. The tangent of an array of integers, which a struct may
 * hold, has no data. */
static const array_view *tangent_of(const iv *array)
{
    const array_view *t = array->t ? *(const array_view **)array->t : NULL;
    return t && t->data ? t : NULL;
}

/* The tangent has an array of its own with the same indices. It may have other strides: both
 * offsets are computed. */
iv interp_element(interp *in, const node *at, const iv *array, const iv *const *index, uint32_t n)
{
    const array_view *a = view_of(in, at, array);
    const array_view *tangent = tangent_of(array);
    WEFT_ASSERT(a->ndim >= 0 && a->ndim <= LAUNCH_DIMS && (!tangent || tangent->ndim == a->ndim));
    int64_t offset = a->offset, shadow = tangent ? tangent->offset : 0;
    if (n != (uint32_t)a->ndim)
        interp_fail(in, at, "array '%s' has %d dimension%s, not %u", a->data->name, a->ndim,
                    plural_s((uint64_t)a->ndim), n);
    for (uint32_t i = 0; i < n; i++) {
        const int64_t j = array_index(in, at, a, i, index[i]);
        offset += j * a->strides[i];
        if (tangent)
            shadow += j * tangent->strides[i];
    }
    return (iv){.type = a->elem,
                .p = a->data->bytes + offset,
                .t = tangent ? tangent->data->bytes + shadow : NULL};
}

/* start:stop:step as three integers. A missing bound keeps what slice_node stored for it:
 * SLICE_BEGIN, SLICE_END or a step of 1. */
const iv *interp_eval_slice(interp *in, inode *n)
{
    int64_t *bounds = n->v.p;
    for (uint32_t i = 0; i < 3; i++)
        if (n->kid[i]) {
            bounds[i] = interp_integer(in, n->at, interp_eval(in, n->kid[i]));
            in->negative |= i < 2 && bounds[i] < 0 && !n->kid[i]->known;
        }
    if (bounds[2] == 0)
        interp_fail(in, n->at, "the step of a slice is zero");
    return &n->v;
}

/* What an index or slice picks of `n` items: start, start + step, ..., `count` of them. `single`:
 * an index, which removes the dimension. Warp 1.19 slice_adjust_indices. */
typedef struct pick {
    int64_t start, count, step;
    bool single;
} pick;

/* A bound that is there, counted from the front. */
static int64_t bound_within(int64_t x, int64_t n)
{
    x = x < -n ? -n : x > n ? n : x;
    return x < 0 ? x + n : x;
}

/* Python's slice.indices(n): bounds outside are moved to the ends, and a negative step starts at
 * the last item.
 *
 *     x[-3:] of 10       start 7, 3 items, step 1
 *     x[::-2] of 5       start 4, 3 items, step -2 */
static pick pick_slice(const int64_t *bounds, int64_t n)
{
    WEFT_ASSERT(bounds[2] != 0 && n >= 0);
    const int64_t step = bounds[2];
    const int64_t first = step < 0 ? n - 1 : 0, last = step < 0 ? -1 : n;
    const int64_t start = bounds[0] == SLICE_BEGIN ? first : bound_within(bounds[0], n);
    const int64_t stop = bounds[1] == SLICE_END ? last : bound_within(bounds[1], n);
    const int64_t along = step < 0 ? start - stop : stop - start;
    const int64_t count = along > 0 ? 1 + (along - 1) / (step < 0 ? -step : step) : 0;
    return (pick){start, count, step, false};
}

/* The pick of an index or slice of a composite's `n` rows or columns. */
static pick pick_of(interp *in, const node *at, const iv *index, int64_t n)
{
    if (index->type && index->type->kind == TYPE_SLICE)
        return pick_slice(index->p, n);
    const int64_t i = interp_integer(in, at, index);
    const int64_t j = i < 0 ? i + n : i;
    in->negative |= i < 0;
    if (j < 0 || j >= n)
        interp_fail(in, at, "component %lld is out of bounds: there are %lld", (long long)i,
                    (long long)n);
    return (pick){j, 1, 1, true};
}

/* The view of `a` that the picks leave. */
static array_view narrowed(const array_view *a, const pick *picks, uint32_t n)
{
    array_view v = {.data = a->data, .elem = a->elem, .offset = a->offset};
    WEFT_ASSERT(n <= (uint32_t)a->ndim && a->ndim <= LAUNCH_DIMS);
    for (uint32_t i = 0; i < (uint32_t)a->ndim; i++) {
        const pick p = i < n ? picks[i] : (pick){0, a->shape[i], 1, false};
        if (p.single || p.count)
            v.offset += p.start * a->strides[i];
        if (p.single)
            continue;
        v.shape[v.ndim] = p.count;
        v.strides[v.ndim++] = a->strides[i] * p.step;
    }
    return v;
}

/* array[index, ...]: the element where every dimension has an index, otherwise a view of type
 * array, kept in the node's slot. */
static const iv *array_part(interp *in, inode *n, const iv *array, const iv *const *index,
                            uint32_t count)
{
    pick picks[LAUNCH_DIMS];
    const array_view *a = view_of(in, n->at, array);
    const array_view *tangent = tangent_of(array);
    if (count > (uint32_t)a->ndim)
        interp_fail(in, n->at, "array '%s' has no %u dimensions", a->data->name, count);
    bool whole = count == (uint32_t)a->ndim;
    for (uint32_t i = 0; i < count; i++)
        whole = whole && index[i]->type && index[i]->type->kind != TYPE_SLICE;
    if (whole) {
        n->v = interp_element(in, n->at, array, index, count);
        return &n->v;
    }
    for (uint32_t i = 0; i < count; i++)
        if (index[i]->type && index[i]->type->kind == TYPE_SLICE)
            picks[i] = pick_slice(index[i]->p, a->shape[i]);
        else
            picks[i] = (pick){array_index(in, n->at, a, i, index[i]), 1, 1, true};
    const array_view view = narrowed(a, picks, count), *at = &view;
    array_view shadow, *shadow_at = &shadow;
    if (tangent)
        shadow = narrowed(tangent, picks, count);
    if (!n->slot)
        n->slot = ARENA_NEW(in->a, islot);
    const iv v = {.type = type_array(in->c, ARRAY_PLAIN, a->elem, view.ndim),
                  .p = &at,
                  .t = tangent ? &shadow_at : NULL};
    interp_keep(in, n->slot, &v);
    return &n->slot->v;
}

/* How the picks of a composite lie: rows and columns of lanes. */
typedef struct lanes {
    pick row, col;
    int width; /* lanes of a row */
} lanes;

/* The lanes that one index or slice, of a matrix up to two, pick of a value of type t. */
static lanes lanes_of(interp *in, const node *at, const type *t, const iv *const *index, uint32_t n)
{
    const bool matrix = t->kind == TYPE_MAT;
    lanes l = {.col = {0, 1, 1, true}, .width = matrix ? t->cols : 1};
    if (n < 1 || n > (matrix ? 2u : 1u))
        interp_refuse(in, at, "so many indices");
    l.row = pick_of(in, at, index[0], t->rows);
    if (matrix)
        l.col = n == 2 ? pick_of(in, at, index[1], t->cols) : (pick){0, t->cols, 1, false};
    return l;
}

/* The type of what the picks give: an element, a vector or a matrix. */
static const type *lanes_type(interp *in, const type *t, const lanes *l)
{
    if (l->row.single && l->col.single)
        return t->elem;
    if (l->row.single || l->col.single)
        return type_vec(in->c, t->elem, (int)(l->row.single ? l->col.count : l->row.count));
    const bool empty = !l->row.count || !l->col.count;
    return type_mat(in->c, t->elem, empty ? 0 : (int)l->row.count, empty ? 0 : (int)l->col.count);
}

/* Copies between the lanes of a composite and a value that holds only those. */
static void copy_lanes(const lanes *l, size_t size, void *whole, void *few, bool scatter)
{
    uint8_t *f = few;
    for (int64_t r = 0; r < l->row.count; r++)
        for (int64_t c = 0; c < l->col.count; c++, f += size) {
            const int64_t lane =
                (l->row.start + r * l->row.step) * l->width + l->col.start + c * l->col.step;
            uint8_t *at = (uint8_t *)whole + (size_t)lane * size;
            memcpy(scatter ? at : f, scatter ? f : at, size);
        }
}

/* An index that is a slice leaves an array, all others together an element. */
static bool any_slice(const iv *const *index, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (index[i]->type && index[i]->type->kind == TYPE_SLICE)
            return true;
    return false;
}

/* composite[index, ...]. Slices give a copy of the lanes. Indices alone give an address inside the
 * value: of an element, or of a whole row, whose lanes lie together. */
static const iv *composite_part(interp *in, inode *n, const iv *base, const iv *const *index,
                                uint32_t count)
{
    const type *t = base->type;
    const lanes l = lanes_of(in, n->at, t, index, count);
    const size_t size = layout_size(t->elem);
    if (any_slice(index, count)) {
        if (!n->slot)
            n->slot = ARENA_NEW(in->a, islot);
        iv *out = interp_room(in, n->slot, lanes_type(in, t, &l));
        copy_lanes(&l, size, base->p, out->p, false);
        if (base->t && out->t)
            copy_lanes(&l, size, base->t, out->t, false);
        else
            out->t = NULL;
        return out;
    }
    if (n->part.seen != t)
        n->part = (part){t, lanes_type(in, t, &l), 0, NULL};
    const size_t offset = (size_t)(l.row.start * l.width + l.col.start) * size;
    n->v = (iv){.type = n->part.type,
                .p = (uint8_t *)base->p + offset,
                .t = base->t ? (uint8_t *)base->t + offset : NULL};
    return &n->v;
}

/* base[index, ...]. The frequent case, an array with an int32 for each dimension, needs no pick. */
static const iv *index_of(interp *in, inode *n, const iv *base)
{
    const iv *index[LAUNCH_DIMS] = {0};
    const uint32_t count = n->n - 1u;
    bool plain = true;
    WEFT_ASSERT(n->n >= 2 && count <= LAUNCH_DIMS);
    if (!base->type)
        interp_refuse(in, n->at, "this subscript");
    for (uint32_t i = 0; i < count; i++) {
        index[i] = interp_eval(in, n->kid[i + 1]);
        plain = plain && index[i]->type == in->t_int;
    }
    if (base->type->kind == TYPE_ARRAY) {
        const array_view *a = *(const array_view **)base->p;
        if (!plain || !a || (uint32_t)a->ndim != count)
            return array_part(in, n, base, index, count);
        n->v = interp_element(in, n->at, base, index, count);
        return &n->v;
    }
    if (base->type->kind == TYPE_TUPLE && count == 1) {
        const int64_t items = base->type->nitems, i = interp_integer(in, n->at, index[0]);
        if (i < -items || i >= items)
            interp_fail(in, n->at, "item %lld is out of bounds: there are %lld", (long long)i,
                        (long long)items);
        return (const iv *)base->p + (i < 0 ? i + items : i);
    }
    if (interp_is_tile(base))
        return interp_tile_index(in, n, base, index, count);
    if (!type_is_composite(base->type))
        interp_refuse(in, n->at, "this subscript");
    return composite_part(in, n, base, index, count);
}

/* x[i], as a value. */
const iv *interp_eval_index(interp *in, inode *n)
{
    return index_of(in, n, interp_eval(in, n->kid[0]));
}

/* Finds a field of a struct or of a query's result, a vector's or quaternion's x, y, z, w, or a
 * transform's p and q. False: t has no such part. */
static bool find_part(interp *in, const type *t, const sym *attr, part *out)
{
    const size_t size = type_is_composite(t) ? layout_size(t->elem) : 0;
    const uint32_t i = t->kind == TYPE_STRUCT ? struct_find_field(t->st, attr) : 0;
    if (t->kind == TYPE_STRUCT && i < t->st->nfields) {
        *out = (part){t, t->st->fields[i].type, layout_field(t->st, i), NULL};
        return true;
    }
    for (uint32_t k = 0; t->kind == TYPE_NATIVE && k < t->native->nfields; k++)
        if (t->native->fields[k].name == attr && t->native->size) {
            const struct_field *f = &t->native->fields[k];
            *out = (part){t, f->type, f->offset, NULL};
            return true;
        }
    const char *axis = attr->len == 1 ? strchr("xyzw", attr->s[0]) : NULL;
    const int lane = !axis ? t->rows : *axis == 'w' ? 3 : *axis - 'x';
    if ((t->kind == TYPE_VEC || t->kind == TYPE_QUAT) && lane < t->rows) {
        *out = (part){t, t->elem, (size_t)lane * size, NULL};
        return true;
    }
    if (t->kind != TYPE_TRANSFORM || attr->len != 1 || !strchr("pq", attr->s[0]))
        return false;
    const bool q = attr->s[0] == 'q';
    *out = (part){t, q ? type_quat(in->c, t->elem) : type_vec(in->c, t->elem, 3), q ? 3 * size : 0,
                  NULL};
    return true;
}

/* array.shape, a tuple of int32. */
static const iv *shape_of(interp *in, inode *n, const iv *array)
{
    const array_view *a = view_of(in, n->at, array);
    const type *t = type_scalar(in->c, TYPE_INT32);
    const type *types[LAUNCH_DIMS] = {t, t, t, t};
    int32_t sizes[LAUNCH_DIMS];
    iv items[LAUNCH_DIMS];
    for (int i = 0; i < a->ndim; i++) {
        sizes[i] = (int32_t)a->shape[i];
        items[i] = (iv){.type = t, .p = &sizes[i]};
    }
    if (!n->slot)
        n->slot = ARENA_NEW(in->a, islot);
    const iv v = {.type = type_tuple(in->c, types, (uint32_t)a->ndim), .p = items};
    interp_keep(in, n->slot, &v);
    return &n->slot->v;
}

/* An attribute of a compile-time object, or of a value's type: v.length, a.ndim, v.dtype. */
static const iv *object_attribute(interp *in, inode *n, const iv *base)
{
    const sym *attr = n->aux;
    const value of_type = base->type ? value_type(base->type) : *base->object;
    value v;
    if (n->v.object && n->part.seen == base->type && n->part.of == base->object)
        return &n->v;
    if (!value_getattr(in->c, &of_type, attr, &v) || v.kind == VALUE_UNKNOWN)
        interp_refuse(in, n->at, "the attribute '%s'", attr->s);
    value *kept = ARENA_NEW(in->a, value);
    *kept = v;
    n->v = (iv){0};
    if (!interp_constant(in, &v, &n->v))
        n->v = (iv){0};
    n->v.object = kept;
    n->part = (part){.seen = base->type, .of = base->object};
    return &n->v;
}

/* base.attr. A part of a value is an address inside it, and where it lies is kept in n->part. */
static const iv *attribute_of(interp *in, inode *n, const iv *base)
{
    const sym *attr = n->aux;
    const type *t = base->type;
    if (t && n->part.seen == t && n->part.type) {
        n->v = (iv){.type = n->part.type,
                    .p = (uint8_t *)base->p + n->part.offset,
                    .t = base->t ? (uint8_t *)base->t + n->part.offset : NULL};
        return &n->v;
    }
    if (!t && !base->object)
        interp_refuse(in, n->at, "the attribute '%s'", attr->s);
    if (t && t->kind == TYPE_ARRAY && strcmp(attr->s, "shape") == 0)
        return shape_of(in, n, base);
    if (t && (type_is_composite(t) || t->kind == TYPE_STRUCT || t->kind == TYPE_NATIVE) &&
        find_part(in, t, attr, &n->part))
        return attribute_of(in, n, base);
    return object_attribute(in, n, base);
}

/* x.name, as a value. */
const iv *interp_eval_attribute(interp *in, inode *n)
{
    return attribute_of(in, n, interp_eval(in, n->kid[0]));
}

/* A variable as a place. In a run with tangents a float's tangent may be missing, meaning zero; it
 * gets room here, so that an assignment to a part of the variable can write a tangent. Not where
 * the variable is bound to other storage, as an array's element, which has its own. */
static iv slot_place(interp *in, inode *n)
{
    islot *s = n->slot;
    interp_eval(in, n);
    const type *t = s->v.type;
    islot *home = s->home ? s->home : s;
    if (in->dual && t && !s->v.t && s->v.p == home->own && interp_has_tangent(t))
        s->v.t = memset(home->shadow, 0, home->size);
    return s->v;
}

/* Ends the run if the array belongs to an object that kernels read only. */
void interp_check_store(interp *in, const node *at, const iv *array)
{
    const array_view *a =
        array->type && array->type->kind == TYPE_ARRAY ? *(const array_view **)array->p : NULL;
    if (a && a->data && a->data->read_only)
        interp_refuse(in, at, "a store to the %s", a->data->name);
}

/* The base of a place is a place: a[i].pos.x is written in the array's own bytes. */
iv interp_place(interp *in, inode *n)
{
    switch (n->kind) {
    case NODE_SLOT: return slot_place(in, n);
    case NODE_INDEX: {
        const iv base = interp_place(in, n->kid[0]);
        if (interp_is_tile(&base))
            interp_refuse(in, n->at, "this change of a part of a tile");
        interp_check_store(in, n->at, &base);
        return *index_of(in, n, &base);
    }
    case NODE_ATTRIBUTE: {
        const iv base = interp_place(in, n->kid[0]);
        return *attribute_of(in, n, &base);
    }
    default: return *interp_eval(in, n);
    }
}

/* Whether the target is a subscript with a slice, v[0:2]. */
static bool has_slices(const inode *n)
{
    for (uint32_t i = 1; n->kind == NODE_INDEX && i < n->n; i++)
        if (n->kid[i]->kind == NODE_SLICE)
            return true;
    return false;
}

/* The value itself, or a copy of it where it lies in what is about to be written. */
static const iv *apart(interp *in, inode *n, const iv *v, const iv *whole)
{
    const uintptr_t at = (uintptr_t)v->p, from = (uintptr_t)whole->p;
    if (at < from || at >= from + layout_size(whole->type))
        return v;
    if (!n->slot)
        n->slot = ARENA_NEW(in->a, islot);
    interp_keep(in, n->slot, v);
    return &n->slot->v;
}

/* v[0:2] = value: the value must have the type that reading the slice would give. */
static void assign_lanes(interp *in, inode *n, const iv *v)
{
    const iv base = interp_place(in, n->kid[0]);
    const iv *index[LAUNCH_DIMS] = {0};
    for (uint32_t i = 0; i + 1 < n->n; i++)
        index[i] = interp_eval(in, n->kid[i + 1]);
    if (!base.type || !type_is_composite(base.type))
        interp_refuse(in, n->at, "an assignment to a part of an array");
    const lanes l = lanes_of(in, n->at, base.type, index, n->n - 1u);
    const type *few = lanes_type(in, base.type, &l);
    const size_t size = layout_size(base.type->elem);
    if (!v->type || !type_equal(v->type, few))
        interp_fail(in, n->at, "a value of another type cannot be stored here");
    v = apart(in, n, v, &base);
    if (in->apart)
        interp_note_store(in, base.p, layout_size(base.type));
    copy_lanes(&l, size, base.p, v->p, true);
    if (!in->dual || !interp_has_tangent(few))
        return;
    if (!base.t && v->t)
        interp_fail(in, n->at, "what is written here has no room for a tangent");
    if (base.t)
        copy_lanes(&l, size, base.t, v->t ? v->t : interp_zeros(in, layout_size(few)), true);
}

/* Stores go through the place, so that an element of an array or a field of a struct changes. */
void interp_assign(interp *in, inode *target, const iv *v)
{
    WEFT_ASSERT(target && v);
    if (target->kind == NODE_INDEX && target->kid[0]->kind == NODE_SLOT &&
        interp_is_tile(&target->kid[0]->slot->v)) {
        interp_tile_store(in, target, v);
        return;
    }
    if (has_slices(target)) {
        assign_lanes(in, target, v);
        return;
    }
    const iv to = interp_place(in, target);
    if (!to.type || target->kind == NODE_OTHER)
        interp_refuse(in, target->at, "an assignment to this");
    if (to.type->kind == TYPE_ARRAY && target->kind == NODE_INDEX)
        interp_refuse(in, target->at, "an assignment to a part of an array");
    interp_store(in, target->at, &to, v);
}
