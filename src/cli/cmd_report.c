/* weft report: a data set as one HTML page. */
#include <string.h>

#include "base/c_locale.h"
#include "cli/told.h"

/* What the callbacks share; begins with what messages need. */
typedef struct report_job {
    told told;
    const char *path;
    int status;
} report_job;

static void on_page(void *arg, const char *page, size_t n)
{
    report_job *job = arg;
    output out;
    int error = output_open(&out, job->told.args->arena, job->path);
    if (!error) {
        output_write(&out, (str){page, n});
        error = output_close(&out, true);
    }
    if (error == OUTPUT_CLOSED) /* nobody reads on */
        return;
    if (error) {
        cli_error("cannot write '%s': %s", job->path, error_text(error));
        job->status = CLI_IO;
    } else if (strcmp(job->path, "-") != 0 && !job->told.quiet) {
        fprintf(stderr, "written to %s: open it in a browser\n", job->path);
    }
}

int cmd_report(cli_args *args)
{
    const char *path = cli_get(args, OPT_OUTPUT);
    report_job job = {.path = path ? path : "report.html"};
    told_start(&job.told, args);
    if (args->noperands != 1)
        return cli_usage_error(args, args->noperands ? "one data set at a time"
                                                     : "no folder or file given");
    weft_callbacks c = told_callbacks(&job.told);
    c.problem = told_problem;
    const int status =
        cli_status(weft_report(args->operands[0], cli_has(args, OPT_MEASURE), &c, on_page));
    return job.status ? job.status : status;
}
