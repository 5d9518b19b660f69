/* SPDX-License-Identifier: Apache-2.0 */
/* The name of a kernel: after all that it computes.
 *
 *     one result             compute_spring_force, limit_speed, relu_kernel
 *     with an ending         compute_clamped_torque, eval_density_residual
 *     steps lead to it       update_velocity
 *     several                calc_velocity_and_power
 *     a sum of all           sum_kinetic_energy
 */
#include "compose/compose_internal.h"

/* What the ending makes of the name: "clamped_speed", "speed_residual". */
static str ended_name(composer *c, const plan_step *s, str name)
{
    const lib_part *part = s->ending.part;
    if (part && part->before.n)
        name = name_joined(c, part->before, "_", name);
    return part && part->after.n ? name_joined(c, name, "_", part->after) : name;
}

/* "velocity_and_power": what steps from `from` on store, each quantity once, at most two. */
static str stored_names(composer *c, uint8_t from)
{
    const plan *p = &c->p;
    str names = STR("");
    uint32_t n = 0;
    for (uint8_t i = from; i < p->nsteps && n < 2; i++) {
        const plan_step *s = &p->steps[i];
        bool again = s->stored < 0;
        for (uint8_t k = from; k < i; k++)
            again |= p->steps[k].stored >= 0 && p->steps[k].f->result == s->f->result;
        if (again)
            continue;
        const str name = ended_name(c, s, name_said(c, s->f->result));
        names = n++ ? name_joined(c, names, "_and_", name) : name;
    }
    return names;
}

static str last_word(str s, char between)
{
    size_t at = s.n;
    while (at && s.p[at - 1] != between)
        at--;
    return (str){s.p + at, s.n - at};
}

/* Begins the formula's name with what is done: rotate_point, step_velocity? */
static bool is_verb(const lib_formula *f)
{
    static const char *const verbs[] = {
        "add",     "advance", "apply",  "average",    "clip",    "compose", "damp",
        "decay",   "diffuse", "drift",  "drop",       "keep",    "limit",   "pose",
        "predict", "project", "rotate", "saturate",   "sharpen", "shift",   "sort",
        "step",    "update",  "warp",   "accumulate", "combine"};
    const char *name = f->def->name->s;
    const char *end = strchr(name, '_');
    return STR_IS_IN(((str){name, end ? (size_t)(end - name) : strlen(name)}), verbs);
}

/* Says the formula's name what it gives: spring_force a force? */
static bool is_noun(const lib_formula *f)
{
    const str word = last_word(sym_str(f->def->name), '_');
    return !is_verb(f) && (str_eq(word, last_word(f->result->noun, ' ')) ||
                           str_eq(word, last_word(sym_str(f->result->id), '_')));
}

/* Ends the name in what needs a word behind it: speed_of, power_of_wrench? */
static bool is_relative(const lib_formula *f)
{
    static const char *const ends[] = {"of", "by", "at", "to", "from", "in", "on", "share"};
    return STR_IS_IN(last_word(sym_str(f->def->name), '_'), ends);
}

/* Of a kernel with one result: "compute_spring_force", "clamp_speed_kernel"; "update_velocity"
 * where other steps lead to it. */
static str name_by_formula(composer *c)
{
    static const char *const verbs[] = {"compute", "eval", "calc"};
    const plan *p = &c->p;
    const plan_step *last = plan_last(p);
    const lib_formula *f = last->f;
    const str name = sym_str(f->def->name);
    const bool renews =
        name_has_input(p, f->result) && !(last->ending.part && last->ending.part->after.n);
    const char *verb = renews ? "update" : verbs[below(c, 3)];
    const bool plain = p->nsteps == 1 && !last->ending.part;
    if (p->pattern->into == LIB_INTO_CORNERS) {
        const str said = name_said(c, f->result);
        return str_c(arena_printf(&c->text, "scatter_%.*s_to_%.*s", (int)said.n, said.p,
                                  (int)p->field->other.many.n, p->field->other.many.p));
    }
    if (plain && is_noun(f) && !renews)
        return str_c(arena_printf(&c->text, "%s_%.*s", verb, (int)name.n, name.p));
    if (plain && !p->pattern->sums && !is_relative(f))
        return name_is_free(c, name) && chance(c, 60) ? name
                                                      : name_joined(c, name, "_", STR("kernel"));
    return name_joined(c, str_c(verb), "_", ended_name(c, last, name_said(c, f->result)));
}

/* An algorithm has its name; a second result, or what follows from the first, is added. */
static str name_of_algorithm(composer *c)
{
    enum { LONG = 44 }; /* bytes */
    const plan *p = &c->p;
    const str own = sym_str(p->algorithm->def->name);
    const bool result = p->algorithm->result != NULL;
    const lib_part *part = result ? p->steps[0].ending.part : NULL;
    const str end = part && part->before.n ? part->before : part ? part->after : STR("");
    const str name = end.n ? name_joined(c, own, "_", end) : own; /* motion_blur_masked */
    if (p->nsteps <= result)
        return name;
    const plan_step *last = result ? plan_last(p) : &p->steps[p->nsteps - 1];
    const str more = ended_name(c, last, name_said(c, last->f->result));
    return name.n + more.n > LONG ? name : name_joined(c, name, "_and_", more);
}

/* By the formula, or by all that the kernel stores: "compute_velocity_and_power". */
str name_of_kernel(composer *c)
{
    static const char *const verbs[] = {"compute", "eval", "calc"};
    static const char *const sums[] = {"sum", "accumulate", "reduce", "add_up"};
    const plan *p = &c->p;
    str name;
    if (p->algorithm)
        name = name_of_algorithm(c);
    else if (p->pattern->into == LIB_INTO_ONE || p->pattern->into == LIB_INTO_GROUP)
        name = name_joined(c, str_c(sums[below(c, 4)]), "_", stored_names(c, p->main));
    else if (plan_stores(p) == 1)
        name = name_by_formula(c);
    else
        name = name_joined(c, str_c(verbs[below(c, 3)]), "_", stored_names(c, 0));
    return name_from(c, arena_dup(&c->text, name.p, name.n));
}
