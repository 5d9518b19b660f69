/* SPDX-License-Identifier: Apache-2.0 */
/* The task in words: what a kernel computes, what its arguments are and which threads work, so that
 * somebody can write it who has not seen it.
 *
 *     Write a Warp kernel `compute_kinetic_energy`. For each particle `i` it computes the kinetic
 *     energy: half of `masses[i]` times the squared length of `v[i]`, and stores it in `energy[i]`.
 *
 *     Arguments, in this order:
 *     - `masses: wp.array(dtype=float)`: the mass of each particle, in kg
 *     ...
 */
#include "compose/compose_internal.h"

/* --- names in sentences ----------------------------------------------------------------------- */

/* What a sentence is about; NULL: the pattern or the algorithm. */
typedef struct prompt_names {
    composer *c;
    const plan_step *s;
} prompt_names;

/* "[i]": the letters that the sentences of patterns use. */
static const char *place_index(const composer *c, lib_place place)
{
    static const char *const elements[] = {"[i]", "[i, j]", "[i, j, k]"};
    const bool grid = c->p.dims == 2;
    switch (place) {
    case PLACE_NORTH: return grid ? "[i - 1, j]" : elements[c->p.dims - 1];
    case PLACE_SOUTH: return grid ? "[i + 1, j]" : elements[c->p.dims - 1];
    case PLACE_WEST: return grid ? "[i, j - 1]" : elements[c->p.dims - 1];
    case PLACE_EAST: return grid ? "[i, j + 1]" : elements[c->p.dims - 1];
    case PLACE_OTHER: return c->p.dims == 1 ? "[j]" : "[y, x]";
    case PLACE_LINK: return "[k]";
    case PLACE_UNIFORM:
    case PLACE_WHOLE:
    case PLACE_OUT: return "";
    default: return elements[c->p.over == LIB_OVER_ELEMENTS ? c->p.dims - 1 : 0];
    }
}

/* "to the north", where no index says so */
static const char *place_words(const composer *c, lib_place place)
{
    static const char *const words[] = {
#define PLACE(ID, name, words) words,
#include "compose/library_place.def"
#undef PLACE
    };
    const bool compass =
        place == PLACE_NORTH || place == PLACE_SOUTH || place == PLACE_WEST || place == PLACE_EAST;
    return compass && c->p.dims == 2 ? "" : words[place];
}

static void put_code(strbuf *out, str name, const char *index)
{
    sb_char(out, '`');
    sb_str(out, name);
    sb_c(out, index);
    sb_char(out, '`');
}

static void put_input(const prompt_names *n, strbuf *out, uint32_t i)
{
    const composer *c = n->c;
    const lib_param *param = &n->s->f->params[i];
    const plan_input in = n->s->in[i];
    if (in.from == FROM_STATE) {
        SB_LIT(out, "the random state");
        return;
    }
    if (in.from == FROM_STEP) {
        put_code(out, c->letters[in.at], "");
        return;
    }
    const plan_arg *a = &c->p.args[in.at];
    const bool one = a->axis == AXIS_NONE || a->axis == AXIS_WHOLE;
    put_code(out, a->name, one ? "" : place_index(c, param->place));
    if (!one && place_words(c, param->place)[0]) {
        sb_char(out, ' ');
        sb_c(out, place_words(c, param->place));
    }
}

static void put_name(void *arg, strbuf *out, str word)
{
    const prompt_names *n = arg;
    const plan *p = &n->c->p;
    for (uint32_t i = 0; n->s && i < n->s->f->nparams; i++)
        if (str_eq(sym_str(n->s->f->params[i].name), word)) {
            put_input(n, out, i);
            return;
        }
    for (uint8_t i = 0; !n->s && i < p->nargs; i++)
        if (p->args[i].template_name && str_eq(sym_str(p->args[i].template_name), word)) {
            /* Sentences of patterns bring their own quotes: `{offsets}[i]`. */
            if (out->n && out->p[out->n - 1] == '`')
                sb_str(out, p->args[i].name);
            else
                put_code(out, p->args[i].name, "");
            return;
        }
    WEFT_ASSERT(false); /* library_read.c found it among the parameters */
}

/* --- what is computed ------------------------------------------------------------------------- */

static void put_says(composer *c, const plan_step *s, str says)
{
    says_put(c, &c->prompt, says, put_name, &(prompt_names){c, s});
}

static void put_capital(composer *c, str says)
{
    const size_t at = c->prompt.n;
    put_says(c, NULL, says);
    char *first = c->prompt.p + at;
    if (*first >= 'a' && *first <= 'z')
        *first = (char)(*first - 'a' + 'A');
}

/* `, and store it in velocities_out[i]` */
static void put_stored(composer *c, const plan_step *s, lib_into into)
{
    strbuf *b = &c->prompt;
    if (s->stored < 0)
        return;
    const str name = c->p.args[s->stored].name;
    if (into == LIB_INTO_FIRST || into == LIB_INTO_ONE || into == LIB_INTO_GROUP) {
        SB_LIT(b, ". Add it atomically to ");
        put_code(b, name, into == LIB_INTO_ONE ? "[0]" : into == LIB_INTO_FIRST ? "[i]" : "[j]");
        return;
    }
    if (into == LIB_INTO_ENDS) {
        SB_LIT(b, ". Add it atomically to ");
        put_code(b, name, "[i]");
        if (c->p.pattern->opposite) {
            SB_LIT(b, ", and subtract it atomically from ");
            put_code(b, name, "[j]");
        }
        return;
    }
    SB_LIT(b, ". Store it in ");
    put_code(b, name, place_index(c, PLACE_ELEMENT));
}

/* "the spring force: the sum of ..., over the springs `k` of ..." */
static void put_step(composer *c, uint8_t at)
{
    const plan_step *s = &c->p.steps[at];
    const lib_pattern *p = c->p.pattern;
    const bool sum = at == c->p.main && p->sums && p->into == LIB_INTO_ELEMENT;
    SB_LIT(&c->prompt, "the ");
    sb_str(&c->prompt, s->f->result->noun);
    if (s->uses) {
        sb_char(&c->prompt, ' ');
        put_code(&c->prompt, c->letters[at], "");
    }
    SB_LIT(&c->prompt, ": ");
    if (sum)
        SB_LIT(&c->prompt, "the sum of ");
    put_says(c, s, s->f->says);
    if (sum) {
        SB_LIT(&c->prompt, ", ");
        put_says(c, NULL, p->says);
    }
    put_stored(c, s, at == c->p.main ? p->into : LIB_INTO_ELEMENT);
    sb_char(&c->prompt, '.');
    if (s->function) {
        SB_LIT(&c->prompt, " It is computed by a `wp.func` called ");
        put_code(&c->prompt, sym_str(s->f->def->name), "");
        sb_char(&c->prompt, '.');
    }
}

static bool is_taken_letter(const composer *c, uint8_t steps, str word)
{
    static const char *const indexes[] = {"i", "j", "k", "x", "y"};
    bool taken = STR_IS_IN(word, indexes);
    for (uint8_t i = 0; i < c->p.nargs; i++)
        taken |= str_eq(c->p.args[i].name, word);
    for (uint8_t i = 0; i < steps; i++)
        taken |= str_eq(c->letters[i], word);
    return taken;
}

/* What sentences call the results of the steps: by the first name of the quantity that is free. */
static void name_results(composer *c)
{
    for (uint8_t i = 0; i < c->p.nsteps; i++) {
        const char *words = c->p.steps[i].f->result->one;
        str word = str_take_word(&words);
        const str first = word;
        while (word.n && is_taken_letter(c, i, word))
            word = str_take_word(&words);
        for (uint32_t k = 2; !word.n; k++) {
            word = str_c(arena_printf(&c->text, "%.*s%u", (int)first.n, first.p, k));
            if (is_taken_letter(c, i, word))
                word = STR("");
        }
        c->letters[i] = word;
    }
}

/* "For each particle `i`" */
static void put_whom(composer *c)
{
    const lib_pattern *p = c->p.pattern;
    if (!p->sums || p->into != LIB_INTO_ELEMENT) {
        put_capital(c, p->says);
        return;
    }
    SB_LIT(&c->prompt, "For each ");
    sb_str(&c->prompt, c->p.field->element.one);
    sb_c(&c->prompt, c->p.dims == 1 ? " `i`" : c->p.dims == 2 ? " `i, j`" : " `i, j, k`");
}

/* Where the result of an algorithm goes, if its sentence does not say. */
static void put_unsaid_output(composer *c)
{
    const plan *p = &c->p;
    const plan_arg *output = NULL;
    for (uint8_t i = 0; i < p->nargs; i++) {
        if (!p->args[i].written)
            continue;
        const char *word = arena_printf(&c->text, "{%s}", p->args[i].template_name->s);
        if (output || str_contains(p->algorithm->says, str_c(word)))
            return;
        output = &p->args[i];
    }
    if (!output)
        return;
    SB_LIT(&c->prompt, " The result goes to ");
    put_code(&c->prompt, output->name, "");
    sb_char(&c->prompt, '.');
}

static void put_computation(composer *c)
{
    const plan *p = &c->p;
    name_results(c);
    if (p->algorithm) {
        SB_LIT(&c->prompt, ": ");
        put_says(c, NULL, p->algorithm->says);
        sb_char(&c->prompt, '.');
        put_unsaid_output(c);
        return;
    }
    SB_LIT(&c->prompt, ". ");
    put_whom(c);
    if (p->nsteps == 1) {
        SB_LIT(&c->prompt, ", compute ");
        put_step(c, 0);
        return;
    }
    SB_LIT(&c->prompt, ", compute in this order:\n");
    for (uint8_t i = 0; i < p->nsteps; i++) {
        sb_printf(&c->prompt, "\n%u. ", i + 1u);
        put_step(c, i);
    }
}

/* --- arguments -------------------------------------------------------------------------------- */

/* "where the springs of each particle begin" */
static void put_bound_noun(composer *c, const plan_arg *a)
{
    static const char *const nouns[] = {
#define BINDING(ID, name, type, shape, values, names, noun) noun,
#include "compose/library_binding.def"
#undef BINDING
    };
    says_put(c, &c->prompt, str_c(nouns[a->binding]), put_name, &(prompt_names){.c = c});
}

static void put_quantity_noun(composer *c, const plan_arg *a)
{
    const lib_field *f = c->p.field;
    strbuf *b = &c->prompt;
    const str of[] = {
        [AXIS_ELEMENT] = f->element.one, [AXIS_OTHER] = f->other.one, [AXIS_LINK] = f->link.one,
        [AXIS_GROUP] = f->group.one,     [AXIS_WHOLE] = STR(""),      [AXIS_NONE] = STR("")};
    if (a->written)
        SB_LIT(b, "output: ");
    const bool all = a->shape && a->written && strcmp(a->shape, "1") == 0;
    sb_c(b, all || a->axis == AXIS_GROUP ? "the sum of the " : "the ");
    sb_str(b, a->of->noun);
    if (all) {
        SB_LIT(b, " of all ");
        sb_str(b, f->element.many);
    } else if (a->shape && *a->shape) {
        SB_LIT(b, ", of shape (");
        sb_c(b, a->shape);
        SB_LIT(b, ")");
    } else if (!a->shape && of[a->axis].n) {
        SB_LIT(b, " of each ");
        sb_str(b, of[a->axis]);
    }
    if (a->of->unit.n && !str_eq(a->of->unit, STR("1"))) {
        SB_LIT(b, ", in ");
        sb_str(b, a->of->unit);
    }
}

static void put_count_noun(composer *c, const plan_arg *a)
{
    static const char *const dims[2][3] = {{"rows of the grid", "columns of the grid", ""},
                                           {"cells along the first axis",
                                            "cells along the second axis",
                                            "cells along the third axis"}};
    SB_LIT(&c->prompt, "the number of ");
    if (c->p.dims == 1)
        sb_str(&c->prompt, c->p.field->element.many);
    else
        sb_c(&c->prompt, dims[c->p.dims - 2][a->dim]);
}

static void put_arguments(composer *c)
{
    strbuf *b = &c->prompt;
    SB_LIT(b, "\n\nArguments, in this order:\n");
    for (uint8_t i = 0; i < c->p.nargs; i++) {
        const plan_arg *a = &c->p.args[i];
        SB_LIT(b, "- `");
        write_parameter(c, b, a);
        SB_LIT(b, "`: ");
        switch (a->role) {
        case ROLE_QUANTITY: put_quantity_noun(c, a); break;
        case ROLE_COUNT: put_count_noun(c, a); break;
        case ROLE_SEED: SB_LIT(b, "the seed of the random numbers"); break;
        case ROLE_BINDING: put_bound_noun(c, a); break;
        }
        sb_char(b, '\n');
    }
}

/* --- threads ---------------------------------------------------------------------------------- */

static void put_threads(composer *c)
{
    const plan *p = &c->p;
    strbuf *b = &c->prompt;
    const lib_field *f = p->field;
    SB_LIT(b, "\nIt is launched with a thread for each ");
    if (p->over == LIB_OVER_ACTIVE)
        SB_LIT(b, "entry of the list");
    else
        sb_str(b, p->over == LIB_OVER_LINKS ? f->link.one : f->element.one);
    if (p->dims > 1)
        sb_printf(b, ", in %u dimensions", p->dims);
    sb_char(b, '.');
    const plan_arg *a = &p->args[p->guard_arg];
    if (p->guard == GUARD_COUNT) {
        SB_LIT(b, " Threads whose index is not below ");
        for (uint8_t i = 0; i < p->dims; i++) {
            if (i)
                sb_c(b, i + 1 == p->dims ? " and " : ", ");
            put_code(b, a[p->dims - 1 - i].name, "");
        }
        SB_LIT(b, " do nothing.");
    }
    if (p->guard == GUARD_FLAGS) {
        SB_LIT(b, " Where ");
        put_code(b, a->name, "");
        SB_LIT(b, " is 0, nothing is done.");
    }
    if (p->random) {
        SB_LIT(b, " Each thread draws its random numbers from the state ");
        put_code(b, STR("wp.rand_init"),
                 arena_printf(&c->text, "(%.*s, %s)", (int)p->args[p->seed_arg].name.n,
                              p->args[p->seed_arg].name.p, p->dims == 1 ? "i" : "the index"));
        sb_char(b, '.');
    }
    sb_char(b, '\n');
}

void write_prompt(composer *c)
{
    c->prompt.n = 0;
    SB_LIT(&c->prompt, "Write a Warp kernel called ");
    put_code(&c->prompt, c->kernel, "");
    put_computation(c);
    put_arguments(c);
    put_threads(c);
}
