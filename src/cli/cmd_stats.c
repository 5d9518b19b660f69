/* SPDX-License-Identifier: Apache-2.0 */
/* weft stats: what a data set consists of, counted from its records. Lines that are no records are
 * listed on stderr, or with --json in the object:
 *
 *     {"damaged": [
 *     {"file": "bad.jsonl", "line": 1, "reason": "not JSON: the line breaks off at byte 2"}], ...
 *
 * The list is printed while records are read, the figures at the end; weft_stats makes the table,
 * or the figures as members of the object. */
#include <string.h>

#include "base/json.h"
#include "cli/cli_context.h"
#include "cli/cli_output.h"
#include "cli/reporter.h"

/* What the callbacks share; begins with what messages need. */
typedef struct stats_view {
    reporter reporter;
    output out;
    bool json, any; /* any: "damaged" has an element */
} stats_view;

/* JSON: an element of "damaged"; otherwise a line on standard error. */
static void put_damaged(void *job, const void *given, size_t n)
{
    stats_view *v = job;
    const weft_problem *p = given;
    strbuf *b = &v->out.text;
    (void)n;
    sb_c(b, v->any ? ",\n{\"file\": " : "\n{\"file\": ");
    json_string(b, str_c(p->file));
    SB_LIT(b, ", \"line\": ");
    if (p->line)
        sb_uint(b, p->line);
    else
        SB_LIT(b, "null");
    json_key(b, "reason", false);
    json_string(b, str_c(p->reason));
    SB_LIT(b, "}");
    v->any = true;
    (void)output_flush(&v->out);
}

static int on_problem(void *arg, const weft_problem *p)
{
    const stats_view *v = arg;
    if (!v->json)
        return reporter_problem(arg, p);
    reporter_guarded(arg, put_damaged, p, 1);
    return 0;
}

/* Shows nothing; ends the count on an interrupt or when the output failed. */
static int on_progress(void *arg, const weft_progress *p)
{
    const stats_view *v = arg;
    (void)p;
    return cli_interrupted() || v->out.error || v->reporter.no_memory;
}

/* The figures follow the list of damaged records in the same object. */
static void put_figures(void *job, const void *given, size_t n)
{
    stats_view *v = job;
    const char *text = given;
    if (v->json)
        SB_LIT(&v->out.text, "], ");
    sb_put(&v->out.text, text, n);
    if (v->json)
        SB_LIT(&v->out.text, "}\n");
}

static void on_text(void *arg, const char *text, size_t n)
{
    reporter_guarded(arg, put_figures, text, n);
}

static void put_profile(void *job, const void *given, size_t n)
{
    stats_view *v = job;
    sb_put(&v->out.text, given, n);
}

static void on_profile(void *arg, const char *text, size_t n)
{
    reporter_guarded(arg, put_profile, text, n);
}

/* --profile: what kernels are like. */
static weft_status stats_profile(const cli_args *args, const stats_view *v, const weft_callbacks *c)
{
    uint32_t n;
    const char *const *dirs = cli_all(args, OPT_INCLUDE, &n);
    cli_warn_missing_folders(args);
    return weft_profile(args->operands, args->noperands, dirs, n, v->json, c, on_profile);
}

int cmd_stats(cli_args *args)
{
    cli_end_at_once(true); /* it only reads */
    stats_view v = {.json = cli_has(args, OPT_JSON)};
    if (!args->noperands)
        return cli_usage_error(args, "no folder or file given");
    reporter_init(&v.reporter, args);
    output_open(&v.out, args->arena, NULL, NULL);
    const bool profile = cli_has(args, OPT_PROFILE);
    if (v.json && !profile)
        SB_LIT(&v.out.text, "{\"damaged\": [");
    weft_callbacks c = reporter_callbacks(&v.reporter);
    c.problem = profile ? reporter_problem : on_problem;
    c.progress = on_progress;
    const int status =
        cli_status(profile ? stats_profile(args, &v, &c)
                           : weft_stats(args->operands, args->noperands, v.json, &c, on_text));
    reporter_rethrow(&v.reporter);
    reporter_problems_end(&v.reporter);
    const int written = cli_output_failed(NULL, output_close(&v.out, status <= CLI_BAD_INPUT));
    return written ? written : status;
}
