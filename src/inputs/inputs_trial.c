/* SPDX-License-Identifier: Apache-2.0 */
/* Which trials of inputs there are, in the order in which they are worth their time:
 *
 *     inputs_trials        by the roles of the parameters: as they are, positive floats, few
 *                          different integers, ...
 *     inputs_mixed_trial   each parameter varied on its own, by a number: as many as one likes
 *
 * Where an index goes beyond an array in one of them, inputs_plan_grow makes it longer. */
#include "inputs/inputs_plan.h"

/* Of FAR mixed trials one launches as many threads as comparisons want. */
enum { LONGEST = 8192, MOST_ITEMS = 1 << 18, FAR = 8 };

/* An index of -3 needs three items, since it counts from the end. */
bool inputs_plan_grow(const inputs_kernel *k, const interp_outside *o, inputs_plan *p)
{
    const code *f = &k->kernel->code;
    WEFT_ASSERT(o->array != NULL);
    for (uint32_t i = 0; i < f->nparams; i++) {
        inputs_arg *a = &p->args[i];
        const type *t = f->params[i].type;
        if (!str_eq(sym_str(f->params[i].name), (str){o->array, strcspn(o->array, ".")}))
            continue;
        if (a->absent || o->index < -LONGEST || o->index >= LONGEST)
            return false;
        /* An index of a row counts dimensions from its own first one. */
        const int above = t->kind == TYPE_ARRAY && t->ndim > o->ndim ? t->ndim - o->ndim : 0;
        int64_t *size = &a->shape[above + (int)o->dim], items = 1;
        const int64_t least = o->index < 0 ? -o->index : o->index + 1;
        *size = least > 2 * *size ? least : 2 * *size;
        for (int d = 0; d < (t->kind == TYPE_ARRAY ? t->ndim : o->ndim); d++)
            items *= a->shape[d];
        if (a->distinct)
            inputs_make_distinct(t, a);
        return *size <= LONGEST && items <= MOST_ITEMS;
    }
    return false;
}

/* Has a parameter one of these uses? */
static bool any_has(const inputs_kernel *k, unsigned wanted)
{
    unsigned uses = 0;
    for (uint32_t i = 0; i < k->kernel->code.nparams; i++)
        uses |= k->roles[i].uses;
    return uses & wanted;
}

/* Is a float compared with a number that those of the other trials are far from? */
static bool any_scaled(const inputs_kernel *k)
{
    for (uint32_t i = 0; i < k->kernel->code.nparams; i++)
        if (k->roles[i].scale > 2 || (k->roles[i].little > 0 && k->roles[i].little < 0.25))
            return true;
    return false;
}

bool inputs_reaches(const inputs_kernel *k)
{
    const inputs_reach *r = &k->reach;
    return r->dim[0].n || r->dim[1].n || r->dim[2].n || r->dim[3].n;
}

static const inputs_trial trials[INPUTS_TRIALS] = {
    {.size = 0},
    {.size = 0, .positive = true},
    {.size = 0, .bits = true},
    {.size = 0, .reach = true},
    {.size = 0, .alike = true},
    {.size = 0, .absent = true},
    {.size = 0, .zeros = true},
    {.size = 0, .odd = true},
    {.size = 0, .same = true},
    {.size = 0, .scaled = true},
    {.size = 0, .wide = true},
    {.size = 0, .below_zero = true},
    {.size = 1, .alike = true},
    {.size = 1},
    {.size = 1, .positive = true},
    {.size = 1, .wide = true, .positive = true},
    {.size = 2}, /* of a maximum over few threads each one matters */
    {.size = 2, .alike = true},
    {.size = 2, .below_zero = true, .wide = true},
};

uint32_t inputs_trials(const inputs_kernel *k, inputs_trial *out)
{
    const bool optional = any_has(k, INPUTS_OPTIONAL), zero = any_has(k, INPUTS_ZERO);
    const bool scaled = any_scaled(k), far = inputs_reaches(k), bits = any_has(k, INPUTS_BITS);
    const bool odd = any_has(k, INPUTS_FINITE);
    uint32_t n = 0;
    for (uint32_t i = 0; i < INPUTS_TRIALS; i++) {
        const inputs_trial *t = &trials[i];
        if ((t->reach && !far) || (t->absent && !optional) || (t->zeros && !zero) ||
            (t->bits && !bits) || (t->same && !zero) || (t->odd && !odd) || (t->scaled && !scaled))
            continue;
        out[n] = *t;
        out[n++].roles = true;
    }
    return n;
}

inputs_trial inputs_mixed_trial(const inputs_kernel *k, uint32_t mix, bool costly)
{
    WEFT_ASSERT(mix > 0);
    return (inputs_trial){.roles = true,
                          .mix = mix,
                          .size = costly ? 2 - mix % 2 : mix % 3,
                          .reach = mix % FAR == 5 && inputs_reaches(k)};
}
