/* The command that a manifest tells, read back. */
#include "cli/generate.h"
#include "store/store_command.h"

/* So that what is wrong with it can be told on a terminal. */
static bool is_plain(const char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            return false;
    return true;
}

bool generate_read_command(arena *a, const char *command, const char *output, record_options *o)
{
    static const char head[] = "weft generate ";
    enum { WORDS_MAX = 128, N = sizeof head - 1, ADDED = 2 };
    char *words[WORDS_MAX];
    int n = 0;
    if (strncmp(command, head, N) != 0 || !is_plain(command))
        return false;
    words[n++] = arena_dup(a, "--shard", 7); /* that of a job array is none of the command's */
    words[n++] = arena_dup(a, "1/1", 3);
    char *text = arena_dup(a, command + N, strlen(command + N));
    for (char *s = text; *s && n < WORDS_MAX - ADDED;) {
        const size_t len = strcspn(s, " ");
        words[n++] = s;
        s += len;
        if (*s)
            *s++ = 0;
    }
    words[n++] = arena_dup(a, "--output", 8);
    words[n++] = arena_dup(a, output, strlen(output));
    cli_args args = {.arena = a};
    *o = (record_options){0};
    return cli_parse(&args, cli_find_command("generate"), words, n) == 0 &&
           generate_read_options(&args, o);
}

const char *generate_without(arena *a, const char *command, const char *option)
{
    const char *at = strstr(command, option);
    char *copy = arena_dup(a, command, strlen(command));
    if (at) {
        const char *rest = at + strlen(option);
        rest += strcspn(rest, " ");
        memmove(copy + (at - command), rest, strlen(rest) + 1);
    }
    return copy;
}

bool generate_is_command(arena *a, const char *command, const record_options *o)
{
    strbuf b;
    sb_init(&b, a->m);
    store_put_command(&b, o);
    const bool same = strcmp(sb_cstr(&b), command) == 0;
    sb_clear(&b);
    return same;
}
