/* SPDX-License-Identifier: Apache-2.0 */
/* weft run: one kernel, executed on values and arrays from the command line.
 *
 *     --arg x=zeros:4 --save x=@x.npy   ->   {"x", .text = "zeros:4"}, {"x", "x.npy"} of weft.h
 *
 * weft_run_file does the work and checks everything. It reports a mistake by its fault, its index
 * and a message in its own words; where the fault concerns an option, the program names that:
 *
 *     argument 'n': it is not given   ->   ... it is not given: write --arg n=... */
#include <unistd.h>

#include "base/ascii.h"
#include "base/decimal.h"
#include "base/folder_walk.h"
#include "base/format.h"
#include "cli/cli_context.h"
#include "cli/cli_output.h"
#include "cli/reporter.h"
#include "cli/run_folder.h"
#include "cli/suggest.h"
#include "cli/wanted_kernels.h"

/* Behind an array's name: the file that it is saved in. */
static const char save_mark[] = "=@";

/* The kinds of options that give results. */
enum { SAVE, SAVE_GRAD, PRINT, SAVES };

/* Options of the command and what the library takes for them, in the order given. */
typedef struct run_job {
    reporter reporter; /* first: progress begins with it */
    const cli_args *args;
    const char *path; /* of the program; "-": standard input */
    weft_run_options o;
    weft_run_result result;
    cli_diagnostics diagnostics;
    /* as the user wrote them, for messages; in the order of o.arguments and o.saves */
    const char *const *given[2]; /* --arg, --adjoint */
    uint32_t ngiven[2];
    const char *const *saved[SAVES]; /* --save, --save-grad, --print */
    uint32_t nsaved[SAVES];
} run_job;

/* --- options --------------------------------------------------------------------------------- */

/* "4", "4,3" or "4x3": up to four sizes, as wp.launch takes dim. Their product must be countable
 * here, since the library's message for it does not name the option. */
static bool read_dims(run_job *job)
{
    enum { DIMS = sizeof job->o.dim / sizeof *job->o.dim };
    const char *text = cli_get(job->args, OPT_DIM);
    int64_t threads = 1;
    if (!text) {
        cli_usage_error(job->args, "--dim is missing: how many threads?");
        return false;
    }
    for (const char *s = text;; s++) {
        const char *end;
        uint64_t n;
        if (!decimal_read_count(s, &end, &n) || n > INT32_MAX || job->o.ndim == DIMS ||
            (*end && *end != ',' && *end != 'x')) {
            cli_usage_error(job->args, "--dim wants N[,M[,K[,L]]] of up to %d each, not '%.200s'",
                            INT32_MAX, text);
            return false;
        }
        if (__builtin_mul_overflow(threads, (int64_t)n, &threads)) {
            cli_usage_error(job->args, "--dim %s: so many threads cannot be counted", text);
            return false;
        }
        WEFT_ASSERT(job->o.ndim < DIMS);
        job->o.dim[job->o.ndim++] = (int64_t)n;
        s = end;
        if (!*s)
            return true;
    }
}

/* Every --arg and --adjoint is NAME=VALUE, and no name stands twice in one of them. */
static bool check_arguments(const cli_args *args, cli_option_id option, const char *value,
                            const char *const *given, uint32_t n)
{
    const char *name = cli_options[option].name;
    for (uint32_t i = 0; i < n; i++) {
        const size_t length = strcspn(given[i], "=");
        if (!given[i][length] || !length) {
            cli_usage_error(args, "--%s %s: write --%s %s=%s", name, given[i], name,
                            length ? given[i] : "NAME", value);
            return false;
        }
        for (uint32_t k = 0; k < i; k++)
            if (strncmp(given[k], given[i], length + 1) == 0) {
                cli_usage_error(args, "'%.*s' is given twice: --%s %s and --%s %s", (int)length,
                                given[i], name, given[k], name, given[i]);
                return false;
            }
    }
    return true;
}

/* "NAME=TEXT" -> NAME. What has no '=' gets a name that no parameter has, so that the library
 * refuses it in its turn. */
static const char *name_of(arena *a, const char *text, const char *mark)
{
    const size_t n = strcspn(text, "=");
    return arena_dup(a, text, strncmp(text + n, mark, strlen(mark)) == 0 ? n : 0);
}

/* All of --arg, then all of --adjoint: given_at finds them by their index. */
static bool read_arguments(run_job *job)
{
    arena *a = job->args->arena;
    job->given[0] = cli_all(job->args, OPT_ARG, &job->ngiven[0]);
    job->given[1] = cli_all(job->args, OPT_ADJOINT, &job->ngiven[1]);
    if (!check_arguments(job->args, OPT_ARG, "VALUE", job->given[0], job->ngiven[0]) ||
        !check_arguments(job->args, OPT_ADJOINT, "@FILE.npy", job->given[1], job->ngiven[1]))
        return false;
    weft_argument *all = ARENA_ARRAY(a, weft_argument, job->ngiven[0] + job->ngiven[1] + 1u);
    size_t n = 0;
    for (int gradient = 0; gradient < 2; gradient++)
        for (uint32_t i = 0; i < job->ngiven[gradient]; i++) {
            const char *text = job->given[gradient][i];
            const char *value = text + strcspn(text, "=");
            weft_argument *to = &all[n++];
            *to = (weft_argument){.size = sizeof *to, .name = name_of(a, text, "=")};
            *(gradient ? &to->gradient_text : &to->text) = *value ? value + 1 : value;
        }
    job->o.arguments = all;
    job->o.argument_count = n;
    return true;
}

/* "NAME=@FILE" of --save and --save-grad; what is written otherwise, or names no file, is refused
 * as above. A terminal cannot show the bytes of a file: "NAME=@-" is text there. */
static weft_save read_save(const run_job *job, int kind, const char *text)
{
    const char *at = strstr(text, save_mark);
    const char *path = at ? at + strlen(save_mark) : "";
    return (weft_save){.size = sizeof(weft_save),
                       .name = *path ? name_of(job->args->arena, text, save_mark) : "",
                       .path = path,
                       .gradient = kind == SAVE_GRAD,
                       .text = strcmp(path, "-") == 0 && isatty(STDOUT_FILENO)};
}

static void read_saves(run_job *job)
{
    static const cli_option_id options[SAVES] = {OPT_SAVE, OPT_SAVE_GRAD, OPT_PRINT};
    uint32_t count = 0;
    for (int kind = 0; kind < SAVES; kind++) {
        job->saved[kind] = cli_all(job->args, options[kind], &job->nsaved[kind]);
        count += job->nsaved[kind];
    }
    weft_save *all = ARENA_ARRAY(job->args->arena, weft_save, (size_t)count + 1);
    size_t n = 0;
    for (int kind = 0; kind < SAVES; kind++)
        for (uint32_t i = 0; i < job->nsaved[kind]; i++) {
            const char *text = job->saved[kind][i];
            all[n++] = kind != PRINT
                           ? read_save(job, kind, text)
                           : (weft_save){.size = sizeof *all, .name = text, .path = "-", .text = 1};
        }
    job->o.saves = all;
    job->o.save_count = n;
}

/* From here on files are written: an interrupt must not end the program in between. */
static void end_of_reading(void *arg)
{
    (void)arg;
    cli_end_at_once(false);
}

/* Only one of the two may have standard output: an array or the SARIF document. */
static bool check_sarif(const run_job *job)
{
    bool taken = false;
    for (size_t i = 0; i < job->o.save_count; i++)
        taken = taken || strcmp(job->o.saves[i].path, "-") == 0;
    if (!taken || job->diagnostics.form != DIAG_AS_SARIF)
        return true;
    cli_usage_error(job->args, "to standard output goes the SARIF document: save arrays in files");
    return false;
}

/* Options that need no file, so that mistakes are reported before work begins. */
static bool read_options(run_job *job)
{
    const cli_args *args = job->args;
    uint64_t fuel = 0;
    job->result.size = sizeof job->result;
    job->o = (weft_run_options){.size = sizeof job->o,
                                .kernel = cli_get(args, OPT_KERNEL),
                                .gradients = cli_has(args, OPT_GRAD),
                                .executor = cli_choice(args, OPT_EXECUTOR, WEFT_REFERENCE),
                                .begin = end_of_reading,
                                .progress = reporter_threads,
                                .arg = job,
                                .result = &job->result};
    if (!read_dims(job) || !cli_check_block_dim(args) ||
        !cli_number(args, OPT_FUEL, UINT64_MAX, &fuel))
        return false;
    job->o.fuel = cli_has(args, OPT_FUEL) && !fuel ? UINT64_MAX : fuel;
    if (!read_arguments(job))
        return false;
    read_saves(job);
    return check_sarif(job);
}

/* --- what came of it ------------------------------------------------------------------------- */

/* As given on the command line: `index` counts through the lists, one after the other. */
static const char *given_at(const char *const *const *lists, const uint32_t *counts, size_t index)
{
    int list = 0;
    for (; index >= counts[list]; list++)
        index -= counts[list];
    return lists[list][index];
}

static void suggest_kernel_of(const run_job *job, const weft_context *c, const char *name)
{
    enum { NAMES = 256 }; /* more are no help */
    const char *names[NAMES];
    size_t n = 0;
    while (n < NAMES && (names[n] = weft_kernel_name(c, n)))
        n++;
    suggest_kernel(job->args->arena, names, n, name);
}

/* How a value of the parameter is written. */
static const char *example_of(const weft_run_result *r, const char *name)
{
    for (size_t i = 0; i < r->parameter_count; i++)
        if (strcmp(r->parameters[i].name, name) == 0)
            return r->parameters[i].example;
    return "...";
}

/* Fields are missing one by one where others of their array are given; else the array is. */
static bool is_missing(const weft_run_result *r, size_t i)
{
    size_t array = i;
    while (array && r->parameters[array].field)
        array--;
    return !r->parameters[i].given && (array == i || r->parameters[array].given);
}

/* All that is missing at once, ready to be pasted: "hint: --arg x=zeros:8x3 --arg s=1.0" */
static void show_missing(const weft_run_result *r)
{
    size_t missing = 0;
    for (size_t i = 0; i < r->parameter_count; i++)
        missing += is_missing(r, i);
    if (missing < 2)
        return;
    fputs("    hint: all that is missing:", stderr);
    for (size_t i = 0; i < r->parameter_count; i++)
        if (is_missing(r, i))
            fprintf(stderr, " --arg %s=%s", r->parameters[i].name, r->parameters[i].example);
    fputc('\n', stderr);
}

/* `what`: "parameter", or "array" of those that can be saved. */
static void suggest_parameter(const weft_run_result *r, const char *what, const char *name)
{
    enum { NAMES = 256 };
    const char *names[NAMES];
    size_t n = 0;
    for (; n < NAMES && n < r->parameter_count; n++) {
        names[n] = r->parameters[n].name;
        if (strcmp(names[n], name) == 0) /* it is there, but no array, or none of floats */
            return;
    }
    suggest_name(what, names, n, name);
}

/* What is no ARRAY=@FILE.npy has a name or a path that is empty. */
static void show_bad_save(const run_job *job, const char *message)
{
    const weft_run_result *r = &job->result;
    const weft_save *s = &job->o.saves[r->index];
    if (!*s->name && r->index >= job->nsaved[SAVE] + job->nsaved[SAVE_GRAD]) {
        cli_error("--print '': it must be the name of an array of the kernel");
        suggest_parameter(r, "array", s->name);
        return;
    }
    if (*s->name && *s->path) {
        cli_error("%s", message);
        suggest_parameter(r, "array", s->name);
        return;
    }
    cli_error("--%s %s: it must be ARRAY=@FILE.npy, for an array %s",
              r->gradient ? "save-grad" : "save", given_at(job->saved, job->nsaved, r->index),
              r->gradient ? "of floats of the kernel" : "of the kernel");
}

/* Faults that concern options are shown as those. */
static int show_fault(const run_job *job, weft_context *c, weft_status status)
{
    const char *message = weft_message(c);
    const weft_run_result *r = &job->result;
    const bool gradient = r->gradient != 0;
    switch (r->fault) {
    case WEFT_FAULT_KERNELS:
        if (job->o.kernel)
            cli_error("%s", message);
        else
            cli_error("there are several kernels: name one by --kernel");
        suggest_kernel_of(job, c, NULL);
        return CLI_BAD_INPUT;
    case WEFT_FAULT_KERNEL:
        cli_error("%s", message);
        if (job->o.kernel)
            suggest_kernel_of(job, c, job->o.kernel);
        return CLI_BAD_INPUT;
    case WEFT_FAULT_MISSING:
        cli_error("%s: write --arg %s=%s", message, r->name, example_of(r, r->name));
        show_missing(r);
        return CLI_USAGE;
    case WEFT_FAULT_ARGUMENT:
        cli_error("--%s %s: the kernel '%s' has no such %s", gradient ? "adjoint" : "arg",
                  given_at(job->given, job->ngiven, r->index), r->kernel,
                  gradient ? "array of floats" : "parameter");
        suggest_parameter(r, "parameter", job->o.arguments[r->index].name);
        return CLI_USAGE;
    case WEFT_FAULT_SAVE: show_bad_save(job, message); return CLI_USAGE;
    case WEFT_FAULT_OUTPUT: cli_error("%s", message); return cli_status(status);
    default: break;
    }
    if (*message)
        cli_error("%s", message);
    if (r->fault == WEFT_FAULT_FUEL)
        fputs("    hint: --fuel STEPS allows more; 0: no limit\n", stderr);
    return status != WEFT_BAD_ARGUMENT ? cli_status(status)
           : r->unreadable             ? CLI_USAGE
                                       : CLI_BAD_INPUT;
}

/* "k ran on 64 threads, forward and backward, in 1.2 ms", and where the results are. */
static void show_done(const run_job *job)
{
    const weft_run_result *r = &job->result;
    const double ms = r->seconds * 1e3;
    char time[32];
    long long threads = 1;
    if (cli_has(job->args, OPT_QUIET))
        return;
    for (int i = 0; i < job->o.ndim; i++)
        threads *= job->o.dim[i];
    fprintf(stderr, "%s ran on %lld thread%s%s in ", r->kernel, threads,
            plural_s((uint64_t)threads), job->o.gradients ? ", forward and backward," : "");
    format_text(time, sizeof time, ms < 1000 ? "%.2f ms" : "%.1f s", ms < 1000 ? ms : r->seconds);
    fprintf(stderr, "%s\n", time);
    for (size_t i = 0; i < job->o.save_count; i++) {
        const weft_save *s = &job->o.saves[i];
        if (strcmp(s->path, "-") != 0)
            fprintf(stderr, "saved %s%s in %s\n", s->gradient ? "the adjoint of " : "", s->name,
                    s->path);
    }
    if (r->prints)
        fputs("what the kernel prints is not shown\n", stderr);
    if (!job->o.save_count)
        fputs("nothing is saved: --print NAME shows an array, --save NAME=@FILE.npy keeps it\n",
              stderr);
}

/* Differences of a device come first: the files are saved in spite of them, and they make the
 * status CLI_BAD_INPUT even if all else went well. */
static int show_end(run_job *job, weft_context *c, weft_status status)
{
    const weft_run_result *r = &job->result;
    if (status == WEFT_NO_MEMORY) {
        cli_error("out of memory: a run takes %d MiB at most", MEMORY_MEBIBYTES);
        return CLI_IO;
    }
    for (size_t i = 0; i < r->difference_count; i++)
        cli_error("the device gives another result than the reference: %s", r->differences[i].text);
    if (status == WEFT_OK) {
        show_done(job);
        return r->difference_count ? CLI_BAD_INPUT : CLI_OK;
    }
    cli_show_diagnostics(&job->diagnostics, c);
    if (status == WEFT_INPUT_ERRORS && r->fault == WEFT_FAULT_KERNEL && !weft_kernel_name(c, 0))
        return CLI_BAD_INPUT; /* the errors say why there is no kernel */
    return show_fault(job, c, status);
}

/* --- the command ----------------------------------------------------------------------------- */

/* All memory of a run is one context's, with a limit. */
static int run_file(run_job *job)
{
    weft_context *c;
    weft_status status = cli_context_new(job->args, 0, &c);
    wanted_kernels wanted;
    wanted_kernels_init(&wanted, job->args);
    if (status == WEFT_OK) {
        wanted_kernels_set(&wanted, c);
        status = weft_run_file(c, job->path, &job->o);
    }
    reporter_end(&job->reporter);
    const int end = show_end(job, c, status);
    weft_context_free(c);
    return end;
}

/* The device is given back whatever happens. */
static int run_on_device(run_job *job)
{
    uint32_t n;
    int end = CLI_IO;
    const char *const *sites = cli_all(job->args, OPT_INCLUDE, &n);
    const weft_status status = weft_device_new(sites, n, &job->o.device);
    if (status == WEFT_OK)
        end = run_file(job);
    else if (status == WEFT_NO_MEMORY)
        cli_error("out of memory");
    else
        cli_error("--device cuda: %s", weft_device_message(job->o.device));
    weft_device_free(job->o.device);
    return end;
}

/* "saxpy", unlike "saxpy.py", "a=2" and "out/x" */
static bool is_identifier(const char *text)
{
    size_t n = 0;
    while (ascii_is_letter(text[n]) || ascii_is_digit(text[n]) || text[n] == '_')
        n++;
    return n && !text[n] && !ascii_is_digit(text[0]);
}

/* Among several operands are names and arguments without their option: `weft run k.py saxpy a=2`.
 */
static int refuse_operands(const cli_args *args)
{
    bool any = false;
    if (!args->noperands)
        return cli_usage_error(args, "no file given");
    cli_usage_error(args, "one file at a time, but '%s' and '%s' are given", args->operands[0],
                    args->operands[1]);
    for (uint32_t i = 0; i < args->noperands; i++) {
        const char *text = args->operands[i];
        const char *option = strchr(text, '=')               ? "arg"
                             : i == 1 && is_identifier(text) ? "kernel"
                                                             : NULL;
        if (!option)
            continue;
        fprintf(stderr, "%s --%s %s", any ? "" : "    hint: write", option, text);
        any = true;
    }
    if (any)
        fputc('\n', stderr);
    return CLI_USAGE;
}

/* Until end_of_reading the command only reads, so an interrupt may end it at once. */
int cmd_run(cli_args *args)
{
    run_job job = {.args = args};
    const char *name = cli_get(args, OPT_DEVICE);
    int status = CLI_OK;
    bool is_folder;
    cli_end_at_once(true);
    if (args->noperands != 1)
        return refuse_operands(args);
    cli_diagnostics_init(&job.diagnostics, args);
    reporter_init(&job.reporter, args);
    if (!read_options(&job))
        return CLI_USAGE;
    job.path = args->operands[0];
    (void)path_is_folder(job.path, &is_folder); /* reading it says why it cannot be read */
    if (is_folder && !(job.path = run_find_file(args, &status)))
        return status;
    status = name && strcmp(name, "cuda") == 0 ? run_on_device(&job) : run_file(&job);
    return cli_diagnostics_end(&job.diagnostics, status);
}
