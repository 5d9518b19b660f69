/* SPDX-License-Identifier: Apache-2.0 */
/* Endings and filters of a plan (library/endings.py): what else is done with a result than to store
 * it, and which elements take part.
 *
 *     limited       speeds[i] = wp.clamp(speed, lowest_speed, highest_speed)
 *     of_kind       if kinds[i] != kind: return
 */
#include "compose/compose_internal.h"

/* "low": the lower third of what the quantity's values are. */
static const char *values_between(composer *c, const lib_quantity *q, const char *word)
{
    const bool whole = q->type == LIB_INT || q->type == LIB_UINT;
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
static bool add_same(composer *c, const plan_step *s, const lib_param *param, uint8_t *at)
{
    const bool out = param->place == PLACE_OUT;
    plan_arg a = {.of = s->f->result, .axis = plan_axis_of(c, param->place), .written = out};
    if (strcmp(param->name->s, "current") == 0)
        return find_current(&c->p, a.of, at);
    if (out && !param->shape && s->stored >= 0) {
        *at = (uint8_t)s->stored;
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
static const char *filled_noun(composer *c, const lib_quantity *q, const plan_step *s)
{
    const char *star = memchr(q->noun.p, '*', q->noun.n);
    if (!s || !star)
        return NULL;
    const str result = s->f->result->noun;
    return arena_printf(&c->text, "%.*s%.*s%.*s", (int)(star - q->noun.p), q->noun.p, (int)result.n,
                        result.p, (int)(q->noun.p + q->noun.n - star - 1), star + 1);
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
        p->args[*at].noun = filled_noun(c, param->of, s);
        return true;
    }
    plan_arg a = {.of = param->of,
                  .axis = plan_axis_of(c, param->place),
                  .written = param->place == PLACE_OUT,
                  .shape = param->shape,
                  .values = param->values,
                  .noun = filled_noun(c, param->of, s)};
    if (param->shape)
        a.axis = *param->shape ? AXIS_WHOLE : AXIS_NONE;
    return plan_add_arg(p, a, at);
}

static bool add_part(composer *c, const lib_part *part, const plan_step *s, plan_part *out)
{
    out->part = part;
    for (uint32_t i = 0; i < part->nparams; i++) {
        const lib_param *param = &part->params[i];
        if (!param->of                ? !add_bound(c, part->bindings[i], &out->args[i])
            : param->of == c->l->same ? !add_same(c, s, param, &out->args[i])
                                      : !add_own(c, s, param, &out->args[i]))
            return false;
    }
    return true;
}

static int result_param(const composer *c, const lib_part *part)
{
    for (uint32_t i = 0; i < part->nparams; i++)
        if (part->params[i].of == c->l->same && part->params[i].place == PLACE_OUT &&
            !part->params[i].shape)
            return (int)i;
    return -1;
}

/* Goes the result itself to its output, as an algorithm's sentence says? */
static bool keeps_result(const composer *c, const lib_part *part)
{
    const int at = result_param(c, part);
    return at >= 0 && strcmp(part->params[at].name->s, "result") == 0;
}

/* Is it one of the list "m, m/s"? No list has all. */
static bool is_listed(const char *list, str item)
{
    if (!list)
        return true;
    while (*list) {
        const size_t n = strcspn(list, ",");
        if (str_eq((str){list, n}, item))
            return true;
        list += n;
        list += strspn(list, ", ");
    }
    return false;
}

/* Means the part something for these elements, and for results of the quantity? */
static bool has_meaning(const plan *p, const lib_part *part, const lib_quantity *q)
{
    if (!is_listed(part->of, p->field->element.one) || !is_listed(part->fields, p->field->title))
        return false;
    uint8_t ignored;
    if (q && part->means.n && !library_means(q, part->means))
        return false;
    return !q || (is_listed(part->units, q->unit) &&
                  (!part->positive || q->low > 0 || (q->low == 0 && q->high > 0)) &&
                  (!part->fresh || !find_current(p, q, &ignored)));
}

/* May the part end a step of a kernel that stores so many results? */
static bool ends(const composer *c, const plan_step *s, const lib_part *part, uint32_t stored)
{
    const plan *p = &c->p;
    const lib_quantity *q = s->f->result;
    if ((part->types && !(part->types & 1u << q->type)) || (part->sums && !q->sums) ||
        (part->dims && part->dims != p->dims) || (p->careful && s->looped && !part->linear) ||
        (s->stored >= 0 && !keeps_result(c, part)) || (part->alone && stored > 1) ||
        !has_meaning(p, part, q))
        return false;
    for (uint8_t i = 0; part->before.n && i < p->nsteps; i++) {
        const lib_formula *f = p->steps[i].f; /* one that limits the value already */
        for (uint32_t k = 0; k < f->nparams && f->result == q; k++)
            if (f->params[k].of == q)
                return false;
    }
    for (uint32_t i = 0; i < part->nparams; i++)
        if (!part->params[i].of && p->over == LIB_OVER_LINKS)
            return false;
    return true;
}

bool plan_draw_ending(composer *c, plan_step *s, uint32_t stored)
{
    const library *l = c->l;
    const lib_part *found = NULL;
    uint32_t all = 0;
    for (uint32_t i = 0; i < l->endings.n; i++) {
        const lib_part *part = l->endings.v[i];
        if (!ends(c, s, part, stored))
            continue;
        all += part->share;
        if (below(c, all) < part->share)
            found = part;
    }
    const plan before = c->p;
    plan_part ending = {0};
    if (!found)
        return true;
    if (!add_part(c, found, s, &ending)) {
        c->p = before;
        return true;
    }
    const int result = result_param(c, found);
    for (uint32_t i = 0; result < 0 && i < found->nparams; i++)
        if (found->params[i].place == PLACE_OUT)
            s->stored = (int8_t)ending.args[i];
    if (result >= 0)
        s->stored = (int8_t)ending.args[result];
    WEFT_ASSERT(s->stored >= 0);
    s->ending = ending;
    return true;
}

bool plan_draw_filters(composer *c)
{
    enum { FILTERS = 40 }; /* percent; of these as many a second time */
    const library *l = c->l;
    plan *p = &c->p;
    while (p->nfilters < PLAN_FILTERS && !p->field->all && chance(c, FILTERS)) {
        const lib_part *found = NULL;
        uint32_t all = 0;
        for (uint32_t i = 0; i < l->filters.n; i++) {
            const lib_part *part = l->filters.v[i];
            if ((part->dims && part->dims != p->dims) || !has_meaning(p, part, NULL) ||
                (p->nfilters && p->filters[0].part == part))
                continue;
            all += part->share;
            if (below(c, all) < part->share)
                found = part;
        }
        const plan before = *p;
        plan_part filter = {0};
        if (found && add_part(c, found, NULL, &filter))
            p->filters[p->nfilters++] = filter;
        else {
            *p = before;
            break;
        }
    }
    return true;
}
