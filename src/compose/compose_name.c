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

bool name_stands_in(str says, str name)
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
    bool said = c->p.algorithm && name_stands_in(c->p.algorithm->says, name);
    for (uint8_t i = 0; i < c->p.nsteps; i++)
        said |= name_stands_in(c->p.steps[i].f->says, name);
    return said;
}

typedef struct local_search {
    str name;
    bool found;
} local_search;

static void find_local(void *arg, const node *n)
{
    local_search *f = arg;
    /* x = positions[i]: of an argument x its element is x_i. */
    const ast_Assign *a = n->kind == AST_Assign ? AST(Assign, n) : NULL;
    if (a && a->value->kind == AST_Subscript)
        return;
    f->found |= n->kind == AST_Name && AST(Name, n)->ctx == CTX_Store &&
                str_eq(sym_str(AST(Name, n)->id), f->name);
    ast_each_child(n, find_local, f);
}

/* Will a statement need the letter for something else? Where `k` counts columns no rank is `k`. */
static bool is_local_letter(const composer *c, str name)
{
    const plan *p = &c->p;
    local_search f = {name, false};
    for (uint32_t i = 0; p->algorithm && i < p->algorithm->nbody; i++)
        find_local(&f, p->algorithm->body[i]);
    for (uint32_t i = 0; p->pattern && i < p->pattern->nbody; i++)
        find_local(&f, p->pattern->body[i]);
    for (uint8_t s = 0; s < p->nsteps; s++)
        for (uint32_t i = 0; !p->steps[s].function && i < p->steps[s].f->nbody; i++)
            find_local(&f, p->steps[s].f->body[i]);
    return f.found;
}

/* Do shapes speak of it: "of shape (n, m)"? */
static bool is_letter_of_shapes(const composer *c, str name)
{
    bool is = false;
    for (uint8_t i = 0; name.n == 1 && i < c->p.nargs; i++)
        is |= c->p.args[i].shape && strchr(c->p.args[i].shape, name.p[0]);
    return is;
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
        "False", "None",   "True",  "and",   "as",     "assert", "break", "class",  "continue",
        "def",   "del",    "elif",  "else",  "for",    "from",   "if",    "import", "in",
        "is",    "lambda", "not",   "or",    "pass",   "return", "while", "with",   "wp",
        "float", "int",    "bool",  "range", "min",    "max",    "abs",   "len",    "round",
        "pow",   "sum",    "print", "vec",   "sorted", "bytes",  "hash",  "next",   "filter",
        "map",   "slice",  "id",    "type",  "all",    "any",    "iter",  "dir",    "set",
        "list",  "input",  "object"};
    /* Warp's text for the CPU has the names of parameters as they are. */
    static const char *const of_cpp[] = {
        "and",     "auto",     "bool",     "case",     "catch",    "char",    "const",  "default",
        "delete",  "do",       "double",   "enum",     "explicit", "export",  "extern", "friend",
        "goto",    "inline",   "long",     "mutable",  "new",      "not",     "or",     "operator",
        "private", "public",   "register", "short",    "signed",   "sizeof",  "static", "struct",
        "switch",  "template", "this",     "throw",    "try",      "typedef", "union",  "unsigned",
        "using",   "virtual",  "void",     "volatile", "xor"};
    if (STR_IS_IN(name, words) || STR_IS_IN(name, of_cpp) ||
        (c->naming && (is_letter_of_sentences(c, name) || name_is_said(c, name) ||
                       is_letter_of_shapes(c, name) || is_local_letter(c, name))))
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

/* What a local of a taken name ends with: "depth_force", of the formula of a contact force. */
static str end_of_local(const composer *c, str word)
{
    if (c->local_end)
        return str_c(c->local_end);
    const str noun = c->inlined && c->inlined->result ? c->inlined->result->noun : STR("");
    size_t from = noun.n;
    while (from && noun.p[from - 1] >= 'a' && noun.p[from - 1] <= 'z')
        from--;
    const str last = {noun.p + from, noun.n - from};
    return last.n && !str_eq(last, word) ? last : c->p.dims == 1 ? STR("i") : STR("here");
}

/* A name of a word that is taken: "joint_mass" of an argument, "mass_i" of a local. */
static str name_made(composer *c, str word)
{
    const str element = c->p.field->element.one;
    const bool one =
        c->named && c->named->of && (c->named->axis == AXIS_NONE || word.n == 1); /* no row_a */
    const bool said = str_starts(word, arena_dup(&c->text, element.p, element.n));
    const str own[] = {one    ? name_said(c, c->named->of)
                       : said ? name_joined(c, word, "_", STR("values"))
                              : name_joined(c, element, "_", word),
                       one ? sym_str(c->named->of->id) : name_joined(c, word, "_", STR("in"))};
    const str local[] = {name_joined(c, word, "_", end_of_local(c, word)),
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

str name_in_order(composer *c, const char *words, const char *form)
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

str name_first(const char *words)
{
    return str_take_word(&words);
}

/* Is the word one for others of the kind that the field has? Lights are no neighbors. */
static bool is_apt(const lib_field *f, str word)
{
    if (f->pairs && (str_eq(word, STR("%_mask")) || str_eq(word, STR("%_enabled"))))
        return false; /* they are flags of worlds and joints */
    if (str_eq(word, STR("columns")))
        return str_eq(f->other.one, STR("column"));
    if (str_contains(word, STR("neighbor")))
        return str_eq(f->other.one, f->element.one);
    const bool parents = str_contains(word, STR("parent"));
    if (parents || str_starts(word, "$_i") || str_eq(word, STR("%_$"))) /* of others */
        return parents == str_contains(f->partner, STR("parent"));
    static const char *const labelled[] = {"cluster", "class",   "group",    "component",
                                           "region",  "segment", "category", "label"};
    if (str_eq(word, STR("labels")))
        return STR_IS_IN(f->group.one, labelled);
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
            if (w.p[i] == '$' && i + 2 == w.n && w.p[i + 1] == 's') { /* "$s": several others */
                sb_str(&b, f->other.many);
                i++;
            } else if (w.p[i] == '%')
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

bool name_renews(const plan *p, const lib_quantity *q)
{
    return name_has_input(p, q) && !str_starts(q->noun, "new ");
}

/* The input that the output is a new value of: the same things have it, if any; NULL: there is
 * none. */
static const plan_arg *old_value(const plan *p, const plan_arg *a)
{
    const plan_arg *old = NULL;
    for (uint8_t i = 0; i < p->nargs; i++) {
        const plan_arg *b = &p->args[i];
        if (b->role == ROLE_QUANTITY && b->of == a->of && !b->written && !b->adjective &&
            b->axis != AXIS_NONE && (!old || b->axis == a->axis))
            old = b;
    }
    return old;
}

/* How all outputs of a kernel are told from its inputs. */
enum { OUT_FORMS = 5, OUT_PLAIN = 2 };

static str name_output(composer *c, const plan_arg *a)
{
    static const char *const forms[OUT_FORMS] = {"%s_out", "out_%s", "new_%s", "next_%s",
                                                 "updated_%s"};
    static const char *const totals[] = {"total_%s", "%s_sum", "%s_accum", "accum_%s", "%s_out"};
    const bool counted = memchr(a->of->noun.p, '*', a->of->noun.n) != NULL; /* of an ending */
    if (c->p.by_value) { /* "speed" is the local */
        const str said = name_said(c, a->of);
        return name_from(c, arena_printf(&c->text, "%.*s_out out_%.*s %.*s_result", (int)said.n,
                                         said.p, (int)said.n, said.p, (int)said.n, said.p));
    }
    if (a->shape && strcmp(a->shape, "1") == 0 && !counted && c->p.pattern)
        return name_from(
            c, arena_printf(&c->text, totals[below(c, sizeof totals / sizeof *totals)],
                            arena_dup(&c->text, name_said(c, a->of).p, name_said(c, a->of).n)));
    const plan_arg *old = counted ? NULL : old_value(&c->p, a);
    const str many = name_first(a->of->many);
    const str base = !old ? many : old->member.n ? old->member : old->name;
    const bool in_place = c->p.one && c->p.algorithm; /* a counter that is raised */
    if (!old &&
        (in_place || !c->says_output || c->out_form >= OUT_PLAIN || str_contains(base, STR("out"))))
        return name_from(c, a->of->many);
    return name_from(
        c, arena_printf(&c->text, forms[c->out_form], arena_dup(&c->text, base.p, base.n)));
}

/* Names of the sizes of a grid: one way for all dimensions. */
static const char *grid_word(uint8_t dims, uint8_t dim, uint32_t way)
{
    static const char *const grids[2][3][GRID_WORDS] = {
        {{"height", "rows", "ny", "n"}, {"width", "cols", "nx", "m"}},
        {{"nx", "dim_x", "size_x", "width"},
         {"ny", "dim_y", "size_y", "height"},
         {"nz", "dim_z", "size_z", "depth"}}};
    return grids[dims - 2][dim][way];
}

/* Takes the next way if a local or a shape has one of the names. */
static void choose_grid_words(composer *c)
{
    c->grid_words = below(c, GRID_WORDS);
    for (int tries = 0; (c->p.dims == 2 || c->p.dims == 3) && tries < GRID_WORDS; tries++) {
        bool free = true;
        for (uint8_t d = 0; d < c->p.dims; d++)
            free &= name_is_free(c, str_c(grid_word(c->p.dims, d, c->grid_words)));
        if (free)
            return;
        c->grid_words = (c->grid_words + 1) % GRID_WORDS;
    }
}

static str name_count(composer *c, const plan_arg *a)
{
    const str many = c->p.field->element.many, one = c->p.field->element.one;
    if (c->p.dims > 1 && c->p.dims <= 3)
        return name_from(c, grid_word(c->p.dims, a->dim, c->grid_words));
    return name_from(c, arena_printf(&c->text, "%.*s_count %.*s_count num_%.*s n_%.*s count n",
                                     (int)one.n, one.p, (int)one.n, one.p, (int)many.n, many.p,
                                     (int)many.n, many.p));
}

/* Two arguments of one quantity or binding are told apart by the names that the library gives
 * them; NULL: there is one. */
const char *name_own(const plan *p, const plan_arg *a)
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
    const bool each = a->axis != AXIS_NONE && !(a->shape && strcmp(a->shape, "1") == 0);
    const str word = each ? name_first(a->of->many) : name_said(c, a->of);
    if (strcmp(a->adjective->s, "history") == 0)
        return name_from(c, arena_printf(&c->text, "%.*s_history", (int)name_said(c, a->of).n,
                                         name_said(c, a->of).p));
    return name_from(c, arena_printf(&c->text, "%s_%.*s", a->adjective->s, (int)word.n, word.p));
}

/* Names of an array without those of one letter, where names are long and others are there. */
static const char *names_of_array(composer *c, const plan_arg *a)
{
    const char *words = a->of->many;
    strbuf b;
    if (!c->form.long_arrays)
        return words;
    sb_init(&b, c->m);
    for (str w; (w = str_take_word(&words)).n;)
        if (w.n > 1) {
            sb_str(&b, w);
            sb_char(&b, ' ');
        }
    const char *kept = b.n ? arena_dup(&c->text, b.p, b.n) : a->of->many;
    sb_clear(&b);
    return kept;
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
    if (name_own(&c->p, a))
        return name_from(c, name_own(&c->p, a));
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
        enum { LONG = 14 }; /* bytes */
        const str one = name_said(c, a->of), many = name_first(a->of->many);
        const str word = one.n <= LONG && name_is_noun(one, a->of->noun) ? name_in_brief(c, one)
                                                                         : many,
                  name = name_joined(c, t->one, "_", word);
        const bool letter = word.n == 1 && !strchr("xvqmr", word.p[0]); /* no row_a */
        if (!letter && !str_contains(word, t->one) &&
            name_is_free(c, name)) /* no point_local_point */
            return name_take(c, name);
    }
    return name_from(c, names_of_array(c, a));
}

/* "world", "worldid": the index of the row that an element is in, in the style of other indices. */
static str name_row(composer *c)
{
    static const char *const forms[] = {
        [INDEX_LETTER] = "%sid", [INDEX_TID] = "%sid",       [INDEX_ID] = "%s_id",
        [INDEX_IDX] = "%s_idx",  [INDEX_INDEX] = "%s_index", [INDEX_JOINED] = "%sid",
        [INDEX_WORD] = "%s"};
    static const char brief[] = "wid %s";
    const char *row = arena_dup(&c->text, c->p.rows.p, c->p.rows.n);
    const bool is_brief = str_eq(c->p.rows, STR("world")) && c->form.index == INDEX_JOINED;
    return name_in_order(c, arena_printf(&c->text, is_brief ? brief : forms[c->form.index], row),
                         "%s_id");
}

/* masses -> masses_in: of all arrays of quantities, or of none. */
static void name_ends(composer *c)
{
    plan *p = &c->p;
    str names[PLAN_ARGS] = {0};
    for (uint8_t i = 0; i < p->nargs; i++) {
        const plan_arg *a = &p->args[i];
        if (a->role != ROLE_QUANTITY || a->axis == AXIS_NONE || a->member.n || a->written)
            continue;
        names[i] = name_joined(c, a->name, "", STR("_in"));
        if (a->given.n || !name_is_free(c, names[i]))
            return;
    }
    for (uint8_t i = 0; i < p->nargs; i++)
        if (names[i].n)
            p->args[i].name = name_take(c, names[i]);
}

static uint8_t draw_out_form(composer *c)
{
    enum { PLAIN = 66, OUT = 75 }; /* percent; of those: x_out, others are out_x */
    if (chance(c, PLAIN))
        return !chance(c, OUT);
    return (uint8_t)(OUT_PLAIN + below(c, OUT_FORMS - OUT_PLAIN));
}

void name_all(composer *c)
{
    enum { RECORDS = 20, OF_ALGORITHMS = 28 }; /* percent of those that could have structs */
    plan *p = &c->p;
    const bool prefixed = chance(c, 40), ended = chance(c, 8);
    c->ntaken = c->kept;
    c->taken_from = 0;
    if (p->rows.n)
        p->row = name_row(c);
    c->usual = draw_usual(c);
    for (uint8_t i = 0; i < p->nsteps; i++)
        if (p->steps[i].function && name_is_free(c, sym_str(p->steps[i].f->def->name)))
            name_take(c, sym_str(p->steps[i].f->def->name));
    joint_name(c);
    c->kernel = name_of_kernel(c);
    c->out_form = draw_out_form(c);
    c->says_output = chance(c, 12);
    if (ended) { /* positions_in, positions_out */
        c->out_form = 0;
        c->says_output = true;
    }
    c->naming = true;
    choose_grid_words(c);
    if (!c->numpy && !p->rows.n && !p->generic &&
        chance(c, p->algorithm ? OF_ALGORITHMS
                               : RECORDS)) /* kernels of a script share arrays, one by one */
        struct_of_elements(c, chance(c, 40));
    /* Outputs last: their names depend on those of the inputs. */
    for (int written = 0; written < 2; written++)
        for (uint8_t i = 0; i < p->nargs; i++)
            if (p->args[i].written == written && !p->args[i].member.n) {
                c->named = &p->args[i];
                p->args[i].name = name_arg(c, &p->args[i], prefixed);
            }
    c->named = NULL;
    if (ended)
        name_ends(c);
    struct_of_scalars(c);
    c->naming = false;
}
