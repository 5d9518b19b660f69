/* What the library tells, as words on stderr. */
#include "cli/told.h"

#include <unistd.h>

#include "cli/cli_output.h"

void told_start(told *t, const cli_args *args)
{
    *t = (told){
        .args = args, .quiet = cli_has(args, OPT_QUIET), .terminal = isatty(STDERR_FILENO) != 0};
    repeats_init(&t->repeats, args->arena->m);
}

static int on_progress(void *arg, const weft_progress *p)
{
    const told *t = arg;
    (void)p;
    return cli_interrupted() || t->no_memory;
}

typedef struct guarded_call {
    void *job;
    told_work *work;
    const void *given;
    size_t n;
} guarded_call;

static void run_guarded(void *arg)
{
    const guarded_call *g = arg;
    g->work(g->job, g->given, g->n);
}

void told_guarded(void *job, told_work *work, const void *given, size_t n)
{
    told *t = job;
    guarded_call g = {job, work, given, n};
    if (!t->no_memory && !mem_try(t->args->arena->m, run_guarded, &g))
        t->no_memory = true;
}

void told_rethrow(const told *t)
{
    if (t->no_memory)
        mem_fail(t->args->arena->m);
}

weft_callbacks told_callbacks(told *t)
{
    return (weft_callbacks){.size = sizeof(weft_callbacks),
                            .message = told_message,
                            .progress = on_progress,
                            .waiting = cli_waiting,
                            .arg = t};
}

void told_message(void *arg, int kind, const char *text)
{
    told *t = arg;
    told_end(t);
    switch (kind) {
    case WEFT_ERROR:
        t->failed = true;
        cli_error("%s", text);
        break;
    case WEFT_USAGE: cli_usage_error(t->args, "%s", text); break;
    case WEFT_NOTE:
        if (!t->quiet)
            fprintf(stderr, "weft: %s\n", text);
        break;
    default: fprintf(stderr, "weft: %s\n", text);
    }
}

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
    told *t = job;
    const weft_problem *p = given;
    strbuf b;
    (void)n;
    sb_init(&b, t->args->arena->m);
    if (repeats_show(&t->repeats, &b, p))
        put_problem(&b, p);
    fwrite(b.p, 1, b.n, stderr);
    sb_clear(&b);
}

int told_problem(void *arg, const weft_problem *p)
{
    told_guarded(arg, show_problem, p, 1);
    return 0;
}

void told_problems_end(told *t)
{
    strbuf b;
    sb_init(&b, t->args->arena->m);
    repeats_end(&t->repeats, &b);
    fwrite(b.p, 1, b.n, stderr);
    sb_clear(&b);
}
