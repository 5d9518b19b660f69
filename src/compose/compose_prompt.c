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
#include "base/ascii.h"
#include "compose/compose_internal.h"

/* --- names in sentences ----------------------------------------------------------------------- */

/* What a sentence is about: a step, an ending or a filter; both NULL: the pattern or the
 * algorithm. */
typedef struct prompt_names {
    composer *c;
    const plan_step *s;
    const plan_part *part;
    bool whole; /* names of arrays alone, as docstrings have them */
} prompt_names;

/* Is the place a corner that the sentence of the pattern has a letter for? */
static bool is_corner(const composer *c, lib_place place)
{
    return place >= PLACE_FIRST && place <= PLACE_FOURTH && plan_corners(&c->p);
}

/* "[i]": the letters that the sentences of patterns use. */
static const char *place_index(const composer *c, lib_place place)
{
    return c->said[place];
}

static const char *plain_index(const composer *c, lib_place place)
{
    static const char *const elements[] = {"[i]", "[i, j]", "[i, j, k]"};
    /* West, east, south, north, below, above of lines, grids and boxes. */
    static const char *const around[3][6] = {
        {"[i - 1]", "[i + 1]"},
        {"[i, j - 1]", "[i, j + 1]", "[i + 1, j]", "[i - 1, j]"},
        {"[i - 1, j, k]", "[i + 1, j, k]", "[i, j - 1, k]", "[i, j + 1, k]", "[i, j, k - 1]",
         "[i, j, k + 1]"}};
    static const char *const row[] = {"[i]", "[i + 1]", "[i + 2]", "[i + 3]"};
    static const char *const corners[] = {"[v0]", "[v1]", "[v2]", "[v3]"};
    if (is_corner(c, place))
        return corners[place - PLACE_FIRST];
    switch (place) {
    case PLACE_WEST:
    case PLACE_EAST:
    case PLACE_SOUTH:
    case PLACE_NORTH:
    case PLACE_BELOW:
    case PLACE_ABOVE: return around[c->p.dims - 1][place - PLACE_WEST];
    case PLACE_FIRST:
    case PLACE_SECOND:
    case PLACE_THIRD:
    case PLACE_FOURTH: return row[place - PLACE_FIRST];
    case PLACE_OTHER: return c->p.dims == 1 ? "[j]" : "[y, x]";
    case PLACE_LINK: return "[k]";
    case PLACE_UNIFORM:
    case PLACE_WHOLE:
    case PLACE_OUT: return "";
    case PLACE_ELEMENT:
        if (c->p.by_value)
            return "[0]";
        /* fallthrough */
    default:
        return elements[c->p.over == LIB_OVER_ELEMENTS || c->p.over == LIB_OVER_FLAT ? c->p.dims - 1
                                                                                     : 0];
    }
}

void prompt_put_code(strbuf *out, str name, const char *index)
{
    sb_char(out, '`');
    sb_str(out, name);
    sb_c(out, index);
    sb_char(out, '`');
}

/* What an earlier step has given: `accel` where the kernel has a local for it, else "the
 * acceleration". */
static void put_result(const composer *c, strbuf *out, uint8_t at)
{
    if (c->letters[at].n) {
        prompt_put_code(out, c->letters[at], "");
        return;
    }
    const uint8_t first = c->p.algorithm && c->p.algorithm->result;
    const str noun = c->p.steps[at].f->result->noun;
    bool several = false; /* so that "that velocity" would not say which */
    for (uint8_t i = first; i < c->p.nsteps; i++)
        several |= i != at && str_eq(c->p.steps[i].f->result->noun, noun);
    sb_c(out, several && at >= first ? "the " : "that ");
    sb_str(out, noun);
    if (several && at >= first)
        sb_printf(out, " of step %u", at - first + 1u);
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
        put_result(c, out, in.at);
        return;
    }
    const plan_arg *a = &c->p.args[in.at];
    const bool one = a->axis == AXIS_NONE || a->axis == AXIS_WHOLE;
    prompt_put_code(out, a->name, one ? "" : place_index(c, param->place));
    if (a->member.n) {
        out->n--; /* the quote */
        sb_char(out, '.');
        sb_str(out, a->member);
        sb_char(out, '`');
    }
}

/* `previous[i]`; `{scale}[w]` brings its own quotes and index. */
static void put_part_name(const prompt_names *n, strbuf *out, str word)
{
    const lib_part *part = n->part->part;
    uint32_t i = 0;
    while (i < part->nparams && !str_eq(sym_str(part->params[i].name), word))
        i++;
    WEFT_ASSERT(i < part->nparams); /* library_read.c found it among the parameters */
    const plan_arg *a = &n->c->p.args[n->part->args[i]];
    if (n->whole && a->axis == AXIS_ELEMENT && out->n > 6 &&
        memcmp(out->p + out->n - 6, "whose ", 6) == 0) /* no "whose enabled is 0" */
        SB_LIT(out, "entry of ");
    if (str_count(sb_view(out), '`') % 2)
        sb_str(out, a->name);
    else
        prompt_put_code(out, a->name,
                        n->whole                                 ? ""
                        : a->shape && strcmp(a->shape, "1") == 0 ? "[0]"
                        : a->axis == AXIS_ELEMENT                ? place_index(n->c, PLACE_ELEMENT)
                                                                 : "");
}

static void put_name(void *arg, strbuf *out, str word)
{
    const prompt_names *n = arg;
    const plan *p = &n->c->p;
    if (n->part) {
        put_part_name(n, out, word);
        return;
    }
    for (uint32_t i = 0; n->s && i < n->s->f->nparams; i++)
        if (str_eq(sym_str(n->s->f->params[i].name), word)) {
            put_input(n, out, i);
            return;
        }
    for (uint8_t i = 0; !n->s && i < p->nargs; i++)
        if (p->args[i].template_name && str_eq(sym_str(p->args[i].template_name), word)) {
            /* Sentences of patterns bring their own quotes: `{offsets}[i]`. */
            const bool quoted = str_count(sb_view(out), '`') % 2, member = p->args[i].member.n;
            sb_c(out, quoted ? "" : "`");
            sb_str(out, p->args[i].name);
            sb_c(out, member ? "." : "");
            sb_str(out, p->args[i].member);
            sb_c(out, quoted ? "" : "`");
            return;
        }
    WEFT_ASSERT(false); /* library_read.c found it among the parameters */
}

/* --- what is computed ------------------------------------------------------------------------- */

static void put_says(composer *c, const plan_step *s, str says)
{
    says_put(c, &c->prompt, says, put_name, &(prompt_names){.c = c, .s = s});
}

void prompt_put_says(composer *c, str says)
{
    put_says(c, NULL, says);
}

bool prompt_has_no_index(const composer *c)
{
    return c->p.algorithm && !name_stands_in(c->p.algorithm->says, STR("i"));
}

void prompt_put_capital(composer *c, const plan_part *part, str says, bool whole)
{
    const size_t at = c->prompt.n;
    says_put(c, &c->prompt, says, put_name, &(prompt_names){.c = c, .part = part, .whole = whole});
    char *first = c->prompt.p + at;
    if (*first >= 'a' && *first <= 'z')
        *first = (char)(*first - 'a' + 'A');
}

/* "Store the torque in ...": the sentence of an ending, where "it" would point nowhere; "store them
 * in" of several. */
static str ending_of(composer *c, const plan_step *s, bool noun)
{
    const char *turn = noun ? plan_turn(&c->p, (uint8_t)(s - c->p.steps)) : NULL;
    const str says = s->ending.part->says, plain = s->f->result->noun;
    const str name = turn ? name_joined(c, str_c(turn), " ", plain) : plain;
    if (!noun && !noun_is_plural(name))
        return says;
    for (size_t i = 1; i + 3 <= says.n; i++) {
        const bool word = memcmp(says.p + i - 1, " it", 3) == 0;
        const bool owner = word && says.p[i + 2] == 's';
        if (!word || (!owner && says.p[i + 2] != ' ' && says.p[i + 2] != ','))
            continue;
        const size_t rest = i + 2 + owner;
        const str end = {says.p + rest, says.n - rest};
        const str it = noun    ? name_joined(c, STR("the"), " ", name)
                       : owner ? STR("their")
                               : STR("them");
        return str_c(arena_printf(&c->text, "%.*s%.*s%s%.*s", (int)i, says.p, (int)it.n, it.p,
                                  noun && owner ? "'s" : "", (int)end.n, end.p));
    }
    return says;
}

/* "totals[group[i]]" is "totals": docstrings, which stand beside the code, name the array, and the
 * index says nothing there. An index of other things stays: "loss[0]". */
static void drop_index_of_element(composer *c, strbuf *b)
{
    const str text = expr_keep(c, b, 0);
    b->n = 0;
    for (size_t i = 0; i < text.n; i++) {
        size_t end = i;
        int open = 0;
        bool element = false;
        while (text.p[i] == '[' && end < text.n) {
            open += text.p[end] == '[' ? 1 : text.p[end] == ']' ? -1 : 0;
            element |= text.p[end] == 'i' && strchr(" [", text.p[end - 1]) && end + 1 < text.n &&
                       strchr("],", text.p[end + 1]);
            if (!open)
                break;
            end++;
        }
        if (element && end < text.n)
            i = end;
        else
            sb_char(b, text.p[i]);
    }
}

str prompt_ending(composer *c, const plan_step *s, bool noun)
{
    strbuf b;
    sb_init(&b, c->m);
    says_put(c, &b, ending_of(c, s, noun), put_name,
             &(prompt_names){.c = c, .part = &s->ending, .whole = true});
    drop_index_of_element(c, &b);
    const str text = expr_keep(c, &b, 0);
    sb_clear(&b);
    return text;
}

str prompt_filter(composer *c, const plan_part *part)
{
    strbuf b;
    sb_init(&b, c->m);
    says_put(c, &b, part->part->says, put_name,
             &(prompt_names){.c = c, .part = part, .whole = true});
    drop_index_of_element(c, &b);
    const str text = expr_keep(c, &b, 0);
    sb_clear(&b);
    return text;
}

/* Is what "it" means so far away that the noun is said again? */
static bool is_far(const plan_step *s, bool sum)
{
    enum { FAR = 80 }; /* bytes of a sentence */
    return sum || s->function || s->repeat || s->f->says.n > FAR ||
           str_find(s->f->says, STR(", where ")) || str_find(s->f->says, STR(" if "));
}

/* `. Store it in velocities_out[i]` */
static void put_stored(composer *c, uint8_t at, lib_into into, bool sum)
{
    strbuf *b = &c->prompt;
    const plan_step *s = &c->p.steps[at];
    if (s->stored < 0)
        return;
    const bool far = is_far(s, sum);
    if (s->ending.part) {
        SB_LIT(b, ". ");
        prompt_put_capital(c, &s->ending, ending_of(c, s, far), false);
        return;
    }
    const str name = c->p.args[s->stored].name;
    const str noun = s->f->result->noun, plural = s->f->result->nouns;
    const char *turn = plan_turn(&c->p, at);
    const str it =
        far ? name_joined(c, turn ? name_joined(c, STR("the"), " ", str_c(turn)) : STR("the"), " ",
                          noun)
        : noun_is_plural(noun) ? STR("them")
                               : STR("it");
    if (into == LIB_INTO_ONE && c->p.pattern->traits.tiles) {
        sb_printf(b, ". Each block of threads adds up its %.*s as a tile, and adds the sum to ",
                  (int)plural.n, plural.p);
        prompt_put_code(b, name, "[0]");
        SB_LIT(b, " by `wp.tile_atomic_add`");
        return;
    }
    if (into == LIB_INTO_FIRST || into == LIB_INTO_ONE || into == LIB_INTO_GROUP) {
        sb_printf(b, ". Add %.*s atomically to ", (int)it.n, it.p);
        prompt_put_code(b, name,
                        into == LIB_INTO_ONE     ? "[0]"
                        : into == LIB_INTO_FIRST ? "[i]"
                                                 : "[j]");
        return;
    }
    if (into == LIB_INTO_CORNERS) {
        const int n = plan_corners(&c->p);
        sb_printf(b, ". Add %.*s atomically to ", (int)it.n, it.p);
        for (int i = 0; i < n; i++) {
            sb_c(b, i == 0 ? "" : i + 1 == n ? " and " : ", ");
            prompt_put_code(b, name, place_index(c, (lib_place)(PLACE_FIRST + i)));
        }
        return;
    }
    if (into == LIB_INTO_ENDS) {
        sb_printf(b, ". Add %.*s atomically to ", (int)it.n, it.p);
        prompt_put_code(b, name, "[i]");
        if (c->p.pattern->opposite) {
            SB_LIT(b, ", and subtract it atomically from ");
            prompt_put_code(b, name, "[j]");
        }
        return;
    }
    sb_printf(b, ". Store %.*s in ", (int)it.n, it.p);
    prompt_put_code(b, name, place_index(c, PLACE_ELEMENT));
}

/* ". Do so 4 times, with the result in place of `v[i]` from the second time on" */
static void put_repeat(composer *c, const plan_step *s)
{
    if (!s->repeat)
        return;
    sb_printf(
        &c->prompt,
        ". Take %u such steps in a loop, each but the first with the last result in place of ",
        s->repeat);
    put_input(&(prompt_names){.c = c, .s = s}, &c->prompt, s->again);
}

/* What a sum goes over; which thread works on which element is said with the launch. */
static str before_threads(str says)
{
    const char *thread = str_find(says, STR("; thread "));
    return thread ? (str){says.p, (size_t)(thread - says.p)} : says;
}

/* "the spring force: a sum over the springs `k` of .... Each term is ..." */
static void put_step(composer *c, uint8_t at)
{
    const plan_step *s = &c->p.steps[at];
    const lib_pattern *p = c->p.pattern;
    const bool is_main = p && at >= c->p.main && at < c->p.main + c->p.nmains;
    const bool sum = is_main && p->sums && p->into == LIB_INTO_ELEMENT;
    const char *turn = plan_turn(&c->p, at);
    if (!turn && name_renews(&c->p, s->f->result))
        turn = "new";
    SB_LIT(&c->prompt, "the ");
    if (turn)
        sb_printf(&c->prompt, "%s ", turn);
    sb_str(&c->prompt, s->f->result->noun);
    if (s->uses && c->letters[at].n) {
        sb_char(&c->prompt, ' ');
        prompt_put_code(&c->prompt, c->letters[at], "");
    }
    if (sum) {
        SB_LIT(&c->prompt, ": a sum ");
        if (at == c->p.main)
            put_says(c, NULL, before_threads(p->says));
        else
            put_says(c, NULL,
                     c->p.dims == 1 ? STR("over the same {others} `j`")
                                    : STR("over the same {others} `y, x`"));
        SB_LIT(&c->prompt, ". Each term is ");
    } else
        sb_c(&c->prompt, says_colon(s->f));
    put_says(c, s, s->f->says);
    if (s->function) {
        sb_c(&c->prompt, sum ? ". Write each term as a `wp.func` called "
                             : ". Write this as a `wp.func` called ");
        prompt_put_code(&c->prompt, sym_str(s->f->def->name), "");
    }
    joint_put_prompt(c, at);
    put_repeat(c, s);
    put_stored(c, at, is_main ? p->into : LIB_INTO_ELEMENT, sum || joint_is_second(&c->p, at));
    sb_char(&c->prompt, '.');
}

/* Has no sentence, and no argument, the name for something else? */
static bool is_free_letter(const composer *c, uint8_t step, str name)
{
    static const char *const indexes[] = {"i", "j", "k", "t", "x", "y", "v0", "v1", "v2", "v3"};
    bool own = !STR_IS_IN(name, indexes) && !name_is_said(c, name);
    for (uint8_t i = 0; i < c->p.nargs; i++)
        own &= !str_eq(c->p.args[i].name, name) && !str_eq(c->p.args[i].entry, name);
    for (uint8_t i = 0; i < step; i++)
        own &= !str_eq(c->letters[i], name);
    return own;
}

/* Has the kernel a local with the result? */
static bool is_own_letter(const composer *c, uint8_t step)
{
    const str name = c->values[step];
    return name.n && !str_eq(name, STR("total")) && step_is_plain(name) &&
           !memchr(name.p, '.', name.n) && ascii_is_letter(name.p[0]) &&
           is_free_letter(c, step, name);
}

/* A name for a result that the kernel has no local for, since "s that color" is hard to read. */
static str invented_letter(const composer *c, uint8_t step)
{
    const char *words = c->p.steps[step].f->result->one;
    for (str w; (w = str_take_word(&words)).n;)
        if (is_free_letter(c, step, w))
            return w;
    const str id = sym_str(c->p.steps[step].f->result->id);
    return is_free_letter(c, step, id) ? id : STR("");
}

/* What sentences call the results of the steps: as the kernel does, if it has a local for one. */
static void name_results(composer *c)
{
    const plan *p = &c->p;
    for (uint8_t i = 0; i < p->nsteps; i++) {
        if (p->algorithm && p->algorithm->result && !i &&
            !p->steps[0].ending.part) { /* what it stores */
            const str name = p->args[p->steps[0].stored].name;
            c->letters[0] = str_c(arena_printf(&c->text, "%.*s%s", (int)name.n, name.p,
                                               place_index(c, PLACE_ELEMENT)));
            continue;
        }
        if (is_own_letter(c, i)) {
            c->letters[i] = c->values[i];
            continue;
        }
        c->letters[i] = p->steps[i].uses ? invented_letter(c, i) : STR("");
    }
}

/* "For each particle `i`" */
static void put_whom(composer *c)
{
    const lib_pattern *p = c->p.pattern;
    const bool rows = c->p.rows.n > 0;
    if (rows)
        sb_printf(&c->prompt, "In each %.*s `%.*s`, ", (int)c->p.rows.n, c->p.rows.p,
                  (int)c->p.row.n, c->p.row.p);
    if (!p->sums || p->into != LIB_INTO_ELEMENT) {
        if (rows)
            put_says(c, NULL, before_threads(p->says));
        else
            prompt_put_capital(c, NULL, before_threads(p->says), false);
        return;
    }
    sb_c(&c->prompt, rows ? "for each " : "For each ");
    sb_str(&c->prompt, c->p.field->element.one);
    sb_c(&c->prompt, c->p.dims == 1 ? " `i`" : c->p.dims == 2 ? " `i, j`" : " `i, j, k`");
}

/* Outputs that the sentence of an algorithm does not name. */
static uint32_t find_unsaid(composer *c, const plan_arg **unsaid, bool *others)
{
    const plan *p = &c->p;
    const bool ended = p->algorithm->result && p->steps[0].ending.part;
    uint32_t n = 0;
    *others = ended;
    for (uint8_t i = 0; i < p->nargs; i++) {
        const plan_arg *a = &p->args[i];
        if (!a->written || !a->template_name || (ended && i == p->steps[0].stored))
            continue;
        const char *word = arena_printf(&c->text, "{%s}", a->template_name->s);
        if (str_contains(p->algorithm->says, str_c(word)))
            *others = true;
        else
            unsaid[n++] = a;
    }
    return n;
}

/* Where the results of an algorithm go, if its sentence does not say: "The angle goes to `a` and
 * the rate to `r`." */
static void put_unsaid_output(composer *c)
{
    const plan *p = &c->p;
    const plan_arg *unsaid[PLAN_ARGS];
    bool others;
    const uint32_t n = find_unsaid(c, unsaid, &others);
    const bool one = n == 1 && !others,
               said = str_contains(p->algorithm->says, STR("the result is"));
    if (n)
        sb_c(&c->prompt, !one ? " The " : said ? " It goes to " : " The result goes to ");
    for (uint32_t i = 0; i < n; i++) {
        const str noun = unsaid[i]->noun ? str_c(unsaid[i]->noun) : unsaid[i]->of->noun;
        if (!one) {
            sb_c(&c->prompt, !i ? "" : i + 1 == n ? " and the " : ", the ");
            sb_str(&c->prompt, noun);
            sb_c(&c->prompt, i ? " to " : noun_is_plural(noun) ? " go to " : " goes to ");
        }
        prompt_put_code(&c->prompt, unsaid[i]->name, "");
    }
    sb_c(&c->prompt, n ? "." : "");
    if (p->algorithm->result && p->steps[0].ending.part) {
        sb_char(&c->prompt, ' ');
        prompt_put_capital(c, &p->steps[0].ending, ending_of(c, &p->steps[0], true),
                           prompt_has_no_index(c));
        sb_char(&c->prompt, '.');
    }
}

/* A function's parameter. */
static void put_word(void *arg, strbuf *out, str word)
{
    (void)arg;
    prompt_put_code(out, word, "");
}

/* The functions that no step is, each with its sentence. */
static void put_functions(composer *c)
{
    for (uint32_t i = c->emitted_from; i < c->nemitted; i++) {
        const lib_formula *f = c->emitted[i];
        bool step = false;
        for (uint8_t k = 0; k < c->p.nsteps; k++)
            step |= c->p.steps[k].f == f;
        if (step)
            continue;
        sb_c(&c->prompt, c->p.nsteps > 1 ? "\n\nThe `wp.func` `" : " The `wp.func` `");
        sb_str(&c->prompt, sym_str(f->def->name));
        SB_LIT(&c->prompt, "(");
        for (uint32_t k = 0; k < f->nparams; k++) {
            sb_c(&c->prompt, k ? ", " : "");
            sb_str(&c->prompt, sym_str(f->params[k].name));
        }
        SB_LIT(&c->prompt, ")` returns ");
        says_put(c, &c->prompt, f->says, put_word, NULL);
        sb_char(&c->prompt, '.');
    }
}

/* What comes behind the result of an algorithm. */
static void put_following(composer *c)
{
    const uint8_t first = c->p.algorithm->result != NULL;
    if (c->p.nsteps <= first)
        return;
    SB_LIT(&c->prompt, " Then, for each ");
    sb_str(&c->prompt, c->p.field->element.one);
    sb_c(&c->prompt, c->p.dims == 1 ? " `i`" : c->p.dims == 2 ? " `i, j`" : " `i, j, k`");
    SB_LIT(&c->prompt, ", compute");
    const bool several = c->p.nsteps > first + 1;
    if (several)
        SB_LIT(&c->prompt, " in this order:\n");
    for (uint8_t i = first; i < c->p.nsteps; i++) {
        if (several)
            sb_printf(&c->prompt, "\n%u. ", i - first + 1u);
        else
            sb_char(&c->prompt, ' ');
        put_step(c, i);
    }
}

/* Which world a thread of an algorithm works on. */
static void put_worlds(composer *c)
{
    const str rows = c->p.rows, row = c->p.row, one = c->p.field->element.one;
    if (rows.n)
        sb_printf(&c->prompt,
                  " Thread `%.*s, i` works on %.*s `i` of %.*s `%.*s`; arrays that have values for "
                  "each %.*s have it as their first index.",
                  (int)row.n, row.p, (int)one.n, one.p, (int)rows.n, rows.p, (int)row.n, row.p,
                  (int)rows.n, rows.p);
}

/* Has what stands before the first colon a verb of its own: "the joint of each link acts on"? */
static bool is_sentence(str says)
{
    static const char *const ends[] = {": ", "; ", ". "},
                             *const parts[] = {", ", " that ", " which ", " whose ", " where "},
                             *const verbs[] = {" acts ", " is ",    " are ",  " gets ",
                                               " adds ", " takes ", " loads "};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const char *end = str_find(says, str_c(ends[i]));
        says.n = end ? (size_t)(end - says.p) : says.n;
    }
    bool is = str_contains(says, STR(", is "));
    if (str_starts(says, "what ")) /* "what is left" */
        return false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *end = str_find(says, str_c(parts[i]));
        says.n = end ? (size_t)(end - says.p) : says.n;
    }
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        is |= str_contains(says, str_c(verbs[i]));
    return is;
}

/* "that adds ..." where the sentence begins with what the kernel does. */
const char *prompt_opening(str says)
{
    size_t n = 0;
    while (n < says.n && says.p[n] >= 'a' && says.p[n] <= 'z')
        n++;
    const str rest = {says.p + n, says.n - n};
    const bool noun_behind = str_starts(rest, " of ") || str_starts(rest, " against ") ||
                             str_starts(rest, " whose ") ||
                             (str_starts(rest, " for ") && !str_starts(rest, " for each "));
    const bool verb =
        n > 2 && !noun_behind && says.p[n - 1] == 's' && says.p[n - 2] != 's' && says.p[n] == ' ';
    static const char *const nouns[] = {"the ", "what ", "a ",     "an ",
                                        "one ", "two ",  "three ", "for each "};
    bool noun = false;
    for (size_t i = 0; i < sizeof nouns / sizeof *nouns; i++)
        noun |= str_starts(says, nouns[i]);
    if (says.p[0] >= '0' && says.p[0] <= '9')
        return " that stores ";
    if (str_starts(says, "each ") || is_sentence(says)) /* "each particle, ..., adds" */
        return " in which ";
    return verb ? " that " : noun ? " that computes " : ": ";
}

static void put_computation(composer *c)
{
    const plan *p = &c->p;
    name_results(c);
    if (p->algorithm) {
        const str says = p->algorithm->says;
        sb_c(&c->prompt, prompt_opening(says));
        put_says(c, NULL, says);
        sb_char(&c->prompt, '.');
        put_unsaid_output(c);
        put_worlds(c);
        put_following(c);
        put_functions(c);
        return;
    }
    SB_LIT(&c->prompt, ". ");
    put_whom(c);
    if (p->nsteps == 1) {
        SB_LIT(&c->prompt, ", compute ");
        put_step(c, 0);
        put_functions(c);
        return;
    }
    SB_LIT(&c->prompt, ", compute in this order:\n");
    for (uint8_t i = 0; i < p->nsteps; i++) {
        sb_printf(&c->prompt, "\n%u. ", i + 1u);
        put_step(c, i);
    }
    put_functions(c);
}

/* "[i]", "[world, i]" */
static void find_indexes(composer *c)
{
    for (int place = 0; place < PLACES; place++) {
        const char *index = plain_index(c, (lib_place)place);
        const char *plain = index ? index : ""; /* no line has a north */
        c->said[place] =
            c->p.rows.n && place != PLACE_LINK && *plain
                ? arena_printf(&c->text, "[%.*s, %s", (int)c->p.row.n, c->p.row.p, plain + 1)
                : plain;
    }
}

void write_prompt(composer *c)
{
    c->prompt.n = 0;
    find_indexes(c);
    SB_LIT(&c->prompt, "Write a Warp kernel called ");
    prompt_put_code(&c->prompt, c->kernel, "");
    put_computation(c);
    says_put_signs(c, &c->prompt, 0);
    prompt_put_arguments(c);
    constant_put_prompt(c);
    generic_put_prompt(c);
    prompt_put_threads(c);
}
