/* SPDX-License-Identifier: Apache-2.0 */
/* The library's interface to static checks: weft_check_cuda, of a text, and weft_check, of whatever
 * a path names, as `weft check` has it.
 *
 *     DIR   ->   DIR/a.py compiled without output, DIR/b.cu by lint/ and beside DIR/metadata.json
 *
 * The context holds one file or record at a time: the caller reads its diagnostics in between. */
#include <errno.h>

#include "api/api.h"
#include "api/callbacks.h"
#include "base/c_locale.h"
#include "base/file.h"
#include "lint/lint.h"
#include "store/operand_walk.h"
#include "syntax/source_text.h"
#include "validate/kernel_signature.h"

/* One call of weft_check or weft_check_cuda. */
typedef struct check_request {
    weft_context *c;
    weft_check_options o;
    weft_check_counts counts; /* of this call */
    const char *path;
    const char *name; /* of weft_check_cuda: the text's */
    str text;
    const str *source; /* of the program in work, where it is no file */
    operand_walk walk;
    uint64_t folders; /* looked into */
    bool ended;       /* the caller's function returned other than 0 */
    weft_status status;
} check_request;

/* --- one text -------------------------------------------------------------------------------- */

/* A text as a place of diagnostics. */
static source *new_source(arena *a, const char *path, str text)
{
    WEFT_ASSERT(path);
    source *src = ARENA_NEW(a, source);
    src->path = path;
    src->text = text;
    return src;
}

/* Remarks and errors alike become the context's diagnostics, and either makes the status
 * WEFT_INPUT_ERRORS; weft_check counts errors only. */
static void check_text(void *arg)
{
    check_request *r = arg;
    arena *a = &r->c->p.c.module;
    const str text = {arena_dup(a, r->text.p, r->text.n), r->text.n};
    (void)lint_cuda(&r->c->p.c, new_source(a, arena_dup(a, r->name, strlen(r->name)), text), NULL,
                    0, NULL);
    r->status = api_take_diagnostics(r->c);
}

/* The text is checked by itself: there is no metadata to compare it with. */
weft_status weft_check_cuda(weft_context *c, const char *name, const char *text, size_t size)
{
    if (!c || !name || (!text && size))
        return WEFT_BAD_ARGUMENT;
    check_request r = {.c = c, .name = name, .text = {text ? text : "", size}};
    return api_try(c, check_text, &r, &r.status);
}

/* --- the worst of all ------------------------------------------------------------------------ */

/* What cannot be read outranks what is wrong.
 *
 *     errors in a.cu, then b.py cannot be read   ->   WEFT_IO_ERROR
 *     b.py cannot be read, then errors in a.cu   ->   WEFT_IO_ERROR */
static void worsen(check_request *r, weft_status status)
{
    if (r->status != WEFT_IO_ERROR && status != WEFT_OK)
        r->status = status;
}

static void report_progress(const check_request *r)
{
    if (r->o.progress)
        r->o.progress(r->o.arg, r->counts.files + r->counts.records, r->folders);
}

/* The end of a file or record: the caller reads the diagnostics from the context, which is then
 * emptied for the next one. */
static void finish_one(check_request *r, weft_status status)
{
    WEFT_ASSERT(status == WEFT_OK || status == WEFT_INPUT_ERRORS || status == WEFT_IO_ERROR);
    worsen(r, status);
    for (size_t i = 0; i < r->c->ndiagnostics; i++)
        *(r->c->diagnostics[i].warning ? &r->counts.warnings : &r->counts.errors) += 1;
    if (r->o.checked && !r->ended)
        r->ended = r->o.checked(r->o.arg, r->c) != 0;
    api_forget(r->c);
    report_progress(r);
}

/* A sentence that belongs to no file's text, and so is no diagnostic. */
static void report(check_request *r, const char *sentence)
{
    r->counts.errors++;
    if (r->o.message)
        r->o.message(r->o.arg, WEFT_ERROR, sentence);
}

/* --- files ----------------------------------------------------------------------------------- */

/* NULL: it cannot be read, which is an error. */
static source *read_file(ctx *c, const char *path)
{
    source *src = new_source(&c->module, path, (str){0});
    const int error = file_read(&c->module, path, &src->text);
    if (!error)
        return src;
    diag_error(c, (span){0}, DIAG_CANNOT_READ, src->path, error_text(error));
    return NULL;
}

/* The metadata.json of the file's folder: none is no error. False: it is damaged.
 *
 *     DIR/scale.cu   ->   DIR/metadata.json, if it is there */
static bool read_metadata(ctx *c, const char *path, signature_list *out)
{
    const char *slash = strrchr(path, '/');
    const str folder = {path, slash ? (size_t)(slash + 1 - path) : 0};
    const char *name = arena_printf(&c->module, "%.*smetadata.json", (int)folder.n, folder.p);
    source *src = new_source(&c->module, name, (str){0});
    const int error = file_read(&c->module, name, &src->text);
    if (error == ENOENT || error == ENOTDIR)
        return true;
    if (error)
        return diag_error(c, (span){0}, DIAG_CANNOT_READ, name, error_text(error));
    return kernel_signatures_beside(c, src, path, out);
}

/* Beside damaged metadata the text is still checked by itself. */
static void check_cuda_file(check_request *r, const char *path)
{
    ctx *c = &r->c->p.c;
    signature_list wanted = {0};
    const source *src = read_file(c, path);
    if (!src)
        return;
    if (!read_metadata(c, path, &wanted))
        wanted.n = 0;
    uint32_t kernels;
    lint_cuda(c, src, wanted.v, wanted.n, &kernels);
    r->counts.kernels += kernels;
}

/* For api_check_python: the kernel is compiled, and its errors are among the diagnostics. */
static bool check_gradient(void *arg, uint32_t index, compiled_kernel *k)
{
    check_request *r = arg;
    r->ended = r->ended || api_check_gradient(r->c, index, k, r->source, r->o.gradient, r->o.arg);
    return !r->ended;
}

static void check_python(check_request *r, const char *path, const str *text)
{
    const weft_emit_options o = {.form = WEFT_EMIT_NONE,
                                 .kernels = r->o.kernels,
                                 .kernel_count = r->o.kernel_count,
                                 .found = r->o.found};
    r->source = text;
    const weft_status status =
        api_check_python(r->c, path, text, &o, r->o.gradient ? check_gradient : NULL, r);
    r->counts.kernels += r->c->nkernels;
    finish_one(r, status);
}

/* Python may speak of "__global__", but has imports, too: without them it has no kernel. */
static bool is_cuda(str text)
{
    bool global = false;
    for (size_t i = 0; i < text.n; i++) {
        const str rest = {text.p + i, text.n - i};
        if ((i == 0 || text.p[i - 1] == '\n') &&
            (str_starts(rest, "import ") || str_starts(rest, "from ")))
            return false;
        global = global || str_starts(rest, "__global__");
    }
    return global;
}

/* The text of standard input, which has no name that would say what it is. */
static void check_input(check_request *r, str text)
{
    uint32_t kernels;
    if (!is_cuda(text)) {
        source *src = new_source(&r->c->p.c.module, "<stdin>", text);
        if (source_prepare(&r->c->p.c, src))
            check_python(r, src->path, &src->text);
        else
            finish_one(r, api_take_errors(r->c));
        return;
    }
    lint_cuda(&r->c->p.c, new_source(&r->c->p.c.module, "<stdin>", text), NULL, 0, &kernels);
    r->counts.kernels += kernels;
    finish_one(r, api_take_errors(r->c));
}

/* For operand_walk. A file that is named as such and has another ending is Python. */
static void check_file(void *arg, const char *path, size_t start)
{
    check_request *r = arg;
    (void)start;
    r->counts.files++;
    if (strcmp(path, "-") == 0) {
        check_input(r, r->walk.input);
        return;
    }
    if (path_ends_with(path, ".cu") || path_ends_with(path, ".cuh")) {
        check_cuda_file(r, path);
        finish_one(r, api_take_errors(r->c));
        return;
    }
    check_python(r, path, NULL);
}

/* --- records --------------------------------------------------------------------------------- */

/* False: the record does not have that text.
 *
 *     the name of diagnostics:   "train.jsonl:7: cuda_ir_forward" */
static bool check_record_text(check_request *r, const dataset_record *record, const char *key,
                              lint_signature *wanted)
{
    arena *a = &r->c->p.c.module;
    str quoted;
    strbuf b;
    uint32_t kernels = 0;
    if (!json_peek(record->text, key, &quoted))
        return false;
    sb_init(&b, a->m);
    const bool good = json_peek_string(quoted, &b) && b.n;
    const str text = {arena_dup(a, b.n ? b.p : "", b.n), b.n};
    sb_clear(&b);
    const char *name =
        arena_printf(a, "%s:%llu: %s", record->file, (unsigned long long)record->line, key);
    if (wanted)
        wanted->optional = false;
    if (good)
        lint_cuda(&r->c->p.c, new_source(a, name, text), wanted, wanted != NULL, &kernels);
    r->counts.kernels += kernels;
    return good;
}

/* For operand_walk: both texts of a record, beside the signatures in its metadata. No text at all
 * is an error. */
static void check_record(void *arg, const dataset_record *record)
{
    check_request *r = arg;
    r->counts.records++;
    signature_list wanted = {0};
    str metadata;
    const bool known = json_peek(record->text, "metadata", &metadata) &&
                       kernel_signatures_of_record(&r->c->p.c.module, metadata, &wanted);
    /* without metadata the texts are checked by themselves */
    WEFT_ASSERT(!known || wanted.n == 2); /* forward, backward */
    lint_signature *const of[] = {known ? &wanted.v[0] : NULL, known ? &wanted.v[1] : NULL};
    const bool forward = check_record_text(r, record, "cuda_ir_forward", of[0]);
    const bool backward = check_record_text(r, record, "cuda_ir_backward", of[1]);
    finish_one(r, api_take_errors(r->c));
    if (forward || backward)
        return;
    report(r, arena_printf(&r->c->p.c.module, "%s:%llu: no record with CUDA text", record->file,
                           (unsigned long long)record->line));
    worsen(r, WEFT_INPUT_ERRORS);
}

/* --- the interface --------------------------------------------------------------------------- */

/* For operand_walk: an operand that cannot be read, or is no data set. */
static void on_failure(void *arg, bool io, const char *sentence)
{
    check_request *r = arg;
    report(r, sentence);
    worsen(r, io ? WEFT_IO_ERROR : WEFT_INPUT_ERRORS);
}

/* For operand_walk, before each file and record. */
static bool is_stopped(void *arg)
{
    const check_request *r = arg;
    return r->ended || mem_stopped(&r->c->p.c.mem);
}

static void enter_folder(void *arg)
{
    check_request *r = arg;
    r->folders++;
    report_progress(r);
}

/* The names of what is found lie in c->paths: c->p.c.module is emptied after each file. */
static void check_path(void *arg)
{
    static const char *const endings[] = {".py", ".cu", ".cuh", NULL};
    check_request *r = arg;
    arena *a = &r->c->paths;
    r->walk = (operand_walk){.a = a,
                             .endings = endings,
                             .kinds = "Python file, no CUDA text",
                             .file = check_file,
                             .record = check_record,
                             .fail = on_failure,
                             .stopped = is_stopped,
                             .enter = enter_folder,
                             .job = r};
    operand_walk_one(&r->walk, arena_dup(a, r->path, strlen(r->path)));
    if (r->ended)
        r->status = WEFT_STOPPED;
}

/* The caller's counts are of the size that its version has. */
static void add_counts(check_request *r)
{
    weft_check_counts all;
    if (!r->o.counts || !api_take_options(&all, sizeof all, r->o.counts))
        return;
    all.files += r->counts.files;
    all.records += r->counts.records;
    all.kernels += r->counts.kernels;
    all.errors += r->counts.errors;
    all.warnings += r->counts.warnings;
    api_give(r->o.counts, all.size, &all, sizeof all);
}

/* One path at a time, so that a caller can print what it found in between. */
weft_status weft_check(weft_context *c, const char *path, const weft_check_options *options)
{
    check_request r = {.c = c, .path = path};
    if (!c || !path || !api_take_options(&r.o, sizeof r.o, options) ||
        (r.o.kernel_count && !r.o.kernels))
        return WEFT_BAD_ARGUMENT;
    const weft_status status = api_try(c, check_path, &r, &r.status);
    operand_walk_close(&r.walk);
    arena_reset(&c->paths);
    add_counts(&r);
    return status;
}
