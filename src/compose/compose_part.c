/* SPDX-License-Identifier: Apache-2.0 */
/* Endings and filters of a plan (library/endings.py): what else is done with a result than to store
 * it, and which elements take part.
 *
 *     limited       speeds[i] = wp.clamp(speed, lowest_speed, highest_speed)
 *     of_kind       if kinds[i] != kind: return
 */
#include "compose/compose_internal.h"
#include "profile/profile.h"

/* "low": the lower third of what the quantity's values are. */
static const char *values_between(composer *c, const lib_quantity *q, const char *word)
{
    const bool whole = library_is_whole(q->type);
    const bool bounded = q->high > q->low;
    const double low = bounded                             ? q->low
                       : q->low > 0 || q->type == LIB_UINT ? 0.25
                                                           : -2.0,
                 high = bounded ? q->high : 2.0, third = (high - low) / 3;
    const bool is_low = strcmp(word, "low") == 0, is_high = strcmp(word, "high") == 0;
    WEFT_ASSERT(is_low || is_high || strcmp(word, "middle") == 0);
    const double from = is_low ? low : is_high ? high - third : low + third;
    const double to = is_low ? low + third : is_high ? high : high - third;
    if (whole)
        return arena_printf(&c->text, "%d:%d", (int)from, (int)to + 1);
    return arena_printf(&c->text, "%.4f to %.4f", from, to);
}

/* What the kernel has of the quantity before: the position that becomes a new one. */
static bool find_current(const plan *p, const lib_quantity *q, uint8_t *at)
{
    for (*at = 0; *at < p->nargs; ++*at) {
        const plan_arg *a = &p->args[*at];
        if (a->role == ROLE_QUANTITY && a->of == q && a->axis == AXIS_ELEMENT && !a->written &&
            !a->adjective && !a->shape)
            return true;
    }
    return false;
}

/* An argument of the result's own quantity: "previous" velocity, `result`. */
static bool add_same(composer *c, const lib_part *part, const plan_step *s, const lib_param *param,
                     uint8_t *at)
{
    const bool out = param->place == PLACE_OUT;
    plan_arg a = {.of = s->f->result, .axis = plan_axis_of(c, param->place), .written = out};
    if (strcmp(param->name->s, "current") == 0)
        return find_current(&c->p, a.of, at);
    if (param->noun)
        a.noun = noun_filled(c, str_c(param->noun), a.of->nouns);
    else if (out && !param->shape && part->gives.n)
        a.noun = noun_filled(c, part->gives, a.of->noun);
    if (out && !param->shape && s->stored >= 0) {
        *at = (uint8_t)s->stored;
        c->p.args[*at].noun = a.noun ? a.noun : c->p.args[*at].noun;
        return true;
    }
    if (strcmp(param->name->s, "result") != 0)
        a.adjective = param->name;
    if (param->shape && *param->shape) {
        a.axis = AXIS_WHOLE;
        a.shape = param->shape;
    }
    if (param->values)
        a.values = values_between(c, s->f->result, param->values);
    return plan_add_arg(&c->p, a, at);
}

static bool add_bound(composer *c, lib_binding b, uint8_t *at)
{
    plan *p = &c->p;
    for (uint8_t i = 0; i < p->nargs; i++)
        if (p->args[i].role == ROLE_BINDING && p->args[i].binding == b) {
            *at = i;
            return true;
        }
    return plan_add_arg(
        p, (plan_arg){.role = ROLE_BINDING, .axis = plan_binding_axis(b), .binding = b}, at);
}

/* "magnitude of the force" of "magnitude of the *"; NULL: it has no such place. */
static const char *filled_noun(composer *c, const lib_param *param, const plan_step *s)
{
    const str noun = param->noun ? str_c(param->noun) : param->of->noun;
    if (!s || !memchr(noun.p, '*', noun.n))
        return NULL;
    return noun_filled(c, noun, s->f->result->noun);
}

/* An argument of a quantity of its own: a gain, a count. */
static bool add_own(composer *c, const plan_step *s, const lib_param *param, uint8_t *at)
{
    plan *p = &c->p;
    for (uint8_t i = 0; i < p->nargs; i++) /* two endings that count need two counters */
        if (p->args[i].of == param->of && (p->args[i].written || p->args[i].shape || param->shape))
            return false;
    if (!param->shape && param->place != PLACE_OUT) {
        if (!plan_need_input(p, param, plan_axis_of(c, param->place), 0, at))
            return false;
        p->args[*at].noun = filled_noun(c, param, s);
        return true;
    }
    plan_arg a = {.of = param->of,
                  .axis = plan_axis_of(c, param->place),
                  .written = param->place == PLACE_OUT,
                  .shape = param->shape,
                  .values = param->values,
                  .noun = filled_noun(c, param, s)};
    if (param->shape)
        a.axis = *param->shape ? AXIS_WHOLE : AXIS_NONE;
    return plan_add_arg(p, a, at);
}

static bool add_part(composer *c, const lib_part *part, const plan_step *s, plan_part *out)
{
    out->part = part;
    for (uint32_t i = 0; i < part->nparams; i++) {
        const lib_param *param = &part->params[i];
        if (param->of && param->of->id == c->l->words.random_state) {
            if (!plan_need_state(&c->p))
                return false;
            out->args[i] = c->p.seed_arg;
            continue;
        }
        if (!param->of                ? !add_bound(c, part->bindings[i], &out->args[i])
            : param->of == c->l->same ? !add_same(c, part, s, param, &out->args[i])
                                      : !add_own(c, s, param, &out->args[i]))
            return false;
    }
    return true;
}

/* The number of an element of a grid needs an array that has the grid's shape. */
static bool has_grid(const plan *p)
{
    bool has = p->dims == 1;
    for (uint8_t i = 0; i < p->nargs; i++)
        has |= p->args[i].role == ROLE_QUANTITY && p->args[i].axis == AXIS_ELEMENT;
    return has;
}

/* Random numbers come from one state, which belongs to an element of a line or a grid. */
static bool may_draw_numbers(const plan *p)
{
    return has_grid(p) && !p->random && p->dims < 3 &&
           !(p->algorithm && p->algorithm->traits.random) && !plan_has_tiles(p);
}

bool plan_lacks(const composer *c, gen_category category)
{
    return c->category == category && !plan_is_of_category(&c->p, category) &&
           (category != GEN_RANDOM_MATH || may_draw_numbers(&c->p));
}

/* A draw of one part of those that are offered. What the plan lacks is the same for all of them. */
typedef struct part_draw {
    bool lacks_random, lacks_atomic, may_draw_numbers;
    uint32_t all; /* weights so far, and of none */
    const lib_part *found;
} part_draw;

static part_draw begin_draw(const composer *c, uint32_t nothing)
{
    return (part_draw){.lacks_random = plan_lacks(c, GEN_RANDOM_MATH),
                       .lacks_atomic = plan_lacks(c, GEN_ATOMIC),
                       .may_draw_numbers = may_draw_numbers(&c->p),
                       .all = nothing};
}

/* How likely a part is drawn: what the category lacks comes first, then what the wish names, which
 * few parts have. */
static uint32_t weight_of(const composer *c, const part_draw *d, const lib_part *part)
{
    enum { WANTED = 60, WISHED = 20 };
    const uint64_t bits = UINT64_C(1) << PROFILE_BITS;
    const uint64_t seldom = UINT64_C(1) << PROFILE_BITS | UINT64_C(1) << PROFILE_DIVISION |
                            UINT64_C(1) << PROFILE_ELSE | UINT64_C(1) << PROFILE_WHERE |
                            UINT64_C(1) << PROFILE_OUTPUTS | UINT64_C(1) << PROFILE_TERNARY |
                            UINT64_C(1) << PROFILE_SWIZZLE | UINT64_C(1) << PROFILE_UPDATES;
    const bool wanted =
        (part->traits.random && d->lacks_random) || (part->traits.atomics && d->lacks_atomic);
    const bool wished = c->wish && (c->wish->wanted & part->facts.features & seldom);
    if (c->wish && part->facts.features & bits & ~c->wish->wanted) /* few people have these */
        return 0;
    /* (x & mask) == 0 is as well (x & mask) <= 0: no input tells these apart. */
    const bool alike = part->facts.features & bits;
    return part->share * (wanted ? WANTED : 1u) * (!wished ? 1u : alike ? 5u : WISHED);
}

/* Of the parts that it is called for one is found, by their weights. */
static void draw_part(composer *c, part_draw *d, const lib_part *part)
{
    const uint32_t weight = weight_of(c, d, part);
    d->all += weight;
    if (weight && below(c, d->all) < weight)
        d->found = part;
}

/* Has one of the endings that mean something for a result a trait that the category wants? */
bool part_may_give(const library *l, const lib_quantity *q, gen_category category)
{
    bool gives = false;
    for (uint32_t i = 0; i < l->endings.n; i++) {
        const lib_part *part = l->endings.v[i];
        const bool has = category == GEN_ATOMIC ? part->traits.atomics : part->traits.random;
        gives |= has && part_is_for(part, q);
    }
    return gives;
}

/* Costs the step's result little, so that it may be computed where it is not needed? */
static bool is_light(const plan *p, const plan_step *s)
{
    return p->pattern && !p->pattern->sums && !s->looped && !s->f->traits.loops;
}

/* May the part, which means something for the step's result, end it in a kernel that stores so many
 * results? */
static bool ends(const composer *c, const part_draw *d, const plan_step *s, const lib_part *part,
                 uint32_t stored)
{
    const plan *p = &c->p;
    const lib_quantity *q = s->f->result;
    uint8_t ignored;
    if (!p->field->ends[part->number] || (part->dims && part->dims != p->dims) ||
        (p->careful && s->looped && !part->linear) ||
        (part->traits.random && !d->may_draw_numbers) || (s->stored >= 0 && !part->keeps) ||
        (part->alone && stored > 1) || (part->light && !is_light(p, s)) ||
        (part->fresh && find_current(p, q, &ignored)))
        return false;
    /* What two have of each other is nothing in all. */
    if (s->looped && s->f->opposite && str_eq(part->means, STR("total")))
        return false;
    for (uint8_t i = 0; part->before.n && i < p->nsteps; i++) {
        const lib_formula *f = p->steps[i].f; /* one that limits the value already */
        for (uint32_t k = 0; k < f->nparams && f->result == q; k++)
            if (f->params[k].of == q)
                return false;
    }
    return !part->bound || p->over != LIB_OVER_LINKS;
}

/* The share of results that are stored as they are, and of kernels that leave no element out: where
 * few parts mean something these are not drawn all the more. */
enum { NOTHING = 12 };

bool plan_draw_ending(composer *c, plan_step *s, uint32_t stored)
{
    const lib_quantity *q = s->f->result;
    part_draw d = begin_draw(c, NOTHING);
    for (uint32_t i = 0; i < q->endings.n; i++)
        if (ends(c, &d, s, q->endings.v[i], stored))
            draw_part(c, &d, q->endings.v[i]);
    const lib_part *found = d.found;
    if (!found)
        return true;
    plan before;
    plan_copy(&before, &c->p);
    plan_part ending = {0};
    if (!add_part(c, found, s, &ending)) {
        plan_copy(&c->p, &before);
        return true;
    }
    const int result = found->result;
    for (uint32_t i = 0; result < 0 && i < found->nparams; i++)
        if (found->params[i].place == PLACE_OUT)
            s->stored = (int8_t)ending.args[i];
    if (result >= 0)
        s->stored = (int8_t)ending.args[result];
    WEFT_ASSERT(s->stored >= 0);
    s->ending = ending;
    return true;
}

/* Two filters by the place in the launch, or one twice? */
static bool is_alike(const lib_part *a, const lib_part *b)
{
    return a == b || (a->dims && b->dims);
}

/* How likely one more filter is, in percent. Algorithms differ in less else; a mask, a
 * list, a count or another filter does already what a filter is for. */
static uint32_t filter_chance(const composer *c)
{
    enum { FILTERS = 30, OF_ALGORITHMS = 45, WISHED = 60, SECOND = 6 };
    const bool wished = wish_names(c, PROFILE_DIVISION);
    const bool few = c->p.nfilters || c->p.guard != GUARD_NONE || c->p.over == LIB_OVER_ACTIVE;
    return few ? SECOND : wished ? WISHED : c->p.algorithm ? OF_ALGORITHMS : FILTERS;
}

/* Are results added up by atomics, so that no launches need to take turns? */
static bool adds_by_atomics(const plan *p)
{
    return p->algorithm ? p->algorithm->traits.atomics : p->pattern->into != LIB_INTO_ELEMENT;
}

bool plan_draw_filters(composer *c)
{
    plan *p = &c->p;
    while (p->nfilters < PLAN_FILTERS && !p->field->all &&
           (plan_lacks(c, GEN_RANDOM_MATH) || chance(c, filter_chance(c)))) {
        part_draw d = begin_draw(c, NOTHING);
        d.all = d.lacks_random ? 0 : NOTHING;
        for (uint32_t i = 0; i < p->field->filters.n; i++) {
            const lib_part *part = p->field->filters.v[i];
            /* A list, or flags, say already which elements a launch works on. */
            if ((part->dims && (part->dims != p->dims || p->over == LIB_OVER_ACTIVE ||
                                p->guard == GUARD_FLAGS)) ||
                (part->traits.random && !d.may_draw_numbers) ||
                (part->alone && adds_by_atomics(p)) ||
                (p->nfilters && is_alike(p->filters[0].part, part)))
                continue;
            draw_part(c, &d, part);
        }
        if (!d.found)
            break;
        plan before;
        plan_copy(&before, p);
        plan_part filter = {0};
        if (!add_part(c, d.found, NULL, &filter)) {
            plan_copy(p, &before);
            break;
        }
        p->filters[p->nfilters++] = filter;
    }
    return true;
}
