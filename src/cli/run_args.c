/* The parameters of a kernel filled by the options of `weft run`: structs field by field, arrays
 * of structs by one array for each field. */
#include "cli/run_args.h"

/* The text after "PATH=" among those given, the last one; or NULL. */
static const char *given_text(const run_args *r, const char *path)
{
    const size_t length = strlen(path);
    const char *found = NULL;
    for (uint32_t i = 0; i < r->ngiven; i++)
        if (strncmp(r->given[i], path, length) == 0 && r->given[i][length] == '=') {
            r->used[i] = true;
            found = r->given[i] + length + 1;
        }
    return found;
}

static const char *field_path(const run_args *r, const char *path, const struct_field *f)
{
    const size_t room = strlen(path) + f->name->len + 2;
    char *inner = arena_alloc(&r->c->module, room);
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

static size_t item_count(const array_view *v)
{
    return v->data->size / layout_size(v->elem);
}

/* Puts the items of a leaf into their places in the array. */
static void scatter(const run_leaf *leaf, const uint8_t *items)
{
    const size_t step = layout_size(leaf->view->elem), width = layout_size(leaf->type);
    for (size_t i = 0, n = item_count(leaf->view); i < n; i++)
        memcpy(leaf->view->data->bytes + i * step + leaf->offset, items + i * width, width);
}

static bool same_shape(const array_view *v, const npy *a)
{
    return memcmp(v->shape, a->shape, (size_t)v->ndim * sizeof *v->shape) == 0;
}

static bool is_float_leaf(const type *t)
{
    return type_is_float(type_scalar_of(t));
}

/* --- arguments */

/* A plain array: the items of its file become its own. */
static bool read_array(run_args *r, const char *path, const type *t, array_view *view,
                       array_data *data)
{
    const char *text = given_text(r, path);
    npy a;
    if (!text)
        return run_refuse(r, CLI_USAGE, path, "it is not given: write --arg %s=...", path);
    if (!run_npy_read(r, &r->c->module, path, text, t->elem, t->ndim, &a))
        return false;
    memcpy(view->shape, a.shape, (size_t)t->ndim * sizeof *a.shape);
    data->bytes = a.items;
    if (!measure(view, data))
        return run_refuse(r, CLI_BAD_INPUT, path, "its shape is too large");
    VEC_PUSH(&r->c->module, &r->leaves, ((run_leaf){path, view, t->elem, 0}));
    return true;
}

/* One field of an array of structs. The first one says how many items there are. */
static bool read_column(run_args *r, const run_leaf *leaf, array_view *view, array_data *data)
{
    const char *text = given_text(r, leaf->path);
    npy a;
    if (!text)
        return run_refuse(r, CLI_USAGE, leaf->path, "it is not given: write --arg %s=...",
                          leaf->path);
    if (!run_npy_read(r, &r->texts, leaf->path, text, leaf->type, view->ndim, &a))
        return false;
    if (!data->bytes) {
        memcpy(view->shape, a.shape, (size_t)view->ndim * sizeof *a.shape);
        if (!measure(view, data))
            return run_refuse(r, CLI_BAD_INPUT, leaf->path, "its shape is too large");
        data->bytes = arena_zero(&r->c->module, data->size);
    } else if (!same_shape(view, &a)) {
        return run_refuse(r, CLI_BAD_INPUT, leaf->path,
                          "its shape is not that of the other fields of its array");
    }
    scatter(leaf, a.items);
    arena_reset(&r->texts);
    VEC_PUSH(&r->c->module, &r->leaves, *leaf);
    return true;
}

static bool read_columns(run_args *r, const char *path, const struct_def *st, size_t offset,
                         array_view *view, array_data *data)
{
    for (uint32_t i = 0; i < st->nfields; i++) {
        const struct_field *f = &st->fields[i];
        const run_leaf leaf = {field_path(r, path, f), view, f->type, offset + layout_field(st, i)};
        bool good;
        if (f->type->kind == TYPE_STRUCT)
            good = read_columns(r, leaf.path, f->type->st, leaf.offset, view, data);
        else if (type_is_value(f->type))
            good = read_column(r, &leaf, view, data);
        else
            good = run_refuse(r, CLI_BAD_INPUT, leaf.path,
                              "cannot execute a field of type %s in an array",
                              run_type_name(r, f->type));
        if (!good)
            return false;
    }
    return true;
}

static bool of_array(run_args *r, const char *path, const type *t, rvalue *out)
{
    const bool columns = t->elem->kind == TYPE_STRUCT && t->elem->st->nfields;
    if ((!columns && !type_is_value(t->elem)) || t->array_class != ARRAY_PLAIN ||
        t->ndim > LAUNCH_DIMS)
        return run_refuse(r, CLI_BAD_INPUT, path, "cannot execute a parameter of type %s",
                          run_type_name(r, t));
    array_data *data = ARENA_NEW(&r->c->module, array_data);
    array_view *view = ARENA_NEW(&r->c->module, array_view);
    data->name = path;
    *view = (array_view){.data = data, .elem = t->elem, .ndim = t->ndim};
    *out = (rvalue){.type = t, .array = view};
    return columns ? read_columns(r, path, t->elem->st, 0, view, data)
                   : read_array(r, path, t, view, data);
}

static bool read_one(run_args *r, const char *path, const type *t, rvalue *out);

static bool of_struct(run_args *r, const char *path, const type *t, rvalue *out)
{
    uint8_t *bytes = arena_zero(&r->c->module, layout_size(t));
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

static bool read_one(run_args *r, const char *path, const type *t, rvalue *out)
{
    if (t->kind == TYPE_STRUCT)
        return of_struct(r, path, t, out);
    if (t->kind == TYPE_ARRAY)
        return of_array(r, path, t, out);
    if (!type_is_value(t))
        return run_refuse(r, CLI_BAD_INPUT, path, "cannot execute a parameter of type %s",
                          run_type_name(r, t));
    const char *text = given_text(r, path);
    if (!text)
        return run_refuse(r, CLI_USAGE, path, "it is not given: write --arg %s=...", path);
    return run_value_read(r, path, t, text, out);
}

/* --- adjoints */

/* Reads a leaf's adjoint, if there is one. */
static bool mirror_leaf(run_args *r, const run_leaf *leaf)
{
    const char *text = is_float_leaf(leaf->type) ? given_text(r, leaf->path) : NULL;
    npy a;
    if (text) {
        if (!run_npy_read(r, &r->texts, leaf->path, text, leaf->type, leaf->view->ndim, &a))
            return false;
        if (!same_shape(leaf->view, &a))
            return run_refuse(r, CLI_BAD_INPUT, leaf->path, "its shape is not that of the array");
        scatter(leaf, a.items);
        arena_reset(&r->texts);
    }
    if (is_float_leaf(leaf->type))
        VEC_PUSH(&r->c->module, &r->leaves, *leaf);
    return true;
}

/* An array like `primal`, zeros where nothing is given; without data if it holds no floats. */
static bool mirror_array(run_args *r, const type *t, const run_args *set, const array_view *primal,
                         rvalue *out)
{
    array_data *data = ARENA_NEW(&r->c->module, array_data);
    array_view *view = ARENA_NEW(&r->c->module, array_view);
    *view = *primal;
    view->data = NULL;
    *out = (rvalue){.type = t, .array = view};
    for (uint32_t i = 0; i < set->leaves.n; i++) {
        run_leaf leaf = set->leaves.v[i];
        if (leaf.view != primal || !is_float_leaf(leaf.type))
            continue;
        if (!view->data) {
            *data = *primal->data;
            data->bytes = arena_zero(&r->c->module, data->size);
            view->data = data;
        }
        leaf.view = view;
        if (!mirror_leaf(r, &leaf))
            return false;
    }
    return true;
}

static bool mirror_one(run_args *r, const type *t, const run_args *set, const rvalue *primal,
                       rvalue *out)
{
    if (t->kind == TYPE_ARRAY)
        return mirror_array(r, t, set, primal->array, out);
    uint8_t *bytes = arena_zero(&r->c->module, layout_size(t));
    if (t->kind != TYPE_STRUCT) {
        *out = rvalue_load(&r->c->module, t, bytes);
        return true;
    }
    for (uint32_t i = 0; i < t->st->nfields; i++) {
        const size_t offset = layout_field(t->st, i);
        const type *inner = t->st->fields[i].type;
        const rvalue from = rvalue_load(&r->c->module, inner, primal->bytes + offset);
        rvalue to;
        if (!mirror_one(r, inner, set, &from, &to))
            return false;
        rvalue_store(inner, bytes + offset, &to);
    }
    *out = (rvalue){.type = t, .bytes = bytes};
    return true;
}

/* --- all of them */

static void start(run_args *r, const kernel *k)
{
    r->given = cli_all(r->args, r->from, &r->ngiven);
    r->used = arena_zero(&r->c->module, r->ngiven + 1);
    r->values = ARENA_ARRAY(&r->c->module, rvalue, k->code.nparams + 1);
    arena_init(&r->texts, &r->c->mem);
}

/* Everything that was given must have been asked for. */
static bool all_used(run_args *r, const kernel *k)
{
    for (uint32_t i = 0; i < r->ngiven; i++) {
        if (r->used[i])
            continue;
        if (r->from == OPT_ARG)
            cli_error("--arg %s: the kernel '%s' has no such parameter", r->given[i],
                      k->code.name->s);
        else
            cli_error("--adjoint %s: the kernel '%s' has no such array of floats", r->given[i],
                      k->code.name->s);
        r->status = CLI_USAGE;
        return false;
    }
    return true;
}

bool run_args_read(run_args *r, const kernel *k)
{
    start(r, k);
    for (uint32_t i = 0; i < k->code.nparams; i++)
        if (!read_one(r, k->code.params[i].name->s, k->code.params[i].type, &r->values[i]))
            return false;
    return all_used(r, k);
}

bool run_args_mirror(run_args *r, const kernel *k, const run_args *primal)
{
    start(r, k);
    for (uint32_t i = 0; i < k->code.nparams; i++)
        if (!mirror_one(r, k->code.params[i].type, primal, &primal->values[i], &r->values[i]))
            return false;
    return all_used(r, k);
}
