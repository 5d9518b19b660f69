/* From the operands of `weft ptx` to texts: files of CUDA text or PTX, folders of them, and records
 * of data sets. */
#include <errno.h>

#include "base/file.h"
#include "base/io.h"
#include "cli/ptx_job.h"
#include "data/dataset_reader.h"

enum { FOLDERS_DEEP = 8 };

static bool ends_with(const char *path, const char *end)
{
    const size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

static bool is_text_file(const char *path)
{
    return ends_with(path, ".cu") || ends_with(path, ".ptx");
}

/* The part of a path that names it below its operand, without its ending; slashes become '_'. */
static const char *output_name(arena *a, const char *path, size_t start)
{
    while (path[start] == '/')
        start++;
    char *name = arena_dup(a, path + start, strlen(path + start));
    char *dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = 0;
    for (char *p = name; *p; p++)
        if (*p == '/')
            *p = '_';
    return name;
}

static void take_file(ptx_job *job, const char *path, size_t start)
{
    const arena_mark mark = arena_save(&job->work);
    const bool is_stdin = strcmp(path, "-") == 0;
    ptx_item item = {.file = is_stdin ? "<stdin>" : path, .is_ptx = ends_with(path, ".ptx")};
    const int error = file_read(&job->work, is_stdin ? "/dev/stdin" : path, &item.text);
    item.name = is_stdin ? "stdin" : output_name(&job->work, path, start);
    if (error)
        ptx_job_fail(job, CLI_IO, "cannot read '%s': %s", path, strerror(error));
    else
        ptx_job_text(job, &item);
    arena_rewind(&job->work, mark);
}

static bool is_folder(const char *path)
{
    struct stat st;
    return io_stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Whether there is such a file below. */
static bool take_folder(ptx_job *job, const char *folder, size_t start, int deep)
{
    const char *const *names;
    uint32_t n;
    bool any = false;
    const int error = file_list(job->args->arena, folder, &names, &n);
    if (error) {
        ptx_job_fail(job, CLI_IO, "cannot read '%s': %s", folder, strerror(error));
        return true;
    }
    for (uint32_t i = 0; i < n && !job->stopped; i++) {
        const char *path = path_join(job->args->arena, folder, str_c(names[i]));
        if (is_text_file(path)) {
            any = true;
            take_file(job, path, start);
        } else if (deep < FOLDERS_DEEP && is_folder(path)) {
            any = take_folder(job, path, start, deep + 1) || any;
        }
    }
    return any;
}

/* --- records --------------------------------------------------------------------------------- */

static bool take_part(ptx_job *job, const dataset_record *r, ptx_item *item, const char *key)
{
    str value;
    strbuf text;
    if (!json_peek(r->text, key, &value))
        return false;
    sb_init(&text, job->work.m);
    const bool good = json_peek_string(value, &text) && text.n;
    if (good) {
        item->text = sb_view(&text);
        ptx_job_text(job, item);
    }
    sb_clear(&text);
    return good;
}

static void take_record(ptx_job *job, const dataset_record *r)
{
    const arena_mark mark = arena_save(&job->work);
    ptx_item item = {.file = r->file, .line = r->line};
    str value;
    strbuf id;
    sb_init(&id, job->work.m);
    if (json_peek(r->text, "id", &value) && json_peek_string(value, &id))
        item.id = (str){arena_dup(&job->work, id.p, id.n), id.n};
    sb_clear(&id);
    const char *name =
        item.id.n ? item.id.p : arena_printf(&job->work, "line%llu", (unsigned long long)r->line);
    item.part = "forward";
    item.name = output_name(&job->work, arena_printf(&job->work, "%s.forward.cu", name), 0);
    const bool forward = take_part(job, r, &item, "cuda_ir_forward");
    item.part = "backward";
    item.name = output_name(&job->work, arena_printf(&job->work, "%s.backward.cu", name), 0);
    const bool backward = !job->stopped && take_part(job, r, &item, "cuda_ir_backward");
    if (!forward && !backward) {
        ptx_job_fail(job, CLI_BAD_INPUT, "%s:%llu: no record with CUDA text", r->file,
                     (unsigned long long)r->line);
        job->bad++;
    }
    arena_rewind(&job->work, mark);
}

static void take_records(ptx_job *job, const char *path)
{
    dataset_reader reader = {0};
    dataset_record record;
    uint64_t n = 0;
    ptx_tools_keep_headers(&job->tools, job->args->arena);
    int end = dataset_open(&reader, job->args->arena, &path, 1);
    for (; !end && !job->stopped; n++) {
        end = dataset_next(&reader, &record);
        if (!end)
            take_record(job, &record);
    }
    if (end == DATASET_DAMAGED)
        ptx_job_fail(job, CLI_BAD_INPUT, "%s", reader.message);
    else if (end && end != DATASET_END)
        ptx_job_fail(job, CLI_IO, "cannot read '%s': %s", reader.message ? reader.message : path,
                     strerror(end));
    else if (end == DATASET_END && n == 1)
        ptx_job_fail(job, CLI_BAD_INPUT, "'%s' holds neither CUDA text nor records", path);
    dataset_close(&reader);
}

/* The last component stays in names of outputs. */
static size_t start_of_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

void ptx_job_operands(ptx_job *job)
{
    const cli_args *args = job->args;
    for (uint32_t i = 0; i < args->noperands && !job->stopped; i++) {
        const char *path = args->operands[i];
        if (is_folder(path)) {
            if (!take_folder(job, path, strlen(path), 0))
                take_records(job, path);
        } else if (dataset_is_shard(path) || ends_with(path, ".json")) {
            take_records(job, path);
        } else {
            take_file(job, path, start_of_name(path));
        }
    }
}
