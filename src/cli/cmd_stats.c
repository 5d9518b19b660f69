/* weft stats: what a data set consists of, counted from its records. What is no record is told line
 * by line on stderr, or in the JSON object. */
#include "base/c_locale.h"
#include "base/json.h"
#include "base/output.h"
#include "cli/cli.h"
#include "cli/survey_end.h"

typedef struct stats_view {
    output out;
    bool json, any;
} stats_view;

static void on_problem(void *arg, const survey_problem *p)
{
    stats_view *v = arg;
    strbuf *b = &v->out.text;
    if (!v->json) {
        cli_survey_problem(p);
        return;
    }
    sb_c(b, v->any ? ",\n{\"file\": " : "\n{\"file\": ");
    json_string(b, str_c(p->file));
    SB_LIT(b, ", \"line\": ");
    if (p->line)
        sb_uint(b, p->line);
    else
        SB_LIT(b, "null");
    json_key(b, "reason", false);
    json_string(b, p->reason);
    SB_LIT(b, "}");
    v->any = true;
    (void)output_flush(&v->out);
}

static bool on_progress(void *arg, const survey *s)
{
    const stats_view *v = arg;
    (void)s;
    return !cli_interrupted() && !v->out.error;
}

int cmd_stats(cli_args *args)
{
    cli_end_at_once(true); /* it only reads */
    survey s;
    const char *message;
    stats_view v = {.json = cli_has(args, OPT_JSON)};
    const survey_options o = {.paths = args->operands,
                              .npaths = args->noperands,
                              .report = on_problem,
                              .progress = on_progress,
                              .arg = &v};
    if (!args->noperands)
        return cli_usage_error(args, "no folder or file given");
    output_open(&v.out, args->arena, NULL);
    if (v.json)
        SB_LIT(&v.out.text, "{\"damaged\": [");
    const int end = survey_run(args->arena, &o, &s, &message);
    const int status = cli_survey_end(end, &s, message);
    if (status <= CLI_BAD_INPUT && v.json) {
        SB_LIT(&v.out.text, "], ");
        survey_put_json(&v.out.text, &s);
        SB_LIT(&v.out.text, "}\n");
    } else if (status <= CLI_BAD_INPUT) {
        survey_put_table(&v.out.text, &s);
    }
    const int error = output_close(&v.out, status <= CLI_BAD_INPUT);
    if (!error || error == OUTPUT_CLOSED) /* closed: nobody reads on */
        return status;
    cli_error("cannot write standard output: %s", error_text(error));
    return CLI_IO;
}
