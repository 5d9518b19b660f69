/* SPDX-License-Identifier: Apache-2.0 */
/* Draws what a kernel computes: a pattern, a formula for it, and steps before and after that are
 * joined by what they mean. A step after takes the result of an earlier one because it is a force
 * and a force is what it needs; so units fit, and nothing is computed that nobody uses. */
#include "compose/compose_internal.h"
#include "profile/profile.h"

enum {
    DRAWS = 1000, /* of a whole plan */
    /* Percent of kernels that go on behind a loop that is not unrolled: Warp's gradient of what
     * follows is wrong there, since its backward pass leaves the loop out before (class
     * dynamic_loop_state). People write them all the same. */
    WRONG = 4
};

/* --- arguments -------------------------------------------------------------------------------- */

int plan_corners(const plan *p)
{
    for (uint8_t i = 0; i < p->nargs; i++)
        if (p->args[i].role == ROLE_BINDING && binding_corners(p->args[i].binding))
            return binding_corners(p->args[i].binding);
    return 0;
}

bool plan_has_binding(const plan *p, lib_binding b)
{
    for (uint8_t i = 0; i < p->nargs; i++)
        if (p->args[i].role == ROLE_BINDING && p->args[i].binding == b)
            return true;
    return false;
}

bool plan_has_tiles(const plan *p)
{
    return p->algorithm ? p->algorithm->traits.tiles : p->pattern->traits.tiles;
}

const plan_step *plan_last(const plan *p)
{
    uint8_t at = (uint8_t)(p->main + p->nmains - 1);
    /* Behind the main steps come those that follow, then others of the same elements. */
    for (uint8_t i = at; i < p->nsteps; i++)
        for (uint32_t k = 0; k < p->steps[i].f->nparams; k++)
            if (p->steps[i].in[k].from == FROM_STEP && p->steps[i].in[k].at == at)
                at = i;
    return &p->steps[at];
}

const char *plan_turn(const plan *p, uint8_t at)
{
    const lib_quantity *q = p->steps[at].f->result;
    if (plan_giver_of(p, q, at) < 0)
        return NULL;
    return plan_giver_of(p, q, p->nsteps) == at ? "final" : "next";
}

uint32_t plan_stores(const plan *p)
{
    uint32_t n = 0;
    for (uint8_t i = 0; i < p->nsteps; i++)
        n += p->steps[i].stored >= 0;
    return n;
}

/* Is it the first field of the struct? */
static bool begins_struct(const plan *p, const plan_arg *a)
{
    for (const plan_arg *b = p->args; b < a; b++)
        if (b->field.n)
            return false;
    return a->field.n > 0;
}

/* Is it the first member of the elements' struct? */
static bool begins_records(const plan *p, const plan_arg *a)
{
    for (const plan_arg *b = p->args; b < a; b++)
        if (b->member.n)
            return false;
    return a->member.n > 0;
}

bool plan_is_listed(const plan *p, const plan_arg *a)
{
    return !a->constant.n &&
           ((!a->field.n && !a->member.n) || begins_struct(p, a) || begins_records(p, a));
}

plan_axis plan_axis_of(const composer *c, lib_place place)
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
    default: return c->p.by_value ? AXIS_NONE : AXIS_ELEMENT;
    }
}

void plan_copy(plan *to, const plan *from)
{
    WEFT_ASSERT(from->nsteps <= PLAN_STEPS && from->nargs <= PLAN_ARGS);
    memcpy(to, from, offsetof(plan, steps));
    memcpy(to->steps, from->steps, from->nsteps * sizeof *to->steps);
    memcpy(to->args, from->args, from->nargs * sizeof *to->args);
}

bool plan_add_arg(plan *p, plan_arg a, uint8_t *out)
{
    if (p->nargs == PLAN_ARGS)
        return false;
    *out = p->nargs;
    p->args[p->nargs++] = a;
    return true;
}

bool plan_need_input(plan *p, const lib_param *param, plan_axis axis, uint8_t nth, uint8_t *out)
{
    for (uint8_t i = 0; i < p->nargs; i++) {
        const plan_arg *a = &p->args[i];
        if (a->of && (a->of->not_with == param->of->id || param->of->not_with == a->of->id))
            return false;
        if (a->role == ROLE_QUANTITY && a->of == param->of && a->axis == axis && a->nth == nth &&
            !a->written && !a->adjective) {
            *out = i;
            return true;
        }
    }
    if (p->nargs == PLAN_ARGS)
        return false;
    *out = p->nargs; /* in its place: most arguments come here */
    p->args[p->nargs++] =
        (plan_arg){.of = param->of, .axis = axis, .nth = nth, .hint = param->name};
    return true;
}

bool plan_need_state(plan *p)
{
    if (p->random)
        return true;
    p->random = true;
    return plan_add_arg(p, (plan_arg){.role = ROLE_SEED, .axis = AXIS_NONE}, &p->seed_arg);
}

/* --- steps ------------------------------------------------------------------------------------ */

/* The last of the first n steps that gives the quantity per element, or -1. */
int plan_giver_of(const plan *p, const lib_quantity *q, uint8_t n)
{
    for (int i = n - 1; i >= 0; i--)
        if (p->steps[i].f->result == q)
            return i;
    return -1;
}

/* Binds the parameters of a step: to results of the first `givers` steps, else to arguments. */
static bool bind_step(composer *c, plan_step *s, uint8_t givers)
{
    plan *p = &c->p;
    for (uint32_t i = 0; i < s->f->nparams; i++) {
        const lib_param *param = &s->f->params[i];
        const int giver = param->place == PLACE_ELEMENT ? plan_giver_of(p, param->of, givers) : -1;
        if (giver >= 0) {
            bool again = false; /* two parameters of one quantity are two values */
            for (uint32_t k = 0; k < i; k++)
                again |= s->in[k].from == FROM_STEP && s->in[k].at == giver;
            if (!again) {
                s->in[i] = (plan_input){FROM_STEP, (uint8_t)giver};
                s->looped |= p->steps[giver].looped;
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
            if (!plan_need_state(p))
                return false;
            continue;
        }
        s->in[i].from = FROM_ARG;
        if (!plan_need_input(p, param, plan_axis_of(c, param->place), nth, &s->in[i].at))
            return false;
    }
    return true;
}

/* How often the formula's text needs the parameter. */
static uint32_t uses_of(const lib_formula *f, const sym *name)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->nbody; i++)
        n += expr_uses(f->body[i], name);
    return n;
}

/* A step in time is often taken in some smaller ones: the result is the next input. Where it is
 * only added to, one larger step would do. */
static void draw_repeat(composer *c, plan_step *s)
{
    enum { REPEATED = 15 }; /* percent of those that could be */
    const lib_formula *f = s->f;
    uint32_t same = 0;
    bool in_time = false,
         alone = true; /* of an input that changes with the state, one has the begin */
    for (uint32_t i = 0; i < f->nparams; i++) {
        alone &= f->params[i].place == PLACE_UNIFORM || f->params[i].of == f->result;
        in_time |= f->params[i].place == PLACE_UNIFORM && str_eq(f->params[i].of->unit, STR("s"));
        if (f->params[i].of == f->result && f->params[i].place == PLACE_ELEMENT) {
            s->again = (uint8_t)i;
            same++;
        }
    }
    if (in_time && alone && same == 1 && uses_of(f, f->params[s->again].name) > 1 &&
        !(f->places & ~(uint32_t)LIB_ALONE) && !f->traits.loops && !f->random &&
        chance(c, REPEATED))
        s->repeat = (uint8_t)(2 + below(c, 7));
}

/* How likely a formula is a function, in percent: kernels that call some call several. */
static uint32_t function_chance(const composer *c, const lib_formula *f)
{
    if (!c->wish)
        return f->nbody > 2 ? 60 : f->brief ? 12 : 40;
    if (wish_names(c, PROFILE_OWN_CALLS))
        return f->nbody > 2 ? 88 : f->brief ? 40 : 75;
    return f->nbody > 2 ? 22 : f->brief ? 3 : 10;
}

static bool add_step(composer *c, const lib_formula *f, uint8_t givers)
{
    plan *p = &c->p;
    if (p->nsteps == PLAN_STEPS)
        return false;
    plan_step s = {.f = f, .stored = -1};
    if (!bind_step(c, &s, givers))
        return false;
    /* A function gets a copy of the state of random numbers, and could not move it on. */
    s.choice = choice_draw(c, f);
    s.function = (f->traits.early && !s.choice) ||
                 (!s.choice && !f->random && !f->trivial && chance(c, function_chance(c, f)));
    draw_repeat(c, &s);
    p->steps[p->nsteps++] = s;
    return true;
}

/* The same, but nothing is left of a step for which there is no room. */
static bool try_step(composer *c, const lib_formula *f)
{
    plan before;
    plan_copy(&before, &c->p);
    if (add_step(c, f, c->p.nsteps))
        return true;
    plan_copy(&c->p, &before);
    return false;
}

/* Is the step's result stored at its element: not scattered by the pattern? */
bool plan_goes_to_element(const plan *p, uint8_t at)
{
    return !p->pattern || p->pattern->into == LIB_INTO_ELEMENT || at < p->main ||
           at >= p->main + p->nmains;
}

/* Results that no step takes, so far. */
static uint32_t open_results(const plan *p)
{
    uint32_t n = 0;
    for (uint8_t i = 0; i < p->nsteps; i++)
        n += !p->steps[i].uses || !plan_goes_to_element(p, i);
    return n;
}

/* Shall it have several results? */
static bool wants_results(const composer *c)
{
    return wish_names(c, PROFILE_OUTPUTS) || wish_names(c, PROFILE_TUPLE_RETURN);
}

/* Another result of the same inputs: the momentum beside the kinetic energy. */
static void add_sides(composer *c)
{
    enum { SIDES = 45, WISHED = 80 }; /* percent */
    if (c->p.field->apart || open_results(&c->p) > 1 ||
        !chance(c, wants_results(c) ? WISHED : SIDES))
        return;
    const lib_formula *side = follow_side(c);
    if (side)
        try_step(c, side);
}

/* Steps behind the main one: those that follow from it, then others of the same elements. */
static void add_steps_behind(composer *c)
{
    enum { LONG = 30, MORE = 3 }; /* lines, steps */
    const bool is_long =
        c->wish && c->wish->lines < PROFILE_STEPS && profile_step_end(c->wish->lines) >= LONG;
    const uint32_t least = wish_names(c, PROFILE_TUPLE_RETURN) + (is_long ? below(c, MORE) : 0);
    for (uint32_t more = least + below(c, c->p.field->apart ? 2 : 4); more; more--) {
        const lib_formula *next = follow_next(c);
        if (!next || !try_step(c, next))
            break;
    }
    add_sides(c);
}

/* Is the result stored? All are that no step takes; and new values of an input, and random ones,
 * which would be lost. */
static bool is_stored(const composer *c, uint8_t at)
{
    const plan *p = &c->p;
    const plan_step *s = &p->steps[at];
    const bool last = plan_giver_of(p, s->f->result, p->nsteps) == at;
    return !s->uses || !plan_goes_to_element(p, at) ||
           (p->algorithm && p->algorithm->result && !at) ||
           (last && (follow_is_update(s->f) || s->f->random));
}

/* Results that no step takes are stored; some others are, too. */
static bool store_results(composer *c)
{
    enum { ENDINGS = 60, BETWEEN = 30, WISHED = 80 }; /* percent */
    plan *p = &c->p;
    uint32_t stored = 0;
    for (uint8_t i = 0; i < p->nsteps; i++)
        stored += is_stored(c, i);
    /* What leads to the one result is often of use as well. */
    const int between =
        stored == 1 && p->nsteps > 1 && chance(c, wants_results(c) ? WISHED : BETWEEN)
            ? (int)below(c, p->nsteps)
            : -1;
    stored += between >= 0 && !is_stored(c, (uint8_t)between);
    const bool lacks = plan_lacks(c, GEN_ATOMIC) || plan_lacks(c, GEN_RANDOM_MATH);
    const bool wished =
        wish_names(c, PROFILE_ELSE) || wish_names(c, PROFILE_UPDATES) || wants_results(c);
    bool ended =
        p->one || (!lacks && !chance(c, wished ? WISHED : ENDINGS)); /* one result has an ending */
    for (uint8_t i = 0; i < p->nsteps; i++) {
        plan_step *s = &p->steps[i];
        if (p->algorithm && p->algorithm->result && i == 0) {
            if (!p->algorithm->ends_plainly && !ended && !s->uses &&
                !plan_draw_ending(c, s, stored))
                return false;
            ended |= s->ending.part != NULL;
            continue;
        }
        if (!is_stored(c, i) && (i != between || plan_giver_of(p, s->f->result, p->nsteps) != i))
            continue;
        if (plan_goes_to_element(p, i) && !ended && !s->uses) {
            if (!plan_draw_ending(c, s, stored))
                return false;
            ended = s->ending.part != NULL;
            if (ended)
                continue;
        }
        uint8_t at;
        plan_arg output = {.of = s->f->result, .written = true, .shape = p->by_value ? "1" : NULL};
        if (!plan_goes_to_element(p, i)) {
            if (p->pattern->into == LIB_INTO_ONE)
                output.shape = "1";
            if (p->pattern->into == LIB_INTO_GROUP)
                output.axis = AXIS_GROUP;
            if (p->pattern->into == LIB_INTO_CORNERS)
                output.axis = AXIS_OTHER;
        }
        if (!plan_add_arg(p, output, &at))
            return false;
        s->stored = (int8_t)at;
    }
    return true;
}

/* --- the whole -------------------------------------------------------------------------------- */

plan_axis plan_binding_axis(lib_binding b)
{
    return b == BIND_LINK_TO_OTHER || b == BIND_LINK_ENDS || b == BIND_LINK_OR_NONE ? AXIS_LINK
                                                                                    : AXIS_ELEMENT;
}

/* What the pattern's parameter is: a query reaches as far as the formula does. */
static const lib_param *param_for(const lib_pattern *pattern, uint32_t i, const lib_formula *f)
{
    const lib_param *param = &pattern->params[i];
    if (pattern->bindings[i] == BIND_POSITION)
        return formula_position(f);
    const bool reach = pattern->position && param->of && param->place == PLACE_UNIFORM;
    return reach && formula_reach(f) ? formula_reach(f) : param;
}

static bool add_bindings(composer *c, const lib_formula *f)
{
    const lib_pattern *pattern = c->p.pattern;
    uint8_t at;
    for (uint32_t i = 0; i < pattern->nparams; i++) {
        const lib_param *param = param_for(pattern, i, f);
        const plan_arg bound = {.role = ROLE_BINDING,
                                .axis = plan_binding_axis(pattern->bindings[i]),
                                .binding = pattern->bindings[i]};
        if (param->of ? !plan_need_input(&c->p, param, plan_axis_of(c, param->place), 0, &at)
                      : !plan_add_arg(&c->p, bound, &at))
            return false;
        c->p.args[at].template_name = pattern->params[i].name;
    }
    return true;
}

/* Has the result of a step a mask of its own? */
static bool is_masked(const plan *p)
{
    bool is = false;
    for (uint8_t i = 0; i < p->nsteps; i++)
        is |= p->steps[i].ending.part && str_eq(p->steps[i].ending.part->before, STR("masked"));
    return is;
}

/* Works each thread of an algorithm on less than an element: an entry of its row? */
static bool is_below_elements(const plan *p)
{
    return p->algorithm && p->dims > p->field->dims && !p->field->pairs;
}

/* A launch may have more threads than there are elements, or skip some elements. */
static bool add_guard(composer *c)
{
    plan *p = &c->p;
    const bool all = p->field->all || is_masked(p) || is_below_elements(p);
    p->guard = p->over != LIB_OVER_ELEMENTS || chance(c, 62) ? GUARD_NONE
               : all || chance(c, 50)                        ? GUARD_COUNT
                                                             : GUARD_FLAGS;
    if (p->guard == GUARD_FLAGS &&
        !plan_add_arg(p, (plan_arg){.role = ROLE_BINDING, .binding = BIND_FLAGS}, &p->guard_arg))
        return false;
    for (uint8_t d = p->guard == GUARD_COUNT ? p->dims : 0; d-- > 0;)
        if (!plan_add_arg(p, (plan_arg){.role = ROLE_COUNT, .axis = AXIS_NONE, .dim = d},
                          &p->guard_arg))
            return false;
    if (p->guard == GUARD_COUNT)
        p->guard_arg = (uint8_t)(p->guard_arg - (p->dims - 1));
    const bool blocks = plan_has_tiles(p); /* whose threads stay together */
    return p->over == LIB_OVER_LINKS || blocks || is_below_elements(p) || plan_draw_filters(c);
}

bool plan_uses_guard(const library *l, const node *const *body, uint32_t nbody)
{
    for (uint32_t i = 0; i < nbody; i++) {
        const node *n = body[i]->kind == AST_Expr ? AST(Expr, body[i])->value : NULL;
        if (n && n->kind == AST_Call && AST(Call, n)->func->kind == AST_Name &&
            AST(Name, AST(Call, n)->func)->id == l->words.guard)
            return true;
    }
    return false;
}

/* Does the formula need the quantity of others, too? What is computed of the element alone would
 * meet old values there. */
static bool needs_of_others(const lib_formula *f, const lib_quantity *q)
{
    for (uint32_t i = 0; i < f->nparams; i++)
        if (f->params[i].of == q && !(1u << f->params[i].place & LIB_ALONE))
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
        if (c->p.pattern->position && param->of == formula_position(f)->of)
            continue; /* a query is made where the element is */
        if (param->place != PLACE_ELEMENT || plan_giver_of(&c->p, param->of, c->p.nsteps) >= 0 ||
            needs_of_others(f, param->of) || !chance(c, BEFORE))
            continue;
        const lib_formula *g = follow_before(c, param->of, f);
        if (g && !add_step(c, g, c->p.nsteps))
            return false;
    }
    return true;
}

static bool add_mains(composer *c, const lib_formula *f)
{
    enum { SECOND = 20, WISHED = 40 }; /* percent */
    const uint32_t share = wants_results(c) ? WISHED : SECOND;
    plan *p = &c->p;
    if (!add_bindings(c, f) || !add_steps_before(c, f) || !add_step(c, f, p->nsteps))
        return false;
    p->main = (uint8_t)(p->nsteps - 1);
    p->nmains = 1;
    p->steps[p->main].looped = p->pattern->traits.dynamic;
    const bool pair = wish_names(c, PROFILE_TUPLE_RETURN); /* of steps that are one function */
    const lib_formula *second =
        !p->field->apart && !pair && chance(c, share) ? follow_second(c, f) : NULL;
    if (!second)
        return true;
    plan before;
    plan_copy(&before, p);
    if (!add_step(c, second, p->main)) {
        plan_copy(p, &before);
        return true;
    }
    p->nmains = 2;
    p->steps[p->main + 1].looped = p->pattern->traits.dynamic;
    return true;
}

/* Is it said outside of all loops which element a thread has, so that it may end there? */
static bool names_element(const library *l, const lib_pattern *pattern)
{
    bool names = false;
    for (uint32_t i = 0; i < pattern->nbody; i++) {
        const node *n = pattern->body[i];
        const node *call = n->kind == AST_Expr ? AST(Expr, n)->value : NULL;
        names |= call && expr_called(call) == l->words.at &&
                 str_eq(sym_str(AST(Name, AST(Call, call)->args.v[0])->id), STR("element"));
    }
    return names;
}

/* A pattern without a guard may leave elements out as well. */
static bool add_filters(composer *c)
{
    const plan *p = &c->p;
    return p->over == LIB_OVER_LINKS || p->one || !names_element(c->l, p->pattern) ||
           p->pattern->traits.tiles || plan_draw_filters(c);
}

/* Empties what counts of a plan. */
static void begin_plan(plan *p)
{
    memset(p, 0, offsetof(plan, steps));
}

static bool draw_composed(composer *c, const lib_pattern *pattern, const lib_formula *f)
{
    plan *p = &c->p;
    begin_plan(p);
    p->pattern = pattern;
    p->plane = chance(c, 85) ? 3 : 2;
    p->field = f->field;
    p->plane = f->traits.space         ? f->traits.space
               : pattern->traits.space ? pattern->traits.space
                                       : p->plane;
    p->dims = pattern->dims;
    p->over = pattern->over;
    p->one = pattern->one;
    p->by_value = pattern->by_value;
    p->careful = !chance(c, WRONG);
    if (!add_mains(c, f))
        return false;
    /* What is scattered is complete after the launch only. */
    if (pattern->into == LIB_INTO_ELEMENT)
        add_steps_behind(c);
    else if (pattern->over == LIB_OVER_ELEMENTS && pattern->plain)
        add_sides(c);
    return store_results(c) && (pattern->guarded ? add_guard(c) : add_filters(c));
}

/* The algorithm's result is a step, if it has one, and others follow. */
static bool add_result(composer *c)
{
    plan *p = &c->p;
    const lib_algorithm *a = p->algorithm;
    p->careful = !chance(c, WRONG);
    if (!a->result) {
        if (a->plain)
            add_sides(c);
        return store_results(c);
    }
    uint8_t at = 0;
    while (p->args[at].template_name != a->params[a->result_param].name)
        at++;
    p->steps[p->nsteps++] =
        (plan_step){.f = a->result, .stored = (int8_t)at, .looped = a->traits.dynamic};
    p->nmains = 1;
    if (chance(c, 80))
        add_steps_behind(c);
    return store_results(c);
}

/* May its threads work on the elements of a list: on those alone that a guard would let through? */
static bool may_be_listed(const lib_algorithm *a)
{
    return a->over == LIB_OVER_ELEMENTS && a->dims == 1 && !a->traits.tiles && !a->field->all &&
           a->guarded;
}

/* Is it what an algorithm of any field may be about: of the wanted category, with a zero if that is
 * asked for, a transform if the wish names these? */
static bool is_carried(const composer *c, const lib_algorithm *a, const lib_quantity *q)
{
    if (a->zeroed &&
        (q->unit_length || q->low > 0 || q->type == LIB_QUAT || q->type == LIB_TRANSFORM))
        return false;
    if (a->types) /* vectors that may have three components */
        return a->types & 1u << q->type && q->type != LIB_VEC2;
    if (wish_names(c, PROFILE_TRANSFORM) && c->category != GEN_VECTOR && q->type < LIB_QUAT)
        return false;
    return c->category != GEN_VECTOR || (q->type >= LIB_VEC && q->type <= LIB_VEC4);
}

/* Draws a field with a state, and what of it is moved. */
static bool draw_state(composer *c, const lib_algorithm *a)
{
    enum { TRIES = 24 };
    plan *p = &c->p;
    if (!c->l->stateful.n)
        return false;
    for (int i = 0; i < TRIES; i++) {
        const lib_field *f = c->l->stateful.v[below(c, c->l->stateful.n)];
        p->same = f->carried.v[below(c, f->carried.n)];
        p->also = f->carried.v[below(c, f->carried.n)];
        p->field = f;
        const bool alike = p->also == p->same || p->also->not_with == p->same->id ||
                           p->same->not_with == p->also->id;
        if (is_carried(c, a, p->same) && (!a->second || !alike) && words_name_element(a->of, f)) {
            p->plane = a->types ? 3 : p->plane;
            return true;
        }
    }
    return false;
}

static bool draw_algorithm(composer *c, const lib_algorithm *a)
{
    enum { LISTED = 15 }; /* percent */
    plan *p = &c->p;
    uint8_t at;
    begin_plan(p);
    p->algorithm = a;
    p->field = a->field;
    p->dims = a->dims;
    p->over = a->over;
    p->one = a->one;
    p->plane = a->traits.space ? a->traits.space : chance(c, 85) ? 3 : 2;
    if (a->any && !draw_state(c, a))
        return false;
    if (may_be_listed(a) && chance(c, LISTED)) {
        p->over = LIB_OVER_ACTIVE;
        plan_add_arg(p, (plan_arg){.role = ROLE_BINDING, .binding = BIND_ACTIVE}, &at);
    }
    for (uint32_t i = 0; i < a->nparams; i++) {
        const lib_param *param = &a->params[i];
        plan_arg arg = {.template_name = param->name};
        if (!param->of) {
            arg.role = ROLE_BINDING;
            arg.binding = a->bindings[i];
            arg.noun = param->noun;
            arg.axis = plan_binding_axis(a->bindings[i]);
        } else if (param->of->id == c->l->words.random_state) {
            return false;
        } else {
            arg.of = param->of == c->l->same   ? p->same
                     : param->of == c->l->also ? p->also
                                               : param->of;
            arg.adjective = a->adjectives[i];
            arg.axis = plan_axis_of(c, param->place);
            arg.written = param->place >= PLACE_OUT;
            arg.shape = param->shape;
            arg.values = param->values;
            arg.noun = !param->noun || arg.of == param->of
                           ? param->noun
                           : noun_filled(c, str_c(param->noun), arg.of->nouns);
            if (param->shape)
                arg.axis = *param->shape ? AXIS_WHOLE : AXIS_NONE;
        }
        if (!plan_add_arg(p, arg, &at))
            return false;
    }
    return add_result(c) && (!a->guarded || add_guard(c));
}

static bool calls(const lib_names *names, const lib_formula *f)
{
    for (uint32_t i = 0; i < names->n; i++)
        if (names->v[i] == f->def->name)
            return true;
    return false;
}

/* What another step calls is a function of the file, so the kernel calls it as well. */
static void share_functions(plan *p)
{
    for (uint8_t i = 0; i < p->nsteps; i++) {
        plan_step *s = &p->steps[i];
        for (uint8_t k = 0; k < p->nsteps; k++)
            s->function |= k != i && calls(&p->steps[k].f->names, s->f);
        if (p->algorithm && s->f->body)
            s->function |= calls(&p->algorithm->names, s->f);
    }
}

/* Terms that one loop adds up are functions of their own: two of them often compute the same, as a
 * distance, and each would need another name for it. */
static void separate_terms(composer *c)
{
    plan *p = &c->p;
    for (uint8_t i = p->main; p->nmains > 1 && i < p->main + p->nmains; i++) {
        plan_step *s = &p->steps[i];
        s->function |= s->f->nbody > 2 && !s->choice && !s->f->random;
    }
}

static bool draw_once(composer *c, const gen_request *q)
{
    const library *l = c->l;
    kernel_seed s = {0};
    if (q->target > l->formulas.n)
        s.algorithm = l->algorithms.v[q->target - 1 - l->formulas.n];
    else if (q->target && (s.formula = l->formulas.v[q->target - 1]))
        s.pattern = seeds_pattern(c, s.formula);
    else
        s = seeds_draw(c, q->category);
    if (s.algorithm)
        return draw_algorithm(c, s.algorithm);
    return s.pattern && draw_composed(c, s.pattern, s.formula);
}

bool plan_draw(composer *c, const gen_request *q)
{
    c->category = q->target ? GEN_CATEGORY_COUNT : q->category;
    for (int i = 0; i < DRAWS; i++)
        if (draw_once(c, q)) {
            joint_draw(c);
            separate_terms(c);
            share_functions(&c->p);
            const uint8_t joint = c->p.joint;
            if (joint && (c->p.steps[joint].function || c->p.steps[joint - 1].function))
                c->p.joint = 0; /* another function calls one of them alone */
            if (q->target || plan_is_of_category(&c->p, q->category))
                return true;
        }
    return false;
}
