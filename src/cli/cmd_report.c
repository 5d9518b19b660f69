/* SPDX-License-Identifier: Apache-2.0 */
/* weft report: a data set as one HTML page.
 *
 *     report DIR                ->   DIR/report.html
 *     report DIR/data/x.jsonl   ->   DIR/report.html, where DIR is a data set
 *     report a.jsonl            ->   a.jsonl.html
 *
 * The page must not replace a file of the set: these are found before anything is written. */
#include "base/file.h"
#include "base/io.h"
#include "cli/cli_output.h"
#include "cli/reporter.h"

enum { FOLDERS_DEEP = 3 }; /* SPLIT/PROGRAM/FILE */

/* What the callbacks share; begins with what messages need. */
typedef struct report_job {
    reporter reporter;
    const char *path;
    file_set used; /* the data set's files */
    int status;
} report_job;

/* From here on a file is written: an interrupt must not leave a part of it. */
static void write_page(void *arg, const void *page, size_t n)
{
    report_job *job = arg;
    output out;
    cli_end_at_once(false);
    int error = output_open(&out, job->reporter.args->arena, job->path, &job->used);
    if (!error) {
        output_write(&out, (str){page, n});
        error = output_close(&out, true);
    }
    job->status = cli_output_failed(job->path, error);
    if (!error && strcmp(job->path, "-") != 0 && !job->reporter.quiet)
        fprintf(stderr, "written to %s: open it in a browser\n", job->path);
}

static void on_page(void *arg, const char *page, size_t n)
{
    reporter_guarded(arg, write_page, page, n);
}

/* The folder of the data set that the file is a shard of; NULL: it is none. That folder has a
 * manifest.json, and the file is in its folder data/. A page there would lie among the files that
 * loaders take as a whole. */
static const char *set_of(arena *a, const char *file)
{
    struct stat named, found, manifest;
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    const str data = slash ? (str){file, (size_t)(slash - file)} : STR(".");
    const char *set = str_eq(data, STR("data")) ? "." : NULL;
    if (!set && data.n > 5 && memcmp(data.p + data.n - 5, "/data", 5) == 0)
        set = arena_dup(a, data.p, data.n - 5);
    if (!set) /* the command may run in data/ itself */
        set = arena_printf(a, "%.*s/..", (int)data.n, data.p);
    const char *shard = path_join(a, path_join(a, set, STR("data")), str_c(name));
    const bool is_shard = io_stat(file, &named) == 0 && io_stat(shard, &found) == 0 &&
                          named.st_ino == found.st_ino && named.st_dev == found.st_dev;
    return is_shard && io_stat(path_join(a, set, STR("manifest.json")), &manifest) == 0 ? set
                                                                                        : NULL;
}

/* Where the page goes: the path of --output, else DIR/report.html for a data set or one of its
 * shards, and FILE.html for any other file; NULL for standard input without --output, which has no
 * such name. */
static const char *choose_path(const cli_args *args)
{
    struct stat st;
    const char *path = cli_get(args, OPT_OUTPUT), *set = args->operands[0];
    if (path)
        return path;
    if (strcmp(set, "-") == 0)
        return NULL;
    const bool is_folder = io_stat(set, &st) == 0 && S_ISDIR(st.st_mode);
    const char *folder = is_folder ? set : set_of(args->arena, set);
    if (folder)
        return path_join(args->arena, folder, STR("report.html"));
    return arena_printf(args->arena, "%s.html", set);
}

static bool is_page(const char *name)
{
    const size_t n = strlen(name);
    return n >= 5 && strcmp(name + n - 5, ".html") == 0;
}

/* Adds the files of a data set: what lies in its folder and the folders there, except pages, so
 * that a report can replace an earlier one. */
static void add_files(file_set *used, arena *a, const char *path, int deep)
{
    WEFT_ASSERT(deep >= 0 && deep <= FOLDERS_DEEP);
    const char *const *names;
    uint32_t n;
    file_set_add(used, path);
    if (deep == FOLDERS_DEEP || file_list(a, path, &names, &n) != 0)
        return;
    for (uint32_t i = 0; i < n; i++)
        if (!is_page(names[i]))
            add_files(used, a, path_join(a, path, str_c(names[i])), deep + 1);
}

/* False after a message. Without --samples the library's number is taken, which is its 0. */
static bool read_options(const cli_args *args, weft_report_options *o)
{
    enum { SAMPLES_MOST = 10000 };
    uint64_t samples = 0;
    *o = (weft_report_options){.size = sizeof *o, .measure = cli_has(args, OPT_MEASURE)};
    if (!cli_number(args, OPT_SAMPLES, SAMPLES_MOST, &samples))
        return false;
    o->samples = (int32_t)samples;
    if (cli_has(args, OPT_SAMPLES) && !samples)
        o->samples = WEFT_REPORT_NO_SAMPLES;
    return true;
}

int cmd_report(cli_args *args)
{
    weft_report_options o;
    report_job job = {.status = CLI_OK};
    reporter_init(&job.reporter, args);
    if (args->noperands != 1)
        return cli_usage_error(args, args->noperands ? "one data set at a time"
                                                     : "no folder or file given");
    if (!read_options(args, &o))
        return CLI_USAGE;
    const bool is_stdin = strcmp(args->operands[0], "-") == 0;
    job.path = choose_path(args);
    if (!job.path)
        return cli_usage_error(args, "records from standard input need --output FILE");
    cli_end_at_once(true); /* it only reads */
    file_set_init(&job.used, args->arena);
    add_files(&job.used, args->arena, is_stdin ? "/dev/stdin" : args->operands[0], 0);
    weft_callbacks c = reporter_callbacks(&job.reporter);
    c.problem = reporter_problem;
    const int status = cli_status(weft_report(args->operands[0], &o, &c, on_page));
    reporter_rethrow(&job.reporter);
    reporter_problems_end(&job.reporter);
    return job.status ? job.status : status;
}
