/* Reads --arg, checks it against the annotations, and writes --save. */
#include "cli/run_args.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/npy.h"

enum { LANES_MAX = 64 };

static bool refuse(run_args *r, int status, const char *path, const char *fmt, const char *what)
{
    char text[256];
    snprintf(text, sizeof text, fmt, what); /* fmt is a literal of this file */
    cli_error("argument '%s': %s", path, text);
    r->status = status;
    return false;
}

/* The text after "PATH=" among the values of an option, the last one given; or NULL. */
static const char *given_text(const run_args *r, cli_option_id id, const char *path)
{
    uint32_t n;
    const char *const *all = cli_all(r->args, id, &n);
    const size_t length = strlen(path);
    for (uint32_t i = n; i-- > 0;)
        if (strncmp(all[i], path, length) == 0 && all[i][length] == '=')
            return all[i] + length + 1;
    return NULL;
}

/* A number of scalar type k at *text; false: there is none that fits. */
static bool read_number(type_kind k, const char **text, num *out)
{
    char *end;
    const char *s = *text + strspn(*text, " ");
    if (strncmp(s, "true", 4) == 0 || strncmp(s, "True", 4) == 0) {
        *out = num_cast(k, TYPE_INT64, (num){.i = 1});
        *text = s + 4;
        return true;
    }
    if (strncmp(s, "false", 5) == 0 || strncmp(s, "False", 5) == 0) {
        *out = num_cast(k, TYPE_INT64, (num){.i = 0});
        *text = s + 5;
        return true;
    }
    errno = 0;
    if (k >= TYPE_FLOAT16) {
        *out = num_cast(k, TYPE_FLOAT64, (num){.f = strtod(s, &end)});
    } else {
        const num x = {.i = *s == '-' ? (int64_t)strtoll(s, &end, 10)
                                      : (int64_t)strtoull(s, &end, 10)};
        *out = num_wrap(k, x);
        if (errno == ERANGE || (k != TYPE_UINT64 && (out->i != x.i || (*s != '-' && x.i < 0))) ||
            (k == TYPE_UINT64 && *s == '-'))
            return false;
    }
    *text = end;
    return end != s;
}

/* Numbers between brackets and commas, in any nesting. */
static int read_numbers(type_kind k, const char *text, num *out, int max)
{
    int n = 0;
    for (;;) {
        text += strspn(text, " [],");
        if (!*text)
            return n;
        if (n == max || !read_number(k, &text, &out[n]))
            return -1;
        n++;
    }
}

static bool of_numbers(run_args *r, const char *path, const type *t, const char *text, rvalue *out)
{
    num v[LANES_MAX];
    const int n = lane_count(t);
    const type_kind k = type_scalar_of(t)->kind;
    if (n > LANES_MAX || read_numbers(k, text, v, n) != n)
        return refuse(r, CLI_BAD_INPUT, path, "'%s' is no value of its type", text);
    uint8_t *bytes = arena_alloc(&r->c->module, layout_size(t));
    for (int i = 0; i < n; i++)
        num_store(k, bytes + (size_t)i * layout_size(type_scalar_of(t)), v[i]);
    *out = rvalue_load(&r->c->module, t, bytes);
    return true;
}

static bool read_file(run_args *r, const char *path, const char *file, npy *out)
{
    str text;
    const int error = file_read(&r->c->module, file, &text);
    if (error) {
        cli_error("argument '%s': cannot read '%s': %s", path, file, strerror(error));
        r->status = CLI_IO;
        return false;
    }
    const char *wrong = npy_read(&r->c->module, text, out);
    if (wrong)
        cli_error("argument '%s': cannot use '%s': %s", path, file, wrong);
    r->status = wrong ? CLI_BAD_INPUT : r->status;
    return !wrong;
}

static char npy_kind(const type *scalar)
{
    if (scalar->kind == TYPE_BOOL)
        return 'b';
    if (scalar->kind == TYPE_BFLOAT16)
        return 'u'; /* NumPy has no such type: its bits */
    return type_is_float(scalar) ? 'f' : scalar->pyname.p[0] == 'u' ? 'u' : 'i';
}

static int trailing_dims(const type *elem)
{
    return elem->kind == TYPE_MAT ? 2 : type_is_composite(elem) ? 1 : 0;
}

/* Do the items and trailing dimensions of a file hold elements of this type? */
static bool fits(run_args *r, const char *path, const npy *a, const type *elem, int ndim)
{
    const type *scalar = type_scalar_of(elem);
    const int trailing = trailing_dims(elem);
    char wanted[96];
    if (a->kind != npy_kind(scalar) || a->width != layout_size(scalar)) {
        snprintf(wanted, sizeof wanted, "its items are %c%d, not %.*s", a->kind, (int)a->width,
                 (int)scalar->pyname.n, scalar->pyname.p);
        return refuse(r, CLI_BAD_INPUT, path, "%s", wanted);
    }
    if (a->ndim != ndim + trailing) {
        snprintf(wanted, sizeof wanted, "it has %d dimensions, not %d", a->ndim, ndim + trailing);
        return refuse(r, CLI_BAD_INPUT, path, "%s", wanted);
    }
    const int rows = trailing ? elem->rows : 0, cols = trailing == 2 ? elem->cols : rows;
    if ((trailing == 2 && a->shape[ndim] != rows) ||
        (trailing && a->shape[ndim + trailing - 1] != cols))
        return refuse(r, CLI_BAD_INPUT, path, "its last dimensions are not those of %s",
                      arena_dup(&r->c->module, elem->pyname.p, elem->pyname.n));
    return true;
}

/* "64x3": an array of zeros. */
static bool zeros(run_args *r, const char *path, const char *shape, const type *scalar, npy *out)
{
    *out = (npy){.kind = npy_kind(scalar), .width = layout_size(scalar), .count = 1};
    for (const char *s = shape;; s++) {
        char *end;
        const unsigned long long n = strtoull(s, &end, 10);
        if (end == s || *s < '0' || *s > '9' || n > (1u << 30) || out->ndim == NPY_DIMS)
            return refuse(r, CLI_BAD_INPUT, path, "'%s' is no shape like 64 or 64x3", shape);
        out->shape[out->ndim++] = (int64_t)n;
        out->count *= (size_t)n;
        if (out->count > ((size_t)1 << 30))
            return refuse(r, CLI_BAD_INPUT, path, "an array of zeros:%s is too large", shape);
        s = end;
        if (*s != 'x')
            break;
    }
    out->items = arena_zero(&r->c->module, out->count * out->width);
    return true;
}

static bool of_array(run_args *r, const char *path, const type *t, const char *text, rvalue *out)
{
    npy a;
    if (!type_is_value(t->elem) || t->array_class != ARRAY_PLAIN || t->ndim > LAUNCH_DIMS)
        return refuse(r, CLI_BAD_INPUT, path, "cannot execute a parameter of type %s",
                      arena_dup(&r->c->module, t->pyname.p, t->pyname.n));
    if (strncmp(text, "zeros:", 6) == 0) {
        if (!zeros(r, path, text + 6, type_scalar_of(t->elem), &a))
            return false;
    } else if (text[0] != '@') {
        return refuse(r, CLI_BAD_INPUT, path, "an array is @FILE.npy or zeros:SHAPE, not '%s'",
                      text);
    } else if (!read_file(r, path, text + 1, &a)) {
        return false;
    }
    if (!fits(r, path, &a, t->elem, t->ndim))
        return false;
    array_data *data = ARENA_NEW(&r->c->module, array_data);
    array_view *view = ARENA_NEW(&r->c->module, array_view);
    *data = (array_data){path, a.items, a.count * a.width};
    *view = (array_view){.data = data, .elem = t->elem, .ndim = t->ndim};
    int64_t stride = (int64_t)layout_size(t->elem);
    for (int i = t->ndim - 1; i >= 0; i--) {
        view->shape[i] = a.shape[i];
        view->strides[i] = stride;
        stride *= a.shape[i];
    }
    VEC_PUSH(&r->c->module, &r->arrays, ((run_array){path, view}));
    *out = (rvalue){.type = t, .array = view};
    return true;
}

static bool of_file(run_args *r, const char *path, const type *t, const char *file, rvalue *out)
{
    npy a;
    if (!read_file(r, path, file, &a) || !fits(r, path, &a, t, 0))
        return false;
    *out = rvalue_load(&r->c->module, t, a.items);
    return true;
}

static bool read_one(run_args *r, const char *path, const type *t, rvalue *out);

static bool of_struct(run_args *r, const char *path, const type *t, rvalue *out)
{
    uint8_t *bytes = arena_zero(&r->c->module, layout_size(t));
    for (uint32_t i = 0; i < t->st->nfields; i++) {
        const struct_field *f = &t->st->fields[i];
        const size_t room = strlen(path) + f->name->len + 2;
        char *inner = arena_alloc(&r->c->module, room);
        snprintf(inner, room, "%s.%s", path, f->name->s);
        rvalue v;
        if (!read_one(r, inner, f->type, &v))
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
    const char *text = given_text(r, OPT_ARG, path);
    if (!text)
        return refuse(r, CLI_USAGE, path, "it is not given: write --arg %s=...", path);
    if (t->kind == TYPE_ARRAY)
        return of_array(r, path, t, text, out);
    if (!type_is_value(t))
        return refuse(r, CLI_BAD_INPUT, path, "cannot execute a parameter of type %s",
                      arena_dup(&r->c->module, t->pyname.p, t->pyname.n));
    return text[0] == '@' ? of_file(r, path, t, text + 1, out) : of_numbers(r, path, t, text, out);
}

/* Every name before '=' must be a parameter. */
static bool names_known(run_args *r, const kernel *k)
{
    uint32_t n;
    const char *const *all = cli_all(r->args, OPT_ARG, &n);
    for (uint32_t i = 0; i < n; i++) {
        bool known = false;
        const size_t length = strcspn(all[i], ".=");
        for (uint32_t j = 0; j < k->code.nparams; j++)
            known = known || str_eq((str){all[i], length}, sym_str(k->code.params[j].name));
        if (!known || !strchr(all[i], '=')) {
            cli_error("--arg %s: the kernel '%s' has no such parameter", all[i], k->code.name->s);
            r->status = CLI_USAGE;
            return false;
        }
    }
    return true;
}

bool run_args_read(run_args *r, const kernel *k, rvalue *values)
{
    if (!names_known(r, k))
        return false;
    for (uint32_t i = 0; i < k->code.nparams; i++)
        if (!read_one(r, k->code.params[i].name->s, k->code.params[i].type, &values[i]))
            return false;
    return true;
}

static const run_array *saved_array(const run_args *r, const char *text)
{
    const size_t n = strcspn(text, "=");
    for (uint32_t i = 0; i < r->arrays.n; i++)
        if (strlen(r->arrays.v[i].path) == n && strncmp(r->arrays.v[i].path, text, n) == 0)
            return text[n] == '=' && text[n + 1] == '@' ? &r->arrays.v[i] : NULL;
    return NULL;
}

bool run_args_check(run_args *r)
{
    uint32_t n;
    const char *const *all = cli_all(r->args, OPT_SAVE, &n);
    for (uint32_t i = 0; i < n; i++)
        if (!saved_array(r, all[i])) {
            cli_error("--save %s: it must be ARRAY=@FILE.npy", all[i]);
            r->status = CLI_USAGE;
            return false;
        }
    return true;
}

static int save_array(run_args *r, const array_view *v, const char *file)
{
    const type *scalar = type_scalar_of(v->elem);
    npy a = {.kind = npy_kind(scalar), .width = layout_size(scalar), .items = v->data->bytes};
    for (; a.ndim < v->ndim; a.ndim++)
        a.shape[a.ndim] = v->shape[a.ndim];
    if (trailing_dims(v->elem))
        a.shape[a.ndim++] = v->elem->rows;
    if (trailing_dims(v->elem) == 2)
        a.shape[a.ndim++] = v->elem->cols;
    a.count = v->data->size / a.width;
    strbuf b;
    sb_init(&b, &r->c->mem);
    npy_write(&b, &a);
    const int error = atomic_file_put(&r->c->module, file, sb_view(&b), true);
    sb_clear(&b);
    if (error)
        cli_error("cannot write '%s': %s", file, strerror(error));
    return error ? CLI_IO : CLI_OK;
}

int run_args_save(run_args *r)
{
    uint32_t n;
    const char *const *all = cli_all(r->args, OPT_SAVE, &n);
    for (uint32_t i = 0; i < n && r->status == CLI_OK; i++)
        r->status = save_array(r, saved_array(r, all[i])->view, strchr(all[i], '=') + 2);
    return r->status;
}
