/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions whose outcome is known where they choose a value:
 *
 *     if (var_4) { var_6 = ...; }
 *     if (!var_4) { return; }
 *     var_7 = wp::where(var_4, var_6, var_2);     var_4 is true here: var_2 is never read
 *
 * One pass forward along the branches, until nothing changes: a condition is known behind a branch
 * on it, until something may write it, and where ways meet if both say the same. Functions begin
 * without knowledge. */
#include <stdlib.h>

#include "base/assert.h"
#include "textvm/vm_ops.h"

enum { CONDITIONS_MAX = 256, WORDS = CONDITIONS_MAX / 64, ROUNDS_MAX = 64 };

/* What is known before an instruction, by condition. */
typedef struct outcomes {
    uint64_t yes[WORDS], no[WORDS];
    bool reached;
} outcomes;

typedef struct known {
    const textvm *vm;
    const uint8_t *conditions[CONDITIONS_MAX]; /* by address */
    uint32_t n;
    outcomes *in;
    bool changed;
} known;

bool vm_is_branch(const ins *i)
{
    return i->run == do_if || i->run == do_if_not || i->run == do_if_done;
}

bool vm_is_jump(const ins *i)
{
    return vm_is_branch(i) || i->run == do_jump || i->run == do_jump_back;
}

bool vm_ends(const ins *i)
{
    return i->run == do_end || i->run == do_no_value || i->run == do_return ||
           i->run == do_return_value;
}

static int by_address(const void *a, const void *b)
{
    const uint8_t *x = *(const uint8_t *const *)a, *y = *(const uint8_t *const *)b;
    return (x > y) - (x < y);
}

/* The first condition whose address is not below `at`. */
static uint32_t condition_from(const known *d, const void *at)
{
    uint32_t from = 0, to = d->n;
    while (from < to) {
        const uint32_t mid = (from + to) / 2;
        if (d->conditions[mid] < (const uint8_t *)at)
            from = mid + 1;
        else
            to = mid;
    }
    return from;
}

static bool is_condition(const known *d, const void *at, uint32_t *k)
{
    *k = condition_from(d, at);
    return *k < d->n && d->conditions[*k] == (const uint8_t *)at;
}

static bool chooses_by_bool(const ins *i)
{
    const where_info *w = i->aux;
    return i->run == do_where && w->cond->kind == TYPE_BOOL;
}

/* Operands that calls replace are no variables of their own. */
static void drop_references(known *d)
{
    for (uint32_t at = 0; at < d->vm->ncode; at++) {
        const ins *i = vm_inner(d->vm, at);
        const call_info *call = i->run == do_call ? i->aux : NULL;
        for (uint32_t k = 0; call && k < call->n; k++)
            for (uint32_t u = 0; call->args[k].by_reference && u < call->args[k].uses->n; u++) {
                uint32_t c;
                if (!is_condition(d, *call->args[k].uses->v[u].where, &c))
                    continue;
                memmove(d->conditions + c, d->conditions + c + 1,
                        (--d->n - c) * sizeof *d->conditions);
            }
    }
}

static void find_conditions(known *d)
{
    uint32_t n = 0;
    for (uint32_t at = 0; at < d->vm->ncode && n < CONDITIONS_MAX; at++) {
        const ins *i = vm_inner(d->vm, at);
        if (chooses_by_bool(i))
            d->conditions[n++] = i->v[1];
    }
    if (n)
        qsort(d->conditions, n, sizeof *d->conditions, by_address);
    for (uint32_t k = 0; k < n; k++)
        if (!d->n || d->conditions[d->n - 1] != d->conditions[k])
            d->conditions[d->n++] = d->conditions[k];
    drop_references(d);
}

static void forget(outcomes *o, uint32_t k)
{
    o->yes[k / 64] &= ~(UINT64_C(1) << k % 64);
    o->no[k / 64] &= ~(UINT64_C(1) << k % 64);
}

static void learn(outcomes *o, uint32_t k, bool yes)
{
    forget(o, k);
    (yes ? o->yes : o->no)[k / 64] |= UINT64_C(1) << k % 64;
}

/* Conditions that the instruction may write are not known any more. */
static void forget_written(const known *d, const ins *i, outcomes *o)
{
    uint32_t ntemps, k;
    (void)vm_temps_of(d->vm, i, &ntemps);
    for (k = 0; ntemps && k < d->n; k++)
        forget(o, k);
    for (k = i->run == do_zero ? condition_from(d, i->v[0]) : d->n;
         k < d->n && d->conditions[k] < (const uint8_t *)i->v[0] + i->size; k++)
        forget(o, k);
    for (uint32_t v = 0; v < vm_operands_of(i); v++)
        if (vm_may_write(i, v) && is_condition(d, i->v[v], &k))
            forget(o, k);
}

/* Control may come to `at` with this knowledge. */
static void arrive(known *d, uint32_t at, const outcomes *o)
{
    if (at >= d->vm->ncode)
        return;
    outcomes *in = &d->in[at];
    if (!in->reached) {
        *in = *o;
        in->reached = d->changed = true;
        return;
    }
    for (int w = 0; w < WORDS; w++) {
        d->changed |= (in->yes[w] & ~o->yes[w]) | (in->no[w] & ~o->no[w]);
        in->yes[w] &= o->yes[w];
        in->no[w] &= o->no[w];
    }
}

/* From before an instruction to where it leads. */
static void leave(known *d, uint32_t at)
{
    const ins *i = vm_inner(d->vm, at), *code = d->vm->code;
    const call_info *call = i->run == do_call ? i->aux : NULL;
    const ins *snippet = vm_snippet_of(i);
    const outcomes nothing = {.reached = true};
    outcomes out = d->in[at];
    uint32_t k;
    forget_written(d, i, &out);
    if (call)
        arrive(d, (uint32_t)(call->f->code - code), &nothing);
    if (snippet)
        arrive(d, (uint32_t)(snippet - code), &nothing);
    const bool tested = (i->run == do_if || i->run == do_if_not) && is_condition(d, i->v[0], &k);
    if (tested)
        learn(&out, k, i->run == do_if_not);
    if (vm_is_jump(i))
        arrive(d, (uint32_t)(i->to - code), &out);
    if (tested)
        learn(&out, k, i->run == do_if);
    if (!vm_ends(i) && (!vm_is_jump(i) || vm_is_branch(i)))
        arrive(d, call ? (uint32_t)(call->back - code) : at + 1, &out);
}

/* False: it does not end soon. */
static bool solve(known *d)
{
    const outcomes nothing = {.reached = true};
    arrive(d, (uint32_t)(d->vm->kernel.code - d->vm->code), &nothing);
    for (uint32_t round = 0; round < ROUNDS_MAX; round++) {
        d->changed = false;
        for (uint32_t at = 0; at < d->vm->ncode; at++)
            if (d->in[at].reached)
                leave(d, at);
        if (!d->changed)
            return true;
    }
    return false;
}

vm_choice *vm_known_choices(const textvm *vm, arena *a)
{
    vm_choice *out = arena_zero(a, (vm->ncode + 1) * sizeof *out);
    known d = {.vm = vm};
    find_conditions(&d);
    if (!d.n)
        return out;
    d.in = arena_zero(a, (vm->ncode + 1) * sizeof *d.in);
    if (!solve(&d))
        return out;
    for (uint32_t at = 0; at < vm->ncode; at++) {
        const ins *i = vm_inner(vm, at);
        uint32_t k;
        if (!d.in[at].reached || !chooses_by_bool(i) || !is_condition(&d, i->v[1], &k))
            continue;
        out[at] = d.in[at].yes[k / 64] >> k % 64 & 1  ? VM_CHOICE_FIRST
                  : d.in[at].no[k / 64] >> k % 64 & 1 ? VM_CHOICE_SECOND
                                                      : VM_CHOICE_OPEN;
    }
    return out;
}
