/* SPDX-License-Identifier: Apache-2.0 */
/* Draws what a kernel computes: a pattern, a formula for it, and steps before and after that are
 * joined by what they mean. A step after takes the result of an earlier one because it is a force and
 * a force is what it needs; so units fit, and nothing is computed that nobody uses. */
#include "compose/compose_internal.h"

enum {
    DRAWS = 1000, /* of a whole plan */
    ELEMENT_ONLY = 1u << PLACE_ELEMENT | 1u << PLACE_UNIFORM
};

/* --- arguments -------------------------------------------------------------------------------- */

static plan_axis axis_of(const composer *c, lib_place place)
{
    switch (place) {
    case PLACE_UNIFORM:
        return AXIS_NONE;
    case PLACE_LINK:
        return AXIS_LINK;
    case PLACE_OTHER: /* particles and particles are one array */
        return str_eq(c->p.field->other.one, c->p.field->element.one) ? AXIS_ELEMENT : AXIS_OTHER;
    default:
        return AXIS_ELEMENT;
    }
}

/* The argument of a quantity; it is added if there is none. False: there is no room. */
static bool add_arg(plan *p, const lib_quantity *of, plan_axis axis, uint8_t nth, bool written,
                    uint8_t *out)
{
    for (uint8_t i = 0; i < p->nargs; i++) {
        const plan_arg *a = &p->args[i];
        if (a->of == of && a->axis == axis && a->nth == nth && !a->written && !written) {
            *out = i;
            return true;
        }
    }
    if (p->nargs == PLAN_ARGS)
        return false;
    *out = p->nargs;
    p->args[p->nargs++] =
        (plan_arg){.of = of, .axis = axis, .nth = nth, .written = written, .binding = BINDINGS};
    return true;
}

static bool add_bound(plan *p, lib_binding binding, const sym *name, plan_axis axis, uint8_t *out)
{
    if (p->nargs == PLAN_ARGS)
        return false;
    *out = p->nargs;
    p->args[p->nargs++] = (plan_arg){.axis = axis, .binding = binding, .pattern_name = name};
    return true;
}

/* --- steps ------------------------------------------------------------------------------------ */

/* The last step that gives the quantity per element, or -1. */
static int giver_of(const plan *p, const lib_quantity *q)
{
    for (int i = p->nsteps - 1; i >= 0; i--)
        if (p->steps[i].f->result == q)
            return i;
    return -1;
}

/* Binds the parameters of a step: to results where `after`, else to arguments. */
static bool bind_step(composer *c, plan_step *s, bool after)
{
    plan *p = &c->p;
    for (uint32_t i = 0; i < s->f->nparams; i++) {
        const lib_param *param = &s->f->params[i];
        const int giver = after && param->place == PLACE_ELEMENT ? giver_of(p, param->of) : -1;
        if (giver >= 0) {
            bool again = false; /* two parameters of one quantity are two values */
            for (uint32_t k = 0; k < i; k++)
                again |= s->in[k].from == FROM_STEP && s->in[k].at == giver;
            if (!again) {
                s->in[i] = (plan_input){FROM_STEP, (uint8_t)giver};
                p->steps[giver].uses++;
                continue;
            }
        }
        uint8_t nth = 0;
        for (uint32_t k = 0; k < i; k++)
            if (s->f->params[k].of == param->of && s->f->params[k].place == param->place)
                nth++;
        s->in[i].from = FROM_ARG;
        if (!add_arg(p, param->of, axis_of(c, param->place), nth, false, &s->in[i].at))
            return false;
    }
    return true;
}

static bool add_step(composer *c, const lib_formula *f, bool after)
{
    plan *p = &c->p;
    if (p->nsteps == PLAN_STEPS)
        return false;
    plan_step s = {.f = f, .stored = -1};
    if (!bind_step(c, &s, after))
        return false;
    s.function = f->traits.early || chance(c, f->nbody > 2 ? 60 : 15);
    p->steps[p->nsteps++] = s;
    return true;
}

/* May the formula be the value of the pattern? */
static bool fits(const lib_pattern *pattern, const lib_formula *f)
{
    return !(f->places & ~pattern->gives) && (!pattern->needs || f->places & pattern->needs) &&
           (!pattern->sums || f->result->sums) && (!pattern->opposite || f->opposite) &&
           f->field->dims == pattern->dims;
}

/* One of the formulas that fit, each as likely. */
static const lib_formula *draw_main(composer *c)
{
    const library *l = c->l;
    const lib_formula *found = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->formulas.n; i++)
        if (fits(c->p.pattern, l->formulas.v[i]) && below(c, ++n) == 0)
            found = l->formulas.v[i];
    return found;
}

static bool is_used(const plan *p, const lib_formula *f)
{
    for (uint8_t i = 0; i < p->nsteps; i++)
        if (p->steps[i].f == f)
            return true;
    return false;
}

/* Takes a step a result that nobody takes yet, and gives another quantity or a new value of it? */
static bool follows(const composer *c, const lib_formula *f)
{
    const plan *p = &c->p;
    if (f->places & ~(uint32_t)ELEMENT_ONLY || f->field->dims != p->field->dims || is_used(p, f))
        return false;
    for (uint32_t i = 0; i < f->nparams; i++) {
        const int giver = giver_of(p, f->params[i].of);
        if (giver >= 0 && !p->steps[giver].uses && f->params[i].place == PLACE_ELEMENT)
            return true;
    }
    return false;
}

static const lib_formula *draw_next(composer *c)
{
    const library *l = c->l;
    const lib_formula *found = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->formulas.n; i++)
        if (follows(c, l->formulas.v[i]) && below(c, ++n) == 0)
            found = l->formulas.v[i];
    return found;
}

/* Results that no step takes are stored; some others are, too. */
static bool store_results(composer *c)
{
    plan *p = &c->p;
    for (uint8_t i = 0; i < p->nsteps; i++) {
        plan_step *s = &p->steps[i];
        if (s->uses && !chance(c, 10))
            continue;
        uint8_t at;
        if (!add_arg(p, s->f->result, AXIS_ELEMENT, 0, true, &at))
            return false;
        s->stored = (int8_t)at;
    }
    return true;
}

/* --- the whole -------------------------------------------------------------------------------- */

static const lib_pattern *draw_pattern(composer *c)
{
    const library *l = c->l;
    uint32_t all = 0;
    for (uint32_t i = 0; i < l->patterns.n; i++)
        all += l->patterns.v[i]->share;
    uint32_t at = below(c, all);
    for (uint32_t i = 0; i < l->patterns.n; i++) {
        if (at < l->patterns.v[i]->share)
            return l->patterns.v[i];
        at -= l->patterns.v[i]->share;
    }
    return NULL;
}

static plan_axis binding_axis(lib_binding b)
{
    return b == BIND_LINK_TO_OTHER || b == BIND_LINK_ENDS ? AXIS_LINK : AXIS_ELEMENT;
}

static bool add_bindings(composer *c)
{
    const lib_pattern *pattern = c->p.pattern;
    uint8_t at;
    for (uint32_t i = 0; i < pattern->nparams; i++)
        if (!add_bound(&c->p, pattern->bindings[i], pattern->params[i],
                       binding_axis(pattern->bindings[i]), &at))
            return false;
    return true;
}

static bool add_guard(composer *c)
{
    plan *p = &c->p;
    uint8_t at;
    p->guard_arg = -1;
    p->guard = p->pattern->over != LIB_OVER_ELEMENTS || chance(c, 60) ? GUARD_NONE
               : chance(c, 50)                                        ? GUARD_COUNT
                                                                      : GUARD_FLAGS;
    if (p->guard == GUARD_NONE)
        return true;
    const bool flags = p->guard == GUARD_FLAGS;
    if (!add_bound(p, flags ? BIND_FLAGS : BINDINGS, NULL, flags ? AXIS_ELEMENT : AXIS_NONE, &at))
        return false;
    p->guard_arg = (int8_t)at;
    return true;
}

static bool draw_once(composer *c, const gen_request *q)
{
    plan *p = &c->p;
    *p = (plan){.pattern = draw_pattern(c), .plane = chance(c, 85) ? 3 : 2};
    const lib_formula *f = draw_main(c);
    if (!f)
        return false;
    p->field = f->field;
    if (!add_bindings(c) || !add_step(c, f, false))
        return false;
    /* Results of links are scattered; nothing can follow in the same thread. */
    if (p->pattern->over != LIB_OVER_LINKS) {
        for (uint32_t more = below(c, q->level + 1); more; more--) {
            const lib_formula *next = draw_next(c);
            if (!next || !add_step(c, next, true))
                break;
        }
    }
    return add_guard(c) && store_results(c);
}

/* --- categories ------------------------------------------------------------------------------- */

typedef struct plan_facts {
    uint32_t loops, branches, chain, math, uniforms, functions;
    bool atomics, random, vectors, matrices;
} plan_facts;

static void add_traits(plan_facts *f, const lib_traits *t, uint32_t depth)
{
    if (t->loops + depth > f->loops)
        f->loops = t->loops + depth;
    f->branches += t->branches;
    if (t->chain > f->chain)
        f->chain = t->chain;
    f->math += t->math;
    f->atomics |= t->atomics;
    f->random |= t->random;
    f->vectors |= t->vectors;
    f->matrices |= t->matrices;
}

static plan_facts facts_of(const plan *p)
{
    plan_facts f = {0};
    add_traits(&f, &p->pattern->traits, 0);
    f.atomics |= p->pattern->over == LIB_OVER_LINKS;
    f.branches += p->guard != GUARD_NONE;
    for (uint8_t i = 0; i < p->nsteps; i++) {
        add_traits(&f, &p->steps[i].f->traits, i == p->main ? p->pattern->traits.loops : 0);
        f.functions += p->steps[i].function;
    }
    for (uint8_t i = 0; i < p->nargs; i++)
        f.uniforms += p->args[i].of && p->args[i].axis == AXIS_NONE;
    return f;
}

/* May the kernel stand for the category? Most kernels may for several. */
static bool is_of_category(const plan *p, gen_category category)
{
    const plan_facts f = facts_of(p);
    const int parts = (f.loops > 0) + (f.branches > 0) + (f.vectors || f.matrices) + f.atomics +
                      (f.functions > 0) + (p->nsteps > 2) + (f.math > 1);
    switch (category) {
    case GEN_ARITHMETIC:
        return !f.loops && !f.random && !f.atomics;
    case GEN_CONDITIONAL:
        return f.branches > 0;
    case GEN_LOOP:
        return f.loops == 1;
    case GEN_MATH:
        return f.math > 0;
    case GEN_VECTOR:
        return f.vectors;
    case GEN_MATRIX:
        return f.matrices;
    case GEN_ATOMIC:
        return f.atomics;
    case GEN_NESTED_LOOP:
        return f.loops > 1;
    case GEN_MULTI_CONDITIONAL:
        return f.branches > 1 || f.chain > 1;
    case GEN_COMBINED:
        return parts > 3;
    case GEN_SCALAR_PARAM:
        return f.uniforms > 1;
    case GEN_RANDOM_MATH:
        return f.random;
    case GEN_CATEGORY_COUNT:
        break;
    }
    return false;
}

bool plan_draw(composer *c, const gen_request *q)
{
    for (int i = 0; i < DRAWS; i++)
        if (draw_once(c, q) && is_of_category(&c->p, q->category))
            return true;
    return false;
}
