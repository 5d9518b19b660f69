/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of a run that are given by a rule instead of by a file:
 *
 *     zeros:64          64 zeros
 *     ones:8x3          eight vectors (1, 1, 1), or an array of two dimensions
 *     random:7:64       64 numbers of seed 7: floats from 0 to 1, integers from 0 to 99
 *
 * The numbers of two parameters differ even if their seeds are equal: a parameter's name is part of
 * the seed. They are the same on every machine. */
#include "api/run_request.h"
#include "base/decimal.h"
#include "base/rng.h"

/* How the items are made. */
typedef enum fill_kind { FILL_ZEROS, FILL_ONES, FILL_RANDOM } fill_kind;

typedef struct fill {
    fill_kind kind;
    uint64_t seed;
    const char *shape; /* "64x3" */
} fill;

/* False: the text begins like no rule. A rule that is damaged behind its name has the shape "". */
static bool read_rule(const char *text, fill *out)
{
    static const char *const names[] = {"zeros:", "ones:", "random:"};
    *out = (fill){.shape = ""};
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++) {
        const size_t n = strlen(names[i]);
        const char *rest = text + n;
        if (strncmp(text, names[i], n) != 0)
            continue;
        out->kind = (fill_kind)i;
        if (out->kind == FILL_RANDOM &&
            (!decimal_read_uint(rest, &rest, &out->seed) || *rest++ != ':'))
            return true;
        out->shape = rest;
        return true;
    }
    return false;
}

bool run_is_fill(const char *text)
{
    fill f;
    return read_rule(text, &f);
}

/* "64x3" as dimensions of `out`. Sizes that overflow end like a failed allocation, which they would
 * be. */
static bool read_shape(const fill *f, mem *m, npy *out)
{
    for (const char *at = f->shape;; at++) {
        const char *end;
        uint64_t n;
        if (!decimal_read_uint(at, &end, &n) || n > INT32_MAX || out->ndim == NPY_DIMS)
            return false;
        out->shape[out->ndim++] = (int64_t)n;
        out->count = mem_mul(m, out->count, (size_t)n);
        at = end;
        if (*at != 'x')
            return !*at;
    }
}

/* The seed of one parameter: FNV-1a of its name on top of the seed that the user gave. */
static uint64_t seed_of(uint64_t seed, const char *path)
{
    uint64_t hash = 0xcbf29ce484222325 ^ seed;
    for (; *path; path++)
        hash = (hash ^ (unsigned char)*path) * 0x100000001b3;
    return hash;
}

static num random_number(rng *r, type_kind k)
{
    if (k >= TYPE_FLOAT16)
        return num_cast(k, TYPE_FLOAT64, (num){.f = (double)(rng_next(r) >> 11) * 0x1p-53});
    return num_cast(k, TYPE_INT64,
                    (num){.i = k == TYPE_BOOL ? rng_below(r, 2) : rng_below(r, 100)});
}

static void put_numbers(const fill *f, const char *path, const type *scalar, npy *out)
{
    rng r = rng_stream(seed_of(f->seed, path), 0);
    const num one = num_cast(scalar->kind, TYPE_INT64, (num){.i = 1});
    for (size_t i = 0; i < out->count; i++)
        num_store(scalar->kind, out->items + i * out->width,
                  f->kind == FILL_ONES ? one : random_number(&r, scalar->kind));
}

bool run_fill_array(run_set *s, arena *a, const char *path, const char *text, const type *item,
                    bool whole, npy *out)
{
    fill f;
    const npy form = launch_form(item);
    const bool is_rule = read_rule(text, &f);
    WEFT_ASSERT(is_rule);
    (void)is_rule;
    *out = form;
    out->ndim = 0;
    if (!read_shape(&f, a->m, out))
        return run_refuse_text(
            s, path,
            "'%.200s' is no array like zeros:64, ones:64x3 or random:SEED:64, of up to "
            "%d in each dimension",
            text, INT32_MAX);
    for (int i = 0; i < form.ndim && whole && out->ndim < NPY_DIMS; i++) {
        out->shape[out->ndim++] = form.shape[i];
        out->count = mem_mul(a->m, out->count, (size_t)form.shape[i]);
    }
    const size_t size = mem_mul(a->m, out->count, out->width);
    if (size > SIZE_MAX / 2)
        mem_fail(a->m);
    out->items = arena_zero(a, size);
    if (f.kind != FILL_ZEROS)
        put_numbers(&f, path, type_scalar_of(item), out);
    return true;
}
