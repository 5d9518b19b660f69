/* weft validate: is a data set what it says? What is wrong comes line by line, as it is found; the
 * table of checks comes last, where it is seen. */
#include <time.h>
#include <unistd.h>

#include "base/c_locale.h"
#include "base/json.h"
#include "base/output.h"
#include "cli/with_device.h"
#include "validate/validate.h"

typedef struct report {
    output out;
    bool json, bar, any;
    const char *lost; /* why nothing more ran on the device, or NULL */
    double last;
} report;

static bool read_checks(const cli_args *args, unsigned *checks)
{
    str unknown;
    if (validate_choose_checks(cli_get(args, OPT_CHECKS), checks, &unknown))
        return true;
    if (unknown.n)
        cli_usage_error(args, "unknown check '%.*s'", (int)unknown.n, unknown.p);
    else
        cli_usage_error(args, "no check given");
    return false;
}

/* --- what is wrong ------------------------------------------------------------------------- */

static void put_json(strbuf *b, const validate_problem *p, bool first)
{
    sb_c(b, first ? "\n{\"file\": " : ",\n{\"file\": ");
    json_string(b, str_c(p->file));
    SB_LIT(b, ", \"line\": ");
    if (p->line)
        sb_uint(b, p->line);
    else
        SB_LIT(b, "null");
    SB_LIT(b, ", \"id\": ");
    if (p->id.n)
        json_string(b, p->id);
    else
        SB_LIT(b, "null");
    json_key(b, "check", false);
    json_string(b, str_c(validate_check_name(p->check)));
    json_key(b, "reason", false);
    json_string(b, p->reason);
    SB_LIT(b, "}");
}

/* Control characters of hostile records do not reach the terminal. */
static void put_shown(strbuf *b, str s)
{
    for (size_t i = 0; i < s.n; i++) {
        const unsigned char c = (unsigned char)s.p[i];
        sb_char(b, c < 0x20 || c == 0x7f ? '?' : s.p[i]);
    }
}

/* "FILE:LINE: ID: check: reason" */
static void put_line(strbuf *b, const validate_problem *p)
{
    put_shown(b, str_c(p->file));
    if (p->line) {
        SB_LIT(b, ":");
        sb_uint(b, p->line);
    }
    SB_LIT(b, ": ");
    if (p->id.n) {
        put_shown(b, p->id);
        SB_LIT(b, ": ");
    }
    sb_c(b, validate_check_name(p->check));
    SB_LIT(b, ": ");
    put_shown(b, p->reason);
    SB_LIT(b, "\n");
}

static void on_problem(void *arg, const validate_problem *p)
{
    report *t = arg;
    if (t->json)
        put_json(&t->out.text, p, !t->any);
    else
        put_line(&t->out.text, p);
    t->any = true;
    (void)output_flush(&t->out);
}

static bool on_progress(void *arg, const validate_result *r)
{
    report *t = arg;
    struct timespec now;
    if (cli_interrupted() || t->out.error)
        return false;
    if (!t->bar)
        return true;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double s = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    if (s - t->last >= 0.1) {
        fprintf(stderr, "\r%llu records ", (unsigned long long)r->records);
        t->last = s;
    }
    return true;
}

/* --- the end ------------------------------------------------------------------------------- */

static void put_table(strbuf *b, const validate_result *r, unsigned checks)
{
    sb_printf(b, "%-12s %9s  %s\n", "check", "problems", "what is checked");
    for (int c = 0; c < VALIDATE_CHECKS; c++) {
        if (c == VALIDATE_DEVICE && !(checks & 1u << c))
            continue;
        if (checks & 1u << c || r->bad[c])
            sb_printf(b, "%-12s %9llu  %s\n", validate_check_name((validate_check)c),
                      (unsigned long long)r->bad[c], validate_check_what((validate_check)c));
        else
            sb_printf(b, "%-12s %9s\n", validate_check_name((validate_check)c), "not run");
    }
    sb_printf(b, "%llu records in %llu file%s: %llu good, %llu bad; %.1f MB in %.2f s\n",
              (unsigned long long)r->records, (unsigned long long)r->files,
              r->files == 1 ? "" : "s", (unsigned long long)r->ok,
              (unsigned long long)(r->records - r->ok), (double)r->bytes * 1e-6, r->seconds);
}

static void put_totals(strbuf *b, const validate_result *r, unsigned checks, bool any)
{
    bool first = true;
    sb_c(b, any ? "\n], \"records\": " : "], \"records\": ");
    sb_uint(b, r->records);
    SB_LIT(b, ", \"ok\": ");
    sb_uint(b, r->ok);
    SB_LIT(b, ", \"files\": ");
    sb_uint(b, r->files);
    SB_LIT(b, ", \"bytes\": ");
    sb_uint(b, r->bytes);
    SB_LIT(b, ", \"problems\": {");
    for (int c = 0; c < VALIDATE_CHECKS; c++) {
        if (!(checks & 1u << c) && !r->bad[c])
            continue;
        json_key(b, validate_check_name((validate_check)c), first);
        sb_uint(b, r->bad[c]);
        first = false;
    }
    SB_LIT(b, "}}\n");
}

static int tell_end(const validate_result *r, int end)
{
    switch (end) {
    case STATUS_OK: return r->problems ? CLI_BAD_INPUT : CLI_OK;
    case STATUS_STOPPED: return CLI_INTERRUPTED;
    case STATUS_MEMORY: cli_error("out of memory, or no thread could be started"); return CLI_IO;
    default:
        cli_error("cannot read '%s': %s", r->message ? r->message : "", error_text(end));
        return CLI_IO;
    }
}

static int finish(report *t, const validate_result *r, unsigned checks, int end)
{
    int status = tell_end(r, end);
    if (t->bar)
        fputs("\r\033[K", stderr);
    if (t->lost)
        cli_error("%s", t->lost);
    if (status <= CLI_BAD_INPUT && t->json)
        put_totals(&t->out.text, r, checks, t->any);
    else if (status <= CLI_BAD_INPUT)
        put_table(&t->out.text, r, checks);
    if (t->lost && status <= CLI_BAD_INPUT)
        status = CLI_IO;
    const int error = output_close(&t->out, true);
    if (error == OUTPUT_CLOSED) /* nobody reads on */
        return r->problems ? CLI_BAD_INPUT : CLI_OK;
    if (!error)
        return status;
    cli_error("cannot write standard output: %s", error_text(error));
    return CLI_IO;
}

static int run(cli_args *args, device *d)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t jobs = cores < 1 ? 1 : (uint64_t)cores;
    report t = {.json = cli_has(args, OPT_JSON)};
    validate_options o = {.paths = args->operands,
                          .npaths = args->noperands,
                          .report = on_problem,
                          .progress = on_progress,
                          .arg = &t};
    validate_result r;
    o.device = d;
    if (!args->noperands)
        return cli_usage_error(args, "no folder or file given");
    if (!read_checks(args, &o.checks) || !cli_number(args, OPT_JOBS, 1024, &jobs))
        return CLI_USAGE;
    if (d)
        o.checks |= 1u << VALIDATE_DEVICE;
    o.jobs = jobs && !d ? (uint32_t)jobs : 1;
    t.bar = isatty(STDERR_FILENO) && !cli_has(args, OPT_QUIET);
    output_open(&t.out, args->arena, NULL);
    if (t.json)
        SB_LIT(&t.out.text, "{\"bad\": [");
    const int end = validate_run(args->arena, &o, &r);
    t.lost = d && d->gpu.lost ? d->gpu.why : NULL;
    return finish(&t, &r, o.checks, end);
}

static int run_with_device(cli_args *args, device *d, void *arg)
{
    (void)arg;
    return run(args, d);
}

int cmd_validate(cli_args *args)
{
    const char *name = cli_get(args, OPT_DEVICE);
    if (!name || strcmp(name, "cpu") == 0) {
        cli_end_at_once(true); /* it only reads */
        return run(args, NULL);
    }
    return cli_with_device(args, run_with_device, NULL);
}
