/* SPDX-License-Identifier: Apache-2.0 */
/* The program weft: finds the command, runs it, and turns its end into an exit status.
 *
 *     weft stats DIR   ->   cmd_stats({.operands = {"DIR"}})   ->   0
 *     weft stast DIR   ->   weft: unknown command 'stast'; see 'weft help'   ->   2
 *                               hint: did you mean 'stats'? */
#include <errno.h>

#include "base/c_locale.h"
#include "cli/suggest.h"
#include "cli/weft_main.h"

/* What main passes through mem_try, and the exit status that comes back. */
typedef struct start {
    int argc;
    char **argv;
    mem mem;
    int status;
} start;

/* The options before a command are --version (-V) and --help (-h) only; all others belong to
 * commands. */
static int dispatch(cli_args *args, int argc, char **argv)
{
    if (argc < 2) {
        cli_print_overview(stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        puts("weft " WEFT_VERSION);
        return CLI_OK;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        cli_print_overview(stdout);
        return CLI_OK;
    }
    if (argv[1][0] == '-' && argv[1][1]) {
        cli_usage_error(NULL, "unknown option '%s'; a command comes first", argv[1]);
        suggest_global(argv[1]);
        return CLI_USAGE;
    }
    const cli_command *cmd = cli_find_command(argv[1]);
    if (!cmd) {
        cli_usage_error(NULL, "unknown command '%s'", argv[1]);
        suggest_command(argv[1]);
        return CLI_USAGE;
    }
    int bad = cli_parse(args, cmd, argv + 2, argc - 2);
    if (bad)
        return bad;
    if (cli_has(args, OPT_HELP)) {
        cli_print_help(stdout, cmd);
        return CLI_OK;
    }
    return cmd->run(args);
}

/* Under mem_try: an allocation that fails anywhere in a command comes back to weft_main, which
 * reports it. The status then stays CLI_IO, as weft_main set it. The arena is freed with the mem.
 */
static void run(void *p)
{
    start *s = p;
    arena a;
    arena_init(&a, &s->mem);
    cli_args args = {.arena = &a};
    s->status = dispatch(&args, s->argc, s->argv);
}

/* Help and lists are printed through stdio; a reader that went away is no failure. */
static int finish_stdout(int status)
{
    errno = 0;
    if ((fflush(stdout) || ferror(stdout)) && errno != EPIPE) {
        cli_error("cannot write: %s", error_text(errno));
        return CLI_IO;
    }
    return status;
}

int weft_main(int argc, char **argv)
{
    start s = {.argc = argc, .argv = argv, .status = CLI_IO};
    mem_init(&s.mem);
    s.mem.waiting = cli_waiting;
    if (!cli_catch_interrupts() || !mem_try(&s.mem, run, &s))
        cli_error("out of memory");
    mem_clear(&s.mem);
    cli_release_interrupts();
    if (s.status == CLI_IO && cli_interrupted()) /* a wait for input or output was broken off */
        s.status = CLI_INTERRUPTED;
    return finish_stdout(s.status);
}
