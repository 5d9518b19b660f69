/* SPDX-License-Identifier: Apache-2.0 */
/* What a misspelled word on the command line was meant to be, as a hint behind the message:
 *
 *     weft: unknown command 'compil'; see 'weft help'
 *         hint: did you mean 'compile'?
 *
 * A word counts as a misspelling of another if only capitals differ (A -> a), if it is near
 * (base/nearest.h) or if it begins only one of them: gen -> generate. */
#include "cli/suggest.h"

#include <string.h>

#include "base/ascii.h"

/* The word that is meant, of those offered one by one. They must live as long as this. */
typedef struct suggestion {
    nearest near;
    const char *begun; /* the last that begins with the word */
    const char *same;  /* but for capitals */
    uint32_t nbegun;
} suggestion;

static void hint(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static void hint(const char *fmt, ...)
{
    va_list ap;
    fputs("    hint: ", stderr);
    va_start(ap, fmt);
    cli_put_error(fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
}

static void suggestion_init(suggestion *s, const char *word)
{
    s->begun = s->same = NULL;
    s->nbegun = 0;
    nearest_init(&s->near, str_c(word));
}

/* Whether only capitals differ; by ASCII, whatever the locale. */
static bool same_letters(const char *a, const char *b)
{
    while (*a && ascii_lower(*a) == ascii_lower(*b))
        a++, b++;
    return !*a && !*b;
}

static void suggestion_offer(suggestion *s, const char *word)
{
    const str typed = s->near.word;
    nearest_offer(&s->near, str_c(word));
    if (same_letters(word, typed.p))
        s->same = word;
    if (typed.n && strncmp(word, typed.p, typed.n) == 0) {
        s->begun = word;
        s->nbegun++;
    }
}

static const char *suggestion_best(const suggestion *s)
{
    return s->same ? s->same : s->near.best.p ? s->near.best.p : s->nbegun == 1 ? s->begun : NULL;
}

static void suggestion_show(const suggestion *s, const char *before)
{
    const char *best = suggestion_best(s);
    if (best)
        hint("did you mean '%s%s'?", before, best);
}

/* --- what the tables have -------------------------------------------------------------------- */

static bool ends_with(const char *word, const char *end)
{
    const size_t n = strlen(word), m = strlen(end);
    return n > m && strcmp(word + n - m, end) == 0;
}

/* A file in place of a command is the most frequent of all: `weft kernel.py`. */
void suggest_command(const char *word)
{
    suggestion s;
    if (ends_with(word, ".py") || ends_with(word, ".cu")) {
        hint("a command comes first: weft %s %s", ends_with(word, ".py") ? "compile" : "check",
             word);
        return;
    }
    suggestion_init(&s, word);
    for (uint32_t i = 0; i < cli_ncommands; i++)
        if (!cli_commands[i].hidden)
            suggestion_offer(&s, cli_commands[i].name);
    suggestion_show(&s, "");
}

/* An option in place of a command. */
void suggest_global(const char *word)
{
    suggestion s;
    suggestion_init(&s, word + strspn(word, "-"));
    suggestion_offer(&s, "version");
    suggestion_offer(&s, "help");
    if (strcmp(word, "-v") == 0)
        hint("did you mean '-V' (--version)?");
    else
        suggestion_show(&s, "--");
}

static bool has_option(const cli_command *cmd, const char *name)
{
    for (uint32_t i = 0; i < cmd->noptions; i++)
        if (strcmp(cli_options[cmd->options[i]].name, name) == 0)
            return true;
    return false;
}

/* "--json is an option of dedup, validate, stats, ptx"; false: of no command. */
static bool hint_other_commands(const char *name)
{
    bool any = false;
    for (uint32_t i = 0; i < cli_ncommands; i++)
        if (has_option(&cli_commands[i], name)) {
            if (!any)
                fprintf(stderr, "    hint: --%s is an option of ", name);
            fprintf(stderr, "%s%s", any ? ", " : "", cli_commands[i].name);
            any = true;
        }
    if (any)
        fputc('\n', stderr);
    return any;
}

void suggest_option(const cli_args *a, const char *word)
{
    suggestion s;
    const cli_command *cmd = a->command;
    const char *name = word + strspn(word, "-");
    char bare[64];
    const size_t n = strcspn(name, "=");
    if (!n || n >= sizeof bare)
        return;
    memcpy(bare, name, n);
    bare[n] = 0;
    if (word[1] == '-' && hint_other_commands(bare))
        return;
    suggestion_init(&s, bare);
    for (uint32_t i = 0; i < cmd->noptions; i++)
        suggestion_offer(&s, cli_options[cmd->options[i]].name);
    suggestion_show(&s, "--");
}

/* What other tools call a choice; NULL: nothing. */
static const char *other_name(const char *word)
{
    static const char *const names[][2] = {
        {"gpu", "cuda"}, {"nvidia", "cuda"}, {"c++", "cpp"}, {"chat", "messages"}, {"gz", "gzip"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (same_letters(word, names[i][0]))
            return names[i][1];
    return NULL;
}

void suggest_choice(const cli_args *a, const char *choices, const char *word)
{
    suggestion s;
    const char *other = other_name(word);
    char *list = arena_dup(a->arena, choices, strlen(choices));
    suggestion_init(&s, word);
    for (char *at = list; at;) {
        char *bar = strchr(at, '|');
        if (bar)
            *bar = 0;
        suggestion_offer(&s, at);
        if (other && strcmp(at, other) == 0)
            s.same = at;
        at = bar ? bar + 1 : NULL;
    }
    suggestion_show(&s, "");
}

void suggest_few(const nearest_few *f)
{
    if (!f->n)
        return;
    fputs("    hint: did you mean ", stderr);
    for (uint32_t i = 0; i < f->n; i++)
        fprintf(stderr, "%s'%s'", i == 0 ? "" : i + 1 < f->n ? ", " : " or ", f->best[i].text);
    fputs("?\n", stderr);
}

/* A list for people: of more names than these, the others are counted. */
enum { NAMES_SHOWN = 12 };

void suggest_name(const char *what, const char *const *names, size_t n, const char *word)
{
    suggestion s;
    suggestion_init(&s, word ? word : "");
    for (size_t i = 0; i < n; i++)
        suggestion_offer(&s, names[i]);
    if (word && suggestion_best(&s)) {
        suggestion_show(&s, "");
        return;
    }
    if (!n)
        return;
    fprintf(stderr, "    hint: the %s%s ", what, n == 1 ? " is" : "s are");
    for (size_t i = 0; i < n && i < NAMES_SHOWN; i++)
        fprintf(stderr, "%s%s", i ? ", " : "", names[i]);
    if (n > NAMES_SHOWN)
        fprintf(stderr, " and %zu more", n - NAMES_SHOWN);
    fputc('\n', stderr);
}
