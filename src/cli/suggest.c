/* SPDX-License-Identifier: Apache-2.0 */
/* What a misspelled word on the command line was meant to be, as a hint behind the message:
 *
 *     weft: unknown command 'compil'; see 'weft help'
 *         hint: did you mean 'compile'?
 *
 * A word counts as a misspelling of another if only capitals differ (A -> a), if it is near
 * (base/nearest.h) or if it begins only one of them: gen -> generate. */
#include "cli/suggest.h"

#include <inttypes.h>
#include <string.h>

#include "base/ascii.h"
#include "base/str_map.h"

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

static void show_few(const nearest_few *f, const char *before)
{
    if (!f->n)
        return;
    fputs("    hint: did you mean ", stderr);
    for (uint32_t i = 0; i < f->n; i++)
        fprintf(stderr, "%s'%s%s'",
                i == 0         ? ""
                : i + 1 < f->n ? ", "
                               : " or ",
                before, f->best[i].text);
    fputs("?\n", stderr);
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

/* The next of an option's choices, in the arena. *at is where it begins, then where the one behind
 * it begins; NULL: it is the last. */
static const char *next_choice(arena *a, const char **at)
{
    const size_t n = strcspn(*at, "|");
    const char *choice = arena_dup(a, *at, n);
    *at = (*at)[n] ? *at + n + 1 : NULL;
    return choice;
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

static void offer_choices(const cli_args *a, suggestion *s, const char *choices)
{
    const char *other = other_name(s->near.word.p);
    while (choices) {
        const char *choice = next_choice(a->arena, &choices);
        suggestion_offer(s, choice);
        if (other && strcmp(choice, other) == 0)
            s->same = choice;
    }
}

/* What other tools call an option of ours; NULL: nothing. */
static const char *other_option(const char *word)
{
    static const char *const names[][2] = {{"number", "count"},
                                           {"num", "count"},
                                           {"samples", "count"},
                                           {"threads", "jobs"},
                                           {"workers", "jobs"},
                                           {"out", "output"},
                                           {"outdir", "output"},
                                           {"out-dir", "output"},
                                           {"output-dir", "output"},
                                           {"target", "device"},
                                           {"random-seed", "seed"},
                                           {"arguments", "arg"},
                                           {"param", "arg"},
                                           {"input", "arg"},
                                           {"threshold", "near"},
                                           {"silent", "quiet"},
                                           {"compression", "compress"},
                                           {"rows", "shard-rows"},
                                           {"ptx", "with-ptx"},
                                           {"gradients", "grad"},
                                           {"gradient", "grad"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (same_letters(word, names[i][0]))
            return names[i][1];
    return NULL;
}

/* A value in place of an option, or joined to it, with all that fit:
 *
 *     compile --cu        ->   did you mean '--emit cu'?
 *     compile --emit-cu   ->   did you mean '--emit cu'?
 *     compile --json      ->   did you mean '--emit json' or '--diagnostics json'?
 *
 * With `near`, a misspelled one: check --jsno. False: there is none. */
static bool hint_value(const cli_args *a, const char *word, bool near)
{
    bool any = false;
    for (uint32_t i = 0; i < a->command->noptions; i++) {
        const cli_option *o = &cli_options[a->command->options[i]];
        const size_t n = strlen(o->name);
        const char *value = strncmp(word, o->name, n) == 0 ? word + n : word;
        suggestion s;
        value += value > word && (*value == '-' || *value == '_');
        suggestion_init(&s, value);
        offer_choices(a, &s, *value ? o->choices : NULL);
        const char *best = near ? s.near.best.p : s.same;
        if (best)
            fprintf(stderr, "%s'--%s %s'", any ? " or " : "    hint: did you mean ", o->name, best);
        any = any || best;
    }
    if (any)
        fputs("?\n", stderr);
    return any;
}

/* "--n" for -n; only where the command has the letter. */
static bool hint_letter(const cli_command *cmd, const char *word)
{
    for (uint32_t i = 0; i < cmd->noptions; i++) {
        const cli_option *o = &cli_options[cmd->options[i]];
        if (o->letter && word[0] == o->letter && !word[1]) {
            hint("did you mean '-%c' (--%s)?", o->letter, o->name);
            return true;
        }
    }
    return false;
}

/* By the name that other tools give it. */
static bool hint_other_name(const cli_command *cmd, const char *word)
{
    const char *other = other_option(word);
    if (!other || !has_option(cmd, other))
        return false;
    hint("did you mean '--%s'?", other);
    return true;
}

/* The nearest option of the command. */
static bool hint_own(const cli_command *cmd, const char *word)
{
    suggestion s;
    suggestion_init(&s, word);
    for (uint32_t i = 0; i < cmd->noptions; i++)
        suggestion_offer(&s, cli_options[cmd->options[i]].name);
    suggestion_show(&s, "--");
    return suggestion_best(&s) != NULL;
}

/* Options of the command that begin as the word does, or have it inside: --category, --rows. */
static bool hint_resembling(const cli_args *a, const char *word)
{
    nearest_few few;
    nearest_few_init(&few, a->arena, str_c(word));
    for (uint32_t i = 0; i < a->command->noptions && word[1]; i++)
        nearest_few_offer(&few, str_c(cli_options[a->command->options[i]].name));
    show_few(&few, "--");
    return few.n > 0;
}

/* The nearest of what stands elsewhere: --version before a command, a command, an option of others.
 */
static void hint_elsewhere(const char *word)
{
    suggestion commands, options;
    suggestion_init(&commands, word);
    suggestion_init(&options, word);
    for (uint32_t i = 0; i < cli_ncommands; i++)
        if (!cli_commands[i].hidden)
            suggestion_offer(&commands, cli_commands[i].name);
    suggestion_offer(&commands, cli_options[OPT_VERSION].name);
    for (uint32_t i = 0; i < OPT_COUNT_OF; i++)
        suggestion_offer(&options, cli_options[i].name);
    const char *command = suggestion_best(&commands), *option = suggestion_best(&options);
    if (command && strcmp(command, cli_options[OPT_VERSION].name) == 0)
        hint("did you mean 'weft --version'?");
    else if (command)
        hint("'%s' is a command: weft %s", command, command);
    else if (option)
        (void)hint_other_commands(option);
}

/* From the surest to the vaguest; the first that fits is shown. */
void suggest_option(const cli_args *a, const char *word)
{
    const char *name = word + strspn(word, "-");
    char bare[64];
    const size_t n = strcspn(name, "=");
    if (!n || n >= sizeof bare)
        return;
    memcpy(bare, name, n);
    bare[n] = 0;
    if (hint_letter(a->command, bare) || hint_value(a, bare, false) ||
        hint_other_name(a->command, bare) || (word[1] == '-' && hint_other_commands(bare)) ||
        hint_own(a->command, bare) || hint_value(a, bare, true) || hint_resembling(a, bare))
        return;
    hint_elsewhere(bare);
}

void suggest_choice(const cli_args *a, const char *choices, const char *word)
{
    suggestion s;
    suggestion_init(&s, word);
    offer_choices(a, &s, choices);
    suggestion_show(&s, "");
}

void suggest_few(const nearest_few *f)
{
    show_few(f, "");
}

/* A list for people: of more names than these, the others are counted. */
enum { NAMES_SHOWN = 12 };

/* "the kernels are a, b (3 of them)": counts, if given, are of the names. */
static void show_names(const char *what, const char *const *names, size_t n, const str_map *counts)
{
    fprintf(stderr, "    hint: the %s%s ", what, n == 1 ? " is" : "s are");
    for (size_t i = 0; i < n && i < NAMES_SHOWN; i++) {
        const uint32_t count = counts ? str_map_get(counts, str_c(names[i])) : 1;
        fprintf(stderr, "%s%s", i ? ", " : "", names[i]);
        if (count > 1)
            fprintf(stderr, " (%" PRIu32 " of them)", count);
    }
    if (n > NAMES_SHOWN)
        fprintf(stderr, " and %zu more", n - NAMES_SHOWN);
    fputc('\n', stderr);
}

/* False: none is near. */
static bool suggest_near(const char *const *names, size_t n, const char *word)
{
    suggestion s;
    suggestion_init(&s, word);
    for (size_t i = 0; i < n; i++)
        suggestion_offer(&s, names[i]);
    suggestion_show(&s, "");
    return suggestion_best(&s) != NULL;
}

void suggest_name(const char *what, const char *const *names, size_t n, const char *word)
{
    if ((!word || !suggest_near(names, n, word)) && n)
        show_names(what, names, n, NULL);
}

/* "scale:2" -> 5, if digits follow the last colon; else the length of the word. */
static size_t length_of_name(const char *word)
{
    const char *colon = strrchr(word, ':');
    return colon && colon[1] && !colon[1 + strspn(colon + 1, "0123456789")] ? (size_t)(colon - word)
                                                                            : strlen(word);
}

/* A name of several kernels, of one file or of many, is listed once, with their number. Of a word
 * like "scale:2" the name is looked for first. */
void suggest_kernel(arena *a, const char *const *names, size_t n, const char *word)
{
    const char **once = ARENA_ARRAY(a, const char *, n + 1);
    str_map counts = {0};
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        const str name = str_c(names[i]);
        const uint32_t before = str_map_get(&counts, name);
        str_map_set(a, &counts, name, before + 1);
        if (!before)
            once[count++] = names[i];
    }
    const str bare = {word, word ? length_of_name(word) : 0};
    const uint32_t same = bare.n && word[bare.n] ? str_map_get(&counts, bare) : 0;
    if (same)
        hint("%" PRIu32 " kernel%s called '%.*s'", same, same == 1 ? " is" : "s are", (int)bare.n,
             bare.p);
    else if (!n)
        hint("there is no kernel");
    else if (!word || !suggest_near(once, count, word))
        show_names("kernel", once, count, &counts);
}
