/* SPDX-License-Identifier: Apache-2.0 */
/* Values of a run given as text, and arrays read from .npy files, checked against the parameter's
 * type.
 *
 *     "[1, 2.5, -3]" for a vec3         ->   three float32
 *     "zeros:64x3" for an array(float, ndim=2), and other rules of run_fill.c
 *     "[[1, 2], [3, 4]]" for the same   ->   two rows of two numbers
 *     "@in.npy"                         ->   the items of the file, if dtype and rank fit
 *
 * What does not fit is refused with the text as it was given:
 *
 *     argument 's': 'two' is no float32: write a number, such as 1.5
 *     argument 'x': its items are float64, not float32
 *     argument 'x': it is an array of float32, and one number is given: write [3.0], ...
 *
 * Integers must fit their type, floats are rounded to theirs: 1e400 is infinite. */
#include "api/run_request.h"
#include "base/c_locale.h"
#include "base/decimal.h"
#include "base/file.h"

/* Reads numbers of one scalar type from a text into a list of known length. */
typedef struct reader {
    const char *s; /* what is left of the text */
    type_kind k;
    num *v; /* room for `max` numbers, of which n are read */
    int n, max;
} reader;

/* White space of JSON. */
static void skip_spaces(reader *r)
{
    r->s += strspn(r->s, " \t\r\n");
}

/* Does this character come next? Then the reader steps over it. */
static bool take_char(reader *r, char c)
{
    WEFT_ASSERT(c);
    if (*r->s != c)
        return false;
    r->s++;
    return true;
}

/* JSON writes true, Python True: both are taken, also for integers and floats. */
static bool take_word(reader *r, const char *lower, const char *upper)
{
    const size_t n = strlen(lower);
    if (strncmp(r->s, lower, n) != 0 && strncmp(r->s, upper, n) != 0)
        return false;
    r->s += n;
    return true;
}

/* Signs, then digits that must fit 64 bits; num_wrap then shows whether they fit the type. The
 * magnitude of the least int64 is one more than that of the largest, hence the + 1. */
static bool read_int(reader *r, num *out)
{
    const bool minus = *r->s == '-';
    uint64_t digits;
    const bool fits = decimal_read_uint(r->s + (minus || *r->s == '+'), &r->s, &digits);
    if (!fits || (minus && digits > (uint64_t)INT64_MAX + 1))
        return false;
    const num x = {.i = (int64_t)(minus ? 0 - digits : digits)};
    *out = num_wrap(r->k, x);
    return r->k == TYPE_UINT64 ? !minus : out->i == x.i && (minus || x.i >= 0);
}

/* One number; false: there is none that fits. */
static bool read_number(reader *r)
{
    num *out = &r->v[r->n];
    WEFT_ASSERT(r->n <= r->max);
    skip_spaces(r);
    if (r->n == r->max)
        return false;
    r->n++;
    if (take_word(r, "true", "True")) {
        *out = num_cast(r->k, TYPE_INT64, (num){.i = 1});
    } else if (take_word(r, "false", "False")) {
        *out = num_cast(r->k, TYPE_INT64, (num){.i = 0});
    } else if (r->k >= TYPE_FLOAT16) {
        const char *end;
        *out = num_cast(r->k, TYPE_FLOAT64, (num){.f = decimal_read_double(r->s, &end)});
        const bool any = end != r->s;
        r->s = end;
        return any;
    } else {
        return read_int(r, out);
    }
    return true;
}

/* Reads the rest of a list, behind its '['. With `row` > 0 it may hold lists of so many numbers: a
 * matrix of two columns is "[1, 2, 3, 4]" or "[[1, 2], [3, 4]]".
 *
 *     row 2:   1, 2, 3, 4]   or   [1, 2], [3, 4]]   or   [1, 2], 3, 4] */
static bool read_items(reader *r, int row)
{
    WEFT_ASSERT(row >= 0);
    do {
        skip_spaces(r);
        if (row && take_char(r, '[')) {
            const int before = r->n;
            if (!read_items(r, 0) || r->n - before != row)
                return false;
        } else if (!read_number(r)) {
            return false;
        }
        skip_spaces(r);
    } while (take_char(r, ','));
    return take_char(r, ']');
}

static bool is_file_name(const char *text)
{
    const size_t n = strlen(text);
    return n > 4 && strcmp(text + n - 4, ".npy") == 0;
}

static bool is_number(const char *text)
{
    const char *end;
    decimal_read_double(text, &end);
    return end != text && !*end;
}

static bool refuse_file_name(run_set *s, const char *path, const char *text)
{
    return run_refuse_text(s, path, "did you mean the file %s=@%s?", path, text);
}

/* How numbers of a scalar type are written. */
static const char *numbers_of(ctx *c, const type *scalar, bool several)
{
    const unsigned bits = 8 * (unsigned)layout_size(scalar);
    if (scalar->kind == TYPE_BOOL)
        return "true or false";
    if (type_is_float(scalar))
        return several ? "numbers" : "a number, such as 1.5";
    if (scalar->pyname.p[0] == 'u')
        return arena_printf(&c->module, "%s from 0 to %llu",
                            several ? "whole numbers" : "a whole number",
                            (unsigned long long)(UINT64_MAX >> (64 - bits)));
    const unsigned long long most = INT64_MAX >> (64 - bits);
    return arena_printf(&c->module, "%s from -%llu to %llu",
                        several ? "whole numbers" : "a whole number", most + 1, most);
}

/* "[0,0,0,0]: 4 numbers" for a mat22f, "true or false" for a bool. */
static const char *expected(ctx *c, const type *t)
{
    const type *scalar = type_scalar_of(t);
    if (!type_is_composite(t))
        return numbers_of(c, scalar, false);
    const char *list = "0";
    for (int i = 1; i < lane_count(t); i++)
        list = arena_printf(&c->module, "%s,0", list);
    return arena_printf(&c->module, "%d %s, as in [%s]", lane_count(t), numbers_of(c, scalar, true),
                        list);
}

static bool refuse_item(run_set *s, const char *path, const type *t, const char *text, bool list)
{
    ctx *c = &s->r->c->p.c;
    const char *name = launch_type_name(c, t);
    if (is_file_name(text))
        return refuse_file_name(s, path, text);
    if (list && strchr(text, ',') && !strchr(text, '['))
        return run_refuse_text(s, path, "'%.200s' is no %s: a list is written [%.200s]", text, name,
                               text);
    return run_refuse_text(s, path, "'%.200s' is no %s: write %s", text, name, expected(c, t));
}

/* A composite is "[...]", a vector of one number may be the number alone; a matrix is flat or has
 * a list for each row.
 *
 *     vec2f    "[1, 2]"             two numbers         "[1]"    refused
 *     mat22f   "[[1, 2], [3, 4]]"   four                "7"      refused
 *     int32    "7"                  one                 "7.5"    refused
 *
 * `list`: a list is taken, too, so that "1,2" only lacks its brackets. */
static bool read_text(run_set *s, const char *path, const type *t, const char *text, bool list,
                      rvalue *out)
{
    ctx *c = &s->r->c->p.c;
    const int n = lane_count(t);
    const type *scalar = type_scalar_of(t);
    reader in = {text, scalar->kind, ARENA_ARRAY(&c->module, num, (size_t)n), 0, n};
    bool good;
    skip_spaces(&in);
    if (type_is_composite(t) && *in.s == '[') {
        in.s++;
        good = read_items(&in, t->kind == TYPE_MAT ? t->cols : 0);
    } else {
        good = read_number(&in);
    }
    skip_spaces(&in);
    if (!good || *in.s || in.n != n)
        return refuse_item(s, path, t, text, list);
    uint8_t *bytes = arena_alloc(&c->module, layout_size(t));
    for (int i = 0; i < n; i++)
        num_store(scalar->kind, bytes + (size_t)i * layout_size(scalar), in.v[i]);
    *out = rvalue_load(&c->module, t, bytes);
    return true;
}

/* How deep lists stand in each other: "[[1, 2], [3, 4]]" 2, "5" 0. */
static int depth_of(const char *text)
{
    int depth = 0;
    for (; *text && strchr("[ \t\r\n", *text); text++)
        depth += *text == '[';
    return depth;
}

/* Reads the rest of a list of dimension `at`, behind its '['. All lists of one dimension have one
 * length: out->shape[at], which is negative until the first is read. */
static bool read_rows(reader *r, npy *out, int at)
{
    int64_t n = 0;
    skip_spaces(r);
    for (bool more = *r->s != ']'; more; n++) {
        skip_spaces(r);
        if (at + 1 == out->ndim ? !read_number(r)
                                : !take_char(r, '[') || !read_rows(r, out, at + 1))
            return false;
        skip_spaces(r);
        more = take_char(r, ',');
    }
    if (!take_char(r, ']') || (out->shape[at] >= 0 && out->shape[at] != n))
        return false;
    out->shape[at] = n;
    return true;
}

/* An array as nested lists; a composite item is a list, too, and a matrix is a list of rows.
 *
 *     array(vec2f)   "[[1, 2], [3, 4], [5, 6]]"   shape {3, 2}
 *                    "[[1, 2], [3]]"              refused */
static bool read_lists(run_set *s, arena *a, const char *path, const char *text, const type *item,
                       npy *out)
{
    const int depth = depth_of(text);
    const type *scalar = type_scalar_of(item);
    size_t commas = 0;
    for (const char *p = text; *p; p++)
        commas += *p == ',';
    reader in = {text, scalar->kind, ARENA_ARRAY(a, num, commas + 1), 0, (int)commas + 1};
    bool good = depth <= NPY_DIMS;
    *out = launch_form(item);
    out->ndim = depth;
    for (int i = 0; i < depth && good; i++)
        out->shape[i] = -1;
    skip_spaces(&in);
    in.s++;
    good = good && read_rows(&in, out, 0);
    skip_spaces(&in);
    if (!good || *in.s)
        return run_refuse_text(s, path, "'%.200s' is no list of %s%s%s", text,
                               launch_type_name(&s->r->c->p.c, scalar),
                               depth > 1 ? " with rows of one length" : ": write ",
                               depth > 1 ? "" : numbers_of(&s->r->c->p.c, scalar, true));
    out->count = (size_t)in.n;
    out->items = arena_alloc(a, out->count * out->width);
    for (size_t i = 0; i < out->count; i++)
        num_store(scalar->kind, out->items + i * out->width, in.v[i]);
    return true;
}

/* argument 'x': cannot read 'in.npy': No such file or directory */
bool run_read_file(run_set *s, const char *path, const char *file, str *out)
{
    file_set_add(s->r->c->p.c.files, file);
    const int error = file_read(&s->file, file, out);
    return !error || run_refuse_value(s, WEFT_IO_ERROR, path, "cannot read '%s': %s", file,
                                      error_text(error));
}

/* The text of a file is given back as soon as its items are copied. */
bool run_read_npy(run_set *s, arena *a, const char *path, const char *file, npy *out)
{
    str text;
    if (!run_read_file(s, path, file, &text))
        return false;
    const char *wrong = npy_read(a, text, out);
    arena_reset(&s->file);
    return !wrong ||
           run_refuse_value(s, WEFT_BAD_ARGUMENT, path, "cannot use '%s': %s", file, wrong);
}

/* How many items an array has along one of its dimensions, as far as the launch tells: one for each
 * thread. Arrays of one dimension are often indexed by all of the thread's numbers.
 *
 *     dim 4,5   ->   20 of an array(ndim=1), 4x5 of ndim=2, 4x5x8 of ndim=3 */
static long long example_size(const weft_run_options *o, int at, int ndim)
{
    enum { SIZE = 8 };
    long long n = at < o->ndim ? o->dim[at] : SIZE;
    WEFT_ASSERT(at >= 0 && at < ndim);
    for (int i = 1; ndim == 1 && i < o->ndim && n <= INT32_MAX; i++)
        n *= o->dim[i];
    return n > 0 && n <= INT32_MAX ? n : SIZE;
}

/* The sizes that were given serve where only those of the items are missing. */
const char *run_example(const run_request *r, const type *item, int ndim, const npy *given)
{
    ctx *c = &r->c->p.c;
    const npy form = item->kind == TYPE_STRUCT ? (npy){0} : launch_form(item);
    strbuf b;
    sb_init(&b, &c->mem);
    SB_LIT(&b, "zeros:");
    for (int i = 0; i < ndim; i++)
        sb_printf(&b, "%s%lld", i ? "x" : "",
                  given && given->ndim == ndim ? (long long)given->shape[i]
                                               : example_size(&r->o, i, ndim));
    for (int i = 0; i < form.ndim; i++)
        sb_printf(&b, "x%lld", (long long)form.shape[i]);
    const char *text = arena_dup(&c->module, b.p, b.n);
    sb_clear(&b);
    return text;
}

static bool fits(run_set *s, const char *path, const npy *a, const type *item, int ndim)
{
    ctx *c = &s->r->c->p.c;
    const char *wrong = launch_misfit(c, a, item, ndim);
    if (wrong && ndim && a->ndim != ndim + launch_form(item).ndim)
        return run_refuse_value(s, WEFT_BAD_ARGUMENT, path, "%s: %s of %s is %s", wrong,
                                ndim > 1 ? arena_printf(&c->module, "a %dD array", ndim)
                                         : "an array",
                                launch_type_name(c, item), run_example(s->r, item, ndim, a));
    return !wrong || run_refuse_value(s, WEFT_BAD_ARGUMENT, path, "%s", wrong);
}

/* The kind, width and rank of what a rule makes follow from the type, those of a file are checked.
 */
bool run_text_array(run_set *s, arena *a, const char *path, const char *text, const type *item,
                    int ndim, npy *out)
{
    if (texture_axes(item))
        return run_text_textures(s, a, path, text, item, out);
    if (run_is_fill(text)) {
        if (!run_fill_array(s, a, path, text, item, false, out))
            return false;
    } else if (depth_of(text)) {
        if (!read_lists(s, a, path, text, item, out))
            return false;
    } else if (is_file_name(text) && text[0] != '@') {
        return refuse_file_name(s, path, text);
    } else if (text[0] != '@' && is_number(text)) {
        return run_refuse_text(s, path,
                               "it is an array of %s, and one number is given: write [%.200s], "
                               "@FILE.npy, zeros:SHAPE, ones:SHAPE or random:SEED:SHAPE",
                               launch_type_name(&s->r->c->p.c, item), text);
    } else if (text[0] != '@') {
        return run_refuse_text(s, path,
                               "an array is [x,y,...], @FILE.npy, zeros:SHAPE, ones:SHAPE or "
                               "random:SEED:SHAPE, not '%.200s'",
                               text);
    } else if (!run_read_npy(s, a, path, text + 1, out)) {
        return false;
    }
    return fits(s, path, out, item, ndim);
}

/* `whole` is for the array of structs itself, in sizes of that; else the field's own text, which
 * may also be one item for all structs: it then comes back without their dimensions. */
bool run_text_column(run_set *s, arena *a, const char *path, const char *text, bool whole,
                     const type *item, int ndim, npy *out)
{
    ctx *c = &s->r->c->p.c;
    rvalue v;
    WEFT_ASSERT(!whole || run_is_fill(text)); /* run_memory.c refuses others */
    if (whole)
        return run_fill_array(s, a, path, text, item, true, out) && fits(s, path, out, item, ndim);
    if (text[0] == '@' || run_is_fill(text) || depth_of(text) > launch_form(item).ndim)
        return run_text_array(s, a, path, text, item, ndim, out);
    if (!read_text(s, path, item, text, true, &v))
        return false;
    *out = launch_form(item);
    out->items = arena_zero(&c->module, layout_size(item));
    rvalue_store(item, out->items, &v);
    return true;
}

/* A vector may come from a file of one dimension. */
bool run_text_value(run_set *s, const char *path, const type *t, const char *text, rvalue *out)
{
    ctx *c = &s->r->c->p.c;
    npy a;
    if (texture_axes(t))
        return run_text_texture(s, path, t, text, out);
    if (run_is_geometry(text))
        return run_text_geometry(s, path, t, text, out);
    if (text[0] != '@')
        return read_text(s, path, t, text, type_is_composite(t), out);
    if (!run_text_array(s, &c->module, path, text, t, 0, &a))
        return false;
    *out = rvalue_load(&c->module, t, a.items);
    return true;
}
