/* SPDX-License-Identifier: Apache-2.0 */
/* What nodes share when they run: faults, steps, numbers, checked accesses, casts; and the entry,
 * native_run. */
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

void native_step(native_fn *f, const nnode *n)
{
    if (!f->steps)
        native_fail(f, n, NATIVE_FUEL, "no end after the allowed number of steps");
    f->steps--;
}

num native_number(native_fn *f, nnode *n)
{
    WEFT_ASSERT(native_is_scalar(n->type));
    const void *p = native_eval(f, n);
    return num_load((type_kind)n->type.t->kind, p);
}

/* Addresses are compared as numbers: a pointer may have been moved far outside. */
uint8_t *native_access(native_fn *f, const nnode *n, const nptr *p, const type *t, bool writes)
{
    const uintptr_t at = (uintptr_t)p->at, begin = (uintptr_t)p->begin, end = (uintptr_t)p->end;
    const size_t size = layout_size(t);
    const char *name = p->data && p->data->name ? p->data->name : "a variable";
    if (!p->begin)
        native_fail(f, n, NATIVE_FAULT, "a pointer to nothing is used");
    if (at < begin || at > end || end - at < size)
        native_fail(f, n, NATIVE_FAULT, "an access outside of %s", name);
    if (at % layout_align(t))
        native_fail(f, n, NATIVE_FAULT, "an access to %s that is not aligned", name);
    if (writes && p->data && p->data->read_only)
        native_fail(f, n, NATIVE_CANNOT, "cannot execute a store to the %s", name);
    return p->at;
}

/* A cast between scalars. */
void *native_eval_cast(native_fn *f, nnode *n)
{
    const type_kind from = (type_kind)n->kid[0]->type.t->kind, to = (type_kind)n->type.t->kind;
    const num x = native_number(f, n->kid[0]);
    if (to != TYPE_BOOL && !num_fits(to, from, x))
        native_fail(f, n, NATIVE_UNSPECIFIED, "conversion out of range in native code");
    num_store(to, n->room,
              to == TYPE_BOOL ? (num){.i = num_truth(from, x)} : num_cast(to, from, x));
    return n->room;
}

/* Sets the parameters: by reference at the caller's place, else copies. What a pointer points to is
 * one value, which the caller has checked. */
static void bind(native_fn *f, void *const *params)
{
    for (uint32_t i = 0; i < f->nparams; i++) {
        nvar *v = f->params[i];
        v->set = true;
        v->at = f->declared[i].by_reference ? params[i] : v->room;
        if (f->declared[i].pointer) {
            uint8_t *at;
            memcpy(&at, params[i], sizeof at);
            nptr *p = (nptr *)v->room;
            *p = (nptr){at, at, at, NULL};
            if (at)
                p->end = at + layout_size(v->type.t);
        } else if (!f->declared[i].by_reference)
            memcpy(v->at, params[i], v->size);
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
    }
    *steps = f->steps;
    return f->end;
}
