/* SPDX-License-Identifier: Apache-2.0 */
/* weft ptx: CUDA text compiled to PTX, and what it consists of, kernel by kernel.
 *
 *     kernel   target declreg  pred  instr    int  float memory atomic   bra ...
 *     axpy      sm_75      18     3     24      1      2      7      2     3 ...
 *     1 good, 0 bad
 *
 * weft_ptx_paths goes through the operands, compiles and counts. This file prints each result as it
 * comes and writes the PTX where --output says. */
#include <errno.h>
#include <sys/stat.h>

#include "base/c_locale.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/cli_output.h"
#include "cli/reporter.h"

/* What the callbacks share. */
typedef struct ptx_job {
    reporter reporter; /* first: callbacks that take memory begin with it */
    const cli_args *args;
    output out;         /* the table, JSON, or the one PTX */
    bool json, ptx_out; /* what goes there */
    bool quiet;         /* no table, and no remarks of the compiler */
    bool any;           /* the table or the JSON object has begun */
    bool any_text;      /* the JSON object has an element */
    file_set used;      /* what is read, and where the PTX goes */
    const char *folder; /* of the PTX; NULL: it is not kept there */
    const char *file;   /* its file, when there is one */
    bool stopped;       /* an output cannot be written, or nobody reads it */
    int status;         /* of the outputs */
} ptx_job;

/* --- what is printed ------------------------------------------------------------------------- */

/* Once, before the first text: the table's title, or the JSON object's begin. */
static void put_head(ptx_job *job, const char *warp_version)
{
    strbuf *out = &job->out.text;
    if (job->any || job->ptx_out)
        return;
    job->any = true;
    if (job->json) {
        SB_LIT(out, "{\"warp_headers\": ");
        json_string_or_null(out, warp_version);
        SB_LIT(out, ", \"texts\": [");
    } else if (!job->quiet) {
        sb_printf(out, "%-40s %7s %7s %5s %6s %6s %6s %6s %6s %5s %7s %7s %6s %6s %6s  %s\n",
                  "kernel", "target", "declreg", "pred", "instr", "int", "float", "memory",
                  "atomic", "bra", "ld.glob", "st.glob", "shared", "local", "params",
                  "ptxas: registers, spilled bytes");
    }
}

/* The figures of a function under the titles of put_head. */
static void put_line(strbuf *out, const weft_ptx_function *f, const char *target)
{
    typedef unsigned long long big;
    sb_printf(out,
              "%-40s %7s %7llu %5llu %6llu %6llu %6llu %6llu %6llu %5llu %7llu %7llu "
              "%6llu %6llu %6llu ",
              f->name, target, (big)f->registers, (big)f->predicates, (big)f->instructions,
              (big)f->integer_instructions, (big)f->float_instructions, (big)f->memory_instructions,
              (big)f->atomic_instructions, (big)f->branches, (big)f->global_loads,
              (big)f->global_stores, (big)f->shared_bytes, (big)f->local_bytes,
              (big)f->parameter_bytes);
    for (size_t i = 0; i < f->assembled_count; i++)
        sb_printf(out, " %s: %llu, %llu", f->assembled[i].arch, (big)f->assembled[i].registers,
                  (big)f->assembled[i].spilled_bytes);
    sb_c(out, f->is_kernel ? "\n" : " (device function)\n");
}

/* Where a text comes from; null for what it does not have. */
static void put_place(ptx_job *job, const weft_ptx_result *r)
{
    strbuf *out = &job->out.text;
    sb_c(out, job->any_text ? ",\n{\"file\": " : "\n{\"file\": ");
    job->any_text = true;
    json_string(out, str_c(r->file));
    SB_LIT(out, ", \"line\": ");
    if (r->line)
        sb_uint(out, r->line);
    else
        SB_LIT(out, "null");
    SB_LIT(out, ", \"id\": ");
    json_string_or_null(out, r->id);
    SB_LIT(out, ", \"part\": ");
    json_string_or_null(out, r->part);
    SB_LIT(out, ", \"compiler\": ");
    json_string_or_null(out, r->compiler);
}

/* The figures of a text's functions, as lines or as a JSON object. */
static void put_good(ptx_job *job, const weft_ptx_result *r)
{
    strbuf *out = &job->out.text;
    if (job->ptx_out)
        return;
    if (job->json) {
        put_place(job, r);
        SB_LIT(out, ", ");
        sb_put(out, r->json, r->json_size);
        SB_LIT(out, ", \"error\": null}");
    } else if (!job->quiet) {
        for (size_t i = 0; i < r->function_count; i++)
            put_line(out, &r->functions[i], r->target);
    }
    job->stopped = output_flush(&job->out) != 0 || job->stopped;
}

/* What the compiler says goes to stderr, and into the JSON object. */
static void put_bad(ptx_job *job, const weft_ptx_result *r)
{
    if (job->json) {
        put_place(job, r);
        SB_LIT(&job->out.text, ", \"error\": ");
        json_string(&job->out.text, str_c(r->log));
        SB_LIT(&job->out.text, "}");
    }
    if (r->line)
        fprintf(stderr, "weft: error: %s:%llu: %s: %s: %s:\n", r->file, (unsigned long long)r->line,
                r->id ? r->id : "", r->part ? r->part : "", r->refused_by);
    else
        fprintf(stderr, "weft: error: %s: %s:\n", r->file, r->refused_by);
    fprintf(stderr, "%s\n", r->log);
}

/* --- one result ------------------------------------------------------------------------------ */

/* The status of a command over several texts is the largest. */
static void raise_status(ptx_job *job, int status)
{
    if (status > job->status)
        job->status = status;
}

/* To standard output, to the file, or as NAME.ARCH.ptx into the folder. False: it could not be
 * written. */
static bool keep_ptx(ptx_job *job, const weft_ptx_result *r)
{
    const str ptx = {r->ptx, r->ptx_size};
    arena *a = job->args->arena;
    if (job->ptx_out) {
        sb_str(&job->out.text, ptx);
        return true;
    }
    WEFT_ASSERT(r->name && r->arch && !(job->file && job->folder));
    const char *path = job->file;
    if (job->folder)
        path = path_join(a, job->folder, str_c(arena_printf(a, "%s.%s.ptx", r->name, r->arch)));
    const int error = path ? output_put(a, path, ptx, &job->used) : 0;
    const int status = cli_output_failed(path, error);
    raise_status(job, status);
    job->stopped = job->stopped || status >= CLI_IO;
    return !error;
}

/* One result of weft_ptx_paths: one text for one architecture. A text that is PTX already (r->arch
 * is NULL) is counted, and not written again. */
static void show_result(void *arg, const void *given, size_t n)
{
    ptx_job *job = arg;
    const weft_ptx_result *r = given;
    (void)n;
    put_head(job, r->warp_version);
    if (r->remarks && !job->quiet)
        fprintf(stderr, "%s\n", r->remarks);
    if (r->refused_by)
        put_bad(job, r);
    else if (!r->arch || keep_ptx(job, r))
        put_good(job, r);
}

/* Other than 0 ends the call: an output cannot be written, nobody reads it, or memory ran out. */
static int on_result(void *arg, const weft_ptx_result *r)
{
    ptx_job *job = arg;
    reporter_guarded(job, show_result, r, 1);
    return job->stopped || job->reporter.no_memory;
}

static void add_input(void *arg, const void *path, size_t n)
{
    ptx_job *job = arg;
    (void)n;
    file_set_add(&job->used, path);
}

/* Every input is named before the first text is read, so that no PTX replaces one of them. */
static void on_input(void *arg, const char *path)
{
    reporter_guarded(arg, add_input, path, 1);
}

/* --- the command ----------------------------------------------------------------------------- */

/* The JSON object is whole however the command ended, if it was begun. */
static void put_end(ptx_job *job, const weft_ptx_counts *counts)
{
    typedef unsigned long long big;
    strbuf *out = &job->out.text;
    const bool complete = job->status <= CLI_BAD_INPUT;
    if (job->ptx_out || (!complete && !(job->json && job->any)))
        return;
    if (job->json) {
        put_head(job, NULL);
        sb_printf(out, "%s], \"good\": %llu, \"bad\": %llu, \"complete\": %s}\n",
                  counts->good + counts->bad ? "\n" : "", (big)counts->good, (big)counts->bad,
                  complete ? "true" : "false");
    } else if (!job->quiet) {
        sb_printf(out, "%llu good, %llu bad\n", (big)counts->good, (big)counts->bad);
    }
}

/* A table of which a part is missing is not printed; a JSON object says that it is not complete. */
static int finish(ptx_job *job, const weft_ptx_counts *counts)
{
    if (cli_interrupted())
        job->status = CLI_INTERRUPTED;
    put_end(job, counts);
    const bool keep = job->status == CLI_OK || (job->status == CLI_BAD_INPUT && !job->ptx_out);
    const int error = output_close(&job->out, keep);
    const int written = cli_output_failed(NULL, error);
    return written ? written : job->status;
}

/* Where the PTX goes: nowhere, to standard output, to one file, or into a folder. */
static int choose_output(ptx_job *job, size_t archs)
{
    const cli_args *a = job->args;
    const char *path = cli_get(a, OPT_OUTPUT);
    struct stat st;
    if (!path)
        return CLI_OK;
    const char *first = a->operands[0];
    const bool is_file = strcmp(first, "-") == 0 ||
                         (stat(first, &st) == 0 && !S_ISDIR(st.st_mode) && !strstr(first, ".json"));
    const bool is_one = a->noperands == 1 && archs == 1 && is_file;
    if (strcmp(path, "-") == 0) {
        job->ptx_out = true;
        if (!is_one)
            return cli_usage_error(a, "to standard output goes the PTX of one text for one "
                                      "architecture, and no JSON");
        return CLI_OK;
    }
    const bool is_there = stat(path, &st) == 0, is_dir = is_there && S_ISDIR(st.st_mode);
    if (is_one && !is_dir) {
        job->file = path;
        return CLI_OK;
    }
    job->folder = path;
    const int error = is_dir ? 0 : is_there ? ENOTDIR : make_folders(a->arena, path);
    if (error)
        cli_error("cannot make the folder '%s': %s", path, error_text(error));
    return error ? CLI_IO : CLI_OK;
}

int cmd_ptx(cli_args *args)
{
    ptx_job job = {
        .args = args, .json = cli_has(args, OPT_JSON), .quiet = cli_has(args, OPT_QUIET)};
    weft_ptx_counts counts = {.size = sizeof counts};
    uint32_t nsites;
    const char *const *sites = cli_all(args, OPT_INCLUDE, &nsites);
    const weft_ptx_options o = {.size = sizeof o,
                                .arch = cli_get(args, OPT_ARCH),
                                .package_dirs = sites,
                                .package_dir_count = nsites,
                                .warp_include = cli_get(args, OPT_WARP_INCLUDE),
                                .assemble = !cli_has(args, OPT_NO_PTXAS)};
    const size_t archs = o.arch ? weft_ptx_arch_count(o.arch) : 1;
    if (!args->noperands)
        return cli_usage_error(args, "no file or folder given");
    const int chosen = archs ? choose_output(&job, archs) : CLI_OK;
    if (chosen)
        return chosen;
    reporter_init(&job.reporter, args);
    file_set_init(&job.used, args->arena);
    output_open(&job.out, args->arena, NULL, NULL);
    weft_callbacks c = reporter_callbacks(&job.reporter);
    c.input = job.file || job.folder ? on_input : NULL;
    const weft_status status =
        weft_ptx_paths(args->operands, args->noperands, &o, &c, on_result, &counts);
    reporter_rethrow(&job.reporter);
    if (status != WEFT_STOPPED)
        raise_status(&job, cli_status(status));
    return archs ? finish(&job, &counts) : CLI_USAGE;
}
