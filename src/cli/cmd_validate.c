/* SPDX-License-Identifier: Apache-2.0 */
/* weft validate: is a data set what it says? What is wrong comes line by line, as it is found; the
 * table of checks comes last, where it is seen:
 *
 *     check         problems  what is checked
 *     schema               0  keys, types, ids, versions, order, manifest
 *     hash                 0  SHA-256 of texts and shards
 *     ...
 *     6 records in 1 file: 6 good, 0 bad; 0.1 MB in 0.01 s
 *
 * With --quiet only the problems are printed.
 *
 * With --json: {"bad": [], "records": 6, "ok": 6, "files": 1, "bytes": 52510, "problems": {...}}.
 * */
#include <string.h>

#include "base/format.h"
#include "base/json.h"
#include "cli/cli_context.h"
#include "cli/cli_output.h"
#include "cli/reporter.h"

/* What the callbacks share; begins with what messages need. */
typedef struct report {
    reporter reporter;
    output out;
    bool json, any; /* any: a problem was printed */
} report;

/* --- what is wrong ------------------------------------------------------------------------- */

/* An element of "bad". */
static void put_json(strbuf *b, const weft_problem *p, bool first)
{
    sb_c(b, first ? "\n{\"file\": " : ",\n{\"file\": ");
    json_string(b, str_c(p->file));
    SB_LIT(b, ", \"line\": ");
    if (p->line)
        sb_uint(b, p->line);
    else
        SB_LIT(b, "null");
    SB_LIT(b, ", \"id\": ");
    if (*p->id)
        json_string(b, str_c(p->id));
    else
        SB_LIT(b, "null");
    json_key(b, "check", false);
    json_string(b, str_c(p->check));
    json_key(b, "reason", false);
    json_string(b, str_c(p->reason));
    SB_LIT(b, "}");
}

/* "FILE:LINE: ID: check: reason" */
static void put_line(strbuf *b, const weft_problem *p)
{
    cli_put_shown(b, p->file);
    if (p->line) {
        SB_LIT(b, ":");
        sb_uint(b, p->line);
    }
    SB_LIT(b, ": ");
    if (*p->id) {
        cli_put_shown(b, p->id);
        SB_LIT(b, ": ");
    }
    sb_c(b, p->check);
    SB_LIT(b, ": ");
    cli_put_shown(b, p->reason);
    SB_LIT(b, "\n");
}

/* An element of "bad" with --json, else a line before the table; after the first few of a kind
 * lines are only counted (repeats.h). The output is flushed so that a reader sees progress. */
static void put_problem(void *arg, const void *given, size_t n)
{
    report *t = arg;
    const weft_problem *p = given;
    (void)n;
    if (t->json)
        put_json(&t->out.text, p, !t->any);
    else if (repeats_show(&t->reporter.repeats, &t->out.text, p))
        put_line(&t->out.text, p);
    t->any = true;
    (void)output_flush(&t->out);
}

static int on_problem(void *arg, const weft_problem *p)
{
    reporter_guarded(arg, put_problem, p, 1);
    return 0;
}

static int on_progress(void *arg, uint64_t records)
{
    report *t = arg;
    if (cli_interrupted() || t->out.error || t->reporter.no_memory)
        return 1;
    reporter_count(&t->reporter, records, "checked");
    return 0;
}

/* --- the end ------------------------------------------------------------------------------- */

/* One row for each check, and the totals:
 *
 *     check         problems  what is checked
 *     schema               3  keys, types, ids, versions, order, manifest
 *     hash           not run
 *
 * A device check that was not chosen has no row: few machines can run it. */
static void put_table(strbuf *b, const weft_validation *r)
{
    WEFT_ASSERT(r->ok <= r->records);
    sb_printf(b, "%-12s %9s  %s\n", "check", "problems", "what is checked");
    for (uint32_t i = 0; i < r->check_count; i++) {
        const char *name = r->checks[i].name;
        if (!r->checks[i].done && strcmp(name, "device") == 0)
            continue;
        if (r->checks[i].done || r->checks[i].problems)
            sb_printf(b, "%-12s %9llu  %s\n", name, (unsigned long long)r->checks[i].problems,
                      r->checks[i].what);
        else
            sb_printf(b, "%-12s %9s\n", name, "not run");
    }
    sb_printf(b, "%llu record%s in %llu file%s: %llu good, %llu bad; %.1f MB in %.2f s\n",
              (unsigned long long)r->records, plural_s(r->records), (unsigned long long)r->files,
              plural_s(r->files), (unsigned long long)r->ok,
              (unsigned long long)(r->records - r->ok), (double)r->bytes * 1e-6, r->seconds);
}

/* Closes the JSON object that cmd_validate began. */
static void put_totals(strbuf *b, const weft_validation *r, bool any)
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
    for (uint32_t i = 0; i < r->check_count; i++) {
        if (!r->checks[i].done && !r->checks[i].problems)
            continue;
        json_key(b, r->checks[i].name, first);
        sb_uint(b, r->checks[i].problems);
        first = false;
    }
    SB_LIT(b, "}}\n");
}

/* The end of the output, and the exit status. A lost device outranks the result, since the rest was
 * not checked. After a wrong argument the JSON object that was begun is dropped. After an I/O error
 * or an interrupt neither table nor totals are printed: they would look like a result. */
static int finish(report *t, const weft_validation *r, weft_status end)
{
    int status = end == WEFT_OK && r->problems ? CLI_BAD_INPUT : cli_status(end);
    reporter_end(&t->reporter);
    reporter_rethrow(&t->reporter);
    repeats_end(&t->reporter.repeats, &t->out.text);
    if (*r->lost)
        cli_error("%s", r->lost);
    if (status <= CLI_BAD_INPUT && t->json)
        put_totals(&t->out.text, r, t->any);
    else if (status <= CLI_BAD_INPUT && !t->reporter.quiet)
        put_table(&t->out.text, r);
    if (*r->lost && status <= CLI_BAD_INPUT)
        status = CLI_IO;
    if (end == WEFT_BAD_ARGUMENT)
        t->out.text.n = 0;
    const int error = output_close(&t->out, true);
    if (error == OUTPUT_CLOSED) /* the reader went away */
        return r->problems ? CLI_BAD_INPUT : CLI_OK;
    return error ? cli_output_failed(NULL, error) : status;
}

/* One data set twice would make each of its records a duplicate. */
static const char *given_twice(const cli_args *args)
{
    for (uint32_t i = 0; i < args->noperands; i++)
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(args->operands[i], args->operands[k]) == 0)
                return args->operands[i];
    return NULL;
}

int cmd_validate(cli_args *args)
{
    report t = {.json = cli_has(args, OPT_JSON)};
    weft_validation found = {.size = sizeof found};
    uint64_t jobs = 1;
    uint32_t n;
    weft_validate_options o = {.size = sizeof o,
                               .checks = cli_get(args, OPT_CHECKS),
                               .device = cli_choice(args, OPT_DEVICE, 0) == 1,
                               .problem = on_problem,
                               .progress = on_progress,
                               .message = reporter_message,
                               .arg = &t};
    reporter_init(&t.reporter, args);
    if (!args->noperands)
        return cli_usage_error(args, "no folder or file given");
    if (given_twice(args))
        return cli_usage_error(args, "'%s' is given twice", given_twice(args));
    if (!cli_number(args, OPT_JOBS, 1024, &jobs))
        return CLI_USAGE;
    if (cli_has(args, OPT_JOBS))
        o.jobs = jobs ? (uint32_t)jobs : 1;
    o.package_dirs = cli_all(args, OPT_INCLUDE, &n);
    o.package_dir_count = n;
    cli_warn_missing_folders(args);
    cli_end_at_once(!o.device); /* it only reads */
    output_open(&t.out, args->arena, NULL, NULL);
    if (t.json)
        SB_LIT(&t.out.text, "{\"bad\": [");
    return finish(&t, &found, weft_validate(args->operands, args->noperands, &o, &found));
}
