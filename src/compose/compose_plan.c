/* SPDX-License-Identifier: Apache-2.0 */
/* Draws what a kernel computes: a pattern, a formula for it, and steps before and after that are
 * joined by what they mean. A step after takes the result of an earlier one because it is a force
 * and a force is what it needs; so units fit, and nothing is computed that nobody uses. */
#include "compose/compose_internal.h"

enum {
    DRAWS = 1000, /* of a whole plan */
    /* Percent of kernels that go on behind a loop that is not unrolled: Warp's gradient of what
     * follows is wrong there, since its backward pass leaves the loop out before (class
     * dynamic_loop_state). People write them all the same. */
    WRONG = 10,
    CORNER_PLACES = 1u << PLACE_FIRST | 1u << PLACE_SECOND | 1u << PLACE_THIRD | 1u << PLACE_FOURTH,
    ELEMENT_ONLY = 1u << PLACE_ELEMENT | 1u << PLACE_UNIFORM | 1u << PLACE_WHOLE
};

/* --- arguments -------------------------------------------------------------------------------- */

static int corners_of(lib_binding b)
{
    return b == BIND_TRIANGLES || b == BIND_TRIANGLE_TABLE ? 3
           : b == BIND_QUADS || b == BIND_QUAD_TABLE       ? 4
                                                           : 0;
}

int plan_corners(const plan *p)
{
    for (uint8_t i = 0; i < p->nargs; i++)
        if (p->args[i].role == ROLE_BINDING && corners_of(p->args[i].binding))
            return corners_of(p->args[i].binding);
    return 0;
}

bool plan_has_binding(const plan *p, lib_binding b)
{
    for (uint8_t i = 0; i < p->nargs; i++)
        if (p->args[i].role == ROLE_BINDING && p->args[i].binding == b)
            return true;
    return false;
}

bool plan_begins_struct(const plan *p, const plan_arg *a)
{
    for (const plan_arg *b = p->args; b < a; b++)
        if (b->field.n)
            return false;
    return a->field.n > 0;
}

static plan_axis axis_of(const composer *c, lib_place place)
{
    switch (place) {
    case PLACE_FIRST:
    case PLACE_SECOND:
    case PLACE_THIRD:
    case PLACE_FOURTH: return plan_corners(&c->p) ? AXIS_OTHER : AXIS_ELEMENT;
    case PLACE_UNIFORM: return AXIS_NONE;
    case PLACE_LINK: return AXIS_LINK;
    case PLACE_WHOLE: return AXIS_WHOLE;
    case PLACE_FACE:
    case PLACE_OUT_FACE: return AXIS_FACE;
    case PLACE_OUT_OTHER:
    case PLACE_OTHER: /* particles and particles are one array */
        return str_eq(c->p.field->other.one, c->p.field->element.one) ? AXIS_ELEMENT : AXIS_OTHER;
    default: return AXIS_ELEMENT;
    }
}

/* False: there is no room. */
static bool add_arg(plan *p, plan_arg a, uint8_t *out)
{
    if (p->nargs == PLAN_ARGS)
        return false;
    *out = p->nargs;
    p->args[p->nargs++] = a;
    return true;
}

/* The argument of an input; it is added if there is none. */
static bool need_input(plan *p, const lib_param *param, plan_axis axis, uint8_t nth, uint8_t *out)
{
    for (uint8_t i = 0; i < p->nargs; i++) {
        const plan_arg *a = &p->args[i];
        if (a->of && (a->of->not_with == param->of->id || param->of->not_with == a->of->id))
            return false;
        if (a->role == ROLE_QUANTITY && a->of == param->of && a->axis == axis && a->nth == nth &&
            !a->written) {
            *out = i;
            return true;
        }
    }
    return add_arg(p, (plan_arg){.of = param->of, .axis = axis, .nth = nth, .hint = param->name},
                   out);
}

static bool need_state(plan *p)
{
    if (p->random)
        return true;
    p->random = true;
    return add_arg(p, (plan_arg){.role = ROLE_SEED, .axis = AXIS_NONE}, &p->seed_arg);
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
        if (param->of->id == c->l->words.random_state) {
            s->in[i].from = FROM_STATE;
            if (!need_state(p))
                return false;
            continue;
        }
        s->in[i].from = FROM_ARG;
        if (!need_input(p, param, axis_of(c, param->place), nth, &s->in[i].at))
            return false;
    }
    return true;
}

static bool takes_state(const composer *c, const lib_formula *f)
{
    for (uint32_t i = 0; i < f->nparams; i++)
        if (f->params[i].of->id == c->l->words.random_state)
            return true;
    return false;
}

static bool add_step(composer *c, const lib_formula *f, bool after)
{
    plan *p = &c->p;
    if (p->nsteps == PLAN_STEPS)
        return false;
    plan_step s = {.f = f, .stored = -1};
    if (!bind_step(c, &s, after))
        return false;
    /* A function gets a copy of the state of random numbers, and could not move it on. */
    s.function = f->traits.early || (!takes_state(c, f) && chance(c, f->nbody > 2 ? 75 : 22));
    p->steps[p->nsteps++] = s;
    return true;
}

/* The parameter of a formula that says where its element is; NULL: there is none. Where the others
 * are elements, it says so of both. */
static const lib_param *position_of(const lib_formula *f)
{
    const bool same = str_eq(f->field->other.one, f->field->element.one);
    for (uint32_t i = 0; i < f->nparams; i++) {
        const lib_param *p = &f->params[i];
        const bool place = (p->of->type == LIB_VEC || p->of->type == LIB_VEC3) &&
                           str_eq(p->of->unit, STR("m")) && p->place == PLACE_ELEMENT &&
                           !p->of->uniform;
        bool both = false;
        for (uint32_t k = 0; k < f->nparams; k++)
            both |= f->params[k].of == p->of && f->params[k].place == PLACE_OTHER;
        if (place && (both || !same))
            return p;
    }
    return NULL;
}

static bool wants_position(const lib_pattern *pattern)
{
    for (uint32_t i = 0; i < pattern->nparams; i++)
        if (pattern->bindings[i] == BIND_POSITION)
            return true;
    return false;
}

/* May the formula be the value of the pattern? */
static bool fits(const lib_pattern *pattern, const lib_formula *f)
{
    const bool same = str_eq(f->field->other.one, f->field->element.one);
    if (pattern->kind != LIB_KIND_ANY && same != (pattern->kind == LIB_KIND_SAME))
        return false;
    if (pattern->traits.space && f->traits.space && pattern->traits.space != f->traits.space)
        return false;
    if (wants_position(pattern) && !position_of(f))
        return false;
    /* What adds up over neighbours is not asked of a single one. */
    if (same && !pattern->sums && f->result->sums && f->places & 1u << PLACE_OTHER)
        return false;
    const int corners = pattern->nparams ? corners_of(pattern->bindings[0]) : 0;
    if (f->places & CORNER_PLACES && corners != f->field->corners)
        return false;
    return !(f->places & ~(pattern->gives | 1u << PLACE_WHOLE)) &&
           (!pattern->needs || f->places & pattern->needs) && (!pattern->sums || f->result->sums) &&
           (!pattern->opposite || f->opposite) &&
           !(pattern->into == LIB_INTO_FIRST && f->opposite) &&
           !(pattern->into == LIB_INTO_GROUP && !f->field->grouped) &&
           f->field->dims == pattern->dims;
}

/* One of the formulas that fit, each as likely. */
static const lib_formula *draw_main(composer *c, const lib_formula *wanted)
{
    const library *l = c->l;
    if (wanted)
        return fits(c->p.pattern, wanted) ? wanted : NULL;
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

/* Would the quantity be drawn at random twice? */
static bool draws_again(const composer *c, const lib_formula *f)
{
    for (uint8_t i = 0; i < c->p.nsteps && takes_state(c, f); i++)
        if (c->p.steps[i].f->result == f->result && takes_state(c, c->p.steps[i].f))
            return true;
    return false;
}

/* Takes a step a result that nobody takes yet, and gives another quantity or a new value of it? */
static bool follows(const composer *c, const lib_formula *f)
{
    const plan *p = &c->p;
    uint32_t same = 0; /* steps that give the quantity already: a chain of filters tires */
    for (uint8_t i = 0; i < p->nsteps; i++)
        same += p->steps[i].f->result == f->result;
    if (f->places & ~(uint32_t)ELEMENT_ONLY || f->field->dims != p->field->dims || is_used(p, f) ||
        same > 1 || draws_again(c, f) || undoes_step(p, f) || repeats_step(p, f) ||
        (f->traits.space && f->traits.space != p->plane))
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
        if (s->uses && (giver_of(p, s->f->result) != i || !chance(c, 10)))
            continue;
        uint8_t at;
        plan_arg output = {.of = s->f->result, .written = true};
        if (i == p->main && p->pattern->into == LIB_INTO_ONE)
            output.shape = "1";
        if (i == p->main && p->pattern->into == LIB_INTO_GROUP)
            output.axis = AXIS_GROUP;
        if (i == p->main && p->pattern->into == LIB_INTO_CORNERS)
            output.axis = AXIS_OTHER;
        if (!add_arg(p, output, &at))
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
    return b == BIND_LINK_TO_OTHER || b == BIND_LINK_ENDS || b == BIND_LINK_OR_NONE ? AXIS_LINK
                                                                                    : AXIS_ELEMENT;
}

static bool add_bindings(composer *c, const lib_formula *f)
{
    const lib_pattern *pattern = c->p.pattern;
    uint8_t at;
    for (uint32_t i = 0; i < pattern->nparams; i++) {
        const lib_param *param =
            pattern->bindings[i] == BIND_POSITION ? position_of(f) : &pattern->params[i];
        const plan_arg bound = {.role = ROLE_BINDING,
                                .axis = binding_axis(pattern->bindings[i]),
                                .binding = pattern->bindings[i]};
        if (param->of ? !need_input(&c->p, param, axis_of(c, param->place), 0, &at)
                      : !add_arg(&c->p, bound, &at))
            return false;
        c->p.args[at].template_name = pattern->params[i].name;
    }
    return true;
}

/* A launch may have more threads than there are elements, or skip some elements. */
static bool add_guard(composer *c)
{
    plan *p = &c->p;
    p->guard = p->over != LIB_OVER_ELEMENTS || chance(c, 75) ? GUARD_NONE
               : chance(c, 60)                               ? GUARD_COUNT
                                                             : GUARD_FLAGS;
    if (p->guard == GUARD_NONE)
        return true;
    if (p->guard == GUARD_FLAGS)
        return add_arg(p, (plan_arg){.role = ROLE_BINDING, .binding = BIND_FLAGS}, &p->guard_arg);
    for (uint8_t d = p->dims; d-- > 0;)
        if (!add_arg(p, (plan_arg){.role = ROLE_COUNT, .axis = AXIS_NONE, .dim = d}, &p->guard_arg))
            return false;
    p->guard_arg = (uint8_t)(p->guard_arg - (p->dims - 1));
    return true;
}

static bool uses_guard(const library *l, const node *const *body, uint32_t nbody)
{
    for (uint32_t i = 0; i < nbody; i++) {
        const node *n = body[i]->kind == AST_Expr ? AST(Expr, body[i])->value : NULL;
        if (n && n->kind == AST_Call && AST(Call, n)->func->kind == AST_Name &&
            AST(Name, AST(Call, n)->func)->id == l->words.guard)
            return true;
    }
    return false;
}

/* A formula of the element alone that gives the quantity; NULL: there is none. */
static const lib_formula *draw_before(composer *c, const lib_quantity *q, const lib_formula *of)
{
    const library *l = c->l;
    const lib_formula *found = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->formulas.n; i++) {
        const lib_formula *f = l->formulas.v[i];
        if (f->result == q && f != of && !repeats(f, of) && f->undoes != of->def->name &&
            of->undoes != f->def->name && !(takes_state(c, f) && takes_state(c, of)) &&
            f->field->dims == of->field->dims && !(f->places & ~(uint32_t)ELEMENT_ONLY) &&
            !is_used(&c->p, f) && (!f->traits.space || f->traits.space == c->p.plane) &&
            below(c, ++n) == 0)
            found = f;
    }
    return found;
}

/* Does the formula need the quantity of others, too? What is computed of the element alone would
 * meet old values there. */
static bool needs_of_others(const lib_formula *f, const lib_quantity *q)
{
    for (uint32_t i = 0; i < f->nparams; i++)
        if (f->params[i].of == q && !(1u << f->params[i].place & ELEMENT_ONLY))
            return true;
    return false;
}

/* Some of what the formula needs of its element is computed before. */
static bool add_steps_before(composer *c, const lib_formula *f)
{
    enum { BEFORE = 30 }; /* percent of parameters that can be computed */
    if (c->p.over == LIB_OVER_LINKS)
        return true;
    for (uint32_t i = 0; i < f->nparams; i++) {
        const lib_param *param = &f->params[i];
        if (wants_position(c->p.pattern) && param->of == position_of(f)->of)
            continue; /* a query is made where the element is */
        if (param->place != PLACE_ELEMENT || giver_of(&c->p, param->of) >= 0 ||
            needs_of_others(f, param->of) || !chance(c, BEFORE))
            continue;
        const lib_formula *g = draw_before(c, param->of, f);
        if (g && !add_step(c, g, true))
            return false;
    }
    return true;
}

/* Formulas that meet others, and those with frames and matrices, are drawn more often. */
static const lib_formula *draw_formula(composer *c)
{
    const uint32_t ALONE = 1, MET = 3, FRAMES = 4;
    const library *l = c->l;
    const lib_formula *found = NULL;
    uint32_t all = 0;
    for (uint32_t i = 0; i < l->formulas.n; i++) {
        const lib_formula *f = l->formulas.v[i];
        const uint32_t share =
            (f->places & ~(uint32_t)ELEMENT_ONLY ? MET : ALONE) * (f->traits.matrices ? FRAMES : 1);
        all += share;
        if (below(c, all) < share)
            found = f;
    }
    return found;
}

static bool draw_composed(composer *c, const lib_formula *wanted)
{
    plan *p = &c->p;
    *p = (plan){.pattern = draw_pattern(c), .plane = chance(c, 85) ? 3 : 2};
    if (!wanted && chance(c, 60))
        wanted = draw_formula(c);
    const lib_formula *f = draw_main(c, wanted);
    if (!f)
        return false;
    p->field = f->field;
    p->plane = f->traits.space            ? f->traits.space
               : p->pattern->traits.space ? p->pattern->traits.space
                                          : p->plane;
    p->dims = p->pattern->dims;
    p->over = p->pattern->over;
    if (!add_bindings(c, f) || !add_steps_before(c, f) || !add_step(c, f, p->nsteps > 0))
        return false;
    p->main = (uint8_t)(p->nsteps - 1);
    /* What is scattered is complete after the launch only. */
    if (p->pattern->into == LIB_INTO_ELEMENT) {
        const bool ends = p->pattern->traits.dynamic && !chance(c, WRONG);
        for (uint32_t more = ends ? 0 : below(c, 5); more; more--) {
            const lib_formula *next = draw_next(c);
            if (!next || !add_step(c, next, true))
                break;
        }
    }
    const lib_pattern *pattern = p->pattern;
    return (!uses_guard(c->l, pattern->body, pattern->nbody) || add_guard(c)) && store_results(c);
}

static bool draw_algorithm(composer *c, const lib_algorithm *a)
{
    plan *p = &c->p;
    *p = (plan){.algorithm = a,
                .field = a->field,
                .dims = a->dims,
                .over = a->over,
                .plane = a->traits.space ? a->traits.space
                         : chance(c, 85) ? 3
                                         : 2};
    for (uint32_t i = 0; i < a->nparams; i++) {
        const lib_param *param = &a->params[i];
        plan_arg arg = {.template_name = param->name};
        uint8_t at;
        if (!param->of) {
            arg.role = ROLE_BINDING;
            arg.binding = a->bindings[i];
            arg.axis = binding_axis(a->bindings[i]);
        } else if (param->of->id == c->l->words.random_state) {
            return false;
        } else {
            arg.of = param->of;
            arg.axis = axis_of(c, param->place);
            arg.written = param->place >= PLACE_OUT;
            arg.shape = param->shape;
            arg.values = param->values;
            if (param->shape)
                arg.axis = *param->shape ? AXIS_WHOLE : AXIS_NONE;
        }
        if (!add_arg(p, arg, &at))
            return false;
    }
    return !uses_guard(c->l, a->body, a->nbody) || add_guard(c);
}

/* One with frames or matrices more often: people have them more often than the library does. */
static const lib_algorithm *draw_any_algorithm(composer *c)
{
    const library *l = c->l;
    const lib_algorithm *one = l->algorithms.v[below(c, l->algorithms.n)];
    const lib_algorithm *other = l->algorithms.v[below(c, l->algorithms.n)];
    return other->traits.matrices ? other : one;
}

static bool draw_once(composer *c, const gen_request *q)
{
    enum { ALGORITHMS = 33 }; /* percent */
    const library *l = c->l;
    if (q->target > l->formulas.n)
        return draw_algorithm(c, l->algorithms.v[q->target - 1 - l->formulas.n]);
    if (q->target)
        return draw_composed(c, l->formulas.v[q->target - 1]);
    if (l->algorithms.n && chance(c, ALGORITHMS))
        return draw_algorithm(c, draw_any_algorithm(c));
    return draw_composed(c, NULL);
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
    add_traits(&f, p->pattern ? &p->pattern->traits : &p->algorithm->traits, 0);
    f.atomics |= p->pattern && p->pattern->into != LIB_INTO_ELEMENT;
    f.branches += p->guard != GUARD_NONE;
    for (uint8_t i = 0; i < p->nsteps; i++) {
        add_traits(&f, &p->steps[i].f->traits, i == p->main ? p->pattern->traits.loops : 0);
        f.functions += p->steps[i].function;
    }
    for (uint8_t i = 0; i < p->nargs; i++)
        f.uniforms += p->args[i].role == ROLE_QUANTITY && p->args[i].axis == AXIS_NONE;
    return f;
}

/* May the kernel stand for the category? Most kernels may for several. */
static bool is_of_category(const plan *p, gen_category category)
{
    const plan_facts f = facts_of(p);
    const int parts = (f.loops > 0) + (f.branches > 0) + (f.vectors || f.matrices) + f.atomics +
                      (f.functions > 0) + (p->nsteps > 2) + (f.math > 1);
    switch (category) {
    case GEN_ARITHMETIC: return !f.loops && !f.random && !f.atomics;
    case GEN_CONDITIONAL: return f.branches > 0;
    case GEN_LOOP: return f.loops == 1;
    case GEN_MATH: return f.math > 0;
    case GEN_VECTOR: return f.vectors;
    case GEN_MATRIX: return f.matrices;
    case GEN_ATOMIC: return f.atomics;
    case GEN_NESTED_LOOP: return f.loops > 1;
    case GEN_MULTI_CONDITIONAL: return f.branches > 1 || f.chain > 1;
    case GEN_COMBINED: return parts > 3;
    case GEN_SCALAR_PARAM: return f.uniforms > 1;
    case GEN_RANDOM_MATH: return f.random;
    case GEN_CATEGORY_COUNT: break;
    }
    return false;
}

bool plan_draw(composer *c, const gen_request *q)
{
    for (int i = 0; i < DRAWS; i++)
        if (draw_once(c, q) && (q->target || is_of_category(&c->p, q->category)))
            return true;
    return false;
}
