/* weft check: operands to texts, and CUDA texts beside what their metadata say. */
#include <errno.h>

#include "base/c_locale.h"
#include "base/file.h"
#include "cli/compile.h"
#include "validate/kernel_signature.h"

/* The metadata.json of the file's folder: none is no error. False: it is damaged. */
static bool read_metadata(compile_job *job, const char *path, signature_list *out)
{
    ctx *c = &job->p.c;
    const char *slash = strrchr(path, '/');
    const str folder = {path, slash ? (size_t)(slash + 1 - path) : 0};
    source *src = ARENA_NEW(&c->module, source); /* diagnostics point to it */
    src->path = arena_printf(&c->module, "%.*smetadata.json", (int)folder.n, folder.p);
    const int error = file_read(&c->module, src->path, &src->text);
    if (error == ENOENT || error == ENOTDIR)
        return true;
    if (error)
        return diag_error(c, (span){0}, DIAG_CANNOT_READ, src->path, error_text(error));
    return kernel_signatures_beside(c, src, path, out);
}

/* With damaged metadata the text is still checked by itself. */
static void check_cuda(compile_job *job, const char *path)
{
    source *src = ARENA_NEW(&job->p.c.module, source); /* diagnostics point to it */
    signature_list wanted = {0};
    if (!compile_read(job, path, src))
        return;
    if (read_metadata(job, path, &wanted))
        lint_cuda(&job->p.c, src, wanted.v, wanted.n);
    else
        lint_cuda(&job->p.c, src, NULL, 0);
}

static bool is_cuda(const char *path)
{
    return operand_ends_with(path, ".cu") || operand_ends_with(path, ".cuh");
}

/* For operand_walk: Python is compiled without output, CUDA text checked. */
static void check_file(void *arg, const char *path, size_t start)
{
    compile_job *job = arg;
    (void)start;
    if (!is_cuda(path)) {
        compile_file(job, path);
        return;
    }
    check_cuda(job, path);
    compile_tell(job);
    pipeline_reset(&job->p);
}

/* --- records --------------------------------------------------------------------------------- */

/* False: the record does not have that text. */
static bool check_text(compile_job *job, const dataset_record *r, const char *key,
                       lint_signature *wanted)
{
    arena *a = &job->p.c.module;
    str quoted;
    strbuf text;
    if (!json_peek(r->text, key, &quoted))
        return false;
    sb_init(&text, a->m);
    const bool good = json_peek_string(quoted, &text) && text.n;
    source *src = ARENA_NEW(a, source);
    src->path = arena_printf(a, "%s:%llu: %s", r->file, (unsigned long long)r->line, key);
    src->text = (str){arena_dup(a, text.n ? text.p : "", text.n), text.n};
    sb_clear(&text);
    if (wanted)
        wanted->optional = false;
    if (good)
        lint_cuda(&job->p.c, src, wanted, wanted != NULL);
    return good;
}

/* For operand_walk: both texts of a record, beside the signatures in its metadata. No text at all
 * is an error. */
static void check_record(void *arg, const dataset_record *r)
{
    compile_job *job = arg;
    signature_list wanted = {0};
    str metadata;
    const bool known = json_peek(r->text, "metadata", &metadata) &&
                       kernel_signatures_of_record(&job->p.c.module, metadata, &wanted);
    const bool forward = check_text(job, r, "cuda_ir_forward", known ? &wanted.v[0] : NULL);
    const bool backward = check_text(job, r, "cuda_ir_backward", known ? &wanted.v[1] : NULL);
    compile_tell(job);
    pipeline_reset(&job->p);
    if (forward || backward)
        return;
    cli_error("%s:%llu: no record with CUDA text", r->file, (unsigned long long)r->line);
    compile_raise(job, CLI_BAD_INPUT);
}

/* --- operands -------------------------------------------------------------------------------- */

static void fail(void *job, bool io, const char *sentence)
{
    cli_error("%s", sentence);
    compile_raise(job, io ? CLI_IO : CLI_BAD_INPUT);
}

static bool stopped(void *job)
{
    (void)job;
    return cli_interrupted();
}

void check_operand(compile_job *job, const char *path)
{
    static const char *const endings[] = {".py", ".cu", ".cuh", NULL};
    job->walk = (operand_walk){.a = job->args->arena,
                               .endings = endings,
                               .file = check_file,
                               .record = check_record,
                               .fail = fail,
                               .stopped = stopped,
                               .job = job};
    operand_walk_one(&job->walk, path);
}
