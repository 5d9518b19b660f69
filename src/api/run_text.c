/* SPDX-License-Identifier: Apache-2.0 */
/* Values of a run given as text, and arrays read from .npy files, checked against the parameter's
 * type.
 *
 *     "[1, 2.5, -3]" for a vec3         ->   three float32
 *     "zeros:64x3" for an array(float, ndim=2)
 *     "@in.npy"                         ->   the items of the file, if dtype and rank fit
 *
 * What does not fit is refused with the text as it was given:
 *
 *     argument 's': 'two' is no float32
 *     argument 'x': its items are f8, not float32
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
        if (row && *r->s == '[') {
            const int before = r->n;
            r->s++;
            if (!read_items(r, 0) || r->n - before != row)
                return false;
        } else if (!read_number(r)) {
            return false;
        }
        skip_spaces(r);
    } while (*r->s++ == ',');
    return r->s[-1] == ']';
}

/* A composite is "[...]", a vector of one number may be the number alone; a matrix is flat or has
 * a list for each row.
 *
 *     vec2f    "[1, 2]"             two numbers         "[1]"    refused
 *     mat22f   "[[1, 2], [3, 4]]"   four                "7"      refused
 *     int32    "7"                  one                 "7.5"    refused */
static bool read_text(run_set *s, const char *path, const type *t, const char *text, rvalue *out)
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
        return run_refuse_value(s, WEFT_BAD_ARGUMENT, path, "'%s' is no %s", text,
                                launch_type_name(c, t));
    uint8_t *bytes = arena_alloc(&c->module, layout_size(t));
    for (int i = 0; i < n; i++)
        num_store(scalar->kind, bytes + (size_t)i * layout_size(scalar), in.v[i]);
    *out = rvalue_load(&c->module, t, bytes);
    return true;
}

/* The text of a file is given back as soon as its items are copied.
 *
 *     argument 'x': cannot read 'in.npy': No such file or directory */
static bool read_file(run_set *s, arena *a, const char *path, const char *file, npy *out)
{
    str text;
    const char *wrong = NULL;
    file_set_add(s->r->c->p.c.files, file);
    const int error = file_read(&s->file, file, &text);
    if (!error)
        wrong = npy_read(a, text, out);
    arena_reset(&s->file);
    if (error)
        return run_refuse_value(s, WEFT_IO_ERROR, path, "cannot read '%s': %s", file,
                                error_text(error));
    return !wrong ||
           run_refuse_value(s, WEFT_BAD_ARGUMENT, path, "cannot use '%s': %s", file, wrong);
}

/* "64x3": an array of zeros. Sizes that overflow end like a failed allocation, which they would be.
 *
 *
 *     "64"     ndim 1, count 64        "64x"    refused
 *     "64x3"   ndim 2, count 192       "-1"     refused */
static bool zeros(run_set *s, arena *a, const char *path, const char *shape, npy *out)
{
    WEFT_ASSERT(out->ndim == 0 && out->width > 0);
    for (const char *at = shape;; at++) {
        const char *end;
        uint64_t n;
        if (!decimal_read_uint(at, &end, &n) || n > INT32_MAX || out->ndim == NPY_DIMS)
            return run_refuse_value(s, WEFT_BAD_ARGUMENT, path, "'%s' is no shape like 64 or 64x3",
                                    shape);
        out->shape[out->ndim++] = (int64_t)n;
        out->count = mem_mul(a->m, out->count, (size_t)n);
        at = end;
        if (*at != 'x')
            break;
    }
    const size_t size = mem_mul(a->m, out->count, out->width);
    if (size > SIZE_MAX / 2)
        mem_fail(a->m);
    out->items = arena_zero(a, size);
    return true;
}

/* The kind, width and rank of zeros follow from the type, those of a file are checked. */
bool run_text_array(run_set *s, arena *a, const char *path, const char *text, const type *item,
                    int ndim, npy *out)
{
    if (strncmp(text, "zeros:", 6) == 0) {
        *out = launch_form(item);
        out->ndim = 0;
        if (!zeros(s, a, path, text + 6, out))
            return false;
    } else if (text[0] != '@') {
        return run_refuse_value(s, WEFT_BAD_ARGUMENT, path,
                                "an array is @FILE.npy or zeros:SHAPE, not '%s'", text);
    } else if (!read_file(s, a, path, text + 1, out)) {
        return false;
    }
    const char *wrong = launch_misfit(&s->r->c->p.c, out, item, ndim);
    return !wrong || run_refuse_value(s, WEFT_BAD_ARGUMENT, path, "%s", wrong);
}

/* A vector may come from a file of one dimension. */
bool run_text_value(run_set *s, const char *path, const type *t, const char *text, rvalue *out)
{
    ctx *c = &s->r->c->p.c;
    npy a;
    if (text[0] != '@')
        return read_text(s, path, t, text, out);
    if (!run_text_array(s, &c->module, path, text, t, 0, &a))
        return false;
    *out = rvalue_load(&c->module, t, a.items);
    return true;
}
