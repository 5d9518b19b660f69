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
    default: return elements[c->p.over == LIB_OVER_ELEMENTS ? c->p.dims - 1 : 0];
    }
}

static void put_code(strbuf *out, str name, const char *index)
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
        put_code(out, c->letters[at], "");
        return;
    }
    SB_LIT(out, "that ");
    sb_str(out, c->p.steps[at].f->result->noun);
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
    put_code(out, a->name, one ? "" : place_index(c, param->place));
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
    if (out->n && out->p[out->n - 1] == '`')
        sb_str(out, a->name);
    else
        put_code(out, a->name,
                 a->shape && strcmp(a->shape, "1") == 0 ? "[0]"
                 : a->axis == AXIS_ELEMENT              ? place_index(n->c, PLACE_ELEMENT)
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
            const bool quoted = out->n && out->p[out->n - 1] == '`', member = p->args[i].member.n;
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

static void put_capital(composer *c, const plan_part *part, str says)
{
    const size_t at = c->prompt.n;
    says_put(c, &c->prompt, says, put_name, &(prompt_names){.c = c, .part = part});
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
    if (s->ending.part) {
        SB_LIT(b, ". ");
        put_capital(c, &s->ending, s->ending.part->says);
        return;
    }
    const str name = c->p.args[s->stored].name;
    if (into == LIB_INTO_FIRST || into == LIB_INTO_ONE || into == LIB_INTO_GROUP) {
        SB_LIT(b, ". Add it atomically to ");
        put_code(b, name, into == LIB_INTO_ONE ? "[0]" : into == LIB_INTO_FIRST ? "[i]" : "[j]");
        return;
    }
    if (into == LIB_INTO_CORNERS) {
        const int n = plan_corners(&c->p);
        SB_LIT(b, ". Add it atomically to ");
        for (int i = 0; i < n; i++) {
            sb_c(b, i == 0 ? "" : i + 1 == n ? " and " : ", ");
            put_code(b, name, place_index(c, (lib_place)(PLACE_FIRST + i)));
        }
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

/* "the spring force: the sum of ..., over the springs `k` of ..." */
static void put_step(composer *c, uint8_t at)
{
    const plan_step *s = &c->p.steps[at];
    const lib_pattern *p = c->p.pattern;
    const bool is_main = p && at >= c->p.main && at < c->p.main + c->p.nmains;
    const bool sum = is_main && p->sums && p->into == LIB_INTO_ELEMENT;
    SB_LIT(&c->prompt, "the ");
    sb_str(&c->prompt, s->f->result->noun);
    if (s->uses && c->letters[at].n) {
        sb_char(&c->prompt, ' ');
        put_code(&c->prompt, c->letters[at], "");
    }
    SB_LIT(&c->prompt, ": ");
    if (sum)
        SB_LIT(&c->prompt, "the sum of ");
    put_says(c, s, s->f->says);
    if (s->function) {
        sb_c(&c->prompt, sum ? ", each term by a `wp.func` called " : ", by a `wp.func` called ");
        put_code(&c->prompt, sym_str(s->f->def->name), "");
    }
    if (sum) {
        SB_LIT(&c->prompt, ", ");
        if (at == c->p.main)
            put_says(c, NULL, p->says);
        else
            SB_LIT(&c->prompt, "over the same ones");
    }
    put_repeat(c, s);
    put_stored(c, s, is_main ? p->into : LIB_INTO_ELEMENT);
    sb_char(&c->prompt, '.');
}

/* Has the kernel a local with the result, whose name no sentence has for something else? */
static bool is_own_letter(const composer *c, uint8_t step)
{
    static const char *const indexes[] = {"i", "j", "k", "t", "x", "y", "v0", "v1", "v2", "v3"};
    const str name = c->values[step];
    bool own = name.n && step_is_plain(name) && !memchr(name.p, '.', name.n) &&
               ascii_is_letter(name.p[0]) && !STR_IS_IN(name, indexes) && !name_is_said(c, name);
    for (uint8_t i = 0; i < c->p.nargs; i++)
        own &= !str_eq(c->p.args[i].name, name);
    for (uint8_t i = 0; i < step; i++)
        own &= !str_eq(c->letters[i], name);
    return own;
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
        c->letters[i] = STR("");
    }
}

/* "For each particle `i`" */
static void put_whom(composer *c)
{
    const lib_pattern *p = c->p.pattern;
    const bool rows = c->p.rows.n > 0;
    if (rows)
        sb_printf(&c->prompt, "In each %.*s `%.*s`, ", (int)c->p.rows.n, c->p.rows.p,
                  (int)c->p.rows.n, c->p.rows.p);
    if (!p->sums || p->into != LIB_INTO_ELEMENT) {
        if (rows)
            put_says(c, NULL, p->says);
        else
            put_capital(c, NULL, p->says);
        return;
    }
    sb_c(&c->prompt, rows ? "for each " : "For each ");
    sb_str(&c->prompt, c->p.field->element.one);
    sb_c(&c->prompt, c->p.dims == 1 ? " `i`" : c->p.dims == 2 ? " `i, j`" : " `i, j, k`");
}

/* "Store the torque in ...": the sentence of an ending, where the result has no sentence of its own
 * for "it" to speak of. */
static void put_ending_of_result(composer *c)
{
    const plan_step *s = &c->p.steps[0];
    const str says = s->ending.part->says, noun = s->f->result->noun;
    for (size_t i = 1; i + 3 <= says.n; i++) {
        const bool word = memcmp(says.p + i - 1, " it", 3) == 0;
        const bool owner = word && says.p[i + 2] == 's';
        if (!word || (!owner && says.p[i + 2] != ' ' && says.p[i + 2] != ','))
            continue;
        const size_t rest = i + 2 + owner;
        put_capital(
            c, &s->ending,
            str_c(arena_printf(&c->text, "%.*sthe %.*s%s%.*s", (int)i, says.p, (int)noun.n, noun.p,
                               owner ? "'s" : "", (int)(says.n - rest), says.p + rest)));
        return;
    }
    put_capital(c, &s->ending, says);
}

/* Where the result of an algorithm goes, if its sentence does not say. */
static void put_unsaid_output(composer *c)
{
    const plan *p = &c->p;
    const plan_arg *output = NULL;
    if (p->algorithm->result && p->steps[0].ending.part) {
        sb_char(&c->prompt, ' ');
        put_ending_of_result(c);
        sb_char(&c->prompt, '.');
        return;
    }
    for (uint8_t i = 0; i < p->nargs; i++) {
        if (!p->args[i].written || !p->args[i].template_name)
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

/* A function's parameter. */
static void put_word(void *arg, strbuf *out, str word)
{
    (void)arg;
    put_code(out, word, "");
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
    const str rows = c->p.rows, one = c->p.field->element.one;
    const bool world = str_eq(rows, STR("world"));
    if (rows.n)
        sb_printf(
            &c->prompt,
            " for several %.*s%s side by side, where thread `%.*s, i` works on the %.*s `i` of "
            "%.*s `%.*s` with the values of that %.*s",
            (int)rows.n, rows.p, world || !str_eq(rows, STR("batch")) ? "s" : "es", (int)rows.n,
            rows.p, (int)one.n, one.p, (int)rows.n, rows.p, (int)rows.n, rows.p, (int)rows.n,
            rows.p);
}

static void put_computation(composer *c)
{
    const plan *p = &c->p;
    name_results(c);
    if (p->algorithm) {
        put_worlds(c);
        SB_LIT(&c->prompt, ": ");
        put_says(c, NULL, p->algorithm->says);
        sb_char(&c->prompt, '.');
        put_unsaid_output(c);
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

/* --- threads ---------------------------------------------------------------------------------- */

/* Which state the random numbers come from, as the kernel has it. */
static void put_random_state(composer *c)
{
    static const char call[] = "wp.rand_init(";
    const str body = sb_view(&c->body);
    for (size_t i = 0; i + sizeof call <= body.n; i++) {
        if (memcmp(body.p + i, call, sizeof call - 1) != 0)
            continue;
        size_t n = sizeof call - 1;
        for (int open = 1; open && i + n < body.n; n++)
            open += body.p[i + n] == '(' ? 1 : body.p[i + n] == ')' ? -1 : 0;
        SB_LIT(&c->prompt, " Each thread draws its random numbers from the state ");
        put_code(&c->prompt, (str){body.p + i, n}, "");
        sb_char(&c->prompt, '.');
        return;
    }
}

/* Do the shapes of an algorithm's arrays speak of the launch's size, by its first letter? */
static bool shapes_name_launch(const plan *p)
{
    for (uint8_t i = 0; p->algorithm && p->over == LIB_OVER_ELEMENTS && i < p->nargs; i++)
        if (p->args[i].shape && strchr(p->args[i].shape, 'n') &&
            !prompt_is_capacity(p->args[i].shape) && !prompt_is_of_each(p, &p->args[i]))
            return true;
    return false;
}

/* "entry of `active`" */
static void put_entry_of_list(composer *c)
{
    SB_LIT(&c->prompt, "entry of ");
    for (uint8_t i = 0; i < c->p.nargs; i++)
        if (c->p.args[i].role == ROLE_BINDING && c->p.args[i].binding == BIND_ACTIVE)
            put_code(&c->prompt, c->p.args[i].name, "");
}

/* Letters as in the shapes: `dim=(n, m)`. */
static void put_launch(composer *c)
{
    static const char *const sizes[] = {"n", "(n, m)", "(n, m, l)"};
    const plan *p = &c->p;
    strbuf *b = &c->prompt;
    const lib_field *f = p->field;
    const bool tiles = p->algorithm && p->algorithm->traits.tiles;
    sb_c(b, tiles ? "\nIt is launched by `wp.launch_tiled` " : "\nIt is launched ");
    if (shapes_name_launch(p)) {
        sb_printf(b, "with `dim=%s`", sizes[p->dims - 1]);
        sb_c(b, tiles ? " and blocks of 256 threads." : ".");
        return;
    }
    sb_c(b, tiles ? "with a block of 256 threads for each " : "with a thread for each ");
    sb_str(b, p->rows);
    sb_c(b, p->rows.n ? " and " : "");
    if (p->over == LIB_OVER_ACTIVE)
        put_entry_of_list(c);
    else
        sb_str(b, p->over == LIB_OVER_LINKS ? f->link.one : f->element.one);
    if (p->algorithm && p->over == LIB_OVER_ACTIVE && p->algorithm->over == LIB_OVER_ELEMENTS) {
        SB_LIT(b, " and works on the ");
        sb_str(b, f->element.one);
        SB_LIT(b, " that the entry names; nothing is done for others");
    }
    if (f->pairs && p->dims == 2) {
        SB_LIT(b, " and ");
        sb_str(b, f->other.one);
    }
    if (p->dims > 1 || p->rows.n)
        sb_printf(b, ", in %u dimensions", p->dims + (p->rows.n > 0));
    sb_char(b, '.');
}

static void put_threads(composer *c)
{
    const plan *p = &c->p;
    strbuf *b = &c->prompt;
    put_launch(c);
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
        put_code(b, a->name, place_index(c, PLACE_ELEMENT));
        sb_c(b, c->form.bool_flags ? " is false, nothing is done." : " is 0, nothing is done.");
    }
    for (uint8_t i = 0; i < p->nfilters; i++) {
        sb_char(b, ' ');
        put_capital(c, &p->filters[i], p->filters[i].part->says);
        sb_char(b, '.');
    }
    put_random_state(c);
    sb_char(b, '\n');
}

/* "[i]", "[world, i]" */
static void find_indexes(composer *c)
{
    for (int place = 0; place < PLACES; place++) {
        const char *index = plain_index(c, (lib_place)place);
        const char *plain = index ? index : ""; /* no line has a north */
        c->said[place] =
            c->p.rows.n && place != PLACE_LINK && *plain
                ? arena_printf(&c->text, "[%.*s, %s", (int)c->p.rows.n, c->p.rows.p, plain + 1)
                : plain;
    }
}

void write_prompt(composer *c)
{
    c->prompt.n = 0;
    find_indexes(c);
    SB_LIT(&c->prompt, "Write a Warp kernel called ");
    put_code(&c->prompt, c->kernel, "");
    put_computation(c);
    prompt_put_arguments(c);
    put_threads(c);
}
