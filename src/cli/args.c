/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the words of a command line by the tables of options and commands, answers a command's
 * queries about its options, and refuses options that do not go together (option_conflict.def).
 *
 *     compile m.py -o out --emit=cu   ->   operands {m.py}, given {output: out}, {emit: cu}
 *     compile m.py --arch sm_90       ->   weft: --arch is for --emit ptx; see ...
 *
 * The grammar is getopt_long's without abbreviations and without bundled letters: "--name=value",
 * "--name value", "-o value" and "-ovalue". "-qj2" is the letter q with the value "j2", which is
 * refused, since --quiet takes none. The values of an option are kept as text; the functions at the
 * end of this file read them as choices, switches and numbers. */
#include "base/decimal.h"
#include "base/format.h"
#include "base/warp_release.h"
#include "cli/suggest.h"

#include <string.h>

/* For format_pieces, which never cuts a message: operands may be of any length. */
static void put_on_stderr(void *to, const char *text, size_t n)
{
    (void)to;
    fwrite(text, 1, n, stderr);
}

void cli_put_error(const char *fmt, va_list ap)
{
    format_pieces(put_on_stderr, NULL, fmt, ap);
}

/* A command's message points to its own help page, one without a command to the overview:
 *
 *     weft: no folder given; see 'weft merge --help'
 *
 * It returns the status, so that a command can end by `return cli_usage_error(...)`. */
int cli_usage_error(const cli_args *a, const char *fmt, ...)
{
    va_list ap;
    fputs("weft: ", stderr);
    va_start(ap, fmt);
    cli_put_error(fmt, ap);
    va_end(ap);
    if (a && a->command)
        fprintf(stderr, "; see 'weft %s --help'\n", a->command->name);
    else
        fputs("; see 'weft help'\n", stderr);
    return CLI_USAGE;
}

void cli_error(const char *fmt, ...)
{
    va_list ap;
    fputs("weft: error: ", stderr);
    va_start(ap, fmt);
    cli_put_error(fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
}

/* Position of `word` (n bytes) in "a|b|c", or -1. */
static int choice_index(const char *choices, const char *word, size_t n)
{
    for (int i = 0;; i++) {
        size_t len = strcspn(choices, "|");
        if (len == n && memcmp(choices, word, n) == 0)
            return i;
        if (!choices[len])
            return -1;
        choices += len + 1;
    }
}

/* Only options of the command: others are unknown to it. */
static const cli_option *find_long(const cli_command *cmd, const char *name, size_t n)
{
    for (uint32_t i = 0; i < cmd->noptions; i++) {
        const cli_option *o = &cli_options[cmd->options[i]];
        if (strlen(o->name) == n && memcmp(o->name, name, n) == 0)
            return o;
    }
    return NULL;
}

/* Letters are unique within a command, not in the whole table. */
static const cli_option *find_letter(const cli_command *cmd, char letter)
{
    for (uint32_t i = 0; i < cmd->noptions; i++)
        if (cli_options[cmd->options[i]].letter == letter)
            return &cli_options[cmd->options[i]];
    return NULL;
}

/* Rows of one name are one option with several help texts (OUTPUT, OUTPUT_SET, OUTPUT_PAGE ...).
 * What is given is filed under the first of them, so that code can query OPT_OUTPUT for every
 * command. */
static uint8_t id_of(const cli_option *o)
{
    uint8_t id = 0;
    while (strcmp(cli_options[id].name, o->name) != 0)
        id++;
    WEFT_ASSERT(id < OPT_COUNT_OF && &cli_options[id] <= o);
    return id;
}

/* Warp's releases by their whole versions, too: 1.19.0 is 1.19. Others stay as they are. */
static const char *release_name(const char *value)
{
    const warp_release r = warp_release_named(value, strlen(value));
    return r == WARP_ANY ? value : warp_release_name(r);
}

/* Checks the value against the choices and appends it. Values given earlier stay in the list:
 * cli_get returns the last one, cli_all returns all. */
static int take(cli_args *a, const cli_option *o, const char *value)
{
    if (o->value && strcmp(o->value, "RELEASE") == 0)
        value = release_name(value);
    if (o->choices && choice_index(o->choices, value, strlen(value)) < 0) {
        cli_usage_error(a, "--%s is one of %s, not '%.200s'", o->name, o->choices, value);
        suggest_choice(a, o->choices, value);
        return CLI_USAGE;
    }
    WEFT_ASSERT(value && (o->value || !*value)); /* switches have the value "" */
    a->given[a->ngiven++] = (cli_given){id_of(o), value};
    return 0;
}

/* Reads the option at words[*i]. A value that is a word of its own is consumed: *i then stands on
 * it. Such a value may begin with '-', as in "--output -". Returns 0, or CLI_USAGE after a
 * message. */
static int parse_option(cli_args *a, char **words, int n, int *i)
{
    WEFT_ASSERT(*i < n && words[*i][0] == '-' && words[*i][1]);
    const char *word = words[*i], *value = NULL;
    const cli_option *o;
    if (word[1] == '-') {
        size_t len = strcspn(word + 2, "=");
        o = find_long(a->command, word + 2, len);
        value = word[2 + len] ? word + 3 + len : NULL;
    } else if (find_long(a->command, word + 1, strcspn(word + 1, "="))) {
        o = NULL; /* -output is a misspelled --output, not -o with the value "utput" */
    } else {
        o = find_letter(a->command, word[1]);
        value = word[2] ? word + 2 : NULL;
    }
    if (!o) {
        cli_usage_error(a, "unknown option '%s'", word);
        suggest_option(a, word);
        return CLI_USAGE;
    }
    if (!o->value)
        return value ? cli_usage_error(a, "--%s takes no value", o->name) : take(a, o, "");
    if (!value && *i + 1 == n)
        return cli_usage_error(a, "--%s needs a value (%s)", o->name, o->value);
    return take(a, o, value ? value : words[++*i]);
}

/* A row of option_conflict.def. */
typedef struct option_conflict {
    const char *command;             /* the only command that the row applies to */
    uint8_t option, other;           /* cli_option_id */
    const char *value, *other_value; /* as in option_conflict.def; NULL: any */
    enum { NEEDS_OTHER, EXCLUDES_OTHER, DIFFERS_FROM_OTHER } kind;
    const char *message; /* the whole sentence; of DIFFER with one %s */
} option_conflict;

static const option_conflict conflicts[] = {
#define NEEDS(command, option, value, other, other_value, message)                                 \
    {#command, OPT_##option, OPT_##other, value, other_value, NEEDS_OTHER, message},
#define EXCLUDES(command, option, value, other, other_value, message)                              \
    {#command, OPT_##option, OPT_##other, value, other_value, EXCLUDES_OTHER, message},
#define DIFFER(command, option, other, message)                                                    \
    {#command, OPT_##option, OPT_##other, NULL, NULL, DIFFERS_FROM_OTHER, message},
#include "cli/option_conflict.def"
#undef NEEDS
#undef EXCLUDES
#undef DIFFER
};

/* The text behind '=' of a value of one of the two options; NULL: of another one, or without. */
static const char *behind_equals(const option_conflict *c, const cli_given *given)
{
    const char *at = strchr(given->value, '=');
    return at && (given->id == c->option || given->id == c->other) ? at + 1 : NULL;
}

/* For DIFFER: the file that two options name, NULL if there is none. Each pair is compared, which
 * is quadratic in the number of options on one command line.
 *
 *     --save x=@out.npy --save-grad x=@out.npy   ->   "@out.npy" */
static const char *shared_text(const cli_args *a, const option_conflict *c)
{
    for (uint32_t i = 0; i < a->ngiven; i++)
        for (uint32_t j = 0; j < i; j++) {
            const char *one = behind_equals(c, &a->given[i]), *two = behind_equals(c, &a->given[j]);
            if (one && two && strcmp(one, two) == 0)
                return one;
        }
    return NULL;
}

/* Was the option given with this value, or any for NULL? The last value given decides. */
static bool has_value(const cli_args *a, uint8_t option, const char *value)
{
    const char *given = cli_get(a, (cli_option_id)option);
    return given && (!value || strcmp(given, value) == 0);
}

/* Goes through option_conflict.def; the first row that is violated gives the message. The condition
 * reads: the option is there, and the other one is there (EXCLUDES) or is not there (NEEDS). */
static int check_conflicts(const cli_args *a)
{
    for (size_t i = 0; i < sizeof conflicts / sizeof *conflicts; i++) {
        const option_conflict *c = &conflicts[i];
        if (strcmp(c->command, a->command->name) != 0)
            continue;
        WEFT_ASSERT(c->option < OPT_COUNT_OF && c->other < OPT_COUNT_OF);
        if (c->kind == DIFFERS_FROM_OTHER) {
            const char *shared = shared_text(a, c);
            if (shared)
                return cli_usage_error(a, c->message, shared);
        } else if (has_value(a, c->option, c->value) &&
                   has_value(a, c->other, c->other_value) != (c->kind == NEEDS_OTHER)) {
            return cli_usage_error(a, "%s", c->message);
        }
    }
    return 0;
}

/* -D is NAME=VALUE for every command that has it. */
static int check_definitions(const cli_args *a)
{
    uint32_t n;
    const char *const *all = cli_all(a, OPT_DEFINE, &n);
    for (uint32_t i = 0; i < n; i++)
        if (all[i][0] == '=' || !strchr(all[i], '='))
            return cli_usage_error(a, "-D wants NAME=VALUE, not '%s'", all[i]);
    return 0;
}

/* Options and operands may be mixed; after "--" all words are operands, and "-" alone always is
 * one: it stands for standard input. No word gives more than one operand or option, so lists of n +
 * 1 entries have room for all. Conflicts do not matter beside --help, which runs no command. */
int cli_parse(cli_args *a, const cli_command *cmd, char **words, int n)
{
    a->command = cmd;
    a->operands = ARENA_ARRAY(a->arena, const char *, (size_t)n + 1);
    a->given = ARENA_ARRAY(a->arena, cli_given, (size_t)n + 1);
    bool options = true;
    for (int i = 0; i < n; i++) {
        if (options && strcmp(words[i], "--") == 0) {
            options = false;
        } else if (options && words[i][0] == '-' && words[i][1]) {
            int bad = parse_option(a, words, n, &i);
            if (bad)
                return bad;
        } else {
            a->operands[a->noperands++] = words[i];
        }
    }
    WEFT_ASSERT(a->noperands + a->ngiven <= (uint32_t)n);
    const int bad = cli_has(a, OPT_HELP) ? 0 : check_conflicts(a);
    return bad || cli_has(a, OPT_HELP) ? bad : check_definitions(a);
}

bool cli_has(const cli_args *a, cli_option_id id)
{
    return cli_get(a, id) != NULL;
}

/* From the end, since the last value given counts: a script can append options to override. */
const char *cli_get(const cli_args *a, cli_option_id id)
{
    WEFT_ASSERT(id < OPT_COUNT_OF && id_of(&cli_options[id]) == id); /* else it is never given */
    for (uint32_t i = a->ngiven; i-- > 0;)
        if (a->given[i].id == id)
            return a->given[i].value;
    return NULL;
}

const char *const *cli_all(const cli_args *a, cli_option_id id, uint32_t *n)
{
    const char **all = ARENA_ARRAY(a->arena, const char *, (size_t)a->ngiven + 1);
    *n = 0;
    for (uint32_t i = 0; i < a->ngiven; i++)
        if (a->given[i].id == id)
            all[(*n)++] = a->given[i].value;
    return all;
}

/* Rows of one name may differ in their choices: those of the command's own row count. */
int cli_choice(const cli_args *a, cli_option_id id, int otherwise)
{
    const char *value = cli_get(a, id);
    if (!value)
        return otherwise;
    const cli_option *o = find_long(a->command, cli_options[id].name, strlen(cli_options[id].name));
    WEFT_ASSERT(o && o->choices);
    return choice_index(o->choices, value, strlen(value));
}

/* Both are looked for in one pass: of "--verify --no-verify" the second one counts. */
bool cli_switch(const cli_args *a, cli_option_id yes, cli_option_id no, bool otherwise)
{
    WEFT_ASSERT(yes != no && !cli_options[yes].value && !cli_options[no].value);
    for (uint32_t i = a->ngiven; i-- > 0;)
        if (a->given[i].id == yes || a->given[i].id == no)
            return a->given[i].id == yes;
    return otherwise;
}

bool cli_number(const cli_args *a, cli_option_id id, uint64_t max, uint64_t *out)
{
    const char *value = cli_get(a, id);
    WEFT_ASSERT(cli_options[id].value);
    if (!value)
        return true;
    const char *end;
    uint64_t x;
    if (!decimal_read_count(value, &end, &x) || *end || x > max) {
        cli_usage_error(a, "--%s is a whole number up to %llu%s, not '%.200s'",
                        cli_options[id].name, (unsigned long long)max,
                        max >= 1000000 ? ", such as 500, 10k or 2M" : "", value);
        return false;
    }
    *out = x;
    return true;
}
