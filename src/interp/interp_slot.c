/* SPDX-License-Identifier: Apache-2.0 */
/* Values: kept in slots, stored to places, read as numbers.
 *
 *     a = b            interp_keep: a's slot takes a copy, and the type of b
 *     x[i] = b         interp_store: the place has a type, so a scalar is converted to it
 *
 * Storage grows and is never given back: a slot that met its largest type once needs no further
 * allocation, and a thread that runs again makes none. */
#include "interp/interp_internal.h"

/* A struct has one if it holds a float or an array, whatever the array's elements are. */
bool interp_has_tangent(const type *t)
{
    const type *s = type_scalar_of(t);
    for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->st->nfields; i++) {
        const type *f = t->st->fields[i].type;
        if (f->kind == TYPE_ARRAY || interp_has_tangent(f))
            return true;
    }
    return s && type_is_float(s);
}

/* memmove, with the sizes of nearly all scalars as single loads and stores. Source and destination
 * may be the same or overlap. */
static void copy(void *to, const void *from, size_t n)
{
    if (n == 4) {
        uint32_t x;
        memcpy(&x, from, 4);
        memcpy(to, &x, 4);
    } else if (n == 8) {
        uint64_t x;
        memcpy(&x, from, 8);
        memcpy(to, &x, 8);
    } else {
        memmove(to, from, n);
    }
}

/* Lays the slot out for values of type t. Storage for the tangent is made along with it. What was
 * there before stays valid: old memory is not given back, so a value may be kept in the slot that
 * holds it. */
static void make_room(interp *in, islot *s, const type *t)
{
    s->size = layout_size(t);
    if (s->size > s->room) {
        s->room = 2 * s->size;
        s->own = arena_zero(in->a, s->room);
        s->shadow = arena_zero(in->a, s->room);
    }
    s->kept = t;
}

/* The slot takes a view of its own of the same elements. The source may be the slot's own view, so
 * each view is copied before it is written. */
static void keep_array(interp *in, islot *s, const iv *v)
{
    if (!s->array)
        s->array = ARENA_NEW(in->a, own_view);
    own_view *o = s->array;
    const array_view *tangent = v->t ? *(const array_view **)v->t : NULL;
    const array_view *from = *(const array_view **)v->p;
    if (from) {
        const array_view view = *from;
        o->view = view;
    }
    o->at = from ? &o->view : NULL; /* of a struct that nobody filled: so it stays */
    if (tangent) {
        const array_view copy_of = *tangent;
        o->tangent = copy_of;
    }
    o->tangent_at = tangent ? &o->tangent : NULL;
    s->v = (iv){v->type, &o->at, tangent ? &o->tangent_at : NULL, NULL};
}

/* Each item is kept in a slot of its own. */
static void keep_tuple(interp *in, islot *s, const iv *v)
{
    const uint32_t n = v->type->nitems;
    if (n > s->nitems) {
        s->items = arena_zero(in->a, mem_mul(in->a->m, n, sizeof *s->items));
        s->values = arena_zero(in->a, mem_mul(in->a->m, n, sizeof *s->values));
        s->nitems = n;
    }
    const iv *items = v->p;
    for (uint32_t i = 0; i < n; i++) {
        interp_keep(in, &s->items[i], &items[i]);
        s->values[i] = s->items[i].v;
    }
    s->v = (iv){.type = v->type, .p = s->values};
}

/* Copies the bytes, so that a later change of the original does not show. Arrays are views: the
 * view is copied, the elements are not. */
void interp_keep(interp *in, islot *s, const iv *v)
{
    const type *t = v->type;
    if (!t) {
        s->v = *v;
        return;
    }
    if (t != s->kept) {
        if (t->kind == TYPE_ARRAY || t->kind == TYPE_TUPLE) {
            if (t->kind == TYPE_ARRAY)
                keep_array(in, s, v);
            else
                keep_tuple(in, s, v);
            return;
        }
        const iv from = *v;
        make_room(in, s, t);
        interp_keep(in, s, &from);
        return;
    }
    WEFT_ASSERT(s->own && s->shadow && s->size <= s->room);
    void *tangent = v->t;
    copy(s->own, v->p, s->size);
    if (tangent)
        copy(s->shadow, tangent, s->size);
    s->v = (iv){t, s->own, tangent ? s->shadow : NULL, NULL};
}

/* Room is kept from one value to the next; a larger type gets new room. */
iv *interp_room(interp *in, islot *s, const type *t)
{
    if (t != s->kept)
        make_room(in, s, t);
    s->v = (iv){.type = t, .p = s->own};
    if (in->dual && interp_has_tangent(t))
        s->v.t = memset(s->shadow, 0, s->size);
    return &s->v;
}

/* A struct's array must outlive the node that made its view. */
static void store_array(interp *in, const node *at, const iv *to, const iv *v)
{
    if (++in->views > INTERP_VIEWS)
        interp_fail(in, at, "too many arrays are put into structs");
    array_view *view = ARENA_NEW(&in->thread, array_view);
    *view = **(const array_view **)v->p;
    memcpy(to->p, &view, sizeof view);
    if (!to->t)
        return;
    const array_view *tangent = v->t ? *(const array_view **)v->t : NULL;
    array_view *kept = NULL;
    if (tangent) {
        kept = ARENA_NEW(&in->thread, array_view);
        *kept = *tangent;
    }
    memcpy(to->t, &kept, sizeof kept);
}

/* A scalar of another type, as C++ converts it. A conversion out of range is unspecified there and
 * ends the run. */
static void convert(interp *in, const node *at, const type *to, void *out, const type *from,
                    const void *p)
{
    const num x = num_load(from->kind, p);
    if (!num_fits(to->kind, from->kind, x)) {
        char text[200];
        arith_explain_cast(x.f, to, text, sizeof text);
        interp_unspecified(in, at, "%s", text);
    }
    num_store(to->kind, out, num_cast(to->kind, from->kind, x));
}

/* Without room for a tangent (to->t is NULL) a value with one ends the run rather than lose it
 * silently: the caller of the launch passed no tangent for an array that is written. */
void interp_store(interp *in, const node *at, const iv *to, const iv *v)
{
    const type *t = to->type;
    if (in->apart)
        interp_note_store(in, to->p, layout_size(t));
    if (t == v->type && !to->t && !v->t && (t->kind == TYPE_FLOAT32 || t->kind == TYPE_INT32)) {
        copy(to->p, v->p, 4);
        return;
    }
    if (!v->type || (t != v->type && !type_equal(t, v->type) &&
                     !(type_is_scalar(t) && type_is_scalar(v->type))))
        interp_fail(in, at, "a value of another type cannot be stored here");
    if (t->kind == TYPE_ARRAY) {
        store_array(in, at, to, v);
        return;
    }
    const bool same = t == v->type || !type_is_scalar(t) || t->kind == v->type->kind;
    const size_t size = layout_size(t);
    if (in->dual && v->t && !to->t && interp_has_tangent(t))
        interp_fail(in, at, "what is written here has no room for a tangent");
    if (same)
        copy(to->p, v->p, size);
    else
        convert(in, at, t, to->p, v->type, v->p);
    if (!to->t)
        return;
    if (!v->t)
        memset(to->t, 0, size);
    else if (same)
        copy(to->t, v->t, size);
    else
        convert(in, at, t, to->t, v->type, v->t);
}

void interp_store_atomic(interp *in, const node *at, const iv *to, const iv *v)
{
    struct apart *apart = in->apart;
    in->apart = NULL;
    interp_store(in, at, to, v);
    in->apart = apart;
}

/* The interpreter's form of the value r; its bytes are in in->a. */
static iv of_rvalue(interp *in, const rvalue *r)
{
    iv v = {.type = r->type, .object = r->object};
    if (!r->type)
        return v;
    v.p = arena_zero(in->a, r->type->kind == TYPE_ARRAY ? sizeof(void *) : layout_size(r->type));
    if (type_is_scalar(r->type))
        num_store(r->type->kind, v.p, r->n);
    else if (r->type->kind == TYPE_ARRAY)
        memcpy(v.p, &r->array, sizeof r->array);
    else
        memcpy(v.p, r->bytes, layout_size(r->type));
    return v;
}

/* An enum is an int, as in Warp. */
bool interp_constant(interp *in, const value *v, iv *out)
{
    const value known = v->kind == VALUE_ENUM ? value_int(v->i) : *v;
    rvalue r;
    if (!rvalue_constant(in->c, in->a, &known, &r))
        return false;
    *out = of_rvalue(in, &r);
    return true;
}

/* For indices and counters, which are int32 in Warp; wider ones are cut. */
void interp_set_int(interp *in, islot *s, int64_t i)
{
    int32_t x = (int32_t)i;
    interp_keep_value(in, s, &(iv){.type = in->t_int, .p = &x});
}

/* int32 first: nearly all indices are.
 *
 *     int8 -1   -1        uint8 255   255        bool True   1        float32   ends the run */
int64_t interp_integer(interp *in, const node *at, const iv *v)
{
    if (v->type && v->type->kind == TYPE_INT32) {
        int32_t x;
        memcpy(&x, v->p, sizeof x);
        return x;
    }
    if (!v->type || !type_is_scalar(v->type) || type_is_float(v->type))
        interp_fail(in, at, "an integer is wanted here");
    return num_load(v->type->kind, v->p).i;
}

/* bool first: nearly all conditions are.
 *
 *     if arr:   true if the launch gave it an array */
bool interp_truth(interp *in, const node *at, const iv *v)
{
    if (v->type && v->type->kind == TYPE_BOOL)
        return *(const uint8_t *)v->p != 0;
    if (v->type && v->type->kind == TYPE_ARRAY) {
        const array_view *a = *(const array_view **)v->p;
        return a && a->data;
    }
    if (!v->type || !type_is_scalar(v->type))
        interp_fail(in, at, "a condition must be a number");
    return num_truth(v->type->kind, num_load(v->type->kind, v->p));
}
