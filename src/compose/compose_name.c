/* SPDX-License-Identifier: Apache-2.0 */
/* Names of arguments and locals, from the words of their quantities.
 *
 *     mass of each particle        masses, m, particle_mass
 *     velocity, if it is written   velocities_out, new_velocities
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

bool name_is_free(const composer *c, str name)
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
    WEFT_ASSERT(name_is_free(c, name) && c->ntaken < NAMES_MAX);
    return c->taken[c->ntaken++] = name;
}

str name_joined(composer *c, str a, const char *between, str b)
{
    return str_c(arena_printf(&c->text, "%.*s%s%.*s", (int)a.n, a.p, between, (int)b.n, b.p));
}

/* The usual words come first: draw twice, and take the smaller. */
static uint32_t draw_usual(composer *c)
{
    const uint32_t a = below(c, NAMES_SPAN), b = below(c, NAMES_SPAN);
    return a < b ? a : b;
}

/* A name of a word that is taken: "joint_mass" of an argument, "mass_i" of a local. */
static str name_made(composer *c, str word)
{
    const str element = c->p.field->element.one;
    const str own[] = {
        str_c(arena_printf(&c->text, "%.*s_%.*s", (int)element.n, element.p, (int)word.n, word.p)),
        str_c(arena_printf(&c->text, "%.*s_in", (int)word.n, word.p))};
    const str local[] = {str_c(arena_printf(&c->text, "%.*s_%s", (int)word.n, word.p,
                                            c->p.dims == 1 ? "i" : "here")),
                         str_c(arena_printf(&c->text, "this_%.*s", (int)word.n, word.p))};
    for (int i = 0; i < 2; i++) {
        const str name = c->naming ? own[i] : local[i];
        if (name_is_free(c, name))
            return name_take(c, name);
    }
    for (uint32_t k = 2;; k++) {
        const str numbered = str_c(arena_printf(&c->text, "%.*s%u", (int)word.n, word.p, k));
        if (name_is_free(c, numbered))
            return name_take(c, numbered);
    }
}

str name_from(composer *c, const char *words)
{
    str all[16];
    uint32_t n = 0;
    for (str w; n < 16 && (w = str_take_word(&words)).n;)
        all[n++] = w;
    WEFT_ASSERT(n);
    /* One choice for all of a kernel, so that limit_lower meets limit_upper, and ny nx. */
    const uint32_t at = c->naming ? c->usual * n / NAMES_SPAN : draw_usual(c) * n / NAMES_SPAN;
    for (uint32_t i = 0; i < n; i++)
        if (name_is_free(c, all[(at + i) % n]))
            return name_take(c, all[(at + i) % n]);
    return name_made(c, all[at]);
}

/* The first of the words that is free, or the first one with an ending. */
static str name_in_order(composer *c, const char *words, const char *form)
{
    const char *rest = words;
    for (str w; (w = str_take_word(&rest)).n;)
        if (name_is_free(c, w))
            return name_take(c, w);
    rest = words;
    for (str w; (w = str_take_word(&rest)).n;) {
        const str other = str_c(arena_printf(&c->text, form, arena_dup(&c->text, w.p, w.n)));
        if (name_is_free(c, other))
            return name_take(c, other);
    }
    return name_made(c, str_take_word(&words));
}

str name_local(composer *c, const lib_param *p)
{
    static const char *const ends[PLACES] = {
        [PLACE_OTHER] = "%s_j",     [PLACE_LINK] = "%s_k",    [PLACE_WEST] = "%s_w",
        [PLACE_EAST] = "%s_e",      [PLACE_SOUTH] = "%s_s",   [PLACE_NORTH] = "%s_n",
        [PLACE_BELOW] = "%s_b",     [PLACE_ABOVE] = "%s_t",   [PLACE_FIRST] = "%s_0",
        [PLACE_SECOND] = "%s_1",    [PLACE_THIRD] = "%s_2",   [PLACE_FOURTH] = "%s_3",
        [PLACE_UNIFORM] = "own_%s", [PLACE_WHOLE] = "all_%s", [PLACE_OUT] = "%s_now"};
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

/* Is the word one for others of the kind that the field has? Lights are no neighbors. */
static bool is_apt(const lib_field *f, str word)
{
    if (str_eq(word, STR("columns")))
        return str_eq(f->other.one, STR("column"));
    if (str_contains(word, STR("neighbor")) || str_eq(word, STR("parents")))
        return str_eq(f->other.one, f->element.one);
    return true;
}

/* "&_start" for springs: "spring_start". */
static const char *filled(composer *c, const char *words)
{
    const lib_field *f = c->p.field;
    const bool same = str_eq(f->other.one, f->element.one); /* no "body_of_body" */
    const str other = !same                                  ? f->other.one
                      : str_eq(f->link.one, STR("neighbor")) ? f->element.one
                                                             : STR("neighbor");
    strbuf b;
    sb_init(&b, c->m);
    for (str w; (w = str_take_word(&words)).n;) {
        if (!is_apt(f, w))
            continue;
        for (size_t i = 0; i < w.n; i++)
            if (w.p[i] == '%')
                sb_str(&b, f->element.one);
            else if (w.p[i] == '$')
                sb_str(&b, other);
            else if (w.p[i] == '&')
                sb_str(&b, f->link.one);
            else if (w.p[i] == '^')
                sb_str(&b, f->group.one);
            else
                sb_char(&b, w.p[i]);
        sb_char(&b, ' ');
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
str name_said(composer *c, const lib_quantity *q)
{
    char *text = arena_dup(&c->text, q->noun.p, q->noun.n);
    for (size_t i = 0; i < q->noun.n; i++) {
        if (text[i] == ' ')
            text[i] = '_';
        else if (text[i] < 'a' || text[i] > 'z')
            return sym_str(q->id);
    }
    /* Words that say little away from their field. */
    static const char *const vague[] = {"value",     "point",  "state",   "word",
                                        "parameter", "color",  "class",   "output",
                                        "flag",      "result", "unknown", "scalar"};
    const str name = {text, q->noun.n};
    enum { LONG = 20 }; /* bytes */
    const bool is_long = (str_count(name, '_') > 1 && name.n > LONG) || strstr(text, "_of_") ||
                         STR_IS_IN(name, vague);
    return is_long || !name_is_free(c, name) ? sym_str(q->id) : name;
}

bool name_has_input(const plan *p, const lib_quantity *q)
{
    for (uint8_t i = 0; i < p->nargs; i++)
        if (p->args[i].role == ROLE_QUANTITY && p->args[i].of == q && !p->args[i].written &&
            !p->args[i].adjective && p->args[i].axis == AXIS_ELEMENT)
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
                            arena_dup(&c->text, name_said(c, a->of).p, name_said(c, a->of).n)));
    const bool again = name_has_input(&c->p, a->of), says_out = strstr(base, "out") != NULL;
    if (!again && chance(c, 80))
        return name_from(c, a->of->many);
    const uint32_t form = says_out ? 2 + below(c, 3) : below(c, again ? 5 : 2);
    return name_from(c, arena_printf(&c->text, forms[form], base));
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
    const str word = each ? first_word(a->of->many) : name_said(c, a->of);
    return name_from(c, arena_printf(&c->text, "%s_%.*s", a->adjective->s, (int)word.n, word.p));
}

static str name_arg(composer *c, const plan_arg *a, bool prefixed)
{
    static const char *const bound[] = {
#define BINDING(ID, name, type, shape, values, names, noun) names,
#include "compose/library_binding.def"
#undef BINDING
    };
    if (a->given.n && name_is_free(c, a->given))
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
        const str word = first_word(a->of->many), name = name_joined(c, t->one, "_", word);
        const bool said = str_starts(word, arena_dup(&c->text, t->one.p, t->one.n));
        if (!said && name_is_free(c, name))
            return name_take(c, name);
    }
    return name_from(c, a->of->many);
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
        a->name = name_joined(c, p->params, ".", a->field);
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

void name_all(composer *c)
{
    enum { RECORDS = 30, OF_ALGORITHMS = 50 }; /* percent of those that could have structs */
    plan *p = &c->p;
    const bool prefixed = chance(c, 15);
    c->ntaken = c->kept;
    c->taken_from = 0;
    if (p->rows.n)
        name_take(c, p->rows);
    c->grid_words = below(c, GRID_WORDS);
    c->usual = draw_usual(c);
    for (uint8_t i = 0; i < p->nsteps; i++)
        if (p->steps[i].function && name_is_free(c, sym_str(p->steps[i].f->def->name)))
            name_take(c, sym_str(p->steps[i].f->def->name));
    c->kernel = name_of_kernel(c);
    c->naming = true;
    if (!c->numpy && !p->rows.n &&
        chance(c, p->algorithm ? OF_ALGORITHMS
                               : RECORDS)) /* kernels of a script share arrays, one by one */
        name_records(c, chance(c, 40));
    /* Outputs last: their names depend on those of the inputs. */
    for (int written = 0; written < 2; written++)
        for (uint8_t i = 0; i < p->nargs; i++)
            if (p->args[i].written == written && !p->args[i].member.n)
                p->args[i].name = name_arg(c, &p->args[i], prefixed);
    name_struct(c);
    c->naming = false;
}
