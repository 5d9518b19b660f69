/* SPDX-License-Identifier: Apache-2.0 */
/* Names: of arguments from the words of their quantities, of the kernel from what it computes.
 *
 *     mass of each particle        masses, m, particle_mass
 *     velocity, if it is written   velocities_out, new_velocities
 *     a kernel                     compute_spring_forces, springs_kernel
 */
#include "compose/compose_internal.h"

static bool is_free(const composer *c, str name)
{
    static const char *const words[] = {
        "False",    "None", "True", "and",    "as",   "assert", "break", "class",
        "continue", "def",  "del",  "elif",   "else", "for",    "from",  "if",
        "import",   "in",   "is",   "lambda", "not",  "or",     "pass",  "return",
        "while",    "with", "wp",   "float",  "int",  "bool",   "range", "min",
        "max",      "abs",  "len",  "round",  "pow",  "sum",    "print", "vec"};
    if (STR_IS_IN(name, words))
        return false;
    for (uint32_t i = c->taken_from; i < c->ntaken; i++)
        if (str_eq(c->taken[i], name))
            return false;
    return true;
}

str name_take(composer *c, str name)
{
    WEFT_ASSERT(is_free(c, name) && c->ntaken < NAMES_MAX);
    return c->taken[c->ntaken++] = name;
}

static str joined(composer *c, str a, const char *between, str b)
{
    return str_c(arena_printf(&c->text, "%.*s%s%.*s", (int)a.n, a.p, between, (int)b.n, b.p));
}

str name_from(composer *c, const char *words)
{
    str all[16];
    uint32_t n = 0;
    for (str w; n < 16 && (w = str_take_word(&words)).n;)
        all[n++] = w;
    WEFT_ASSERT(n);
    /* The usual words come first: draw twice, and take the smaller. */
    uint32_t at = below(c, n);
    const uint32_t other = below(c, n);
    at = other < at ? other : at;
    for (uint32_t i = 0; i < n; i++)
        if (is_free(c, all[(at + i) % n]))
            return name_take(c, all[(at + i) % n]);
    for (uint32_t k = 2;; k++) {
        const str numbered = str_c(arena_printf(&c->text, "%.*s%u", (int)all[at].n, all[at].p, k));
        if (is_free(c, numbered))
            return name_take(c, numbered);
    }
}

/* "&_start" for springs: "spring_start". */
static const char *filled(composer *c, const char *words)
{
    const lib_field *f = c->p.field;
    const bool same = str_eq(f->other.one, f->element.one); /* no "body_of_body" */
    strbuf b;
    sb_init(&b, c->m);
    for (const char *p = words; *p; p++) {
        if (*p == '%')
            sb_str(&b, f->element.one);
        else if (*p == '$')
            sb_str(&b, same ? STR("neighbor") : f->other.one);
        else if (*p == '&')
            sb_str(&b, f->link.one);
        else if (*p == '^')
            sb_str(&b, f->group.one);
        else
            sb_char(&b, *p);
    }
    const char *text = arena_dup(&c->text, b.p, b.n);
    sb_clear(&b);
    return text;
}

static str first_word(const char *words)
{
    return str_take_word(&words);
}

static bool has_input(const plan *p, const lib_quantity *q)
{
    for (uint8_t i = 0; i < p->nargs; i++)
        if (p->args[i].role == ROLE_QUANTITY && p->args[i].of == q && !p->args[i].written)
            return true;
    return false;
}

static str name_output(composer *c, const plan_arg *a)
{
    static const char *const forms[] = {"%s_out", "new_%s", "out_%s", "next_%s", "updated_%s"};
    static const char *const totals[] = {"total_%s", "%s_sum", "%s_total"};
    const char *base = arena_dup(&c->text, first_word(a->of->many).p, first_word(a->of->many).n);
    if (a->shape && strcmp(a->shape, "1") == 0)
        return name_from(c, arena_printf(&c->text, totals[below(c, 3)], a->of->id->s));
    if (!has_input(&c->p, a->of) && chance(c, 70))
        return name_from(c, a->of->many);
    return name_from(c, arena_printf(&c->text, forms[below(c, 5)], base));
}

static str name_count(composer *c, const plan_arg *a)
{
    /* One way for all dimensions. */
    static const char *const grids[2][3][GRID_WORDS] = {
        {{"height", "rows", "ny", "n"}, {"width", "cols", "nx", "m"}},
        {{"nx", "dim_x", "size_x", "width"},
         {"ny", "dim_y", "size_y", "height"},
         {"nz", "dim_z", "size_z", "depth"}}};
    const str many = c->p.field->element.many, one = c->p.field->element.one;
    if (c->p.dims > 1 && c->p.dims <= 3)
        return name_from(c, grids[c->p.dims - 2][a->dim][c->grid_words]);
    return name_from(c, arena_printf(&c->text, "num_%.*s n count n_%.*s %.*s_count", (int)many.n,
                                     many.p, (int)many.n, many.p, (int)one.n, one.p));
}

/* Two arguments of one quantity or binding are told apart by the names that the library gives
 * them; NULL: there is one. */
static const char *own_name(const plan *p, const plan_arg *a)
{
    const sym *own = a->template_name ? a->template_name : a->hint;
    for (uint8_t i = 0; own && i < p->nargs; i++) {
        const plan_arg *b = &p->args[i];
        if (b != a && b->role == a->role && b->of == a->of && b->written == a->written &&
            (a->of || b->binding == a->binding))
            return own->s;
    }
    return NULL;
}

static str name_arg(composer *c, const plan_arg *a, bool prefixed)
{
    static const char *const bound[] = {
#define BINDING(ID, name, type, shape, values, names, noun) names,
#include "compose/library_binding.def"
#undef BINDING
    };
    if (a->role == ROLE_COUNT)
        return name_count(c, a);
    if (a->role == ROLE_SEED)
        return name_from(c, "seed rng_seed");
    if (own_name(&c->p, a))
        return name_from(c, own_name(&c->p, a));
    if (a->role == ROLE_BINDING && c->p.algorithm && a->template_name && chance(c, 60))
        return name_from(c, a->template_name->s);
    if (a->role == ROLE_BINDING)
        return name_from(c, filled(c, bound[a->binding]));
    if (a->written)
        return name_output(c, a);
    if (a->axis == AXIS_NONE)
        return name_from(c, a->of->one);
    if (prefixed) {
        const lib_thing *t = a->axis == AXIS_LINK    ? &c->p.field->link
                             : a->axis == AXIS_OTHER ? &c->p.field->other
                                                     : &c->p.field->element;
        const str word = first_word(a->of->many), name = joined(c, t->one, "_", word);
        const bool said = str_starts(word, arena_dup(&c->text, t->one.p, t->one.n));
        if (!said && is_free(c, name))
            return name_take(c, name);
    }
    return name_from(c, a->of->many);
}

/* "compute_spring_force" of one formula; of several by what the last one gives:
 * "particle_kinetic_energy". */
static str name_kernel(composer *c)
{
    static const char *const verbs[] = {"compute", "eval", "update", "calc"};
    static const char *const sums[] = {"sum", "accumulate", "reduce", "add_up"};
    const plan *p = &c->p;
    if (p->algorithm)
        return name_from(c, p->algorithm->def->name->s);
    const lib_formula *last = p->steps[p->nsteps - 1].f;
    if (p->pattern->into == LIB_INTO_ONE || p->pattern->into == LIB_INTO_GROUP)
        return name_from(c,
                         arena_printf(&c->text, "%s_%s", sums[below(c, 4)], last->result->id->s));
    const bool by_formula = p->nsteps == 1 && !p->steps[0].function && chance(c, 60);
    const str name = sym_str(by_formula ? last->def->name : last->result->id);
    const str one = p->field->element.one;
    switch (below(c, 4)) {
    case 0: return name_from(c, arena_printf(&c->text, "%.*s_kernel", (int)name.n, name.p));
    case 1:
        if (!by_formula && !str_starts(name, arena_dup(&c->text, one.p, one.n)))
            return name_from(
                c, arena_printf(&c->text, "%.*s_%.*s", (int)one.n, one.p, (int)name.n, name.p));
        return name_from(c, arena_dup(&c->text, name.p, name.n));
    default:
        return name_from(
            c, arena_printf(&c->text, "%s_%.*s", verbs[below(c, 4)], (int)name.n, name.p));
    }
}

void name_all(composer *c)
{
    plan *p = &c->p;
    const bool prefixed = chance(c, 15);
    c->ntaken = c->taken_from = 0;
    c->grid_words = below(c, GRID_WORDS);
    for (uint8_t i = 0; i < p->nsteps; i++)
        if (p->steps[i].function && is_free(c, sym_str(p->steps[i].f->def->name)))
            name_take(c, sym_str(p->steps[i].f->def->name));
    c->kernel = name_kernel(c);
    /* Outputs last: their names depend on those of the inputs. */
    for (int written = 0; written < 2; written++)
        for (uint8_t i = 0; i < p->nargs; i++)
            if (p->args[i].written == written)
                p->args[i].name = name_arg(c, &p->args[i], prefixed);
}
