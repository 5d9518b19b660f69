/* From the operands of `weft ptx` to texts: files of CUDA text or PTX, folders of them, and records
 * of data sets. */
#include <errno.h>

#include "base/c_locale.h"
#include "base/file.h"
#include "cli/ptx_job.h"

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

static void take_file(void *arg, const char *path, size_t start)
{
    ptx_job *job = arg;
    const arena_mark mark = arena_save(&job->work);
    const bool is_stdin = strcmp(path, "-") == 0;
    ptx_item item = {.file = is_stdin ? "<stdin>" : path,
                     .is_ptx = operand_ends_with(path, ".ptx")};
    const int error = file_read(&job->work, is_stdin ? "/dev/stdin" : path, &item.text);
    item.name = is_stdin ? "stdin" : output_name(&job->work, path, start);
    if (error)
        ptx_job_fail(job, CLI_IO, "cannot read '%s': %s", path, error_text(error));
    else
        ptx_job_text(job, &item);
    arena_rewind(&job->work, mark);
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

static void take_record(void *arg, const dataset_record *r)
{
    ptx_job *job = arg;
    ptx_tools_keep_headers(&job->tools, job->args->arena);
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

/* --- operands -------------------------------------------------------------------------------- */

static void fail(void *job, int status, const char *sentence)
{
    ptx_job_fail(job, status, "%s", sentence);
}

static void note_file(void *arg, const char *path, size_t start)
{
    ptx_job *job = arg;
    (void)start;
    file_set_add(&job->used, strcmp(path, "-") == 0 ? "/dev/stdin" : path);
}

static void ignore(void *job, int status, const char *sentence)
{
    (void)job;
    (void)status;
    (void)sentence;
}

static bool stopped(void *job)
{
    return ((const ptx_job *)job)->stopped;
}

void ptx_job_operands(ptx_job *job)
{
    static const char *const endings[] = {".cu", ".ptx", NULL};
    const cli_args *args = job->args;
    operand_walk names = {.a = args->arena,
                          .endings = endings,
                          .names_only = true,
                          .file = note_file,
                          .fail = ignore, /* is told when the file is read */
                          .stopped = stopped,
                          .job = job};
    for (uint32_t i = 0; i < args->noperands && (job->file || job->folder); i++)
        operand_walk_one(&names, args->operands[i]);
    job->walk = (operand_walk){.a = args->arena,
                               .endings = endings,
                               .file = take_file,
                               .record = take_record,
                               .fail = fail,
                               .stopped = stopped,
                               .job = job};
    for (uint32_t i = 0; i < args->noperands && !job->stopped; i++)
        operand_walk_one(&job->walk, args->operands[i]);
}
