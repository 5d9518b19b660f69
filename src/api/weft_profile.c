/* SPDX-License-Identifier: Apache-2.0 */
/* weft_profile: what kernels are like in Python files, packages and data sets.
 *
 *     "newton", "pairs/"   ->   "2608 different kernels ... gather  1619  62.1 %  an index ..."
 *
 * Files are parsed and not run; one that cannot be parsed is reported and left out. A kernel whose
 * text came before is counted once. */
#include <string.h>

#include "api/api.h"
#include "api/callbacks.h"
#include "base/c_locale.h"
#include "base/ctx.h"
#include "base/file.h"
#include "base/folder_walk.h"
#include "base/run_status.h"
#include "collect/files.h"
#include "profile/profile.h"
#include "report/survey.h"
#include "similar/seen.h"
#include "syntax/parser.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* One call of weft_profile. */
typedef struct profile_request {
    mem m;
    arena a;
    ctx c;
    const char *const *paths;
    size_t npaths;
    const char *const *dirs;
    size_t ndirs;
    weft_callbacks callbacks;
    bool json;
    void (*write)(void *arg, const char *text, size_t size);
    profile p;
    seen seen;         /* texts of kernels */
    const source *src; /* of the file in work */
    const sym *warp;
    str text; /* to be read next */
    const char *file;
    uint64_t line; /* of a record; 0: the whole file */
    uint64_t sources;
    bool stopped;
    weft_status status;
} profile_request;

/* --- kernels --------------------------------------------------------------------------------- */

/* The lines of a kernel, without those before its first decorator. */
static str text_of(const profile_request *r, const ast_FunctionDef *f)
{
    uint32_t first = f->base.line;
    for (uint32_t i = 0; i < f->decorator_list.n; i++)
        first = f->decorator_list.v[i]->line < first ? f->decorator_list.v[i]->line : first;
    const uint32_t from = r->src->lines[first - 1];
    const uint32_t to = f->base.end_line < r->src->nlines ? r->src->lines[f->base.end_line]
                                                          : (uint32_t)r->src->text.n;
    return (str){r->src->text.p + from, to - from};
}

static void on_kernel(void *arg, const ast_FunctionDef *f)
{
    profile_request *r = arg;
    profile_facts facts;
    const str text = text_of(r, f);
    const XXH128_hash_t hash = XXH3_128bits(text.p, text.n);
    if (!seen_add(&r->seen, (fingerprint){hash.high64, hash.low64 | 1}))
        return;
    profile_kernel(f, r->warp, &facts);
    profile_add(&r->p, &facts);
}

static void on_problem(profile_request *r, const char *reason)
{
    if (r->status == WEFT_OK)
        r->status = WEFT_INPUT_ERRORS;
    if (!r->callbacks.problem)
        return;
    const weft_problem problem = {
        .file = r->file, .line = r->line, .id = "", .check = "", .reason = reason};
    r->stopped = r->callbacks.problem(r->callbacks.arg, &problem) != 0 || r->stopped;
}

/* One Python text: a file, or the source of a record. */
static void read_source(void *arg)
{
    profile_request *r = arg;
    ctx_reset_module(&r->c);
    source *src = ARENA_NEW(&r->c.module, source);
    *src = (source){.path = r->file, .text = r->text, .decoded = r->line > 0};
    const ast_Module *tree = parse_module(&r->c, src);
    r->sources++;
    if (!tree) {
        on_problem(r, r->c.diags.n ? r->c.diags.v[0].text : "it cannot be parsed");
        return;
    }
    r->src = src;
    r->warp = profile_warp_name(tree);
    profile_each(tree, on_kernel, r);
}

/* Memory that one text takes all of ends the call. */
static void read_text(profile_request *r, str text, const char *file, uint64_t line)
{
    r->text = text;
    r->file = file;
    r->line = line;
    if (!mem_try(&r->c.mem, read_source, r))
        mem_fail(&r->m);
    const weft_progress progress = {.done = r->sources};
    if (r->callbacks.progress && r->callbacks.progress(r->callbacks.arg, &progress) != 0)
        r->stopped = true;
}

/* --- operands -------------------------------------------------------------------------------- */

static bool is_set(profile_request *r, const char *path)
{
    bool folder = false;
    return path_is_json_lines(path) ||
           (path_is_folder(path, &folder) == 0 && folder &&
            !path_is_free(path_join(&r->a, path, STR("manifest.json"))));
}

static void on_record(void *arg, str line, const json_value *json)
{
    profile_request *r = arg;
    const json_value *python = json_get(json, "python_source");
    (void)line;
    if (json_is(python, JSON_TYPE_STRING) && !r->stopped)
        read_text(r, python->text, r->file, r->sources + 1);
}

static bool on_survey(void *arg, const survey *so_far)
{
    const profile_request *r = arg;
    (void)so_far;
    return !r->stopped;
}

static void on_damaged(void *arg, const survey_problem *p)
{
    profile_request *r = arg;
    r->file = p->file;
    r->line = p->line;
    on_problem(r, arena_dup(&r->a, p->reason.p, p->reason.n));
}

static weft_status fail(const profile_request *r, const char *path, int error)
{
    return callbacks_fail(&r->callbacks, WEFT_IO_ERROR, "cannot read '%s': %s", path,
                          error_text(error));
}

static void read_set(profile_request *r, const char *path)
{
    survey s;
    const char *message = path;
    r->file = path;
    const survey_options o = {.paths = &path,
                              .npaths = 1,
                              .report = on_damaged,
                              .progress = on_survey,
                              .record = on_record,
                              .arg = r};
    const int end = survey_run(&r->a, &o, &s, &message);
    if (end > 0)
        r->status = fail(r, message, end);
}

static void read_files(profile_request *r, const char *path)
{
    collect_files found = {0};
    const int error = files_add(&found, &r->a, path, r->dirs, r->ndirs);
    if (error) {
        r->status = fail(r, path, error);
        return;
    }
    for (uint32_t i = 0; i < found.files.n && !r->stopped; i++) {
        const char *file = found.files.v[i].path;
        const arena_mark mark = arena_save(&r->a);
        str text;
        const int unread = file_read(&r->a, file, &text);
        if (unread)
            r->status = fail(r, file, unread);
        else
            read_text(r, text, file, 0);
        arena_rewind(&r->a, mark);
    }
}

static void make(void *arg)
{
    profile_request *r = arg;
    strbuf b;
    if (!mem_try(&r->c.mem, (void (*)(void *))ctx_init, &r->c))
        mem_fail(&r->m);
    seen_init(&r->seen, &r->m);
    for (size_t i = 0; i < r->npaths && r->status <= WEFT_INPUT_ERRORS && !r->stopped; i++) {
        if (is_set(r, r->paths[i]))
            read_set(r, r->paths[i]);
        else
            read_files(r, r->paths[i]);
    }
    if (r->stopped)
        r->status = WEFT_STOPPED;
    if (r->status > WEFT_INPUT_ERRORS)
        return;
    sb_init(&b, &r->m);
    if (r->json)
        profile_put_json(&b, &r->p);
    else
        profile_put_table(&b, &r->p);
    if (r->write)
        r->write(r->callbacks.arg, b.p, b.n);
}

weft_status weft_profile(const char *const *paths, size_t count, const char *const *package_dirs,
                         size_t package_dir_count, int json, const weft_callbacks *callbacks,
                         void (*write)(void *arg, const char *text, size_t size))
{
    profile_request r = {.paths = paths,
                         .npaths = count,
                         .dirs = package_dirs,
                         .ndirs = package_dir_count,
                         .json = json != 0,
                         .write = write};
    if (!paths || !count || !callbacks_take(&r.callbacks, callbacks))
        return WEFT_BAD_ARGUMENT;
    mem_init(&r.m);
    mem_init(&r.c.mem);
    r.m.waiting = r.callbacks.waiting;
    r.m.waiting_arg = r.callbacks.arg;
    arena_init(&r.a, &r.m);
    if (!mem_try(&r.m, make, &r))
        r.status = callbacks_fail(&r.callbacks, WEFT_NO_MEMORY, "out of memory");
    ctx_clear(&r.c);
    mem_clear(&r.m);
    return r.status;
}
