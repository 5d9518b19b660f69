/* SPDX-License-Identifier: Apache-2.0 */
/* The name of a kernel: after all that it computes.
 *
 *     one result             compute_spring_force, limit_speed, relu_kernel
 *     with an ending         compute_clamped_torque, eval_density_residual
 *     steps lead to it       update_velocity
 *     several                calc_velocity_and_power
 *     a sum of all           sum_kinetic_energy
 */
#include "base/ascii.h"
#include "compose/compose_internal.h"

/* What the ending makes of the name: "clamped_speed", "speed_residual". */
static str ended_name(composer *c, const plan_step *s, str name)
{
    const lib_part *part = s->ending.part;
    if (part && part->before.n)
        name = name_joined(c, part->before, "_", name);
    if (part && str_eq(part->after, STR("by_group"))) /* by_cluster */
        return name_joined(c, name, "_by_", c->p.field->group.one);
    return part && part->after.n ? name_joined(c, name, "_", part->after) : name;
}

/* As often as people use them. */
static const char *verb_of(composer *c)
{
    static const char *const verbs[] = {"compute", "compute", "compute", "compute",
                                        "compute", "eval",    "eval",    "evaluate"};
    return verbs[below(c, sizeof verbs / sizeof *verbs)];
}

/* Is the step's result stored, and no other one of its quantity from `from` on before it? */
static bool is_named(const plan *p, uint8_t from, uint8_t at)
{
    bool is = p->steps[at].stored >= 0;
    for (uint8_t k = from; k < at; k++)
        is &= p->steps[k].stored < 0 || p->steps[k].f->result != p->steps[at].f->result;
    return is;
}

/* "velocity_and_power", "position_velocity_and_power": what steps from `from` on store, each
 * quantity once; empty: it would be long. */
static str stored_names(composer *c, uint8_t from)
{
    enum { MOST = 3, LONG = 38 }; /* names, bytes of three */
    const plan *p = &c->p;
    str names[MOST], all = STR("");
    uint32_t n = 0;
    for (uint8_t i = from; i < p->nsteps; i++) {
        if (!is_named(p, from, i))
            continue;
        if (n == MOST)
            return STR("");
        names[n++] = ended_name(c, &p->steps[i], name_said(c, p->steps[i].f->result));
    }
    for (uint32_t i = 0; i < n; i++)
        all = !i ? names[i] : name_joined(c, all, i + 1 == n ? "_and_" : "_", names[i]);
    return n == MOST && all.n > LONG ? STR("") : all;
}

/* Of a kernel with many results: "update_particles", "compute_link_quantities". No time needs to
 * pass in it, so it does not "advance" them. */
static str name_of_many(composer *c)
{
    static const char *const words[] = {"quantities", "properties", "values", "quantities"};
    const plan *p = &c->p;
    const str one = p->field->element.one, many = p->field->element.many;
    bool renews = false;
    for (uint8_t i = 0; i < p->nsteps; i++)
        renews |= p->steps[i].stored >= 0 && name_has_input(p, p->steps[i].f->result);
    if (renews)
        return name_joined(c, STR("update"), "_", many);
    /* One draw after the other: arguments are evaluated in any order. */
    const str does = name_joined(c, str_c(verb_of(c)), "_", one);
    return name_joined(c, does, "_", str_c(words[below(c, sizeof words / sizeof *words)]));
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
        "add",        "advance",  "apply",       "average",   "clip",     "compose",
        "damp",       "decay",    "diffuse",     "drift",     "drop",     "keep",
        "limit",      "pose",     "predict",     "project",   "rotate",   "saturate",
        "sharpen",    "shift",    "sort",        "step",      "update",   "warp",
        "accumulate", "combine",  "extract",     "mix",       "hash",     "pack",
        "unpack",     "clamp",    "normalize",   "wrap",      "sample",   "blend",
        "clear",      "reflect",  "refract",     "find",      "move",     "turn",
        "set",        "pick",     "flip",        "swap",      "reverse",  "interleave",
        "spread",     "raise",    "push",        "pull",      "mirror",   "twist",
        "repeat",     "tether",   "composite",   "convert",   "tone",     "correct",
        "subtract",   "adjust",   "standardize", "winsorize", "compress", "attenuate",
        "relax",      "weigh",    "conduct",     "track",     "carry",    "follow",
        "quantize",   "unproject"};
    const char *name = f->def->name->s;
    const char *end = strchr(name, '_');
    return STR_IS_IN(((str){name, end ? (size_t)(end - name) : strlen(name)}), verbs);
}

bool title_is_act(const lib_formula *f)
{
    return is_verb(f) && memchr(f->def->name->s, '_', f->def->name->len) &&
           !strstr(f->def->name->s, "_of_"); /* pull_of_body */
}

/* Says the formula's name what it gives: spring_force a force? */
static bool is_noun(const lib_formula *f)
{
    const str word = last_word(sym_str(f->def->name), '_');
    return !is_verb(f) && (str_eq(word, last_word(f->result->noun, ' ')) ||
                           str_eq(word, last_word(sym_str(f->result->id), '_')));
}

/* Ends the name in what needs a word behind it: speed_of, density_share? Is it a question? */
static bool is_relative(const lib_formula *f)
{
    static const char *const ends[] = {"of", "by", "at",    "to",   "from",
                                       "in", "on", "share", "term", "neighbor"};
    const str name = sym_str(f->def->name);
    return STR_IS_IN(last_word(name, '_'), ends) || str_starts(name, "is_");
}

/* Is it the name of a method, that stands for itself: lax_wendroff, heun_step, sphere_sdf? */
static bool is_method(const lib_formula *f)
{
    static const char *const ends[] = {
        "step",  "sdf",     "sample",   "draw",     "walk", "flight", "decay", "growth", "lookup",
        "solve", "unsharp", "cholesky", "quantile", "norm", "luma",   "unit",  "scale",  "fog"};
    return STR_IS_IN(last_word(sym_str(f->def->name), '_'), ends);
}

/* Has one of the words of the noun, or one that begins like it, its place in the name: "drawn
 * value" in normal_draw? */
static bool says_noun(str name, str noun)
{
    enum { ALIKE = 4 }; /* letters */
    while (noun.n) {
        const char *end = memchr(noun.p, ' ', noun.n);
        const size_t n = end ? (size_t)(end - noun.p) : noun.n;
        const str begin = {noun.p, n < ALIKE ? n : ALIKE};
        for (size_t i = 0; n >= ALIKE && i + begin.n <= name.n; i++)
            if ((!i || name.p[i - 1] == '_') &&
                memcmp(name.p + i + 1, begin.p + 1, begin.n - 1) == 0 &&
                name.p[i] == ascii_lower(begin.p[0]))
                return true;
        noun = (str){noun.p + n + (end != NULL), noun.n - n - (end != NULL)};
    }
    return false;
}

/* What the formula gives, as exactly as its name says: "spring_force"; "morse_bond_force" of
 * morse_bond; "kinetic_energy" of kinetic_energy_of, and of energy_of_twist. */
static str stem_of(composer *c, const lib_formula *f)
{
    enum { LONG = 32 }; /* bytes */
    const str name = sym_str(f->def->name), said = name_said(c, f->result);
    static const char *const between[] = {"_of_", "_on_", "_at_", "_in_", "_to_", "_from_"};
    bool joined = false; /* value_on_triangle */
    if (str_starts(name, "to_") || str_contains(name, STR("_to_")))
        return said;
    for (size_t i = 0; i < sizeof between / sizeof *between; i++)
        joined |= str_contains(name, str_c(between[i]));
    if (is_verb(f) || is_relative(f) || (joined && memchr(said.p, '_', said.n)))
        return said;
    if (is_noun(f) || is_method(f) || says_noun(name, f->result->noun))
        return name;
    const str whole = name_joined(c, name, "_", said);
    return whole.n > LONG ? said : whole;
}

/* What leads to the last result, if that is of a general kind: "pressure" for the acceleration that
 * a pressure force gives. */
static str led_by(composer *c, const plan_step *last)
{
    const plan *p = &c->p;
    const lib_formula *f = p->steps[p->main].f;
    const str said = name_said(c, last->f->result), own = sym_str(last->f->def->name);
    if (is_noun(last->f) && own.n > said.n && !str_contains(own, STR("_from_")) &&
        !str_contains(own, STR("_to_")))
        return own;     /* blended_pose */
    bool takes = false; /* the result of the main step */
    for (uint32_t i = 0; i < last->f->nparams; i++)
        takes |= last->in[i].from == FROM_STEP && last->in[i].at == p->main;
    if (!takes || is_verb(last->f) || memchr(said.p, '_', said.n))
        return said;
    const str stem = stem_of(c, f), word = last_word(stem, '_');
    if (word.n == stem.n || str_contains(stem, STR("_of_")) || str_contains(stem, STR("_from_")))
        return said;
    const str kind = {stem.p, stem.n - word.n - 1};
    return str_contains(kind, said) ? said : name_joined(c, kind, "_", said);
}

/* "sharpen" of sharpen_by_laplacian: a verb that says more than "update"; empty: it has none. */
static str act_of(const lib_formula *f)
{
    static const char *const general[] = {"step", "update",     "advance", "apply",
                                          "move", "drift",      "set",     "add",
                                          "find", "accumulate", "rotate",  "pose"};
    const str name = sym_str(f->def->name);
    const char *end = memchr(name.p, '_', name.n);
    const str word = {name.p, end ? (size_t)(end - name.p) : name.n};
    return is_verb(f) && !STR_IS_IN(word, general) && !says_noun(word, f->result->noun) ? word
                                                                                        : STR("");
}

/* Of a kernel with one result: "compute_spring_force", "clamp_speed_kernel"; "update_velocity"
 * where other steps lead to it. */
static str name_by_formula(composer *c)
{
    enum { BARE = 60 }; /* percent of names without a verb */
    const plan *p = &c->p;
    const plan_step *last = plan_last(p);
    const lib_formula *f = last->f;
    const str name = sym_str(f->def->name);
    const bool renews =
        name_has_input(p, f->result) && !(last->ending.part && last->ending.part->after.n);
    const char *verb = renews ? "update" : verb_of(c);
    const bool one = p->nsteps == 1;
    if (p->pattern->into == LIB_INTO_CORNERS) {
        const str said = name_said(c, f->result);
        return str_c(arena_printf(&c->text, "scatter_%.*s_to_%.*s", (int)said.n, said.p,
                                  (int)p->field->other.many.n, p->field->other.many.p));
    }
    /* What is done says more than what it gives: rotate_point, heat_step. */
    const bool plain = !(last->ending.part && last->ending.part->before.n);
    const bool acts = one && !p->pattern->sums &&
                      ((is_verb(f) && plain) || is_method(f) || renews) && !is_relative(f) &&
                      !is_noun(f) && !(last->ending.part && last->ending.part->after.n);
    if (acts) {
        const str ended = ended_name(c, last, name);
        return name_is_free(c, ended) ? ended : name_joined(c, ended, "_", STR("kernel"));
    }
    const str act = act_of(f);
    if (act.n && !last->ending.part && !p->pattern->sums)
        return name_joined(c, act, "_", name_said(c, f->result));
    str stem = one ? stem_of(c, f) : led_by(c, last);
    if (!memchr(stem.p, '_', stem.n)) /* power: link_power */
        stem = name_joined(c, p->field->element.one, "_", stem);
    const str ended = ended_name(c, last, stem);
    return renews || !chance(c, BARE) ? name_joined(c, str_c(verb), "_", ended)
                                      : name_joined(c, ended, "_", STR("kernel"));
}

/* "reset_particle_state" of "reset_%_state", "reset_velocity" of "reset_*". */
static str name_of_any(composer *c)
{
    const lib_algorithm *a = c->p.algorithm;
    uint32_t n = 0;
    for (const char *words = a->titles; str_take_word(&words).n; n++)
        ;
    WEFT_ASSERT(n > 0);
    const char *words = a->titles;
    for (uint32_t at = below(c, n); at; at--)
        str_take_word(&words);
    const str title = str_take_word(&words), said = name_said(c, c->p.same),
              one = c->p.field->element.one, many = c->p.field->element.many;
    strbuf b;
    sb_init(&b, c->m);
    for (size_t i = 0; i < title.n; i++)
        if (title.p[i] == '%' && i + 1 < title.n && title.p[i + 1] == 's' &&
            (i + 2 == title.n || title.p[i + 2] == '_')) { /* "%s": several */
            sb_str(&b, many);
            i++;
        } else if (title.p[i] == '%')
            sb_str(&b, one);
        else if (title.p[i] == '*')
            sb_str(&b, said);
        else
            sb_char(&b, title.p[i]);
    const str name = expr_keep(c, &b, 0);
    sb_clear(&b);
    return name;
}

/* An algorithm has its name; a second result, or what follows from the first, is added. */
static str name_of_algorithm(composer *c)
{
    enum { LONG = 44 }; /* bytes */
    const plan *p = &c->p;
    const str own = p->algorithm->any ? name_of_any(c) : sym_str(p->algorithm->def->name);
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

/* "sum_kinetic_energy"; what is stored for each element besides is many. */
static str name_of_sum(composer *c)
{
    static const char *const sums[] = {"sum", "accumulate", "reduce", "accumulate"};
    const plan *p = &c->p;
    const str names = stored_names(c, p->main),
              main = ended_name(c, &p->steps[p->main], name_said(c, p->steps[p->main].f->result));
    return name_joined(c, str_c(sums[below(c, 4)]), "_", names.n ? names : main);
}

/* Are all results but one at most new values of inputs: velocity and position? */
static bool renews_most(const plan *p)
{
    uint32_t renewed = 0, others = 0;
    for (uint8_t i = 0; i < p->nsteps; i++)
        if (p->steps[i].stored >= 0)
            ++*(name_has_input(p, p->steps[i].f->result) ? &renewed : &others);
    return renewed > 1 && others < 2;
}

/* By the formula, or by all that the kernel stores: "compute_velocity_and_power". */
str name_of_kernel(composer *c)
{
    enum {
        KERNELS = 15,
        MANY = 60,
        BY_ELEMENT = 55
    }; /* percent of names that say what they are, or what is
                                         updated: "update_particles" */
    const plan *p = &c->p;
    str name;
    if (p->algorithm)
        name = name_of_algorithm(c);
    else if (p->pattern->into == LIB_INTO_ONE || p->pattern->into == LIB_INTO_GROUP)
        name = name_of_sum(c);
    else if (plan_stores(p) == 1)
        name = name_by_formula(c);
    else {
        const str names =
            chance(c, renews_most(p) ? MANY : BY_ELEMENT) ? STR("") : stored_names(c, 0);
        name = names.n ? name_joined(c, str_c(verb_of(c)), "_", names) : name_of_many(c);
    }
    if (!str_contains(name, STR("kernel")) && chance(c, KERNELS))
        name = name_joined(c, name, "_", STR("kernel"));
    return name_from(c, arena_dup(&c->text, name.p, name.n));
}
