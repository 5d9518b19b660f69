/* SPDX-License-Identifier: Apache-2.0 */
/* Names: of arguments from the words of their quantities, of the kernel from what it computes.
 *
 *     mass of each particle        masses, m, particle_mass
 *     velocity, if it is written   velocities_out, new_velocities
 *     a kernel                     compute_spring_forces, springs_kernel
 */
#include "base/ascii.h"
#include "compose/compose_internal.h"

static bool is_name_byte(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c) || c == '_';
}

/* Is the name a word of the sentence, outside of braces? */
static bool stands_in(str says, str name)
{
    bool inside = false; /* braces */
    for (size_t i = 0; i < says.n; i++) {
        inside = says.p[i] == '{' || (inside && says.p[i] != '}');
        if (inside || (i && is_name_byte(says.p[i - 1])))
            continue;
        if (i + name.n <= says.n && memcmp(says.p + i, name.p, name.n) == 0 &&
            (i + name.n == says.n || !is_name_byte(says.p[i + name.n])))
            return true;
    }
    return false;
}

/* Does a sentence call something by these one or two letters, such as the h of a step in x? */
bool name_is_said(const composer *c, str name)
{
    if (name.n > 2)
        return false;
    bool said = c->p.algorithm && stands_in(c->p.algorithm->says, name);
    for (uint8_t i = 0; i < c->p.nsteps; i++)
        said |= stands_in(c->p.steps[i].f->says, name);
    return said;
}

/* The indices that the sentences of patterns speak of: `k` is the link, and no argument. */
static bool is_letter_of_sentences(const composer *c, str name)
{
    static const char *const grid[] = {"i", "j", "k", "y", "x"}, *const line[] = {"i", "j", "k",
                                                                                  "t"};
    return c->p.pattern && (c->p.dims == 2 ? STR_IS_IN(name, grid) : STR_IS_IN(name, line));
}

static bool is_free(const composer *c, str name)
{
    static const char *const words[] = {
        "False",    "None", "True", "and",    "as",   "assert", "break", "class",
        "continue", "def",  "del",  "elif",   "else", "for",    "from",  "if",
        "import",   "in",   "is",   "lambda", "not",  "or",     "pass",  "return",
        "while",    "with", "wp",   "float",  "int",  "bool",   "range", "min",
        "max",      "abs",  "len",  "round",  "pow",  "sum",    "print", "vec"};
    /* Warp's text for the CPU has the names of parameters as they are. */
    static const char *const of_cpp[] = {
        "and",     "auto",     "bool",     "case",     "catch",    "char",    "const",  "default",
        "delete",  "do",       "double",   "enum",     "explicit", "export",  "extern", "friend",
        "goto",    "inline",   "long",     "mutable",  "new",      "not",     "or",     "operator",
        "private", "public",   "register", "short",    "signed",   "sizeof",  "static", "struct",
        "switch",  "template", "this",     "throw",    "try",      "typedef", "union",  "unsigned",
        "using",   "virtual",  "void",     "volatile", "xor"};
    if (STR_IS_IN(name, words) || STR_IS_IN(name, of_cpp) ||
        (c->naming && (is_letter_of_sentences(c, name) || name_is_said(c, name))))
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

/* The first of the words that is free, or the first one with an ending. */
static str name_in_order(composer *c, const char *words, const char *form)
{
    const char *rest = words;
    for (str w; (w = str_take_word(&rest)).n;)
        if (is_free(c, w))
            return name_take(c, w);
    const str first = str_take_word(&words);
    const char *other = arena_printf(&c->text, form, arena_dup(&c->text, first.p, first.n));
    return name_from(c, other);
}

str name_local(composer *c, const lib_param *p)
{
    static const char *const ends[PLACES] = {[PLACE_OTHER] = "%s_j",
                                             [PLACE_LINK] = "%s_k",
                                             [PLACE_UNIFORM] = "own_%s",
                                             [PLACE_WHOLE] = "all_%s",
                                             [PLACE_OUT] = "%s_now"};
    const bool own = p->place == PLACE_ELEMENT || p->place == PLACE_LINK;
    const char *words = own ? arena_printf(&c->text, "%s %s", p->name->s, p->of->one) : p->name->s;
    return name_in_order(c, words,
                         p->place == PLACE_ELEMENT ? c->p.dims == 1 ? "%s_i" : "%s_here"
                         : ends[p->place]          ? ends[p->place]
                                                   : "%s_there");
}

str name_result(composer *c, const lib_quantity *q)
{
    return name_in_order(c, q->one, "new_%s");
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

/* "spring_force": the noun if it is short and plain, else what the library calls the quantity. */
static str said_name(composer *c, const lib_quantity *q)
{
    char *text = arena_dup(&c->text, q->noun.p, q->noun.n);
    for (size_t i = 0; i < q->noun.n; i++) {
        if (text[i] == ' ')
            text[i] = '_';
        else if (text[i] < 'a' || text[i] > 'z')
            return sym_str(q->id);
    }
    const str name = {text, q->noun.n};
    const bool is_long = str_count(name, '_') > 1 || strstr(text, "_of_");
    return is_long || !is_free(c, name) ? sym_str(q->id) : name;
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
    static const char *const forms[] = {"%s_out", "out_%s", "new_%s", "next_%s", "updated_%s"};
    static const char *const totals[] = {"total_%s", "%s_sum", "%s_total"};
    const char *base = arena_dup(&c->text, first_word(a->of->many).p, first_word(a->of->many).n);
    if (a->shape && strcmp(a->shape, "1") == 0)
        return name_from(
            c, arena_printf(&c->text, totals[below(c, 3)],
                            arena_dup(&c->text, said_name(c, a->of).p, said_name(c, a->of).n)));
    const bool again = has_input(&c->p, a->of);
    if (!again && chance(c, 80))
        return name_from(c, a->of->many);
    return name_from(c, arena_printf(&c->text, forms[below(c, again ? 5 : 2)], base));
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
            !b->adjective && (a->of || b->binding == a->binding))
            return own->s;
    }
    return NULL;
}

/* "previous_velocities", "highest_speed" */
static str name_with_adjective(composer *c, const plan_arg *a)
{
    const bool each = a->axis == AXIS_ELEMENT;
    const str word = each ? first_word(a->of->many) : said_name(c, a->of);
    return name_from(c, arena_printf(&c->text, "%s_%.*s", a->adjective->s, (int)word.n, word.p));
}

static str name_arg(composer *c, const plan_arg *a, bool prefixed)
{
    static const char *const bound[] = {
#define BINDING(ID, name, type, shape, values, names, noun) names,
#include "compose/library_binding.def"
#undef BINDING
    };
    if (a->given.n && is_free(c, a->given))
        return name_take(c, a->given);
    if (a->role == ROLE_COUNT)
        return name_count(c, a);
    if (a->role == ROLE_SEED)
        return name_from(c, "seed rng_seed");
    if (a->adjective)
        return name_with_adjective(c, a);
    if (own_name(&c->p, a))
        return name_from(c, own_name(&c->p, a));
    if (a->role == ROLE_BINDING && c->p.algorithm && a->template_name)
        return name_from(c, a->template_name->s);
    if (a->role == ROLE_BINDING)
        return name_from(c, filled(c, bound[a->binding]));
    if (a->written)
        return name_output(c, a);
    if (a->axis == AXIS_NONE)
        return name_from(c, a->of->one);
    if (prefixed && a->axis != AXIS_WHOLE) {
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

/* "velocity_and_power": what steps from `from` on store, each quantity once. */
static str stored_names(composer *c, uint8_t from)
{
    const plan *p = &c->p;
    str names = STR("");
    for (uint8_t i = from; i < p->nsteps; i++) {
        bool again = p->steps[i].stored < 0;
        for (uint8_t k = from; k < i; k++)
            again |= p->steps[k].stored >= 0 && p->steps[k].f->result == p->steps[i].f->result;
        if (again)
            continue;
        const str name = said_name(c, p->steps[i].f->result);
        names = names.n ? joined(c, names, "_and_", name) : name;
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

/* Says the formula's name what it gives: spring_force a force? Others say what is done. */
static bool is_noun(const lib_formula *f)
{
    const str word = last_word(sym_str(f->def->name), '_');
    return str_eq(word, last_word(f->result->noun, ' ')) ||
           str_eq(word, last_word(sym_str(f->result->id), '_'));
}

/* Of a kernel with one result: "compute_spring_force", "clamp_speed_kernel";
 * "update_velocity_from_spring_force" where other steps follow. */
static str name_by_formula(composer *c, const char *verb)
{
    const plan *p = &c->p;
    const lib_formula *last = plan_last(p)->f, *first = p->steps[p->main].f;
    const str name = sym_str(last->def->name), of = sym_str(first->def->name);
    if (last != first && is_noun(first)) {
        const str said = said_name(c, last->result);
        return str_c(arena_printf(&c->text, "%s_%.*s_from_%.*s", verb, (int)said.n, said.p,
                                  (int)of.n, of.p));
    }
    if (is_noun(last) && chance(c, 75))
        return str_c(arena_printf(&c->text, "%s_%.*s", verb, (int)name.n, name.p));
    return is_free(c, name) && chance(c, 60) ? name : joined(c, name, "_", STR("kernel"));
}

/* By the formula, or by all that the kernel stores: "compute_velocity_and_power". */
static str name_kernel(composer *c)
{
    static const char *const verbs[] = {"compute", "eval", "update", "calc"};
    static const char *const sums[] = {"sum", "accumulate", "reduce", "add_up"};
    const plan *p = &c->p;
    const char *verb = verbs[below(c, 4)];
    str name = p->algorithm ? sym_str(p->algorithm->def->name) : stored_names(c, 0);
    if (p->algorithm) {
        const str more = stored_names(c, p->algorithm->result != NULL);
        name = more.n ? joined(c, name, "_and_", more) : name;
    } else if (p->pattern->into == LIB_INTO_ONE || p->pattern->into == LIB_INTO_GROUP) {
        name = joined(c, str_c(sums[below(c, 4)]), "_", name);
    } else if (plan_stores(p) == 1) {
        name = name_by_formula(c, verb);
    } else {
        name = joined(c, str_c(verb), "_", name);
    }
    return name_from(c, arena_dup(&c->text, name.p, name.n));
}

static bool may_be_field(const plan_arg *a)
{
    return a->role == ROLE_QUANTITY && a->axis == AXIS_NONE && !a->shape && !a->values &&
           a->of->type == LIB_FLOAT && a->of->high > a->of->low;
}

/* Scalars that belong together are often the fields of a struct: all that lie in common bounds,
 * since the inputs of a proof draw the fields of a struct alike. */
static void name_struct(composer *c)
{
    enum { STRUCTS = 40 }; /* percent of the kernels that could have one */
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
    if (n < 2 || most <= 1.5 * least || !chance(c, STRUCTS))
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
        a->name = joined(c, p->params, ".", a->field);
    }
}

/* Of two masses each has the name that the library gives it. */
static str name_member(composer *c, const plan_arg *a)
{
    return name_from(c, own_name(&c->p, a) ? own_name(&c->p, a) : a->of->one);
}

/* Does a pattern or an ending name it in its text, where no `.mass` would follow? */
static bool is_in_text(const plan *p, uint8_t at)
{
    bool is = p->args[at].template_name != NULL;
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
        a->values || a->adjective || is_in_text(p, at))
        return false;
    if (a->of->type == LIB_INT || a->of->type == LIB_UINT || a->of->type >= LIB_MAT22)
        return false;
    return bounded ? a->of->high > a->of->low && a->of->type == LIB_FLOAT
                   : a->of->high <= a->of->low && a->of->low <= 0;
}

/* Positions and velocities are often the members of one array of structs: quantities of any values,
 * or those that lie in common bounds. */
static void name_records(composer *c, bool bounded)
{
    plan *p = &c->p;
    uint8_t n = 0;
    double least = 0, most = 0;
    for (uint8_t i = 0; i < p->nargs; i++) {
        if (!may_be_member(p, i, bounded))
            continue;
        least = n && least > p->args[i].of->low ? least : p->args[i].of->low;
        most = n && most < p->args[i].of->high ? most : p->args[i].of->high;
        n++;
    }
    if (n < 2 || p->algorithm || (bounded && most <= 1.5 * least))
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

void name_all(composer *c)
{
    enum { RECORDS = 15 }; /* percent of the kernels that could have an array of structs */
    plan *p = &c->p;
    const bool prefixed = chance(c, 15);
    c->ntaken = c->kept;
    c->taken_from = 0;
    if (p->rows.n)
        name_take(c, p->rows);
    c->grid_words = below(c, GRID_WORDS);
    for (uint8_t i = 0; i < p->nsteps; i++)
        if (p->steps[i].function && is_free(c, sym_str(p->steps[i].f->def->name)))
            name_take(c, sym_str(p->steps[i].f->def->name));
    c->kernel = name_kernel(c);
    c->naming = true;
    if (!c->numpy && !p->rows.n &&
        chance(c, RECORDS)) /* kernels of a script share arrays, one by one */
        name_records(c, chance(c, 40));
    /* Outputs last: their names depend on those of the inputs. */
    for (int written = 0; written < 2; written++)
        for (uint8_t i = 0; i < p->nargs; i++)
            if (p->args[i].written == written && !p->args[i].member.n)
                p->args[i].name = name_arg(c, &p->args[i], prefixed);
    name_struct(c);
    c->naming = false;
}
