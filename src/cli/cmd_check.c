/* SPDX-License-Identifier: Apache-2.0 */
/* weft check: prints diagnostics of Python programs, CUDA text, folders and data sets, and writes
 * nothing else.
 *
 *     bad.py:5:12: error: name 'nothing' is not defined [undefined-name]
 *             a[0] = nothing
 *                    ^~~~~~~
 *         hint: define it at module level, or assign it before this line on every path
 *
 *     14 kernels in 12 files: 1 error, 2 warnings
 *
 * weft_check (api/weft_check.c) does the work; this file prints what it finds, file by file, and
 * combines the exit statuses. */
#include "base/format.h"
#include "cli/check_gradients.h"
#include "cli/cli_context.h"
#include "cli/reporter.h"
#include "cli/wanted_kernels.h"

/* One `weft check`. */
typedef struct check_job {
    reporter reporter; /* first: callbacks that take memory begin with it */
    const cli_args *args;
    cli_diagnostics diagnostics;
    wanted_kernels wanted;
    weft_check_counts counts;
    check_gradients gradients;
} check_job;

/* --- what is found --------------------------------------------------------------------------- */

static void show_guarded(void *arg, const void *given, size_t n)
{
    check_job *job = arg;
    weft_context *const *c = given;
    (void)n;
    cli_show_diagnostics(&job->diagnostics, *c);
}

/* weft_check_options.checked: one file or record is checked, and the context holds its diagnostics
 * until this returns. A result other than 0 ends the check. */
static int show(void *arg, weft_context *c)
{
    check_job *job = arg;
    wanted_kernels_note(&job->wanted, c);
    if (weft_diagnostic_count(c))
        reporter_end(&job->reporter);
    reporter_guarded(job, show_guarded, &c, 1);
    return cli_interrupted() || job->reporter.no_memory;
}

static void show_problem_guarded(void *arg, const void *given, size_t n)
{
    check_job *job = arg;
    (void)n;
    cli_show_problem(&job->diagnostics, given);
}

/* weft_check_options.message: what is wrong with an operand itself, such as a folder that cannot be
 * read. Only errors come here, so the kind is not looked at. */
static void show_message(void *arg, int kind, const char *text)
{
    check_job *job = arg;
    (void)kind;
    reporter_end(&job->reporter);
    reporter_guarded(job, show_problem_guarded, text, 1);
}

static void put_gradient(void *arg, const void *given, size_t n)
{
    check_job *job = arg;
    (void)n;
    check_gradients_put(&job->gradients, given);
}

/* weft_check_options.gradient: lines come as they are found, since a kernel may take seconds. */
static int show_gradient(void *arg, const weft_gradient *found)
{
    check_job *job = arg;
    reporter_end(&job->reporter);
    reporter_guarded(job, put_gradient, found, 1);
    return cli_interrupted() || job->reporter.no_memory;
}

/* weft_check_options.progress */
static void show_progress(void *arg, uint64_t checked, uint64_t folders)
{
    check_job *job = arg;
    reporter_search(&job->reporter, checked, "checked", folders);
}

/* --- the end --------------------------------------------------------------------------------- */

typedef unsigned long long big;

static void put_count(strbuf *b, const char *before, uint64_t n, const char *what)
{
    sb_printf(b, "%s%llu %s%s", before, (big)n, what, plural_s(n));
}

/* "14 kernels in 12 files: 1 error, 2 warnings". Files count beside records only if there are any.
 */
static void put_summary(strbuf *b, const weft_check_counts *n)
{
    put_count(b, "", n->kernels, "kernel");
    if (n->files || !n->records)
        put_count(b, " in ", n->files, "file");
    if (n->records)
        put_count(b, n->files ? " and " : " in ", n->records, "record");
    if (n->errors)
        put_count(b, ": ", n->errors, "error");
    else
        SB_LIT(b, ": no errors");
    if (n->warnings)
        put_count(b, ", ", n->warnings, "warning");
}

/* Lines for people go with the text form only: what reads JSON wants nothing else. */
static void show_summary(const check_job *job)
{
    strbuf b;
    if (cli_has(job->args, OPT_QUIET) || job->diagnostics.form != DIAG_AS_TEXT)
        return;
    sb_init(&b, job->args->arena->m);
    put_summary(&b, &job->counts);
    check_gradients_put_summary(&job->gradients, &b);
    SB_LIT(&b, "\n");
    fwrite(b.p, 1, b.n, stderr);
    sb_clear(&b);
}

/* --- the command ----------------------------------------------------------------------------- */

/* Returns the largest exit status of all operands; only memory that runs out or an interrupt ends
 * the command before the last one. Names given by --kernel that no file has are reported at the
 * end, and only if every file was read: the kernel may be in the one that was not. */
static int check_operands(check_job *job, weft_context *c)
{
    const cli_args *args = job->args;
    int status = CLI_OK;
    const weft_check_options o = {.size = sizeof o,
                                  .kernels = job->wanted.names,
                                  .kernel_count = job->wanted.n,
                                  .found = job->wanted.found,
                                  .checked = show,
                                  .message = show_message,
                                  .progress = show_progress,
                                  .gradient = job->gradients.wanted ? show_gradient : NULL,
                                  .counts = &job->counts,
                                  .arg = job};
    for (uint32_t i = 0; i < args->noperands && !cli_interrupted(); i++) {
        const weft_status found = weft_check(c, args->operands[i], &o);
        reporter_end(&job->reporter);
        if (found == WEFT_NO_MEMORY || job->reporter.no_memory) {
            cli_error("out of memory: a program takes %d MiB at most", MEMORY_MEBIBYTES);
            return CLI_IO;
        }
        if (found != WEFT_STOPPED && cli_status(found) > status)
            status = cli_status(found);
    }
    const size_t missing =
        status < CLI_IO && !cli_interrupted() ? wanted_kernels_missing(&job->wanted) : 0;
    job->counts.errors += missing;
    return missing ? CLI_BAD_INPUT : status;
}

static void read_options(check_job *job, const cli_args *args)
{
    job->args = args;
    job->counts.size = sizeof job->counts;
    reporter_init(&job->reporter, args);
    cli_diagnostics_init(&job->diagnostics, args);
    wanted_kernels_init(&job->wanted, args);
    job->gradients.wanted = cli_has(args, OPT_GRADIENTS);
    job->gradients.json = cli_has(args, OPT_JSON);
    job->gradients.lines = job->gradients.wanted && !job->gradients.json &&
                           !cli_has(args, OPT_QUIET) && job->diagnostics.form != DIAG_AS_SARIF;
}

/* One context serves all operands. Its timings cover them all; an interrupted check prints none. */
static int check_all(check_job *job)
{
    weft_context *c = NULL;
    int status = CLI_IO;
    if (cli_context_new(job->args, 0, &c) == WEFT_OK) {
        wanted_kernels_set(&job->wanted, c);
        status = check_operands(job, c);
    } else if (!cli_interrupted())
        cli_error("out of memory");
    if (cli_interrupted())
        status = CLI_INTERRUPTED;
    else if (c)
        cli_show_timings(c);
    weft_context_free(c);
    return status;
}

int cmd_check(cli_args *args)
{
    check_job job = {0};
    if (!args->noperands)
        return cli_usage_error(args, "no file given");
    if (!cli_check_block_dim(args))
        return CLI_USAGE;
    read_options(&job, args);
    cli_end_at_once(true); /* it only reads */
    const int opened = check_gradients_open(&job.gradients, args);
    if (opened)
        return opened;
    const int status = check_gradients_close(&job.gradients, check_all(&job));
    if (status != CLI_INTERRUPTED)
        show_summary(&job);
    return cli_diagnostics_end(&job.diagnostics, status);
}
