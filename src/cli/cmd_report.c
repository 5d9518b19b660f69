/* weft report: a data set as one HTML page. */
#include "base/c_locale.h"
#include "base/output.h"
#include "cli/generate.h"
#include "cli/survey_end.h"
#include "make/make.h"
#include "report/report.h"

static void on_problem(void *arg, const survey_problem *p)
{
    (void)arg;
    cli_survey_problem(p);
}

static bool on_progress(void *arg, const survey *s)
{
    (void)arg;
    (void)s;
    return !cli_interrupted();
}

/* The set's command, but for what it excludes: the files are not there. */
static bool read_command(void *arg, const char *command, record_options *o)
{
    const cli_args *args = arg;
    const char *bare = generate_without(args->arena, command, " --exclude ");
    return generate_read_command(args->arena, bare, ".", o) &&
           generate_is_command(args->arena, bare, o);
}

static int write_page(const cli_args *args, const char *path, const strbuf *page)
{
    output out;
    int error = output_open(&out, args->arena, path);
    if (!error) {
        output_write(&out, sb_view(page));
        error = output_close(&out, true);
    }
    if (error == OUTPUT_CLOSED) /* nobody reads on */
        return CLI_OK;
    if (error) {
        cli_error("cannot write '%s': %s", path, error_text(error));
        return CLI_IO;
    }
    if (strcmp(path, "-") != 0 && !cli_has(args, OPT_QUIET))
        fprintf(stderr, "written to %s: open it in a browser\n", path);
    return CLI_OK;
}

int cmd_report(cli_args *args)
{
    survey s;
    strbuf page;
    const char *message, *path = cli_get(args, OPT_OUTPUT);
    if (args->noperands != 1)
        return cli_usage_error(args, args->noperands ? "one data set at a time"
                                                     : "no folder or file given");
    const report_options o = {.path = args->operands[0],
                              .report = on_problem,
                              .progress = on_progress,
                              .read_command = cli_has(args, OPT_MEASURE) ? read_command : NULL,
                              .arg = args};
    sb_init(&page, args->arena->m);
    const int end = report_run(args->arena, &o, &s, &page, &message);
    const int status = cli_survey_end(end, &s, message);
    if (status > CLI_BAD_INPUT)
        return status;
    const int written = write_page(args, path ? path : "report.html", &page);
    return written ? written : status;
}
