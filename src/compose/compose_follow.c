/* SPDX-License-Identifier: Apache-2.0 */
/* Which formulas go together in a kernel: what may follow from a result, stand beside it, or come
 * before. A kernel has one value of each quantity; a second one is a new value made of the first.
 * Nothing is computed of a value that the kernel has replaced.
 *
 *     spring_force   ->   acceleration_of   ->   step_velocity   ->   limit_speed
 */
#include "compose/compose_internal.h"

static bool is_used(const plan *p, const lib_formula *f)
{
    for (uint8_t i = 0; i < p->nsteps; i++)
        if (p->steps[i].f == f)
            return true;
    return false;
}

/* Is it the inverse of a formula that is there, or that one's? */
static bool undoes_step(const plan *p, const lib_formula *f)
{
    for (uint8_t i = 0; i < p->nsteps; i++)
        if (p->steps[i].f->undoes == f->def->name || f->undoes == p->steps[i].f->def->name)
            return true;
    return false;
}

static bool takes_array(const lib_formula *f, const lib_quantity *q)
{
    for (uint32_t i = 0; i < f->nparams; i++)
        if (f->params[i].of == q && f->params[i].place == PLACE_ELEMENT && !q->uniform)
            return true;
    return false;
}

/* Do both give the quantity by the same array: two steps down one gradient? */
static bool repeats(const lib_formula *a, const lib_formula *b)
{
    bool same = false;
    for (uint32_t i = 0; i < a->nparams && a->result == b->result; i++)
        same |= a->params[i].of != a->result && takes_array(a, a->params[i].of) &&
                takes_array(b, a->params[i].of);
    return same;
}

static bool repeats_step(const plan *p, const lib_formula *f)
{
    for (uint8_t i = 0; i < p->nsteps; i++)
        if (repeats(p->steps[i].f, f))
            return true;
    return false;
}

/* Would the quantity be drawn at random twice, or random numbers from one state by a function and
 * elsewhere? A function gets a copy of the state, and does not move it on. */
static bool draws_again(const composer *c, const lib_formula *f)
{
    const plan *p = &c->p;
    if (!f->random)
        return false;
    bool again = p->algorithm && p->algorithm->traits.random;
    for (uint8_t i = 0; i < p->nsteps; i++)
        again |= p->steps[i].f->random &&
                 (p->steps[i].f->result == f->result || p->steps[i].function || f->traits.early);
    return again;
}

/* Are values of the second field something for the first: of the same things, or how they move? */
static bool is_near(const lib_field *a, const lib_field *b)
{
    return a == b || (a->moves && str_eq(b->title, STR("motion")));
}

/* Is it a new value of the quantity, made of the old one? */
bool follow_is_update(const lib_formula *f)
{
    return takes_array(f, f->result);
}

/* Is the new value one that other things lead to: a step in time, or down a gradient? Others limit
 * the value, or damp it. */
static bool is_advance(const lib_formula *f)
{
    bool leads = false;
    for (uint32_t i = 0; i < f->nparams; i++) {
        const lib_param *param = &f->params[i];
        leads |= param->place == PLACE_UNIFORM ? str_eq(param->of->unit, STR("s"))
                                               : param->of != f->result;
    }
    return leads && follow_is_update(f);
}

/* The input that holds the quantity of each element, or what the kernel writes for it; NULL: there
 * is none. */
static const plan_arg *arg_of(const plan *p, const lib_quantity *q, bool written)
{
    for (uint8_t i = 0; i < p->nargs; i++) {
        const plan_arg *a = &p->args[i];
        if (a->role == ROLE_QUANTITY && a->of == q && a->written == written && !a->adjective)
            return a;
    }
    return NULL;
}

/* Would the kernel have two values of the quantity that the formula gives: one computed otherwise,
 * or one that is an input? Is it advanced twice? */
static bool contradicts(const plan *p, const lib_formula *f)
{
    bool given = arg_of(p, f->result, true) || arg_of(p, f->result, false);
    if (p->algorithm && arg_of(p, f->result, true))
        return true;
    for (uint8_t i = 0; i < p->nsteps; i++) {
        const lib_formula *g = p->steps[i].f;
        const bool same = g->result == f->result, both = is_advance(g) == is_advance(f);
        given |= same;
        if (same && (p->field->apart || (follow_is_update(g) && follow_is_update(f) && both)))
            return true;
    }
    return given && !follow_is_update(f);
}

/* Takes it a value that the algorithm has made anew, as it was before? */
static bool takes_old(const plan *p, const lib_formula *f)
{
    bool old = false;
    for (uint32_t i = 0; i < f->nparams; i++)
        old |= f->params[i].place == PLACE_ELEMENT && !f->params[i].of->uniform &&
               plan_giver_of(p, f->params[i].of, p->nsteps) < 0 && arg_of(p, f->params[i].of, true);
    return old;
}

/* How many arrays does the formula need that the kernel has not yet? */
static uint32_t new_arrays(const plan *p, const lib_formula *f)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->nparams; i++) {
        const lib_param *param = &f->params[i];
        n += param->place != PLACE_UNIFORM && plan_giver_of(p, param->of, p->nsteps) < 0 &&
             !arg_of(p, param->of, false);
    }
    return n;
}

/* May the formula of the element alone be one more step? */
static bool is_addable(const composer *c, const lib_formula *f)
{
    const plan *p = &c->p;
    return is_near(p->field, f->field) && !is_used(p, f) && !draws_again(c, f) &&
           !undoes_step(p, f) && !repeats_step(p, f) && !contradicts(p, f) && !takes_old(p, f) &&
           (!f->traits.space || f->traits.space == p->plane);
}

/* Needs it what a loop gives? Warp's gradient would be wrong. */
static bool is_wrong(const plan *p, const lib_formula *f)
{
    bool wrong = false;
    for (uint32_t i = 0; i < f->nparams && p->careful; i++) {
        const int giver =
            f->params[i].place == PLACE_ELEMENT ? plan_giver_of(p, f->params[i].of, p->nsteps) : -1;
        wrong |= giver >= 0 && p->steps[giver].looped;
    }
    return wrong;
}

/* One of the formulas that are offered, each as likely. */
typedef struct formula_draw {
    const lib_formula *found;
    uint32_t n;
} formula_draw;

static void offer(composer *c, formula_draw *d, const lib_formula *f)
{
    if (below(c, ++d->n) == 0)
        d->found = f;
}

/* Of the formulas that take a result that nobody takes yet, and give another quantity or a new
 * value of it, each as likely. */
const lib_formula *follow_next(composer *c)
{
    const plan *p = &c->p;
    formula_draw d = {NULL, 0};
    for (uint8_t i = 0; i < p->nsteps; i++) {
        const lib_quantity *q = p->steps[i].f->result;
        if (p->steps[i].uses || plan_giver_of(p, q, p->nsteps) != i || !plan_goes_to_element(p, i))
            continue;
        for (uint32_t k = 0; k < q->takers.n; k++) {
            const lib_formula *f = q->takers.v[k];
            if (!f->first && new_arrays(p, f) < 2 && is_addable(c, f) && !is_wrong(p, f))
                offer(c, &d, f);
        }
    }
    return d.found;
}

/* One that gives something else of what the kernel has: the momentum, where it computes the kinetic
 * energy. */
const lib_formula *follow_side(composer *c)
{
    const plan *p = &c->p;
    formula_draw d = {NULL, 0};
    for (uint8_t i = 0; i < p->nargs; i++) {
        const plan_arg *a = &p->args[i];
        if (a->role != ROLE_QUANTITY || a->axis != AXIS_ELEMENT || a->written || a->shape)
            continue;
        for (uint32_t k = 0; k < a->of->takers.n; k++) {
            const lib_formula *f = a->of->takers.v[k];
            if (!f->alone && plan_giver_of(p, f->result, p->nsteps) < 0 && f->field == p->field &&
                !follow_is_update(f) && !new_arrays(p, f) && is_addable(c, f) && !is_wrong(p, f))
                offer(c, &d, f);
        }
    }
    return d.found;
}

/* A formula of the element alone that gives the quantity; NULL: there is none. */
const lib_formula *follow_before(composer *c, const lib_quantity *q, const lib_formula *of)
{
    formula_draw d = {NULL, 0};
    for (uint32_t i = 0; i < q->givers.n; i++) {
        const lib_formula *f = q->givers.v[i];
        if (f != of && !repeats(f, of) && !follow_is_update(f) && !takes_array(f, of->result) &&
            f->undoes != of->def->name && of->undoes != f->def->name &&
            !(f->random && of->random) && !draws_again(c, f) && is_near(of->field, f->field) &&
            !is_used(&c->p, f) && (!f->traits.space || f->traits.space == c->p.plane))
            offer(c, &d, f);
    }
    return d.found;
}

/* Another formula for the same pattern, of the same field and some of the same arguments: the mean
 * velocity of the neighbors beside their density. */
const lib_formula *follow_second(composer *c, const lib_formula *first)
{
    const lib_field *field = first->field;
    formula_draw d = {NULL, 0};
    /* What corners have in common, their positions, all formulas need. */
    if (first->alone || plan_corners(&c->p))
        return NULL;
    for (uint32_t i = 0; i < field->formulas.n; i++) {
        const lib_formula *f = field->formulas.v[i];
        if (f->alone || f->result == first->result || !is_addable(c, f) ||
            !seeds_fit(c->p.pattern, f))
            continue;
        bool shares = false;
        for (uint32_t k = 0; k < f->nparams; k++)
            for (uint32_t j = 0; j < first->nparams; j++)
                shares |= f->params[k].of == first->params[j].of &&
                          f->params[k].place == first->params[j].place && !f->params[k].of->uniform;
        for (uint32_t k = 0; k < f->nparams; k++)
            shares &= f->params[k].of != first->result;
        for (uint32_t k = 0; k < first->nparams; k++)
            shares &= first->params[k].of != f->result;
        if (shares)
            offer(c, &d, f);
    }
    return d.found;
}
