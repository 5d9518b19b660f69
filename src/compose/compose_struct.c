/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments that stand in a wp.struct: scalars that belong together, and what each element has.
 *
 *     dt: float, drag: float                  ->   params: Params, with params.dt and params.drag
 *     positions, velocities: wp.array(...)    ->   particles: wp.array(dtype=Particle)
 */
#include "compose/compose_internal.h"

static bool may_be_field(const plan_arg *a)
{
    return a->role == ROLE_QUANTITY && a->axis == AXIS_NONE && !a->shape && !a->values &&
           a->of->type == LIB_FLOAT && a->of->high > a->of->low;
}

/* Scalars that belong together are often the fields of a struct: all that lie in common bounds,
 * since the inputs of a proof draw the fields of a struct alike. */
void struct_of_scalars(composer *c)
{
    enum { STRUCTS = 25 }; /* percent of the kernels that could have one */
    plan *p = &c->p;
    uint8_t n = 0;
    double least = 0, most = 0;
    for (uint8_t i = 0; i < p->nargs; i++) {
        const plan_arg *a = &p->args[i];
        if (!may_be_field(a))
            continue;
        least = n && least > a->of->low ? least : a->of->low;
        most = n && most < a->of->high ? most : a->of->high;
        n++;
    }
    if (n < 2 || most <= 1.5 * least || p->generic || !chance(c, STRUCTS))
        return;
    p->least = least;
    p->most = most;
    p->params = name_from(c, "params settings config");
    char *one = arena_dup(&c->text, p->field->element.one.p, p->field->element.one.n);
    *one = (char)(*one - 'a' + 'A');
    p->params_type = name_from(c, arena_printf(&c->text, "Params %sParams Settings", one));
    for (uint8_t i = 0; i < p->nargs; i++) {
        plan_arg *a = &p->args[i];
        if (!may_be_field(a))
            continue;
        a->field = a->name;
        a->name = name_joined(c, p->params, ".", a->field);
    }
}

/* Of two masses each has the name that the library gives it. */
static str name_member(composer *c, const plan_arg *a)
{
    return name_from(c, name_own(&c->p, a) ? name_own(&c->p, a) : a->of->one);
}

/* Does a pattern or an ending name it in its text, where no `.mass` would follow? */
static bool is_in_text(const plan *p, uint8_t at)
{
    const plan_arg *a = &p->args[at];
    bool is = a->template_name && (!p->algorithm || !form_has_elements_alone(p, a));
    for (uint8_t i = 0; i < p->nfilters; i++)
        for (uint32_t k = 0; k < p->filters[i].part->nparams; k++)
            is |= p->filters[i].args[k] == at;
    for (uint8_t i = 0; i < p->nsteps; i++)
        for (uint32_t k = 0; p->steps[i].ending.part && k < p->steps[i].ending.part->nparams; k++)
            is |= p->steps[i].ending.args[k] == at;
    return is;
}

static bool may_be_member(const plan *p, uint8_t at, bool bounded)
{
    const plan_arg *a = &p->args[at];
    if (a->role != ROLE_QUANTITY || a->axis != AXIS_ELEMENT || a->written || a->shape ||
        a->values || a->adjective || a->of->unit_length || is_in_text(p, at))
        return false; /* the members' values have one description: not all are of length 1 */
    if (library_is_whole(a->of->type) || a->of->type >= LIB_MAT22)
        return false;
    return bounded ? a->of->high > a->of->low && a->of->type == LIB_FLOAT
                   : a->of->high <= a->of->low && a->of->low <= 0;
}

/* Positions and velocities are often the members of one array of structs: quantities of any values,
 * or those that lie in common bounds. */
void struct_of_elements(composer *c, bool bounded)
{
    plan *p = &c->p;
    uint8_t n = 0;
    double least = 0, most = 0;
    if (p->field->pairs && p->dims == 2) /* no record is one of two things */
        return;
    for (uint8_t i = 0; i < p->nargs; i++) {
        if (!may_be_member(p, i, bounded))
            continue;
        least = n && least > p->args[i].of->low ? least : p->args[i].of->low;
        most = n && most < p->args[i].of->high ? most : p->args[i].of->high;
        n++;
    }
    if (n < 2 || (bounded && most <= 1.5 * least))
        return;
    p->record_least = bounded ? least : 0;
    p->record_most = bounded ? most : 0;
    const str one = p->field->element.one, many = p->field->element.many;
    char *type = arena_dup(&c->text, one.p, one.n);
    *type = (char)(*type - 'a' + 'A');
    const uint32_t ntaken = c->ntaken;
    for (uint8_t i = 0; i < p->nargs; i++)
        if (may_be_member(p, i, bounded))
            p->args[i].member = name_member(c, &p->args[i]);
    c->ntaken = ntaken; /* members have names of their own */
    p->records = name_from(
        c, arena_printf(&c->text, "%.*s %.*s_data state", (int)many.n, many.p, (int)one.n, one.p));
    p->record_type = name_from(c, arena_printf(&c->text, "%s %sData %sState", type, type, type));
    for (uint8_t i = 0; i < p->nargs; i++)
        if (p->args[i].member.n)
            p->args[i].name = p->records;
}
