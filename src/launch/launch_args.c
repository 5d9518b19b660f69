/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of a kernel filled from a source: structs field by field, arrays of structs by one
 * array for each field.
 *
 *     def k(p: Params, a: array(dtype=Ball))   ->   looks up p.dt, p.n, a.pos, a.vel
 *
 * In memory an array of structs is one block, item after item, as Warp 1.19 lays it out; its source
 * has a column for each field, as NumPy users hold them. Reading scatters the columns into the
 * items, launch_leaf_items gathers them again:
 *
 *     a.pos = [p0, p1]  a.mass = [m0, m1]   <->   p0 m0 p1 m1 */
#include "launch/launch_args.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/assert.h"
#include "base/format.h"

/* Reports to the source what is wrong with its value. */
static bool refuse(launch_args *r, const char *path, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse(launch_args *r, const char *path, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    format_text_v(text, sizeof text, fmt, ap);
    va_end(ap);
    r->from->wrong(r->from->arg, path, text);
    return false;
}

/* Is the value there? A missing one is reported. */
static bool is_given(launch_args *r, const char *path, launch_found found)
{
    if (found == LAUNCH_ABSENT)
        r->from->wrong(r->from->arg, path, NULL);
    return found == LAUNCH_GIVEN;
}

/* "vec3f", "array(ndim=1, dtype=int32)": as Python prints the annotation. */
const char *launch_type_name(ctx *c, const type *t)
{
    return arena_dup(&c->module, t->pyname.p, t->pyname.n);
}

/* "s" and field x -> "s.x" */
static const char *field_path(const launch_args *r, const char *path, const struct_field *f)
{
    const size_t room = strlen(path) + f->name->len + 2;
    char *inner = arena_alloc(r->a, room);
    snprintf(inner, room, "%s.%s", path, f->name->s);
    return inner;
}

/* Gives the view its strides and `data` its size; false: no address reaches so far. */
static bool measure(array_view *view, array_data *data)
{
    int64_t stride = (int64_t)layout_size(view->elem);
    for (int i = view->ndim - 1; i >= 0; i--) {
        view->strides[i] = stride;
        if (__builtin_mul_overflow(stride, view->shape[i], &stride))
            return false;
    }
    data->size = (size_t)stride;
    return true;
}

/* Items of the whole array; 0 if any of its dimensions is. */
static size_t item_count(const array_view *v)
{
    return v->data->size / layout_size(v->elem);
}

/* Puts the items of a leaf into their places in the array. */
static void scatter(const launch_leaf *leaf, const uint8_t *items)
{
    WEFT_ASSERT(leaf->offset + layout_size(leaf->type) <= layout_size(leaf->view->elem));
    const size_t step = layout_size(leaf->view->elem), width = layout_size(leaf->type);
    for (size_t i = 0, n = item_count(leaf->view); i < n; i++)
        memcpy(leaf->view->data->bytes + i * step + leaf->offset, items + i * width, width);
}

/* The dimensions of the items themselves were checked by launch_misfit. */
static bool same_shape(const array_view *v, const npy *a)
{
    WEFT_ASSERT(v->ndim <= a->ndim); /* launch_misfit */
    return memcmp(v->shape, a->shape, (size_t)v->ndim * sizeof *v->shape) == 0;
}

/* Only floats have adjoints. */
static bool is_float_leaf(const type *t)
{
    return type_is_float(type_scalar_of(t));
}

/* --- arguments */

/* A plain array: the items of its source become its own. */
static bool read_array(launch_args *r, const char *path, const type *t, array_view *view,
                       array_data *data)
{
    arena *a = r->a;
    npy got;
    if (!is_given(r, path, r->from->array(r->from->arg, a, path, t->elem, t->ndim, &got)))
        return false;
    memcpy(view->shape, got.shape, (size_t)t->ndim * sizeof *got.shape);
    data->bytes = got.items;
    if (!measure(view, data))
        return refuse(r, path, "its shape is too large");
    if (!texture_axes(t->elem)) /* nothing comes back of these */
        VEC_PUSH(a, &r->leaves, ((launch_leaf){path, view, t->elem, 0}));
    return true;
}

/* Asks the source for a field. A source without columns has an array for each. */
static launch_found find_column(const launch_args *r, arena *texts, const launch_leaf *leaf,
                                npy *out)
{
    const launch_source *from = r->from;
    const array_view *view = leaf->view;
    if (!from->column)
        return from->array(from->arg, texts, leaf->path, leaf->type, view->ndim, out);
    return from->column(from->arg, texts, leaf->path, view->data->name, leaf->type, view->ndim,
                        out);
}

/* One field of an array of structs. The first one that is read gives the array its shape; those
 * with one item for all structs wait until it is known. Sources without columns have none of them.
 */
static bool read_column(launch_args *r, const launch_leaf *leaf, array_view *view, array_data *data)
{
    npy a;
    if (!is_given(r, leaf->path, find_column(r, &r->texts, leaf, &a)))
        return false;
    const bool texture = texture_axes(leaf->type);
    if (!texture && r->from->column && a.ndim == launch_form(leaf->type).ndim) {
        const uint8_t *item =
            (const uint8_t *)arena_dup(r->a, (const char *)a.items, layout_size(leaf->type));
        VEC_PUSH(r->a, &r->constants, ((launch_constant){*leaf, item}));
        return true;
    }
    if (!data->bytes) {
        memcpy(view->shape, a.shape, (size_t)view->ndim * sizeof *a.shape);
        if (!measure(view, data))
            return refuse(r, leaf->path, "its shape is too large");
        data->bytes = arena_zero(r->a, data->size);
    } else if (!same_shape(view, &a)) {
        return refuse(r, leaf->path, "its shape is not that of the other fields of its array");
    }
    scatter(leaf, a.items);
    arena_reset(&r->texts);
    if (!texture)
        VEC_PUSH(r->a, &r->leaves, *leaf);
    return true;
}

/* One source array for each field, down through nested structs: "a.pos", "a.box.lo". */
static bool read_columns(launch_args *r, const char *path, const struct_def *st, size_t offset,
                         array_view *view, array_data *data)
{
    for (uint32_t i = 0; i < st->nfields; i++) {
        const struct_field *f = &st->fields[i];
        const launch_leaf leaf = {field_path(r, path, f), view, f->type,
                                  offset + layout_field(st, i)};
        bool good;
        if (f->type->kind == TYPE_STRUCT)
            good = read_columns(r, leaf.path, f->type->st, leaf.offset, view, data);
        else if (type_is_value(f->type) || texture_axes(f->type))
            good = read_column(r, &leaf, view, data);
        else if (f->type->kind == TYPE_ARRAY)
            good = refuse(r, leaf.path,
                          "an array in each struct of an array cannot be executed: make it a "
                          "parameter of its own, %s: wp.%s, or part of a struct that is no element",
                          f->name->s, launch_type_name(r->c, f->type));
        else
            good = refuse(r, leaf.path, "cannot execute a field of type %s in an array",
                          launch_type_name(r->c, f->type));
        if (!good)
            return false;
    }
    return true;
}

/* The fields that wait, in all structs. */
static bool fill_constants(launch_args *r, const char *path, const array_view *view)
{
    if (r->constants.n && !view->data->bytes)
        return refuse(r, path, "its size is not known: add one for the whole, as in %s=zeros:N",
                      path);
    for (uint32_t i = 0; i < r->constants.n; i++) {
        const launch_constant *k = &r->constants.v[i];
        const size_t step = layout_size(view->elem), width = layout_size(k->leaf.type);
        WEFT_ASSERT(k->leaf.view == view && k->leaf.offset + width <= step);
        for (size_t n = item_count(view); n-- > 0;)
            memcpy(view->data->bytes + n * step + k->leaf.offset, k->item, width);
        VEC_PUSH(r->a, &r->leaves, k->leaf);
    }
    r->constants.n = 0;
    return true;
}

/* What the executors cannot handle is refused here: other array classes, more dimensions than a
 * launch has, items that are no values. */
static bool of_array(launch_args *r, const char *path, const type *t, rvalue *out)
{
    const bool columns = t->elem->kind == TYPE_STRUCT && t->elem->st->nfields;
    const bool textures = t->ndim == 1 && texture_axes(t->elem);
    if ((!columns && !textures && !type_is_value(t->elem)) || t->array_class == ARRAY_FIXED ||
        t->ndim > LAUNCH_DIMS)
        return refuse(r, path, "cannot execute a parameter of type %s", launch_type_name(r->c, t));
    array_data *data = ARENA_NEW(r->a, array_data);
    array_view *view = ARENA_NEW(r->a, array_view);
    data->name = path;
    *view = (array_view){.data = data, .elem = t->elem, .ndim = t->ndim};
    *out = (rvalue){.type = t, .array = view};
    if (!columns)
        return read_array(r, path, t, view, data);
    return read_columns(r, path, t->elem->st, 0, view, data) && fill_constants(r, path, view);
}

static bool read_one(launch_args *r, const char *path, const type *t, rvalue *out);

/* A struct has the memory layout of its type; each field is looked up by its own path. */
static bool of_struct(launch_args *r, const char *path, const type *t, rvalue *out)
{
    uint8_t *bytes = arena_zero(r->a, layout_size(t));
    for (uint32_t i = 0; i < t->st->nfields; i++) {
        const struct_field *f = &t->st->fields[i];
        rvalue v;
        if (!read_one(r, field_path(r, path, f), f->type, &v))
            return false;
        rvalue_store(f->type, bytes + layout_field(t->st, i), &v);
    }
    *out = (rvalue){.type = t, .bytes = bytes};
    return true;
}

/* Dispatches on the type: structs and arrays have parts, all else is one value. */
static bool read_one(launch_args *r, const char *path, const type *t, rvalue *out)
{
    if (t->kind == TYPE_STRUCT)
        return of_struct(r, path, t, out);
    if (t->kind == TYPE_ARRAY)
        return of_array(r, path, t, out);
    if (!type_is_value(t) && !texture_axes(t))
        return refuse(r, path, "cannot execute a parameter of type %s", launch_type_name(r->c, t));
    return is_given(r, path, r->from->value(r->from->arg, path, t, out));
}

/* --- adjoints */

/* Reads a leaf's adjoint, if there is one. */
static bool mirror_leaf(launch_args *r, const launch_leaf *leaf)
{
    const launch_source *from = r->from;
    npy a;
    const launch_found found =
        from->array(from->arg, &r->texts, leaf->path, leaf->type, leaf->view->ndim, &a);
    if (found == LAUNCH_REFUSED)
        return false;
    if (found == LAUNCH_GIVEN) {
        if (!same_shape(leaf->view, &a))
            return refuse(r, leaf->path, "its shape is not that of the array");
        scatter(leaf, a.items);
        arena_reset(&r->texts);
    }
    VEC_PUSH(r->a, &r->leaves, *leaf);
    return true;
}

/* An array like `primal`, zeros where nothing is given; without data if it holds no floats. */
static bool mirror_array(launch_args *r, const type *t, const launch_args *set,
                         const array_view *primal, rvalue *out)
{
    array_data *data = ARENA_NEW(r->a, array_data);
    array_view *view = ARENA_NEW(r->a, array_view);
    *view = *primal;
    view->data = NULL;
    *out = (rvalue){.type = t, .array = view};
    for (uint32_t i = 0; i < set->leaves.n; i++) {
        launch_leaf leaf = set->leaves.v[i];
        if (leaf.view != primal || !is_float_leaf(leaf.type))
            continue;
        if (!view->data) {
            *data = *primal->data;
            data->bytes = arena_zero(r->a, data->size);
            view->data = data;
        }
        leaf.view = view;
        if (!mirror_leaf(r, &leaf))
            return false;
    }
    return true;
}

/* The adjoint of a value or struct starts at zero; only arrays within it may have one given. */
static bool mirror_one(launch_args *r, const type *t, const launch_args *set, const rvalue *primal,
                       rvalue *out)
{
    if (t->kind == TYPE_ARRAY)
        return mirror_array(r, t, set, primal->array, out);
    uint8_t *bytes = arena_zero(r->a, layout_size(t));
    if (t->kind != TYPE_STRUCT) {
        *out = rvalue_load(r->a, t, bytes);
        return true;
    }
    for (uint32_t i = 0; i < t->st->nfields; i++) {
        const size_t offset = layout_field(t->st, i);
        const type *inner = t->st->fields[i].type;
        const rvalue from = rvalue_load(r->a, inner, primal->bytes + offset);
        rvalue to;
        if (!mirror_one(r, inner, set, &from, &to))
            return false;
        rvalue_store(inner, bytes + offset, &to);
    }
    *out = (rvalue){.type = t, .bytes = bytes};
    return true;
}

/* --- all of them */

/* Both readers begin alike: nothing read, and a scratch arena for the items of one leaf. */
static void start(launch_args *r, ctx *c, arena *a, const launch_source *from, const kernel *k)
{
    *r = (launch_args){.c = c, .a = a, .from = from};
    r->values = ARENA_ARRAY(a, rvalue, k->code.nparams + 1);
    arena_init(&r->texts, &c->mem);
    arena_alloc(&r->texts, 0); /* a small first chunk, which resetting keeps */
}

bool launch_args_read(launch_args *r, ctx *c, arena *a, const launch_source *from, const kernel *k)
{
    bool good = true;
    start(r, c, a, from, k);
    for (uint32_t i = 0; i < k->code.nparams && good; i++)
        good = read_one(r, k->code.params[i].name->s, k->code.params[i].type, &r->values[i]);
    arena_clear(&r->texts);
    return good;
}

/* Parameter by parameter, as the values were read. */
bool launch_args_mirror(launch_args *r, ctx *c, arena *a, const launch_source *from,
                        const kernel *k, const launch_args *primal)
{
    bool good = true;
    start(r, c, a, from, k);
    for (uint32_t i = 0; i < k->code.nparams && good; i++)
        good = mirror_one(r, k->code.params[i].type, primal, &primal->values[i], &r->values[i]);
    arena_clear(&r->texts);
    return good;
}

/* --- forms */

/* A field of structs is gathered into a row. */
str launch_leaf_items(const launch_leaf *leaf, arena *a)
{
    const array_data *data = leaf->view->data;
    WEFT_ASSERT(data && data->size % layout_size(leaf->view->elem) == 0);
    const size_t step = layout_size(leaf->view->elem), width = layout_size(leaf->type);
    const size_t n = data->size / step;
    if (step == width) /* those of a plain array lie so already */
        return (str){(const char *)data->bytes, data->size};
    uint8_t *items = arena_alloc(a, n * width);
    for (size_t i = 0; i < n; i++)
        memcpy(items + i * width, data->bytes + i * step + leaf->offset, width);
    return (str){(const char *)items, n * width};
}

/* NumPy's letter for the items of a scalar type. */
static char form_kind(const type *scalar)
{
    if (scalar->kind == TYPE_BOOL)
        return 'b';
    if (scalar->kind == TYPE_BFLOAT16)
        return 'u'; /* NumPy has no such type: its bits */
    return type_is_float(scalar) ? 'f' : scalar->pyname.p[0] == 'u' ? 'u' : 'i';
}

npy launch_form(const type *item)
{
    const type *scalar = type_scalar_of(item);
    npy a = {.kind = form_kind(scalar), .width = layout_size(scalar), .count = 1};
    if (type_is_composite(item))
        a.shape[a.ndim++] = item->rows;
    if (item->kind == TYPE_MAT)
        a.shape[a.ndim++] = item->cols;
    return a;
}

/* NumPy's name for items: {'f', 8} -> "float64". */
static const char *dtype_name(ctx *c, const npy *a)
{
    const char *kind = a->kind == 'f' ? "float" : a->kind == 'u' ? "uint" : "int";
    return a->kind == 'b' ? "bool" : arena_printf(&c->module, "%s%d", kind, (int)a->width * 8);
}

/* Sizes beyond int32 are refused: Warp's kernels take shapes as int. */
const char *launch_misfit(ctx *c, const npy *a, const type *item, int ndim)
{
    const npy form = launch_form(item);
    if (!a->ndim && ndim + form.ndim)
        return arena_printf(&c->module, "it is %s%s, and one number is given",
                            ndim ? "an array of " : "a ", launch_type_name(c, item));
    if (a->ndim && !(ndim + form.ndim))
        return arena_printf(&c->module, "it is one %s, and an array is given",
                            launch_type_name(c, item));
    if (a->kind != form.kind || a->width != form.width)
        return arena_printf(&c->module, "its items are %s, not %s", dtype_name(c, a),
                            launch_type_name(c, type_scalar_of(item)));
    if (a->ndim != ndim + form.ndim)
        return arena_printf(&c->module, "it has %d dimension%s, not %d", a->ndim,
                            plural_s((uint64_t)a->ndim), ndim + form.ndim);
    for (int i = 0; i < form.ndim; i++)
        if (a->shape[ndim + i] != form.shape[i])
            return arena_printf(&c->module, "its last dimensions are not those of %s",
                                launch_type_name(c, item));
    for (int i = 0; i < ndim; i++)
        if (a->shape[i] > INT32_MAX)
            return arena_printf(&c->module, "dimension %d has size %lld, more than %d", i,
                                (long long)a->shape[i], INT32_MAX);
    return NULL;
}
