/* SPDX-License-Identifier: Apache-2.0 */
/* Messages and problems of the library, as lines on stderr, and statuses as exit statuses.
 *
 *     WEFT_ERROR   "out of memory"          ->   weft: error: out of memory
 *     WEFT_USAGE   "--ratios is missing"    ->   weft: --ratios is missing; see 'weft split --help'
 *     WEFT_NOTE    "..."                    ->   weft: ...          (not with --quiet)
 *     a problem    bad.jsonl, 1, "not JSON" ->   bad.jsonl:1: error: not JSON */
#include "cli/reporter.h"

#include <unistd.h>

#include "cli/cli_output.h"

void reporter_init(reporter *r, const cli_args *args)
{
    *r = (reporter){
        .args = args, .quiet = cli_has(args, OPT_QUIET), .terminal = isatty(STDERR_FILENO) != 0};
    repeats_init(&r->repeats, args->arena->m);
}

/* For commands that show no progress: the callback only ends the call, after an interrupt or when a
 * callback ran out of memory. */
static int on_progress(void *arg, const weft_progress *p)
{
    const reporter *r = arg;
    (void)p;
    return cli_interrupted() || r->no_memory;
}

/* The arguments of reporter_guarded, for mem_try. */
typedef struct guarded_call {
    void *job;
    reporter_work *work;
    const void *given;
    size_t n;
} guarded_call;

static void run_guarded(void *arg)
{
    const guarded_call *g = arg;
    g->work(g->job, g->given, g->n);
}

/* A job begins with its reporter, so one pointer is both. After the first failure nothing more is
 * tried: the call is about to end. */
void reporter_guarded(void *job, reporter_work *work, const void *given, size_t n)
{
    reporter *r = job;
    guarded_call g = {job, work, given, n};
    WEFT_ASSERT(r->args && work); /* reporter_init was called */
    if (!r->no_memory && !mem_try(r->args->arena->m, run_guarded, &g))
        r->no_memory = true;
}

void reporter_rethrow(const reporter *r)
{
    if (r->no_memory)
        mem_fail(r->args->arena->m);
}

weft_callbacks reporter_callbacks(reporter *r)
{
    return (weft_callbacks){.size = sizeof(weft_callbacks),
                            .message = reporter_message,
                            .progress = on_progress,
                            .waiting = cli_waiting,
                            .arg = r};
}

/* The bar is taken away first, since a message begins at the line's start. */
void reporter_message(void *arg, int kind, const char *text)
{
    reporter *r = arg;
    reporter_end(r);
    switch (kind) {
    case WEFT_ERROR:
        r->failed = true;
        cli_error("%s", text);
        break;
    case WEFT_USAGE: cli_usage_error(r->args, "%s", text); break;
    case WEFT_NOTE:
        if (!r->quiet)
            fprintf(stderr, "weft: %s\n", text);
        break;
    default: fprintf(stderr, "weft: %s\n", text);
    }
}

/* The switch has no default, so that the compiler warns of a status that is missing here. */
int cli_status(weft_status status)
{
    switch (status) {
    case WEFT_OK: return CLI_OK;
    case WEFT_INPUT_ERRORS:
    case WEFT_FAILED: return CLI_BAD_INPUT;
    case WEFT_BAD_ARGUMENT: return CLI_USAGE;
    case WEFT_IO_ERROR:
    case WEFT_NO_MEMORY: return CLI_IO;
    case WEFT_STOPPED: return CLI_INTERRUPTED;
    }
    return CLI_IO;
}

int cli_print(const cli_args *args, str text)
{
    output out;
    output_open(&out, args->arena, NULL, NULL);
    sb_str(&out.text, text);
    return cli_output_failed(NULL, output_close(&out, true));
}

/* Paths and reasons may hold bytes of hostile input: cli_put_shown. */
static void put_problem(strbuf *b, const weft_problem *p)
{
    cli_put_shown(b, p->file);
    if (p->line)
        sb_printf(b, ":%llu", (unsigned long long)p->line);
    SB_LIT(b, ": error: ");
    cli_put_shown(b, p->reason);
    SB_LIT(b, "\n");
}

static void show_problem(void *job, const void *given, size_t n)
{
    reporter *r = job;
    const weft_problem *p = given;
    strbuf b;
    (void)n;
    sb_init(&b, r->args->arena->m);
    if (repeats_show(&r->repeats, &b, p))
        put_problem(&b, p);
    fwrite(b.p, 1, b.n, stderr);
    sb_clear(&b);
}

int reporter_problem(void *arg, const weft_problem *p)
{
    reporter_guarded(arg, show_problem, p, 1);
    return 0;
}

void reporter_problems_end(reporter *r)
{
    strbuf b;
    sb_init(&b, r->args->arena->m);
    repeats_end(&r->repeats, &b);
    fwrite(b.p, 1, b.n, stderr);
    sb_clear(&b);
}
