/* SPDX-License-Identifier: Apache-2.0 */
/* What runs a snippet in tests and fuzzers: a function of fixed parameters. Each array has its own
 * block of the heap, so that the sanitizers see an access outside.
 *
 *     float f = 1.5; double d = -2.25; int i = -7; uint32 u = 0x80000001; uint64 l = 1 << 40;
 *     bool b = true; vec3 v = (1, 2, 3); mat22 m = (1, 2, 3, 4);
 *     array(float) x = [1, 2, 3, 4]; array2d(int) y = [[0, 1, 2], [3, 4, 5]];
 *     array(bool) g = [1, 0]; array(float) e = []; array(int) o = [9], which is read-only;
 *     ref[float] r = 0.5; float *h, which points to r;
 *     P p = {a: 1, w: (4, 5, 6)}; S s = {a: 7, z: x, k: p};
 *     result: float64 */
#ifndef WEFT_TESTS_NATIVE_FIXTURE_H
#define WEFT_TESTS_NATIVE_FIXTURE_H

#include <stdlib.h>

#include "arith/arith.h"
#include "base/format.h"
#include "driver/pipeline.h"
#include "native/native.h"

enum { SNIPPET_ARRAYS = 5, SNIPPET_PARAMS = 20 };

typedef struct snippet_run {
    ctx *c;
    str text;
    bool cuda;
    uint64_t steps;
    char *said; /* the result, or what is wrong */
    size_t size;
    array_data data[SNIPPET_ARRAYS];
    array_view views[SNIPPET_ARRAYS];
    const array_view *at[SNIPPET_ARRAYS];
    uint32_t narrays, n;
    native_param params[SNIPPET_PARAMS];
    void *values[SNIPPET_PARAMS];
} snippet_run;

static void snippet_param(snippet_run *s, const char *name, const type *t, const void *bytes,
                          bool by_reference, bool pointer)
{
    const size_t size = pointer || t->kind == TYPE_ARRAY ? sizeof(void *) : layout_size(t);
    s->params[s->n] = (native_param){str_c(name), t, by_reference, pointer};
    s->values[s->n] = arena_zero(&s->c->module, size);
    if (pointer) /* to what the parameter before holds */
        memcpy(s->values[s->n], &s->values[s->n - 1], size);
    else
        memcpy(s->values[s->n], bytes, size);
    s->n++;
}

static void snippet_number(snippet_run *s, const char *name, type_kind k, num x)
{
    uint8_t bytes[8] = {0};
    num_store(k, bytes, x);
    snippet_param(s, name, type_scalar(s->c, k), bytes, false, false);
}

/* An array of nothing has no bytes. */
static void snippet_array(snippet_run *s, const char *name, type_kind k, int rows, int cols,
                          const void *bytes)
{
    const uint32_t i = s->narrays++;
    const type *elem = type_scalar(s->c, k);
    const int64_t one = (int64_t)layout_size(elem);
    const size_t size = (size_t)(one * rows * (cols ? cols : 1));
    array_view *v = &s->views[i];
    s->data[i] =
        (array_data){.name = name, .bytes = size ? heap_zeroed(1, size) : NULL, .size = size};
    if (size)
        memcpy(s->data[i].bytes, bytes, size);
    *v = (array_view){.data = &s->data[i], .elem = elem, .ndim = cols ? 2 : 1};
    v->shape[0] = rows;
    v->shape[1] = cols;
    v->strides[0] = one * (cols ? cols : 1);
    v->strides[1] = cols ? one : 0;
    s->at[i] = v;
    snippet_param(s, name, type_array(s->c, ARRAY_PLAIN, elem, v->ndim), &s->at[i], true, false);
}

static const type *snippet_struct(ctx *c, const char *name, const char *const *names,
                                  const type *const *types, uint32_t n)
{
    struct_def *st = ARENA_NEW(&c->module, struct_def);
    st->name = sym_c(&c->syms, name);
    st->native_name = str_c(name);
    struct_field *fields = ARENA_ARRAY(&c->module, struct_field, n);
    st->fields = fields;
    st->nfields = n;
    for (uint32_t i = 0; i < n; i++)
        fields[i] = (struct_field){.name = sym_c(&c->syms, names[i]), .type = types[i]};
    layout_struct(st);
    return type_struct(c, st);
}

static void snippet_structs(snippet_run *s)
{
    ctx *c = s->c;
    const type *f32 = type_scalar(c, TYPE_FLOAT32), *vec = type_vec(c, f32, 3);
    const float w[3] = {4, 5, 6}, one = 1, seven = 7;
    const type *p =
        snippet_struct(c, "P", (const char *const[]){"a", "w"}, (const type *const[]){f32, vec}, 2);
    const type *st = snippet_struct(c, "S", (const char *const[]){"a", "z", "k"},
                                    (const type *const[]){f32, s->params[8].type, p}, 3);
    uint8_t *bytes = arena_zero(&c->module, layout_size(p));
    uint8_t *whole = arena_zero(&c->module, layout_size(st));
    memcpy(bytes + layout_field(p->st, 0), &one, sizeof one);
    memcpy(bytes + layout_field(p->st, 1), w, sizeof w);
    memcpy(whole + layout_field(st->st, 0), &seven, sizeof seven);
    memcpy(whole + layout_field(st->st, 1), &s->at[0], sizeof s->at[0]);
    memcpy(whole + layout_field(st->st, 2), bytes, layout_size(p));
    snippet_param(s, "p", p, bytes, false, false);
    snippet_param(s, "s", st, whole, true, false);
}

static void snippet_params(snippet_run *s)
{
    ctx *c = s->c;
    const type *f32 = type_scalar(c, TYPE_FLOAT32);
    const float numbers[] = {1, 2, 3, 4}, half = 0.5f;
    const int32_t six[] = {0, 1, 2, 3, 4, 5}, nine = 9;
    const uint8_t bits[] = {1, 0};
    snippet_number(s, "f", TYPE_FLOAT32, (num){.f = 1.5});
    snippet_number(s, "d", TYPE_FLOAT64, (num){.f = -2.25});
    snippet_number(s, "i", TYPE_INT32, (num){.i = -7});
    snippet_number(s, "u", TYPE_UINT32, (num){.i = 0x80000001});
    snippet_number(s, "l", TYPE_UINT64, (num){.i = (int64_t)1 << 40});
    snippet_number(s, "b", TYPE_BOOL, (num){.i = 1});
    snippet_param(s, "v", type_vec(c, f32, 3), numbers, false, false);
    snippet_param(s, "m", type_mat(c, f32, 2, 2), numbers, false, false);
    snippet_array(s, "x", TYPE_FLOAT32, 4, 0, numbers);
    snippet_array(s, "y", TYPE_INT32, 2, 3, six);
    snippet_array(s, "g", TYPE_BOOL, 2, 0, bits);
    snippet_array(s, "e", TYPE_FLOAT32, 0, 0, NULL);
    snippet_array(s, "o", TYPE_INT32, 1, 0, &nine);
    s->data[4].read_only = true;
    snippet_param(s, "r", f32, &half, true, false);
    snippet_param(s, "h", f32, NULL, false, true);
    snippet_structs(s);
}

/* For mem_try. */
static void snippet_work(void *arg)
{
    snippet_run *s = arg;
    arena *a = &s->c->module;
    double result = 0;
    native_problem why = {{0}, 0};
    static const char *const ends[] = {"", "fault: ", "open: ", "", "fuel: "};
    snippet_params(s);
    const native_source given = {.text = s->text,
                                 .params = s->params,
                                 .nparams = s->n,
                                 .result = type_scalar(s->c, TYPE_FLOAT64),
                                 .cuda = s->cuda};
    native_fn *fn = native_read(s->c, a, &given, &why);
    if (!fn) {
        format_text(s->said, s->size, "refused: %s", why.text);
        return;
    }
    for (int again = 0; again < 2; again++) { /* a second call begins like the first */
        uint64_t steps = s->steps;
        const native_end end = native_run(fn, s->values, &result, &steps, &why);
        if (end != NATIVE_OK) {
            format_text(s->said, s->size, "%s%s", ends[end], why.text);
            return;
        }
        if (!again)
            format_text(s->said, s->size, "%.17g", result);
    }
}

/* False: it took more memory than is allowed. */
static bool snippet_execute(snippet_run *s)
{
    const bool enough = mem_try(&s->c->mem, snippet_work, s);
    for (uint32_t i = 0; i < s->narrays; i++)
        heap_free(s->data[i].bytes);
    return enough;
}

#endif
