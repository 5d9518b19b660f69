/* SPDX-License-Identifier: Apache-2.0 */
/* Places of snippets: variables, elements, parts of composites and structs; and what is made of
 * them: loads, addresses, assignments.
 *
 *     x.data[i] = v[2];      store(element i of x, load(component 2 of v)) */
#include "native/native_internal.h"

static ntype type_of(const type *t)
{
    return (ntype){.t = t};
}

static ntype int64_type(const nreader *r)
{
    return type_of(type_scalar(r->c, TYPE_INT64));
}

/* --- variables and their values */

static nptr find_var(native_fn *f, nnode *n)
{
    const nvar *v = n->var;
    return v->is_reference ? v->bound : (nptr){v->object, f->objects.v[v->object].life, 0};
}

nnode *native_variable(nreader *r, nvar *v)
{
    nnode *n = native_place(r, find_var, v->type);
    n->var = v;
    n->sealed = v->sealed || (!v->type.ptr && !native_is_plain(v->type.t));
    return n;
}

static void *eval_load(native_fn *f, nnode *n)
{
    native_load(f, n, native_find(f, n->kid[0]), n->type, n->room);
    return n->room;
}

/* A pointer to the first element of the local array. */
static void *eval_decayed(native_fn *f, nnode *n)
{
    const nptr p = native_find(f, n->kid[0]);
    memcpy(n->room, &p, sizeof p);
    return n->room;
}

nnode *native_value(nreader *r, nnode *n)
{
    if (!n->find)
        return n;
    const ntype t = n->type;
    if (t.count && n->sealed)
        native_refuse(r, "the address of this");
    nnode *to = t.count ? native_node(r, eval_decayed, (ntype){.t = t.t, .ptr = true})
                        : native_node(r, eval_load, t);
    native_kids(r, to, n, NULL, NULL);
    return to;
}

/* --- elements */

static nptr pointer(native_fn *f, nnode *n)
{
    nptr p;
    WEFT_ASSERT(n->type.ptr);
    memcpy(&p, native_eval(f, n), sizeof p);
    return p;
}

/* *p, or p[k] where there is a second kid. */
static nptr find_element(native_fn *f, nnode *n)
{
    const nptr p = pointer(f, n->kid[0]);
    if (!n->kid[1])
        return p;
    return native_moved(f, n, p, native_number(f, n->kid[1]).i, layout_size(n->type.t));
}

/* The data of an array. */
static void *eval_data(native_fn *f, nnode *n)
{
    const array_view *v = native_view(f, native_eval(f, n->kid[0]));
    nptr p = {0};
    if (v && v->data)
        p = (nptr){.object = native_object_of(f, v->data), .at = v->offset};
    memcpy(n->room, &p, sizeof p);
    return n->room;
}

nnode *native_member_data(nreader *r, nnode *n)
{
    n = native_value(r, n);
    WEFT_ASSERT(native_is_array(n->type));
    nnode *to = native_node(r, eval_data, (ntype){.t = n->type.t->elem, .ptr = true});
    native_kids(r, to, n, NULL, NULL);
    return to;
}

static nnode *element(nreader *r, nnode *p, nnode *k)
{
    p = native_is_array(p->type) ? native_member_data(r, p) : native_value(r, p);
    if (!p->type.ptr || !p->type.t)
        native_refuse(r, "a value behind what is no pointer");
    nnode *to = native_place(r, find_element, type_of(p->type.t));
    native_kids(r, to, p, k, NULL);
    return to;
}

nnode *native_dereferenced(nreader *r, nnode *n)
{
    return element(r, n, NULL);
}

/* --- parts of composites and structs, of places and of values */

/* `offset`: bytes of one component, `op`: how many there are. */
static int64_t component_offset(native_fn *f, nnode *n)
{
    const int64_t k = native_number(f, n->kid[1]).i;
    if (k < 0 || k >= n->op)
        native_fail(f, n, NATIVE_FAULT, "component %lld is out of bounds: there are %d",
                    (long long)k, n->op);
    return k * (int64_t)n->offset;
}

static nptr find_component(native_fn *f, nnode *n)
{
    const int64_t by = component_offset(f, n);
    nptr p = native_find(f, n->kid[0]);
    p.at += by;
    return p;
}

static void *eval_component(native_fn *f, nnode *n)
{
    const int64_t by = component_offset(f, n);
    return (uint8_t *)native_eval(f, n->kid[0]) + by;
}

static nptr find_part(native_fn *f, nnode *n)
{
    nptr p = native_find(f, n->kid[0]);
    p.at += (int64_t)n->offset;
    return p;
}

static void *eval_part(native_fn *f, nnode *n)
{
    return (uint8_t *)native_eval(f, n->kid[0]) + n->offset;
}

static nnode *part(nreader *r, nnode *n, ntype t, size_t offset)
{
    nnode *to = n->find ? native_place(r, find_part, t) : native_node(r, eval_part, t);
    native_kids(r, to, n, NULL, NULL);
    to->offset = offset;
    return to;
}

nnode *native_subscript(nreader *r, nnode *n, nnode *k)
{
    const ntype t = n->type;
    k = native_value(r, k);
    if (!native_is_scalar(k->type) || type_is_float(k->type.t))
        native_refuse(r, "such an index");
    k = native_convert(r, k, int64_type(r));
    if (!native_is_composite(t))
        return element(r, n, k);
    const bool rows = t.t->kind == TYPE_MAT;
    const ntype one = type_of(rows ? type_vec(r->c, t.t->elem, t.t->cols) : t.t->elem);
    nnode *to =
        n->find ? native_place(r, find_component, one) : native_node(r, eval_component, one);
    native_kids(r, to, n, k, NULL);
    to->op = t.t->rows;
    to->offset = layout_size(one.t);
    return to;
}

/* shape[k], strides[k]: `op` is 's' or 't'. */
static void *eval_extent(native_fn *f, nnode *n)
{
    const array_view *v = native_view(f, native_eval(f, n->kid[0]));
    const num k = native_number(f, n->kid[1]);
    if (k.i < 0 || k.i > 3)
        native_fail(f, n, NATIVE_FAULT, "an array has four extents");
    int64_t x = 0;
    if (v && k.i < v->ndim)
        x = n->op == 's' ? v->shape[k.i] : v->strides[k.i];
    num_store(TYPE_INT32, n->room, (num){.i = x});
    return n->room;
}

static nnode *extent(nreader *r, nnode *n, int op)
{
    nnode *to = native_node(r, eval_extent, type_of(type_scalar(r->c, TYPE_INT32)));
    native_expect(r, "[");
    nnode *k = native_convert(r, native_expression(r), int64_type(r));
    native_expect(r, "]");
    native_kids(r, to, native_value(r, n), k, NULL);
    to->op = op;
    return to;
}

/* Parts of vectors, matrices, quaternions and transformations by Warp's names; NULL: none. `c` and
 * `data` are local arrays within them. */
static nnode *composite_part(nreader *r, nnode *n, str s)
{
    const type *t = n->type.t;
    if (t->kind == TYPE_VEC && str_eq(s, STR("c")))
        return n->find ? part(r, n, (ntype){.t = t->elem, .count = (uint32_t)t->rows}, 0) : n;
    if (t->kind == TYPE_MAT && str_eq(s, STR("data")))
        return n;
    const char *at = s.n == 1 ? strchr("xyzw", s.p[0]) : NULL;
    if (at && *at && t->kind == TYPE_QUAT)
        return part(r, n, type_of(t->elem), (size_t)(at - "xyzw") * layout_size(t->elem));
    if (t->kind == TYPE_TRANSFORM && str_eq(s, STR("p")))
        return part(r, n, type_of(type_vec(r->c, t->elem, 3)), 0);
    if (t->kind == TYPE_TRANSFORM && str_eq(s, STR("q")))
        return part(r, n, type_of(type_quat(r->c, t->elem)), 3 * layout_size(t->elem));
    return NULL;
}

/* Also .shape[k] and .strides[k] of an array, .data; fields of structs. */
nnode *native_member(nreader *r, nnode *n)
{
    const str s = native_peek(r, 0)->text;
    const type *t = n->type.ptr || n->type.count ? NULL : n->type.t;
    r->at++;
    if (t && t->kind == TYPE_ARRAY && str_eq(s, STR("data")))
        return native_member_data(r, n);
    if (t && t->kind == TYPE_ARRAY && (str_eq(s, STR("shape")) || str_eq(s, STR("strides"))))
        return extent(r, n, s.p[1] == 'h' ? 's' : 't');
    if (t && t->kind == TYPE_STRUCT)
        for (uint32_t i = 0; i < t->st->nfields; i++)
            if (str_eq(sym_str(t->st->fields[i].name), s))
                return part(r, n, type_of(t->st->fields[i].type), layout_field(t->st, i));
    nnode *to = t && type_is_composite(t) ? composite_part(r, n, s) : NULL;
    if (!to)
        native_refuse(r, "the member '%.*s'", (int)(s.n < 60 ? s.n : 60), s.p);
    return to;
}

/* --- addresses and other views of a place */

nnode *native_address(nreader *r, nnode *n)
{
    if (!n->find || n->sealed || n->type.ptr || n->type.count || !native_is_plain(n->type.t))
        native_refuse(r, "the address of this");
    nnode *to = native_node(r, eval_decayed, (ntype){.t = n->type.t, .ptr = true});
    native_kids(r, to, n, NULL, NULL);
    return to;
}

static nptr find_same(native_fn *f, nnode *n)
{
    return native_find(f, n->kid[0]);
}

nnode *native_reinterpreted(nreader *r, nnode *n, ntype t)
{
    const ntype from = n->type;
    if (!n->find || n->sealed || from.ptr || t.ptr || !native_is_plain(from.t) ||
        !native_is_plain(t.t))
        native_refuse(r, "this reinterpret_cast");
    nnode *to = native_place(r, find_same, t);
    native_kids(r, to, n, NULL, NULL);
    return to;
}

/* --- assignment */

/* C++ 17: the value comes before the place. */
static nptr find_assigned(native_fn *f, nnode *n)
{
    const void *from = native_eval(f, n->kid[1]);
    const nptr p = native_find(f, n->kid[0]);
    native_store(f, n, p, n->type, from);
    return p;
}

nnode *native_assigned(nreader *r, nnode *place, nnode *from)
{
    if (!place->find || place->type.count || native_is_array(place->type))
        native_refuse(r, "an assignment to what is no place");
    nnode *n = native_place(r, find_assigned, place->type);
    native_kids(r, n, place, native_convert(r, from, place->type), NULL);
    return n;
}
