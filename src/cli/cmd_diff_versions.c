/* SPDX-License-Identifier: Apache-2.0 */
/* weft diff-versions: what a program's text gains and loses from one release of Warp to another.
 *
 *     loops.py: scale: same
 *     loops.py: sum
 *     --- sum, cuda, warp-lang 1.18.0
 *     +++ sum, cuda, warp-lang 1.19.0
 *     @@ -21,8 +21,7 @@
 *     ...
 *
 * A program is compiled twice, in a context for each release. With --json each kernel is one object
 * of a line. */
#include "base/c_locale.h"
#include "base/file.h"
#include "base/format.h"
#include "base/json.h"
#include "base/warp_release.h"
#include "cli/cli_context.h"
#include "cli/cli_output.h"
#include "cli/line_diff.h"
#include "cli/reporter.h"
#include "cli/source_files.h"
#include "cli/wanted_kernels.h"

enum { FROM, TO, SIDES, DEVICES = 2 };

typedef struct diff_job {
    const cli_args *args;
    warp_release release[SIDES];
    weft_context *c[SIDES];
    cli_diagnostics diagnostics;
    wanted_kernels wanted; /* of --kernel and --instance */
    str input;             /* standard input, which is read once; p is NULL: not yet */
    unsigned devices;      /* WEFT_CPU, WEFT_CUDA */
    bool json;
    output out;
    uint64_t kernels, same;
    int status;
} diff_job;

/* Kernel `index` of a release; NULL: that release has no such kernel. */
typedef struct kernel_pair {
    const char *path;
    const weft_kernel *k[SIDES];
} kernel_pair;

static void raise_status(diff_job *job, int status)
{
    if (status > job->status)
        job->status = status;
}

static str text_of(const weft_kernel *k, int device)
{
    const char *text = device ? k->cuda : k->cpu;
    return (str){text, text ? device ? k->cuda_size : k->cpu_size : 0};
}

static bool has_texts(const kernel_pair *p)
{
    return p->k[FROM] && p->k[TO] && !p->k[FROM]->error && !p->k[TO]->error;
}

static bool is_wanted(const diff_job *job, int device)
{
    return job->devices & (device ? WEFT_CUDA : WEFT_CPU);
}

static bool is_same(const diff_job *job, const kernel_pair *p)
{
    bool same = has_texts(p);
    for (int device = 0; same && device < DEVICES; device++)
        same = !is_wanted(job, device) ||
               str_eq(text_of(p->k[FROM], device), text_of(p->k[TO], device));
    return same;
}

/* --- text ------------------------------------------------------------------------------------ */

static const char *version_of(const diff_job *job, int side)
{
    return warp_release_version(job->release[side]);
}

static void put_device(diff_job *job, const kernel_pair *p, int device)
{
    static const char *const names[] = {"cpu", "cuda"};
    strbuf *b = &job->out.text;
    const str before = text_of(p->k[FROM], device), after = text_of(p->k[TO], device);
    if (!is_wanted(job, device) || str_eq(before, after))
        return;
    for (int side = FROM; side < SIDES; side++)
        sb_printf(b, "%s %s, %s, warp-lang %s\n", side == FROM ? "---" : "+++", p->k[side]->name,
                  names[device], version_of(job, side));
    line_diff(b, job->args->arena, before, after);
}

/* Why a release has no text of the kernel. */
static const char *reason(const kernel_pair *p, int side)
{
    return !p->k[side] ? "there is no such kernel" : p->k[side]->error->message;
}

static void put_text(diff_job *job, const kernel_pair *p, bool same)
{
    strbuf *b = &job->out.text;
    cli_put_shown(b, p->path);
    sb_printf(b, ": %s%s\n", (p->k[TO] ? p->k[TO] : p->k[FROM])->name, same ? ": same" : "");
    if (has_texts(p)) {
        for (int device = 0; device < DEVICES; device++)
            put_device(job, p, device);
        return;
    }
    for (int side = FROM; side < SIDES; side++)
        if (!p->k[side] || p->k[side]->error)
            sb_printf(b, "no text of warp-lang %s: %s\n", version_of(job, side), reason(p, side));
}

/* --- JSON ------------------------------------------------------------------------------------ */

static void put_string(strbuf *b, const char *key, const char *value)
{
    json_key(b, key, false);
    json_string_or_null(b, value);
}

/* The diff for one device: null where that is not asked for, or a text is missing. */
static void put_json_device(diff_job *job, const kernel_pair *p, int device)
{
    strbuf *b = &job->out.text, diff;
    json_key(b, device ? "cuda" : "cpu", false);
    if (!is_wanted(job, device) || !has_texts(p)) {
        SB_LIT(b, "null");
        return;
    }
    sb_init(&diff, job->args->arena->m);
    line_diff(&diff, job->args->arena, text_of(p->k[FROM], device), text_of(p->k[TO], device));
    json_string(b, sb_view(&diff));
    sb_clear(&diff);
}

static void put_json(diff_job *job, const kernel_pair *p, bool same)
{
    strbuf *b = &job->out.text;
    const weft_kernel *k = p->k[TO] ? p->k[TO] : p->k[FROM];
    SB_LIT(b, "{");
    json_key(b, "file", true);
    json_string(b, str_c(p->path));
    put_string(b, "kernel", k->name);
    json_key(b, "line", false);
    sb_uint(b, k->line);
    put_string(b, "from", version_of(job, FROM));
    put_string(b, "to", version_of(job, TO));
    json_key(b, "same", false);
    sb_c(b, same ? "true" : "false");
    for (int device = 0; device < DEVICES; device++)
        put_json_device(job, p, device);
    for (int side = FROM; side < SIDES; side++)
        put_string(b, side == FROM ? "from_error" : "to_error",
                   !p->k[side] || p->k[side]->error ? reason(p, side) : NULL);
    SB_LIT(b, "}\n");
}

/* --- programs -------------------------------------------------------------------------------- */

static void put_kernel(diff_job *job, const kernel_pair *p)
{
    const bool same = is_same(job, p);
    job->kernels++;
    job->same += same;
    (job->json ? put_json : put_text)(job, p, same);
    if (!has_texts(p))
        raise_status(job, CLI_BAD_INPUT);
}

/* The kernel of the other release that stands at the same place, by name and line; a factory may
 * make several there, which are paired in order. */
static const weft_kernel *partner(const weft_context *of, const weft_context *in, size_t index)
{
    const weft_kernel *k = weft_kernel_at(of, index), *other;
    size_t before = 0;
    for (size_t i = 0; i < index; i++) {
        other = weft_kernel_at(of, i);
        before += other->line == k->line && strcmp(other->name, k->name) == 0;
    }
    for (size_t i = 0; (other = weft_kernel_at(in, i)) != NULL; i++)
        if (other->line == k->line && strcmp(other->name, k->name) == 0 && !before--)
            return other;
    return NULL;
}

/* Does --kernel name kernel `index`, or is it not given? "scale:2" is the second scale. */
static bool is_chosen(diff_job *job, const weft_context *c, size_t index)
{
    bool chosen = !job->wanted.n;
    for (size_t i = 0; i < job->wanted.n; i++)
        if (strcmp(job->wanted.names[i], weft_kernel_at(c, index)->name) == 0 ||
            strcmp(job->wanted.names[i], weft_kernel_name(c, index)) == 0)
            job->wanted.found[i] = chosen = true;
    return chosen;
}

/* Kernels of the newer release in order, then those that only the older one has. */
static void compare_program(diff_job *job, const char *path)
{
    const weft_kernel *k;
    for (size_t i = 0; (k = weft_kernel_at(job->c[TO], i)) != NULL; i++)
        if (is_chosen(job, job->c[TO], i))
            put_kernel(job, &(kernel_pair){path, {partner(job->c[TO], job->c[FROM], i), k}});
    for (size_t i = 0; (k = weft_kernel_at(job->c[FROM], i)) != NULL; i++)
        if (!partner(job->c[FROM], job->c[TO], i) && is_chosen(job, job->c[FROM], i))
            put_kernel(job, &(kernel_pair){path, {k, NULL}});
}

static bool is_stdin(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* Standard input is read once, for both releases. False after a message. */
static bool read_stdin(diff_job *job)
{
    const int error = job->input.p ? 0 : file_read(job->args->arena, "/dev/stdin", &job->input);
    if (error) {
        cli_error("cannot read standard input: %s", error_text(error));
        raise_status(job, CLI_IO);
    }
    return !error;
}

static weft_status compile_side(const diff_job *job, int side, const char *path)
{
    if (is_stdin(path))
        return weft_compile_bytes(job->c[side], "<stdin>", job->input.p, job->input.n);
    return weft_compile_file(job->c[side], path);
}

/* Diagnostics are those of the newer release; what the older one alone says is in the comparison.
 * A file that cannot be read for one of them is compared with nothing. With --kernel the errors of
 * other kernels do not matter, and those of the chosen ones are in the comparison. */
static void compile_program(diff_job *job, const char *path)
{
    weft_status status[SIDES];
    if (is_stdin(path) && !read_stdin(job))
        return;
    for (int side = FROM; side < SIDES; side++) {
        status[side] = compile_side(job, side, path);
        if (status[side] == WEFT_NO_MEMORY)
            mem_fail(job->args->arena->m);
        if (status[side] == WEFT_STOPPED)
            return;
        if (status[side] == WEFT_IO_ERROR) {
            cli_show_diagnostics(&job->diagnostics, job->c[side]);
            raise_status(job, CLI_IO);
            return;
        }
    }
    wanted_kernels_note(&job->wanted, job->c[TO]);
    if (!job->wanted.n || !weft_kernel_count(job->c[TO]))
        cli_show_diagnostics(&job->diagnostics, job->c[TO]);
    if (!weft_kernel_count(job->c[TO]))
        raise_status(job, cli_status(status[TO]));
    compare_program(job, is_stdin(path) ? "<stdin>" : path);
}

/* What was asked for and is in no file, as `weft compile` reports it. */
static void report_missing(diff_job *job, const source_files *sources)
{
    if (job->status >= CLI_IO || cli_interrupted())
        return;
    if (wanted_kernels_missing(&job->wanted)) {
        raise_status(job, CLI_BAD_INPUT);
    } else if (!job->kernels && job->status == CLI_OK) {
        cli_show_problem(
            &job->diagnostics,
            sources->n == 1
                ? arena_printf(job->args->arena, "nothing is compared: '%s' has no kernel",
                               is_stdin(sources->v[0].path) ? "<stdin>" : sources->v[0].path)
                : "nothing is compared: none of the files has a kernel");
        raise_status(job, CLI_BAD_INPUT);
    }
}

static void run(void *arg)
{
    diff_job *job = arg;
    source_files sources = {0};
    job->status = source_files_list(job->args, &sources);
    for (uint32_t i = 0; i < sources.n && !cli_interrupted(); i++) {
        compile_program(job, sources.v[i].path);
        if (output_flush(&job->out))
            return;
    }
    report_missing(job, &sources);
}

/* "3 kernels from 1.18.0 to 1.19.0: 1 same". */
static void show_summary(const diff_job *job)
{
    if (cli_has(job->args, OPT_QUIET) || job->json || !job->kernels)
        return;
    fprintf(stderr, "%llu kernel%s from %s to %s: %llu same\n", (unsigned long long)job->kernels,
            plural_s(job->kernels), version_of(job, FROM), version_of(job, TO),
            (unsigned long long)job->same);
}

static int compare_all(diff_job *job)
{
    const int opened = output_open(&job->out, job->args->arena, NULL, NULL);
    if (opened)
        return cli_output_failed(NULL, opened);
    bool ready = true;
    for (int side = FROM; side < SIDES && ready; side++)
        ready = cli_context_for(job->args, job->devices, warp_release_name(job->release[side]),
                                &job->c[side]) == WEFT_OK;
    for (int side = FROM; side < SIDES && ready; side++)
        wanted_kernels_set(&job->wanted, job->c[side]);
    if (!ready || !mem_try(job->args->arena->m, run, job)) {
        if (!cli_interrupted())
            cli_error("out of memory: a program takes %d MiB at most", MEMORY_MEBIBYTES);
        job->status = CLI_IO;
    }
    for (int side = FROM; side < SIDES; side++)
        weft_context_free(job->c[side]);
    const int error = output_close(&job->out, true);
    if (error)
        return cli_output_failed(NULL, error);
    if (cli_interrupted())
        return CLI_INTERRUPTED;
    show_summary(job);
    return job->status;
}

/* Without --from the release before --to, without --to the newest. */
static bool read_releases(diff_job *job)
{
    const int to = cli_choice(job->args, OPT_TO, WARP_DEFAULT - 1);
    const int from = cli_choice(job->args, OPT_FROM, to - 1);
    job->release[TO] = (warp_release)(to + 1); /* choices are in the order of warp_release */
    job->release[FROM] = (warp_release)(from + 1);
    if (from < 0)
        return cli_usage_error(job->args, "there is no release before %s: say --from",
                               warp_release_name(job->release[TO])),
               false;
    if (from == to)
        return cli_usage_error(job->args, "--from and --to are both %s",
                               warp_release_name(job->release[TO])),
               false;
    return true;
}

int cmd_diff_versions(cli_args *args)
{
    static const unsigned devices[] = {WEFT_CPU, WEFT_CUDA, WEFT_CPU | WEFT_CUDA};
    diff_job job = {.args = args, .json = cli_has(args, OPT_JSON)};
    if (!args->noperands)
        return cli_usage_error(args, "no file given");
    if (!read_releases(&job) || !cli_check_block_dim(args))
        return CLI_USAGE;
    wanted_kernels_init(&job.wanted, args);
    job.devices = devices[cli_choice(args, OPT_DEVICE, 1)];
    cli_diagnostics_init(&job.diagnostics, args);
    return cli_diagnostics_end(&job.diagnostics, compare_all(&job));
}
