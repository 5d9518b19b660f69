/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of a run in the caller's memory: read as values of the kernel's parameters before it,
 * written back after it.
 *
 *     {"x", "f4", 1, {64}, data}   ->   the array x of 64 floats, a copy of data
 *
 * The kernel runs on copies: after a failure, which may come at any step of any thread, the
 * caller's memory is as it was. Structs are arguments by field ("p.mass"), arrays of structs have
 * an argument for each field ("balls.pos"), as launch_args.h looks them up. */
#include "api/run_request.h"

/* --- the caller's memory as values ---------------------------------------------------------- */

/* The text given for a struct as a whole, of which `path` is a field: "p" where p.mass is missing;
 * NULL: there is none. */
static const char *given_around(const run_set *s, const char *path)
{
    const run_request *r = s->r;
    for (size_t i = 0; i < r->o.argument_count; i++) {
        const size_t n = strlen(r->args[i].name);
        if (r->args[i].text && strncmp(r->args[i].name, path, n) == 0 && path[n] == '.')
            return r->args[i].name;
    }
    return NULL;
}

/* For launch_source: a parameter without a value, or with one that launch_args refuses. */
static void refuse_value(void *arg, const char *path, const char *text)
{
    run_set *s = arg;
    const char *around = text ? NULL : given_around(s, path);
    if (around) {
        run_refuse_text(s, around, "it is a struct: give its fields one by one, such as %s", path);
        return;
    }
    run_refuse_value(s, WEFT_BAD_ARGUMENT, path, "%s", text ? text : "it is not given");
    if (!text)
        s->r->result.fault = WEFT_FAULT_MISSING;
}

/* Refuses the argument, for a caller that returns what it found. */
static launch_found wrong(run_set *s, const char *path, const char *text)
{
    run_refuse_value(s, WEFT_BAD_ARGUMENT, path, "%s", text);
    return LAUNCH_REFUSED;
}

/* The text of an argument's value or adjoint; NULL: it is in memory. */
static const char *text_of(const run_set *s, const weft_argument *a)
{
    return s->adjoint ? a->gradient_text : a->text;
}

/* An argument may hold nothing but the text of an adjoint. */
static bool has_value(const weft_argument *a)
{
    return a->text || !a->gradient_text;
}

/* Memory for the adjoint, or its text. */
static bool has_adjoint(const weft_argument *a)
{
    return a->gradient || a->gradient_text;
}

/* The last argument of this name with a value, or with an adjoint; NULL: there is none. A name may
 * be there twice, once for the value and once for the adjoint. All of them count as used.
 *
 *     {"x", data}, {"x", gradient_text "@g.npy"}   ->   the first for the value of x, the second
 *                                                        for its adjoint */
static const weft_argument *find(run_set *s, const char *path)
{
    const run_request *r = s->r;
    const weft_argument *found = NULL;
    for (size_t i = 0; i < r->o.argument_count; i++)
        if (strcmp(r->args[i].name, path) == 0) {
            s->used[i] = true;
            if (s->adjoint ? has_adjoint(&r->args[i]) : has_value(&r->args[i]))
                found = &r->args[i];
        }
    return found;
}

/* "f4": NumPy's kind and width, without byte order.
 *
 *     "f4"   kind f, width 4         "f1"   false: there is no float of one byte
 *     "b1"   kind b, width 1         "<f4"  false: the order of bytes is the machine's */
static bool read_dtype(const char *dtype, npy *out)
{
    if (!dtype || !dtype[0] || !strchr("biuf", dtype[0]) || !dtype[1] ||
        !strchr("1248", dtype[1]) || dtype[2])
        return false;
    out->kind = dtype[0];
    out->width = (size_t)(dtype[1] - '0');
    return out->kind == 'b' ? out->width == 1 : out->kind != 'f' || out->width > 1;
}

/* A copy of an argument's items in a; NULL, or what is wrong with it. The size is checked for
 * overflow, since shapes come from the caller. Booleans of other bytes than 0 and 1 would be
 * undefined in the executors: they become 0 or 1.
 *
 *     {"f4", ndim 2, shape {64, 3}, data}   ->   768 bytes, count 192
 *     {"f4", ndim 0, data}                  ->   4 bytes, count 1: a number */
static const char *copy_items(run_set *s, arena *a, const weft_argument *from, npy *out)
{
    const void *data = s->adjoint ? from->gradient : from->data;
    *out = (npy){.ndim = from->ndim, .count = 1};
    if (!read_dtype(s->adjoint && from->numbers ? "f8" : from->dtype, out))
        return "its dtype is none of b1, i1 to i8, u1 to u8, f2, f4, f8";
    if (from->ndim < 0 || from->ndim > NPY_DIMS || (from->ndim && !from->shape))
        return "it has no shape, or too many dimensions";
    size_t size = out->width;
    for (int i = 0; i < from->ndim; i++) {
        const int64_t n = out->shape[i] = from->shape[i];
        if (n < 0 || __builtin_mul_overflow(size, (size_t)n, &size) || size > SIZE_MAX / 2)
            return "its shape is negative or too large";
    }
    if (size && !data)
        return "it has no data";
    out->count = size / out->width;
    out->items = arena_alloc(a, size);
    if (size)
        memcpy(out->items, data, size);
    WEFT_ASSERT(out->count * out->width == size);
    for (size_t i = 0; i < size && out->kind == 'b'; i++)
        out->items[i] = out->items[i] != 0;
    return NULL;
}

/* A number of 8 bytes as one of type k; false: it does not fit. Any number may become a float,
 * rounded; a float may not become an integer, nor -1 an unsigned one, nor 2 a bool.
 *
 *     int64 300    -> uint8     false         int64 -1   -> uint64    false
 *     int64 300    -> float16   300.0         float64 2.0 -> int32    false
 *     int64 1      -> bool      true          uint64 2^63 -> int64    false */
static bool convert(type_kind k, char kind, const uint8_t *bytes, num *out)
{
    /* all numbers come in 8 bytes, and their kind says which type of 8 bytes that is */
    const type_kind from = kind == 'f' ? TYPE_FLOAT64 : kind == 'u' ? TYPE_UINT64 : TYPE_INT64;
    const num x = num_load(from, bytes);
    *out = num_cast(k, from, x);
    if (k >= TYPE_FLOAT16)
        return true;
    if (kind == 'f' || (k == TYPE_BOOL && x.i != 0 && x.i != 1))
        return false;
    return out->i == x.i && (x.i >= 0 || (k == TYPE_UINT64) == (kind == 'u'));
}

/* Numbers of 8 bytes, each made one of the type's; false: one does not fit. */
static bool convert_all(const npy *a, const type *t, uint8_t *to)
{
    WEFT_ASSERT(a->width == 8);
    const type *scalar = type_scalar_of(t);
    for (size_t i = 0; i < a->count; i++) {
        num x;
        if (!convert(scalar->kind, a->kind, a->items + i * a->width, &x))
            return false;
        num_store(scalar->kind, to + i * layout_size(scalar), x);
    }
    return true;
}

/* Makes numbers of 8 bytes items of a parameter's type, in a. NULL, or what is wrong with them. */
static const char *convert_items(run_set *s, arena *a, const type *item, int ndim, npy *items)
{
    const npy form = launch_form(item);
    npy to = *items;
    if (items->kind == 'b' || items->width != 8)
        return "its numbers are none of i8, u8 and f8";
    to.kind = form.kind;
    to.width = form.width;
    const char *problem = launch_misfit(&s->r->c->p.c, &to, item, ndim);
    if (problem)
        return problem;
    to.items = arena_alloc(a, to.count * to.width);
    if (!convert_all(items, item, to.items))
        return arena_printf(&s->r->c->p.c.module, "%s does not fit %s",
                            items->count > 1 ? "one of its numbers" : "its number",
                            launch_type_name(&s->r->c->p.c, type_scalar_of(item)));
    *items = to;
    return NULL;
}

/* Of textures. */
static const char only_text[] = "a texture is given as text: texture:@TEXELS.npy";

/* For launch_source. */
static launch_found find_array(void *arg, arena *a, const char *path, const type *item, int ndim,
                               npy *out)
{
    run_set *s = arg;
    const weft_argument *from = find(s, path);
    if (!from)
        return LAUNCH_ABSENT;
    const char *text = text_of(s, from);
    if (text)
        return run_text_array(s, a, path, text, item, ndim, out) ? LAUNCH_GIVEN : LAUNCH_REFUSED;
    if (texture_axes(item))
        return wrong(s, path, only_text);
    const char *problem = copy_items(s, a, from, out);
    if (!problem)
        problem = from->numbers ? convert_items(s, a, item, ndim, out)
                                : launch_misfit(&s->r->c->p.c, out, item, ndim);
    return problem ? wrong(s, path, problem) : LAUNCH_GIVEN;
}

/* Numbers of 8 bytes, which languages without others have, may become any that they fit.
 *
 *     int32 parameter    i4 of 7   ->   7      i8 of 7   ->   7      i8 of 2^40   ->   refused
 *                        u2 of 7   ->   refused: not the type, and not of 8 bytes */
static launch_found value_in_memory(run_set *s, const char *path, const weft_argument *from,
                                    const type *t, rvalue *out)
{
    ctx *c = &s->r->c->p.c;
    npy a;
    const char *problem = copy_items(s, &c->module, from, &a);
    const npy form = launch_form(t);
    const bool same = a.kind == form.kind && a.width == form.width;
    if (!problem)
        problem = a.kind != 'b' && a.width == 8 && !same ? convert_items(s, &c->module, t, 0, &a)
                                                         : launch_misfit(c, &a, t, 0);
    if (problem)
        return wrong(s, path, problem);
    *out = rvalue_load(&c->module, t, a.items);
    return LAUNCH_GIVEN;
}

/* The argument for the nearest struct or array around a field of an array of structs, up to the
 * array itself ("balls" for balls.box.lo); or NULL. */
static const weft_argument *find_around(run_set *s, const char *path, const char *array)
{
    const size_t least = strlen(array);
    const weft_argument *found = NULL;
    char *name = arena_dup(&s->r->c->p.c.module, path, strlen(path));
    while (!found && strlen(name) > least) {
        char *dot = strrchr(name, '.');
        WEFT_ASSERT(dot); /* fields are below the array */
        *dot = 0;
        found = find(s, name);
    }
    return found;
}

/* One item for all structs, which are as many as the argument for the whole array says. */
static bool repeat_item(run_set *s, arena *a, const char *path, const char *whole, const type *item,
                        int ndim, npy *out)
{
    const npy one = *out;
    const size_t width = layout_size(item);
    if (!run_text_column(s, a, path, whole, true, item, ndim, out))
        return false;
    for (size_t i = 0; i < out->count * out->width / width; i++)
        memcpy(out->items + i * width, one.items, width);
    return true;
}

/* Has the field as many items as the rules around it say? "ps=zeros:1" goes with no two of ps.v. */
static bool check_around(run_set *s, arena *a, const char *path, const char *array,
                         const type *item, int ndim, const npy *own)
{
    const weft_argument *around = find_around(s, path, array);
    if (!around)
        return true;
    npy all;
    const char *whole = text_of(s, around);
    if (whole && run_is_fill(whole)) {
        if (!run_text_column(s, a, path, whole, true, item, ndim, &all))
            return false;
        if (memcmp(all.shape, own->shape, (size_t)ndim * sizeof *all.shape) != 0) {
            wrong(s, path,
                  arena_printf(&s->r->c->p.c.module,
                               "its shape is not that of %s=%s: leave one of them out",
                               around->name, whole));
            return false;
        }
    }
    return strlen(around->name) == strlen(array) ||
           check_around(s, a, around->name, array, item, ndim, own);
}

/* For launch_source. Memory holds a field's items only, never an array of structs. */
static launch_found find_column(void *arg, arena *a, const char *path, const char *array,
                                const type *item, int ndim, npy *out)
{
    run_set *s = arg;
    const weft_argument *own = find(s, path), *around = find_around(s, path, array);
    const char *text = own ? text_of(s, own) : NULL, *whole = around ? text_of(s, around) : NULL;
    if ((own && !text) || texture_axes(item)) { /* textures have no rule */
        const launch_found found = find_array(arg, a, path, item, ndim, out);
        const bool fits = found != LAUNCH_GIVEN || texture_axes(item) ||
                          check_around(s, a, path, array, item, ndim, out);
        return fits ? found : LAUNCH_REFUSED;
    }
    if (around && !whole)
        return wrong(s, around->name,
                     arena_printf(&s->r->c->p.c.module,
                                  "it is an array of structs, each field of which is given as an "
                                  "array, such as %s",
                                  path));
    if (!text && !whole)
        return LAUNCH_ABSENT;
    if (whole && !run_is_fill(whole)) {
        run_refuse_text(s, around->name,
                        "'%.200s' is no array of structs: write zeros:N, ones:N or random:SEED:N, "
                        "or an argument for each field, such as %s=[...]",
                        whole, path);
        return LAUNCH_REFUSED;
    }
    if (!run_text_column(s, a, path, text ? text : whole, !text, item, ndim, out))
        return LAUNCH_REFUSED;
    const bool one = out->ndim == launch_form(item).ndim; /* for all structs */
    if (text && whole && one && !repeat_item(s, a, path, whole, item, ndim, out))
        return LAUNCH_REFUSED;
    if (text && !one && !check_around(s, a, path, array, item, ndim, out))
        return LAUNCH_REFUSED;
    return LAUNCH_GIVEN;
}

/* For launch_source. */
static launch_found find_value(void *arg, const char *path, const type *t, rvalue *out)
{
    run_set *s = arg;
    const weft_argument *from = find(s, path);
    if (!from)
        return LAUNCH_ABSENT;
    const char *text = text_of(s, from);
    if (text)
        return run_text_value(s, path, t, text, out) ? LAUNCH_GIVEN : LAUNCH_REFUSED;
    if (texture_axes(t))
        return wrong(s, path, only_text);
    return value_in_memory(s, path, from, t, out);
}

/* A caller that does not know the kernel's arrays of floats gives every array a `has_gradient`.
 *
 *     values:     {"typo", data}                     refused: no such parameter
 *     adjoints:   {"n", gradient, has_gradient}      passed over: n is no array of floats
 *                 {"n", gradient_text}               refused */
static bool must_be_used(const run_set *s, const weft_argument *a)
{
    return s->adjoint ? a->gradient_text || (a->gradient && !a->has_gradient) : has_value(a);
}

/* What is given and no parameter takes is a mistake. */
static bool all_used(run_set *s)
{
    WEFT_ASSERT(s->used);
    run_request *r = s->r;
    for (size_t i = 0; i < r->o.argument_count; i++) {
        if (s->used[i] || !must_be_used(s, &r->args[i]))
            continue;
        run_refuse_value(s, WEFT_BAD_ARGUMENT, r->args[i].name, "%s",
                         s->adjoint ? "the kernel has no such array of floats"
                                    : "the kernel has no such parameter");
        r->result.fault = WEFT_FAULT_ARGUMENT;
        r->result.index = i;
        return false;
    }
    return true;
}

/* For the values, or for the adjoints, before the first is looked up. */
static void start(run_request *r, run_set *s, bool adjoint)
{
    ctx *c = &r->c->p.c;
    *s = (run_set){.r = r, .adjoint = adjoint};
    s->used = arena_zero(&c->module, r->o.argument_count + 1);
    s->source = (launch_source){s, find_array, find_column, find_value, refuse_value};
    arena_init(&s->file, &c->mem);
    arena_alloc(&s->file, 0); /* a small first chunk, which resetting keeps */
}

/* Every argument must be used: a name that no parameter has is a slip. */
bool run_set_read(run_request *r, run_set *s, const kernel *k)
{
    ctx *c = &r->c->p.c;
    start(r, s, false);
    return launch_args_read(&s->values, c, &c->module, &s->source, k) && all_used(s);
}

/* Adjoints have the shapes of the values; those that are not given are zeros. */
bool run_set_mirror(run_request *r, run_set *s, const kernel *k, const run_set *primal)
{
    ctx *c = &r->c->p.c;
    start(r, s, true);
    return launch_args_mirror(&s->values, c, &c->module, &s->source, k, &primal->values) &&
           all_used(s);
}

/* --- back into the caller's memory ---------------------------------------------------------- */

/* Gathering columns takes memory: it is done while a failure still leaves the caller's memory
 * alone. */
const str *run_set_items(const run_set *s)
{
    arena *a = &s->r->c->p.c.module;
    str *items = ARENA_ARRAY(a, str, (size_t)s->values.leaves.n + 1);
    for (uint32_t i = 0; i < s->values.leaves.n; i++)
        items[i] = launch_leaf_items(&s->values.leaves.v[i], a);
    return items;
}

/* Whether items of type t are still what the argument's numbers were converted to. */
static bool is_unchanged(const weft_argument *to, const type *scalar, str items)
{
    const size_t width = layout_size(scalar);
    for (size_t i = 0; i < items.n / width; i++) {
        uint8_t before[8];
        num x;
        convert(scalar->kind, to->dtype[0], (const uint8_t *)to->data + i * 8, &x);
        num_store(scalar->kind, before, x);
        if (memcmp(before, items.p + i * width, width) != 0)
            return false;
    }
    return true;
}

/* Items of type `scalar` as numbers of 8 bytes; returns their kind, as weft_argument.numbers has
 * it. */
static char widen(const type *scalar, str items, uint8_t *to)
{
    const bool is_float = scalar->kind >= TYPE_FLOAT16;
    const char kind = is_float ? 'f' : launch_form(scalar).kind;
    const type_kind wide = is_float ? TYPE_FLOAT64 : kind == 'u' ? TYPE_UINT64 : TYPE_INT64;
    const size_t width = layout_size(scalar);
    for (size_t i = 0; i < items.n / width; i++) {
        const num x = num_load(scalar->kind, (const uint8_t *)items.p + i * width);
        num_store(wide, to + i * 8, num_cast(wide, scalar->kind, x));
    }
    return kind;
}

static void give_numbers(const run_set *s, const weft_argument *to, const type *t, str items)
{
    const type *scalar = type_scalar_of(t);
    if (s->adjoint)
        widen(scalar, items, to->gradient);
    else if (!is_unchanged(to, scalar, items))
        *to->numbers = widen(scalar, items, to->data);
}

/* Only leaves come back: values are not written by kernels, and text has no memory. */
void run_set_give_back(run_set *s, const str *items)
{
    WEFT_ASSERT(items || !s->values.leaves.n);
    for (uint32_t i = 0; i < s->values.leaves.n; i++) {
        const weft_argument *to = find(s, s->values.leaves.v[i].path);
        if (!to || text_of(s, to))
            continue;
        if (s->adjoint && to->has_gradient)
            *to->has_gradient = 1;
        if (to->numbers)
            give_numbers(s, to, s->values.leaves.v[i].type, items[i]);
        else if (items[i].n)
            memcpy(s->adjoint ? to->gradient : to->data, items[i].p, items[i].n);
    }
}
