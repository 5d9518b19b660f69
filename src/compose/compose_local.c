/* SPDX-License-Identifier: Apache-2.0 */
/* Names of locals: of elements, indices, results and sums.
 *
 *     x = positions[i]            pos = positions[i], x_i beside x_j
 *     i = wp.tid()                tid, particle_id, particle
 *     total += value              total_force, acc
 */
#include "base/ascii.h"
#include "compose/compose_internal.h"

bool name_is_noun(str name, str noun)
{
    bool is = name.n == noun.n;
    for (size_t i = 0; is && i < name.n; i++)
        is = name.p[i] == noun.p[i] || (name.p[i] == '_' && noun.p[i] == ' ');
    return is;
}

static str indexed(const composer *c, char letter);

/* "cell_%s": what an element of a grid has, where an array has the plain name. */
static const char *form_of_cell(composer *c)
{
    const str one = c->p.field->element.one;
    return memchr(one.p, ' ', one.n) ? "%s_here"
                                     : arena_printf(&c->text, "%.*s_%%s", (int)one.n, one.p);
}

/* "%s_j" of another particle; "neighbor_%s" where its index is no `j`. */
static const char *form_of_other(composer *c)
{
    const str thing = c->form.index == INDEX_LETTER || c->p.dims > 1 ? STR("") : indexed(c, 'j');
    if (!thing.n || memchr(thing.p, ' ', thing.n))
        return c->p.dims == 1 ? "%s_j" : "%s_there";
    return arena_printf(&c->text, "%.*s_%%s", (int)thing.n, thing.p);
}

str name_in_brief(composer *c, str word)
{
    static const char *const all[][2] = {{"position", "pos"},
                                         {"velocity", "vel"},
                                         {"direction", "dir"},
                                         {"distance", "dist"},
                                         {"rotation", "rot"}};
    for (size_t i = 0; c->form.brief && i < sizeof all / sizeof *all; i++) {
        const size_t n = strlen(all[i][0]);
        const bool ends = word.n >= n && memcmp(word.p + word.n - n, all[i][0], n) == 0 &&
                          (word.n == n || word.p[word.n - n - 1] == '_');
        if (ends)
            return name_joined(c, (str){word.p, word.n - n}, "", str_c(all[i][1]));
    }
    return word;
}

/* Meets the element's value that of another one, so that it is x_i beside x_j? */
static bool meets_other(composer *c, const lib_param *own)
{
    const plan *p = &c->p;
    if (own->place != PLACE_ELEMENT || p->dims > 1 || c->frame || !p->pattern ||
        !str_eq(p->field->other.one, p->field->element.one) ||
        strcmp(form_of_other(c), "%s_j") != 0)
        return false;
    bool meets = false;
    for (uint8_t k = p->main; k < p->main + p->nmains; k++)
        for (uint32_t i = 0; i < p->steps[k].f->nparams; i++)
            meets |= p->steps[k].f->params[i].place == PLACE_OTHER &&
                     p->steps[k].f->params[i].of == own->of;
    return meets;
}

/* "position", of another particle "position_j", of a light "light_position"; empty: it would be
 * long, or names are short. */
static str long_local(composer *c, const lib_param *p)
{
    enum { LONG = 16 }; /* bytes */
    const str all = name_said(c, p->of), said = name_in_brief(c, all), of = c->p.field->other.one;
    if (!c->form.long_names || c->frame || p->of->id == c->l->words.random_state || said.n > LONG ||
        !name_is_noun(all, p->of->noun))
        return STR("");
    if (p->place == PLACE_ELEMENT || p->place == PLACE_LINK)
        return said;
    if (p->place != PLACE_OTHER || c->p.dims > 1)
        return STR("");
    return str_eq(of, c->p.field->element.one)
               ? str_c(
                     arena_printf(&c->text, form_of_other(c), arena_dup(&c->text, said.p, said.n)))
           : str_starts(said, arena_dup(&c->text, of.p, of.n)) ? said
                                                               : name_joined(c, of, "_", said);
}

/* Is it a letter that does not stand for the quantity: the `k` of bending weights, the `h` of a
 * hash; and not the `k` of a stiffness, the `s` of a speed? */
static bool is_odd_letter(str word, const lib_quantity *q)
{
    static const char *const usual[][2] = {{"k", "stiffness"}, {"k", "constant"},  {"k", "coeff"},
                                           {"h", "smoothing"}, {"h", "spacing"},   {"h", "step"},
                                           {"h", "bandwidth"}, {"d", "diffusion"}, {"s", "spin"}};
    if (word.n != 1 || !strchr("hklosdj", word.p[0]))
        return false;
    bool odd = true;
    for (size_t i = 0; i < q->noun.n; i++)
        odd &= ascii_lower(q->noun.p[i]) != word.p[0] || (i && q->noun.p[i - 1] != ' ');
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        odd &= usual[i][0][0] != word.p[0] || !str_contains(q->noun, str_c(usual[i][1]));
    return odd;
}

/* The words for a value, without a first one that is a letter for something else. */
static const char *apt_words(composer *c, const lib_quantity *q)
{
    enum { LONG = 18 }; /* bytes */
    const char *rest = q->one;
    if (!is_odd_letter(str_take_word(&rest), q))
        return q->one;
    const str said = name_said(c, q), id = sym_str(q->id), name = said.n <= LONG ? said : id;
    return *rest ? rest : arena_printf(&c->text, "%.*s", (int)name.n, name.p);
}

str name_local(composer *c, const lib_param *p)
{
    static const char *const ends[PLACES] = {
        [PLACE_LINK] = "%s_k",    [PLACE_WEST] = "%s_w",   [PLACE_EAST] = "%s_e",
        [PLACE_SOUTH] = "%s_s",   [PLACE_NORTH] = "%s_n",  [PLACE_BELOW] = "%s_b",
        [PLACE_ABOVE] = "%s_t",   [PLACE_FIRST] = "%s_0",  [PLACE_SECOND] = "%s_1",
        [PLACE_THIRD] = "%s_2",   [PLACE_FOURTH] = "%s_3", [PLACE_UNIFORM] = "own_%s",
        [PLACE_WHOLE] = "all_%s", [PLACE_OUT] = "%s_now"};
    static const char *const whole_words[PLACES] = {[PLACE_WEST] = "west",
                                                    [PLACE_EAST] = "east",
                                                    [PLACE_SOUTH] = "south",
                                                    [PLACE_NORTH] = "north"};
    const bool own = p->place == PLACE_ELEMENT || p->place == PLACE_LINK;
    const bool odd = own && !c->frame && is_odd_letter(sym_str(p->name), p->of);
    const char *words = odd   ? apt_words(c, p->of)
                        : own ? arena_printf(&c->text, "%s %s", p->name->s, p->of->one)
                              : p->name->s;
    const str said = long_local(c, p);
    if (whole_words[p->place] && p->name->len == 1) /* "north" if `n` is the number of rows */
        words = arena_printf(&c->text, "%s %s", words, whole_words[p->place]);
    const bool other =
        p->place == PLACE_OTHER && !str_eq(c->p.field->other.one, c->p.field->element.one);
    if (said.n && other) /* "sphere_opacity opacity" */
        words = arena_printf(&c->text, "%.*s %s %s", (int)said.n, said.p, p->of->one, words);
    else if (said.n)
        words = arena_printf(&c->text, "%.*s %s", (int)said.n, said.p, words);
    if (c->usual % 5 < 2 && meets_other(c, p)) {
        const str word = name_first(words);
        words = arena_printf(&c->text, "%.*s_i %s", (int)word.n, word.p, words);
    }
    return name_in_order(c, words,
                         p->place == PLACE_ELEMENT ? c->p.dims == 1 ? "%s_i" : form_of_cell(c)
                         : p->place == PLACE_OTHER ? form_of_other(c)
                         : ends[p->place]          ? ends[p->place]
                                                   : "%s_there");
}

str name_result(composer *c, uint8_t step)
{
    enum { SYMBOL = 2 }; /* bytes */
    const lib_quantity *q = c->p.steps[step].f->result;
    const char *usual = apt_words(c, q);
    const str word = name_first(usual);
    const char *one = arena_dup(&c->text, word.p, word.n), *turn = plan_turn(&c->p, step);
    if (turn)
        return name_in_order(c, arena_printf(&c->text, "%s_%s", turn, one), "%s_i");
    if (name_has_input(&c->p, q) && word.n <= SYMBOL && c->usual % 2)
        return name_in_order(c, arena_printf(&c->text, "%s1 new_%s", one, one), "%s_i"); /* v1 */
    if (name_has_input(&c->p, q) && !str_starts(word, "new"))
        return name_in_order(c, arena_printf(&c->text, "new_%s", one), "%s_i");
    enum { LONG = 16 }; /* bytes */
    const str all = name_said(c, q), said = name_in_brief(c, all);
    const bool plain = c->form.long_names && said.n <= LONG && name_is_noun(all, q->noun);
    return name_in_order(c,
                         said.n > LONG ? usual
                         : plain ? arena_printf(&c->text, "%.*s %s", (int)said.n, said.p, usual)
                                 : arena_printf(&c->text, "%s %.*s", usual, (int)said.n, said.p),
                         c->p.dims > 1                   ? form_of_cell(c)
                         : c->form.index == INDEX_LETTER ? "%s_i"
                                                         : "%s_value");
}

/* May the index have another name? Sentences of algorithms become docstrings, which may speak of
 * it; those of patterns stand in prompts alone. */
static bool may_rename(const composer *c, const sym *from)
{
    return !c->frame && c->p.dims == 1 && !c->numpy &&
           (c->p.pattern || !name_stands_in(c->p.algorithm->says, sym_str(from)));
}

/* The thing that the index counts; empty: an own word would say no more. */
static str indexed(const composer *c, char letter)
{
    const lib_field *f = c->p.field;
    const bool same = str_eq(f->other.one, f->element.one);
    if (letter == 'i')
        return c->p.over == LIB_OVER_LINKS ? STR("") : f->element.one;
    if (letter == 'k')
        return c->p.pattern ? f->link.one : STR("");
    if (letter != 'j' || !c->p.pattern || c->p.over == LIB_OVER_LINKS)
        return STR("");
    if (c->p.pattern->into == LIB_INTO_GROUP)
        return f->group.one;
    return !same                                                                  ? f->other.one
           : str_contains(f->partner, STR("parent"))                              ? STR("parent")
           : c->usual % 2 && !str_contains(c->p.pattern->says, STR("all other ")) ? STR("neighbor")
           : c->usual % 3                                                         ? STR("other")
                                                                                  : STR("");
}

/* Indices of a grid: i, j; row, col; r, c. Prompts speak of `i, j`. */
static const char *name_of_grid(composer *c, const sym *from)
{
    static const char *const words[][2] = {{"row", "col"}, {"r", "c"}, {"ty", "tx"}};
    const int axis = from->s[0] == 'i' ? 0 : from->s[0] == 'j' ? 1 : -1;
    const uint32_t way =
        c->p.random || c->form.index == INDEX_LETTER || c->form.index == INDEX_INDEX ? 3
        : c->form.index == INDEX_TID                                                 ? 2
        : c->form.index == INDEX_WORD                                                ? 1
                                                                                     : 0;
    if (!axis)
        c->grid_index = way < 3 && name_is_free(c, str_c(words[way][0])) &&
                        name_is_free(c, str_c(words[way][1]));
    return axis >= 0 && way < 3 && c->grid_index ? words[way][axis] : from->s;
}

const char *name_index(composer *c, const sym *from, bool thread)
{
    static const char *const forms[] = {[INDEX_ID] = "%s_id",
                                        [INDEX_IDX] = "%s_idx",
                                        [INDEX_INDEX] = "%s_index",
                                        [INDEX_JOINED] = "%sid",
                                        [INDEX_WORD] = "%s"};
    index_form form = c->form.index;
    /* Of threads that work on the entries of a list. */
    if (thread && c->p.pattern && !c->frame && !c->numpy && str_eq(sym_str(from), STR("tid")) &&
        !str_contains(c->p.pattern->says, STR("`tid`"))) {
        const char *word = form == INDEX_IDX ? "idx" : form == INDEX_INDEX ? "index" : "tid";
        return name_is_free(c, str_c(word)) ? word : from->s;
    }
    if (c->p.pattern && !c->frame && str_eq(sym_str(from), STR("slot"))) { /* of a row */
        static const char *const words[] = {"slot", "col", "entry", "k", "e", "c"};
        const char *word = words[c->usual % 6];
        return name_is_free(c, str_c(word)) ? word : from->s;
    }
    const bool is_id = from->len > 2 && strcmp(from->s + from->len - 2, "id") == 0; /* worldid */
    if (thread && from->len > 3 && !is_id && form >= INDEX_ID && !c->frame &&
        !c->numpy) { /* world */
        const char *word = arena_printf(&c->text, forms[form], from->s);
        return name_is_free(c, str_c(word)) ? word : from->s;
    }
    if (c->p.dims == 2 && c->p.pattern && !c->frame && !c->numpy && from->len == 1)
        return name_of_grid(c, from);
    const bool own = !c->p.rows.n && c->p.over != LIB_OVER_ACTIVE; /* "tid" says which it is */
    if (form == INDEX_TID && ((!thread && c->p.pattern) || !own))
        form = INDEX_ID;
    if (from->len != 1 || form == INDEX_LETTER || (form == INDEX_TID && !thread) ||
        !may_rename(c, from) || (c->p.algorithm && !thread))
        return from->s;
    if (form == INDEX_TID)
        return name_is_free(c, STR("tid")) ? "tid" : from->s;
    const str thing = indexed(c, from->s[0]);
    if (!thing.n || memchr(thing.p, ' ', thing.n))
        return from->s;
    const char *name = arena_printf(&c->text, forms[form], arena_dup(&c->text, thing.p, thing.n));
    return name_is_free(c, str_c(name)) ? name : from->s;
}

const char *name_sum(const composer *c, const sym *from)
{
    static const char *const words[] = {"acc", "sum_val", "result", "accum", "s"};
    const lib_algorithm *a = c->p.algorithm;
    if (!a || c->frame || c->numpy || strcmp(from->s, "total") != 0 ||
        name_stands_in(a->says, sym_str(from)))
        return NULL;
    const uint32_t way = c->usual % (2 * (sizeof words / sizeof *words));
    const char *word = way < sizeof words / sizeof *words ? words[way] : from->s;
    return name_is_free(c, str_c(word)) && !name_is_said(c, str_c(word)) ? word : NULL;
}

/* Is the pattern's total the result itself: finish(total)? */
static bool is_result(const composer *c, const sym *from)
{
    const lib_pattern *p = c->p.pattern;
    const node *last = p->body[p->nbody - 1];
    const node *call = last->kind == AST_Expr ? AST(Expr, last)->value : NULL;
    const node *arg =
        call && expr_called(call) == c->l->words.finish ? AST(Call, call)->args.v[0] : NULL;
    return arg && arg->kind == AST_Name && AST(Name, arg)->id == from;
}

/* Is it "u" or "rho_n", to which "total_" or "_term" would say little? */
static bool is_symbol(str word)
{
    enum { TERSE = 3 }; /* letters */
    return word.n <= TERSE || memchr(word.p, '_', word.n);
}

/* "force", "total_force", "acc": what is summed up has the name of the sum, or a general one. */
str name_total(composer *c, const sym *from)
{
    enum { OWN = 75, FULL = 30 }; /* percent */
    const lib_quantity *q = c->p.steps[c->now].f->result;
    if (c->p.pattern && is_result(c, from) && chance(c, OWN))
        return name_result(c, c->now);
    const str word = name_first(q->one), said = is_symbol(word) ? name_said(c, q) : word;
    const char *one = arena_dup(&c->text, said.p, said.n);
    return chance(c, FULL) || !c->p.pattern
               ? name_in_order(c, arena_printf(&c->text, "%s %s_sum", from->s, one), "%s_sum")
               : name_from(c, arena_printf(&c->text, "%s_sum accum acc total_%s", one, one));
}

typedef struct name_search {
    str name;
    bool found;
} name_search;

static void find_name(void *arg, const node *n)
{
    name_search *f = arg;
    f->found |= n->kind == AST_Name && str_eq(sym_str(AST(Name, n)->id), f->name);
    ast_each_child(n, find_name, f);
}

/* Has the pattern a local `j`, or does it look others up where it needs them? */
static bool has_j(const lib_pattern *p)
{
    name_search f = {STR("j"), false};
    for (uint32_t i = 0; i < p->nbody; i++)
        find_name(&f, p->body[i]);
    return f.found;
}

/* One of a sum: "term"; of two sums "density_rate_term" each; "f_j" beside an index `j`. */
str name_summand(composer *c)
{
    enum { LONG = 16 }; /* bytes */
    static const char *const words[] = {"term contribution value", "contribution value term",
                                        "value term contribution"};
    const lib_quantity *q = c->p.steps[c->now].f->result;
    const str one = name_first(q->one), said = name_said(c, q);
    const str own = said.n <= LONG || is_symbol(one) ? said : one;
    if (c->p.nmains > 1)
        return name_from(c, arena_printf(&c->text, "%.*s_term", (int)own.n, own.p));
    if (c->p.dims == 1 && c->form.index == INDEX_LETTER && !memchr(one.p, '_', one.n) &&
        has_j(c->p.pattern))
        return name_from(c, arena_printf(&c->text, "%.*s_j %s", (int)one.n, one.p, words[0]));
    return name_from(c, words[c->usual % 3]);
}
