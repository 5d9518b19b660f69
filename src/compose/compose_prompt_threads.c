/* SPDX-License-Identifier: Apache-2.0 */
/* How a kernel is launched, in words, for compose_prompt.c: which threads there are, which of them
 * work, and which random numbers they draw.
 *
 *     It is launched with a thread for each particle. Threads whose index is not below `count` do
 *     nothing. Each thread draws its random numbers from the state `wp.rand_init(seed, i)`.
 */
#include "base/ascii.h"
#include "compose/compose_internal.h"

/* Do the shapes of an algorithm's arrays speak of the launch's size, by its first letter? */
static bool shapes_name_launch(const plan *p)
{
    for (uint8_t i = 0; p->algorithm && p->over == LIB_OVER_ELEMENTS && i < p->nargs; i++)
        if (p->args[i].shape && strchr(p->args[i].shape, 'n') &&
            !prompt_is_capacity(p->args[i].shape) && !prompt_is_of_each(p, &p->args[i]))
            return true;
    return false;
}

/* The argument in `call(seed, index)` behind the comma. */
static str second_argument(str call)
{
    const char *comma = memchr(call.p, ',', call.n);
    WEFT_ASSERT(comma);
    const size_t n = (size_t)(comma - call.p) + 2;
    return (str){call.p + n, call.n - n - 1};
}

/* Speaks the sentence of all the thread's indices, "world, s", as of letters? "In each world" is no
 * index. */
static bool names_thread(str says, str index)
{
    while (index.n) {
        const char *comma = memchr(index.p, ',', index.n);
        const str name = {index.p, comma ? (size_t)(comma - index.p) : index.n};
        if (name.n > 1 || !name_stands_in(says, name))
            return false;
        const size_t n = comma ? name.n + 2 : name.n;
        index = (str){index.p + n, index.n - n};
    }
    return true;
}

/* What the index of the random state is called in a prompt, and whether that has to be explained.
 * Patterns speak of `i`, whatever the kernel calls it; of algorithms a few do. */
static str said_number(composer *c, str number, bool *unknown)
{
    const plan *p = &c->p;
    const str says = p->algorithm ? p->algorithm->says : STR("");
    *unknown = false;
    if (!step_is_plain(number)) { /* "i * image.shape[1] + j" */
        *unknown = p->algorithm && !names_thread(says, c->thread_index);
        return number;
    }
    if (p->pattern) {
        const char *index = c->said[PLACE_ELEMENT]; /* "[i]" */
        return str_eq(number, c->index[PLACE_ELEMENT]) ? (str){index + 1, strlen(index) - 2}
                                                       : number;
    }
    if (name_stands_in(says, number))
        return number;
    *unknown = true;
    return number.n > 1 && !name_stands_in(says, STR("i")) ? STR("i") : number;
}

/* "first " of the indices "token, c" of a thread; empty: it has one alone. */
static const char *which_index(str all, str index)
{
    static const char *const axes[] = {"first ", "second ", "third ", "fourth "};
    for (size_t at = 0; all.n && at < sizeof axes / sizeof *axes; at++) {
        const char *comma = memchr(all.p, ',', all.n);
        const str one = {all.p, comma ? (size_t)(comma - all.p) : all.n};
        if (str_eq(one, index))
            return at || comma ? axes[at] : "";
        const size_t n = comma ? one.n + 2 : one.n;
        all = (str){all.p + n, all.n - n};
    }
    return "";
}

/* ", where `i` is the index of the particle, not that of the thread"; `number` is what the kernel
 * has, `said` what the prompt calls it. */
static void put_number_of_state(composer *c, str number, str said)
{
    const plan *p = &c->p;
    strbuf *b = &c->prompt;
    const bool listed = p->over == LIB_OVER_ACTIVE;
    if (!step_is_plain(number)) {
        SB_LIT(b, ", where ");
        prompt_put_code(b, c->thread_index, "");
        SB_LIT(b, " is the index of the thread");
        return;
    }
    const str one = p->over == LIB_OVER_LINKS ? p->field->link.one : p->field->element.one;
    const bool element = p->over != LIB_OVER_LINKS && !(p->algorithm && shapes_name_launch(p));
    const char *which = which_index(c->thread_index, number);
    SB_LIT(b, ", where ");
    prompt_put_code(b, said, "");
    if (!*which && (element || p->over == LIB_OVER_LINKS))
        sb_printf(b, " is the index of the %.*s", (int)one.n, one.p);
    else
        sb_printf(b, " is the %sindex of the thread", which);
    sb_c(b, listed ? ", not that of the thread" : "");
}

/* Which state the random numbers come from, with the index that sentences speak of. */
static void put_random_state(composer *c)
{
    static const char init[] = "wp.rand_init(";
    const char *at = str_find(sb_view(&c->body), str_c(init));
    if (!at)
        return;
    size_t n = sizeof init - 1;
    for (int open = 1; open; n++)
        open += at[n] == '(' ? 1 : at[n] == ')' ? -1 : 0;
    const str call = {at, n}, number = second_argument(call);
    bool unknown;
    const str said = said_number(c, number, &unknown);
    SB_LIT(&c->prompt, " Each thread draws its random numbers from the state `");
    sb_put(&c->prompt, call.p, (size_t)(number.p - call.p));
    sb_str(&c->prompt, said);
    SB_LIT(&c->prompt, ")`");
    if (unknown)
        put_number_of_state(c, number, said);
    sb_char(&c->prompt, '.');
}

/* "entry of `active`" */
static void put_entry_of_list(composer *c)
{
    SB_LIT(&c->prompt, "entry of ");
    for (uint8_t i = 0; i < c->p.nargs; i++)
        if (c->p.args[i].role == ROLE_BINDING && c->p.args[i].binding == BIND_ACTIVE)
            prompt_put_code(&c->prompt, c->p.args[i].name, "");
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
    if (p->one) {
        SB_LIT(b, "with one thread.");
        return;
    }
    if (p->over == LIB_OVER_WORLDS) {
        sb_printf(b,
                  "in 2 dimensions, for the number of worlds and the largest number of %.*s in a "
                  "world.",
                  (int)f->element.many.n, f->element.many.p);
        return;
    }
    if (p->over == LIB_OVER_FLAT) {
        sb_printf(b, "in one dimension, with a thread for each %.*s, row by row.",
                  (int)f->element.one.n, f->element.one.p);
        return;
    }
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
        SB_LIT(b, ", which says which ");
        sb_str(b, f->element.one);
        SB_LIT(b, " it works on");
    }
    if (f->pairs && p->dims == 2) {
        SB_LIT(b, " and ");
        sb_str(b, f->other.one);
    }
    if (p->pattern && p->pattern->traits.tiles)
        SB_LIT(b, ", in full blocks of 256 threads");
    if (p->dims > 1 || p->rows.n)
        sb_printf(b, ", in %u dimensions", p->dims + (p->rows.n > 0));
    sb_char(b, '.');
}

/* "Thread `tid` works on the particle `active[tid]`.": the end of a pattern's sentence. */
static void put_thread_of_pattern(composer *c)
{
    const str says = c->p.pattern ? c->p.pattern->says : STR("");
    const char *thread = str_find(says, STR("; thread "));
    if (!thread)
        return;
    sb_char(&c->prompt, ' ');
    prompt_put_capital(c, NULL, (str){thread + 2, (size_t)(says.p + says.n - thread) - 2}, false);
    sb_char(&c->prompt, '.');
}

/* Asks the kernel an array how many elements there are, other than to number them for random
 * states, which are said in full? */
static bool asks_for_size(composer *c)
{
    const str body = sb_view(&c->body);
    bool asks = false;
    for (uint8_t i = 0; i < c->p.nargs && !asks; i++) {
        const plan_arg *a = &c->p.args[i];
        const str name = a->entry.n ? a->entry : a->name;
        if (a->axis != AXIS_ELEMENT && !(a->shape && a->shape[0] == 'n'))
            continue;
        const str word = str_c(arena_printf(&c->text, "%.*s.shape", (int)name.n, name.p));
        for (size_t at = 0; at < body.n && !asks;) {
            const char *end = memchr(body.p + at, '\n', body.n - at);
            const str line = {body.p + at, end ? (size_t)(end - body.p) - at : body.n - at};
            const char *use = str_find(line, word);
            asks = use && !ascii_is_letter(use[-1]) && use[-1] != '_' &&
                   !str_contains(line, STR("wp.rand_init("));
            at += line.n + 1;
        }
    }
    return asks;
}

/* "Threads whose first index is not below `rows`, or whose second is not below `cols`, do
 * nothing." */
static void put_count_guard(composer *c)
{
    static const char *const axes[] = {"first ", "second ", "third ", "fourth "};
    const plan *p = &c->p;
    strbuf *b = &c->prompt;
    const bool one = p->dims == 1, rows = p->rows.n > 0; /* which come first */
    SB_LIT(b, " Threads");
    for (uint8_t i = 0; i < p->dims; i++) {
        sb_c(b, i ? ", or whose " : " whose ");
        sb_c(b, one && !rows ? "" : axes[i + rows]);
        sb_c(b, i ? "is not below " : "index is not below ");
        prompt_put_code(b, p->args[p->guard_arg + p->dims - 1 - i].name, "");
    }
    sb_c(b, one ? " do nothing." : ", do nothing.");
    if (asks_for_size(c)) {
        sb_c(b, one ? " Where the computation needs the number of "
                    : " Where the computation needs the size of the grid");
        if (one)
            sb_str(b, p->field->element.many);
        SB_LIT(b, ", it is that of the arrays, which may be larger.");
    }
}

void prompt_put_threads(composer *c)
{
    const plan *p = &c->p;
    strbuf *b = &c->prompt;
    static const char *const launched[] = {"n", "nm", "nml"};
    put_launch(c);
    prompt_put_letters(c, p->one                  ? ""
                          : shapes_name_launch(p) ? launched[p->dims - 1]
                          : p->pattern            ? "n"
                                                  : "");
    const plan_arg *a = &p->args[p->guard_arg];
    if (p->guard == GUARD_COUNT)
        put_count_guard(c);
    const bool pairs = p->field->pairs && p->dims == 2; /* flags of both */
    if (p->guard == GUARD_FLAGS && prompt_has_no_index(c) && !pairs) {
        sb_printf(b, " Nothing is done for %.*s whose entry of ", (int)p->field->element.many.n,
                  p->field->element.many.p);
        prompt_put_code(b, a->name, "");
        sb_c(b, c->form.bool_flags ? " is false." : " is 0.");
    } else if (p->guard == GUARD_FLAGS) {
        SB_LIT(b, " Where ");
        prompt_put_code(b, a->name, c->said[PLACE_ELEMENT]);
        sb_c(b, c->form.bool_flags ? " is false, nothing is done." : " is 0, nothing is done.");
    }
    for (uint8_t i = 0; i < p->nfilters; i++) {
        sb_char(b, ' ');
        prompt_put_capital(c, &p->filters[i], p->filters[i].part->says, prompt_has_no_index(c));
        sb_char(b, '.');
    }
    put_thread_of_pattern(c);
    put_random_state(c);
    sb_char(b, '\n');
}
