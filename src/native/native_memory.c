/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a snippet that runs: objects, the checked way to their bytes, and the entry,
 * native_run, which makes the objects of its parameters. */
#include <stdarg.h>

#include "base/format.h"
#include "native/native_internal.h"

void native_fail(native_fn *f, const nnode *n, native_end end, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    format_text_v(f->why->text, sizeof f->why->text, fmt, args);
    va_end(args);
    f->why->line = n ? n->line : 0;
    f->end = end;
    longjmp(f->fail, 1);
}

/* Steps between two looks at the flag of an interrupt: a few milliseconds. */
enum { POLL_STEPS = 1 << 16 };

/* An interrupt leaves as a failed allocation does, to the guard of mem_try. */
void native_spend(native_fn *f, const nnode *n, uint64_t steps)
{
    if (f->steps < steps) {
        f->steps = 0;
        native_fail(f, n, NATIVE_FUEL, "no end after the allowed number of steps");
    }
    f->steps -= steps;
    f->polled += steps;
    if (f->polled < POLL_STEPS)
        return;
    f->polled = 0;
    if (mem_stopped(&f->c->mem))
        mem_fail(&f->c->mem);
}

void *native_eval(native_fn *f, nnode *n)
{
    WEFT_ASSERT(n->eval);
    native_spend(f, n, 1);
    return n->eval(f, n);
}

nptr native_find(native_fn *f, nnode *n)
{
    WEFT_ASSERT(n->find);
    native_spend(f, n, 1);
    return n->find(f, n);
}

num native_number(native_fn *f, nnode *n)
{
    WEFT_ASSERT(native_is_scalar(n->type));
    return num_load((type_kind)n->type.t->kind, native_eval(f, n));
}

/* --- access */

static str name_of(const nobject *o)
{
    return o->data ? str_c(o->data->name ? o->data->name : "an array") : o->name;
}

/* The object, where `size` bytes at the pointer are its own. */
static const nobject *reach(native_fn *f, const nnode *n, nptr p, size_t size)
{
    if (!p.object)
        native_fail(f, n, NATIVE_FAULT, "a pointer to nothing is used");
    WEFT_ASSERT(p.object < f->objects.n);
    const nobject *o = &f->objects.v[p.object];
    const str s = name_of(o);
    if (p.life != o->life)
        native_fail(f, n, NATIVE_FAULT, "%.*s is used after its block has ended",
                    (int)(s.n < 60 ? s.n : 60), s.p);
    if (p.at < 0 || (uint64_t)p.at > o->size || o->size - (size_t)p.at < size)
        native_fail(f, n, NATIVE_FAULT, "an access outside of %.*s", (int)(s.n < 60 ? s.n : 60),
                    s.p);
    return o;
}

static void check_aligned(native_fn *f, const nnode *n, const uint8_t *at, ntype t)
{
    if (!t.ptr && t.t->kind != TYPE_ARRAY && (uintptr_t)at % layout_align(t.t))
        native_fail(f, n, NATIVE_FAULT, "an access that is not aligned");
}

static void check_set(native_fn *f, const nnode *n, const nobject *o, nptr p, size_t size)
{
    const str s = name_of(o);
    for (size_t i = 0; o->set && i < size; i++)
        if (!o->set[(size_t)p.at + i])
            native_fail(f, n, NATIVE_FAULT, "%.*s is read before it has a value",
                        (int)(s.n < 60 ? s.n : 60), s.p);
}

void native_load(native_fn *f, const nnode *n, nptr p, ntype t, void *to)
{
    const size_t size = native_size(t);
    native_spend(f, n, size / 64);
    const nobject *o = reach(f, n, p, size);
    const uint8_t *at = o->bytes + p.at;
    check_aligned(f, n, at, t);
    check_set(f, n, o, p, size);
    if (!t.ptr && t.t->kind == TYPE_BOOL && *at > 1)
        native_fail(f, n, NATIVE_UNSPECIFIED, "a bool with the bits of %d is read", *at);
    memcpy(to, at, size);
}

static void check_writable(native_fn *f, const nnode *n, const nobject *o)
{
    const str s = name_of(o);
    if (o->data && o->data->read_only)
        native_fail(f, n, NATIVE_CANNOT, "cannot execute a store to the %.*s",
                    (int)(s.n < 60 ? s.n : 60), s.p);
}

void native_store(native_fn *f, const nnode *n, nptr p, ntype t, const void *from)
{
    const size_t size = native_size(t);
    native_spend(f, n, size / 64);
    const nobject *o = reach(f, n, p, size);
    check_writable(f, n, o);
    check_aligned(f, n, o->bytes + p.at, t);
    memcpy(o->bytes + p.at, from, size);
    if (o->set)
        memset(o->set + p.at, 1, size);
}

void native_copy(native_fn *f, const nnode *n, nptr to, nptr from, size_t size)
{
    native_spend(f, n, size / 8);
    const nobject *b = reach(f, n, to, size), *a = reach(f, n, from, size);
    check_writable(f, n, b);
    if (!size)
        return;
    if (!b->set)
        check_set(f, n, a, from, size);
    uint8_t *x = b->bytes + to.at;
    const uint8_t *y = a->bytes + from.at;
    if (x != y && (uintptr_t)x < (uintptr_t)y + size && (uintptr_t)y < (uintptr_t)x + size)
        native_fail(f, n, NATIVE_UNSPECIFIED, "memcpy between places that overlap");
    memmove(x, y, size);
    if (b->set && a->set)
        memmove(b->set + to.at, a->set + from.at, size);
    else if (b->set)
        memset(b->set + to.at, 1, size);
}

nptr native_moved(native_fn *f, const nnode *n, nptr p, int64_t count, size_t size)
{
    const int64_t most = (int64_t)1 << 40;
    if (!p.object && count)
        native_fail(f, n, NATIVE_FAULT, "a pointer to nothing is moved");
    if (count < -most || count > most || (i128)count * (i128)size + p.at > most ||
        (i128)count * (i128)size + p.at < -most)
        native_fail(f, n, NATIVE_FAULT, "a pointer is moved beyond all arrays");
    p.at += count * (int64_t)size;
    return p;
}

/* --- objects */

uint32_t native_object_of(native_fn *f, const array_data *data)
{
    for (uint32_t i = f->nvariables; i < f->objects.n; i++)
        if (f->objects.v[i].data == data)
            return i;
    const nobject o = {.bytes = data->bytes, .size = data->size, .data = data};
    WEFT_ASSERT(f->objects.n < f->objects.cap);
    VEC_PUSH(f->a, &f->objects, o);
    return f->objects.n - 1;
}

const array_view *native_view(const native_fn *f, const void *bytes)
{
    uint64_t k;
    memcpy(&k, bytes, sizeof k);
    return k && k <= f->views.n ? f->views.v[k - 1] : NULL;
}

void native_begin(native_fn *f, nvar *v, bool all_set)
{
    nobject *o = &f->objects.v[v->object];
    native_spend(f, NULL, o->size / 64);
    o->life++;
    memset(o->bytes, 0, o->size);
    memset(o->set, all_set, o->size);
}

void native_finish(native_fn *f, const nvar *v)
{
    f->objects.v[v->object].life++;
}

/* --- parameters */

/* The number of the view that `from` has the address of. */
static void take_array(native_fn *f, const uint8_t *from, uint8_t *to)
{
    const array_view *v;
    uint64_t k = 0;
    memcpy(&v, from, sizeof v);
    if (v) {
        WEFT_ASSERT(f->views.n < f->views.cap);
        VEC_PUSH(f->a, &f->views, v);
        k = f->views.n;
    }
    memcpy(to, &k, sizeof k);
}

static bool has_arrays(const type *t)
{
    if (t->kind == TYPE_STRUCT)
        for (uint32_t i = 0; i < t->st->nfields; i++)
            if (has_arrays(t->st->fields[i].type))
                return true;
    return t->kind == TYPE_ARRAY;
}

/* A value of the caller's as the snippet has it: arrays become numbers. */
static void take(native_fn *f, const type *t, const uint8_t *from, uint8_t *to)
{
    if (t->kind == TYPE_ARRAY) {
        take_array(f, from, to);
    } else if (!has_arrays(t)) {
        memcpy(to, from, layout_size(t));
    } else {
        for (uint32_t i = 0; i < t->st->nfields; i++) {
            const size_t at = layout_field(t->st, i);
            take(f, t->st->fields[i].type, from + at, to + at);
        }
    }
}

/* The way back, of what was passed by reference. The snippet cannot change arrays. */
static void give(const type *t, const uint8_t *from, uint8_t *to)
{
    if (t->kind == TYPE_ARRAY)
        return;
    if (!has_arrays(t)) {
        memcpy(to, from, layout_size(t));
        return;
    }
    for (uint32_t i = 0; i < t->st->nfields; i++) {
        const size_t at = layout_field(t->st, i);
        give(t->st->fields[i].type, from + at, to + at);
    }
}

/* A pointer to one value of the caller's, which becomes an object of its own. */
static nptr take_pointer(native_fn *f, const nvar *v, const uint8_t *from)
{
    nobject o = {.size = layout_size(v->type.t), .name = v->name};
    memcpy(&o.bytes, from, sizeof o.bytes);
    if (!o.bytes)
        return (nptr){0};
    WEFT_ASSERT(f->objects.n < f->objects.cap);
    VEC_PUSH(f->a, &f->objects, o);
    return (nptr){.object = f->objects.n - 1};
}

static uint32_t count_arrays(const type *t)
{
    uint32_t n = t->kind == TYPE_ARRAY;
    for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->st->nfields; i++)
        n += count_arrays(t->st->fields[i].type);
    return n;
}

void native_reserve(native_fn *f)
{
    uint32_t arrays = 0, pointers = 0;
    for (uint32_t i = 0; i < f->nparams; i++) {
        arrays += count_arrays(f->params[i]->type.t);
        pointers += f->declared[i].pointer;
    }
    while (f->objects.cap < f->nvariables + arrays + pointers)
        f->objects.v =
            vec_grow(f->a, f->objects.v, sizeof *f->objects.v, f->objects.n, &f->objects.cap);
    while (f->views.cap < arrays)
        f->views.v = vec_grow(f->a, f->views.v, sizeof *f->views.v, f->views.n, &f->views.cap);
}

/* Of the parameters' variables; by reference they are the caller's, so that an array that is a
 * parameter too shows what is stored. */
static void bind(native_fn *f, void *const *params)
{
    f->objects.n = f->nvariables;
    f->views.n = 0;
    for (uint32_t i = 0; i < f->nparams; i++) {
        const nvar *v = f->params[i];
        nobject *o = &f->objects.v[v->object];
        o->life++;
        if (f->declared[i].pointer) {
            const nptr p = take_pointer(f, v, params[i]); /* the objects may move */
            memcpy(f->objects.v[v->object].bytes, &p, sizeof p);
        } else if (f->declared[i].by_reference && !has_arrays(v->type.t)) {
            o->bytes = params[i];
        } else {
            take(f, v->type.t, params[i], o->bytes);
        }
    }
}

native_end native_run(native_fn *f, void *const *params, void *result, uint64_t *steps,
                      native_problem *why)
{
    bind(f, params);
    f->out = result;
    f->steps = *steps;
    f->why = why;
    f->end = NATIVE_OK;
    if (!setjmp(f->fail)) {
        const nflow flow = native_exec(f, f->body);
        if (f->result && flow != NFLOW_RETURN)
            native_fail(f, NULL, NATIVE_FAULT, "the native code ends without a result");
        for (uint32_t i = 0; i < f->nparams; i++)
            if (f->declared[i].by_reference && has_arrays(f->params[i]->type.t))
                give(f->params[i]->type.t, f->objects.v[f->params[i]->object].bytes, params[i]);
    }
    *steps = f->steps;
    return f->end;
}
