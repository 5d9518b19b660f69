/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a source without texts: does it run, and does its result depend on the order of threads?
 *
 *     i = wp.tid()
 *     y[0] = x[i]        forwards y[0] is the last x, backwards the first: the result depends on it
 *
 * A launch runs its threads one after the other, first forwards and then backwards. The results
 * differ if several threads write to one element, or if one writes what another reads: a race on a
 * GPU. The test is not complete: a race whose outcome is the same in both orders is not seen. */
#include "base/format.h"
#include "check/check_internal.h"

/* Describes the first element that differs in r->detail. Always false. There is no reason id: the
 * text is right, the kernel is not. */
static bool report_order(checker *k, const check_difference *d)
{
    format_text(
        k->r->detail, sizeof k->r->detail,
        "%s.py: kernel '%s': the result depends on the order of its threads: %s[%zu] is %.9g "
        "if they run from the first to the last, and %.9g the other way round (lanes counted)",
        k->s->kernel->code.name->s, k->s->kernel->code.name->s, d->slot->name, d->lane, d->was,
        d->is);
    return false;
}

/* One input set, in one order or both. */
static bool run(checker *k, check_inputs *in, bool both_orders)
{
    if (!check_run_source(k, in, false))
        return false;
    if (!both_orders)
        return true;
    memcpy(in->expected, in->values.bytes, in->size);
    if (!check_run_source(k, in, true))
        return false;
    const check_difference d = check_states_differ(in, in->expected, in->values.bytes);
    return !d.slot || report_order(k, &d);
}

/* Tries CHECK_INPUTS input sets; the first that fails ends it. */
bool check_source(checker *k, const check_subject *s, bool both_orders, check_result *r)
{
    bool good = true;
    check_begin(k, s, r);
    k->reference = interp_new(k->c, s->kernel);
    for (k->nsets = 0; k->nsets < CHECK_INPUTS && good; k->nsets++)
        good = check_draw(k, 0, k->nsets > 0, &k->sets[k->nsets]) &&
               run(k, &k->sets[k->nsets], both_orders);
    return good;
}
