/* SPDX-License-Identifier: Apache-2.0 */
/* weft_ptx_paths: CUDA texts in files, folders and data sets to PTX, and what that consists of.
 *
 *     DIR            ->  DIR/a.cu, DIR/b/c.ptx
 *     SET, record 7  ->  its forward text, its backward text
 *     a text         ->  for each architecture: PTX, ptxas, one call of `result` */
#include <string.h>

#include "api/api.h"
#include "api/callbacks.h"
#include "base/c_locale.h"
#include "base/file.h"
#include "base/json.h"
#include "record/record_ptx.h"
#include "store/operand_walk.h"

/* One call. */
typedef struct ptx_paths {
    mem m;
    arena a;    /* of paths and tools, as long as the call */
    arena work; /* of the text in work */
    weft_ptx_options o;
    weft_callbacks c;
    const char *const *paths;
    size_t npaths;
    int (*result)(void *arg, const weft_ptx_result *result);
    ptx_tools tools;
    operand_walk walk;
    ptx_arch archs[PTX_ARCHS_MAX];
    uint32_t narchs;
    weft_ptx_counts counts;
    weft_status status; /* the worst so far */
    bool stopped;       /* by the caller, or by what cannot be read */
} ptx_paths;

/* One text on its way; its strings live in `work`. */
typedef struct ptx_text {
    weft_ptx_result r;
    str text;
    bool is_ptx; /* nothing to compile */
} ptx_text;

/* --- ends ------------------------------------------------------------------------------------ */

/* What cannot be read outranks what is wrong, and ends the call.
 *
 *     a.cu does not compile    WEFT_INPUT_ERRORS, and the call goes on
 *     b.cu cannot be read      WEFT_IO_ERROR, and the call ends */
static void worsen(ptx_paths *p, weft_status status)
{
    WEFT_ASSERT(status != WEFT_OK);
    if (p->status != WEFT_IO_ERROR)
        p->status = status;
    p->stopped = p->stopped || status == WEFT_IO_ERROR;
}

/* By `progress`, whose result other than 0 stops the call. */
static void ask_whether_to_stop(ptx_paths *p)
{
    const weft_progress so_far = {.done = p->counts.good + p->counts.bad};
    if (!p->stopped && p->c.progress && p->c.progress(p->c.arg, &so_far) != 0) {
        p->stopped = true;
        p->status = WEFT_STOPPED;
    }
}

/* Hands a result over; one that was refused counts as bad. */
static void give(ptx_paths *p, const ptx_text *t)
{
    WEFT_ASSERT(!t->r.refused_by == !t->r.log && (t->r.refused_by || t->r.ptx));
    if (t->r.refused_by)
        worsen(p, WEFT_INPUT_ERRORS);
    if (p->result && p->result(p->c.arg, &t->r) != 0) {
        p->stopped = true;
        p->status = WEFT_STOPPED;
        return;
    }
    if (t->r.refused_by)
        p->counts.bad++;
    else
        p->counts.good++;
}

/* Without the newlines at its end, which are for a terminal. */
static void give_refused(ptx_paths *p, const ptx_text *t, const char *by, str log)
{
    WEFT_ASSERT(by);
    ptx_text refused = *t;
    while (log.n && log.p[log.n - 1] == '\n')
        log.n--;
    refused.r.refused_by = by;
    refused.r.log = arena_dup(&p->work, log.p, log.n);
    give(p, &refused);
}

/* --- figures --------------------------------------------------------------------------------- */

/* A copy that ends with NUL, as the public structs have strings. */
static const char *in_work(ptx_paths *p, str s)
{
    return arena_dup(&p->work, s.p, s.n);
}

/* Registers of predicates, or all others.
 *
 *     .reg .pred %p<3>;                             predicates
 *     .reg .f32 %f<5>;  .reg .b64 %rd<4>;           all others */
static uint64_t registers_of(const ptx_function *f, bool predicates)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < f->registers.n; i++)
        if (str_eq(f->registers.v[i].type, STR("pred")) == predicates)
            n += f->registers.v[i].n;
    return n;
}

/* What ptxas reported of the function, for each architecture that it was run for. */
static const weft_ptx_assembled *public_assembled(ptx_paths *p, const ptx_function *f)
{
    weft_ptx_assembled *all = ARENA_ARRAY(&p->work, weft_ptx_assembled, f->assembled.n + 1u);
    for (uint32_t i = 0; i < f->assembled.n; i++) {
        const ptx_assembled *s = &f->assembled.v[i];
        all[i] = (weft_ptx_assembled){.arch = in_work(p, s->arch),
                                      .registers = s->registers,
                                      .spilled_bytes = s->spill_stores + s->spill_loads};
    }
    return all;
}

/* Names, registers, instructions by class, memory: what `weft ptx` prints in a row. */
static weft_ptx_function public_function(ptx_paths *p, const ptx_function *f)
{
    WEFT_ASSERT(f->name.n);
    return (weft_ptx_function){.name = in_work(p, ptx_plain_name(f->name)),
                               .is_kernel = f->is_kernel,
                               .registers = registers_of(f, false),
                               .predicates = registers_of(f, true),
                               .instructions = f->instructions,
                               .integer_instructions = f->of_class[PTX_INTEGER],
                               .float_instructions = f->of_class[PTX_FLOAT],
                               .memory_instructions = f->of_class[PTX_MEMORY],
                               .atomic_instructions = f->of_class[PTX_ATOMIC],
                               .branches = f->branches,
                               .global_loads = f->loads[PTX_GLOBAL],
                               .global_stores = f->stores[PTX_GLOBAL],
                               .shared_bytes = f->shared,
                               .local_bytes = f->local,
                               .parameter_bytes = f->param_bytes,
                               .assembled = public_assembled(p, f),
                               .assembled_count = f->assembled.n};
}

/* The figures as structs for a caller that computes with them, and as JSON, which has all of them.
 */
static void give_good(ptx_paths *p, const ptx_text *t, str ptx, const ptx_module *m)
{
    ptx_text good = *t;
    weft_ptx_function *all = ARENA_ARRAY(&p->work, weft_ptx_function, m->functions.n + 1u);
    strbuf json;
    for (uint32_t i = 0; i < m->functions.n; i++)
        all[i] = public_function(p, &m->functions.v[i]);
    sb_init(&json, &p->m);
    ptx_put_module(&json, ptx, m);
    good.r.ptx = ptx.p;
    good.r.ptx_size = ptx.n;
    good.r.target = in_work(p, m->target);
    good.r.functions = all;
    good.r.function_count = m->functions.n;
    good.r.json = sb_cstr(&json);
    good.r.json_size = json.n;
    give(p, &good);
    sb_clear(&json);
}

/* --- one text -------------------------------------------------------------------------------- */

/* The architecture that the PTX itself names, "sm_80"; false: none that ptxas takes. */
static bool arch_of(const ptx_module *m, ptx_arch *arch)
{
    uint32_t n;
    str unknown;
    ptx_arch list[PTX_ARCHS_MAX];
    char target[PTX_ARCH_NAME + 4] = {0};
    if (m->target.n >= sizeof target)
        return false;
    memcpy(target, m->target.p, m->target.n);
    if (!ptx_read_archs(target, list, &n, &unknown))
        return false;
    *arch = list[0];
    return true;
}

/* Reads the PTX and runs ptxas on it, where that is installed and wanted. `wanted` NULL: the text
 * came as PTX, whose .target line names the architecture.
 *
 *     PTX that cannot be read    refused_by "PTX"
 *     ptxas fails                refused_by "ptxas", with its log
 *     else                       figures, with those of ptxas if it ran */
static void finish_ptx(ptx_paths *p, const ptx_text *t, str ptx, const ptx_arch *wanted)
{
    ptx_module m;
    ptx_arch arch;
    uint32_t line;
    str log;
    const char *wrong = ptx_read(&p->work, ptx, &m, &line);
    if (wrong) {
        give_refused(p, t, "PTX",
                     str_c(arena_printf(&p->work, "%s:%u: error: %s", t->r.file, line, wrong)));
        return;
    }
    const bool known = wanted ? (arch = *wanted, true) : arch_of(&m, &arch);
    if (p->o.assemble && p->tools.ptxas && known &&
        !ptx_assemble(&p->tools, &p->work, ptx, &arch, &m, &log))
        give_refused(p, t, "ptxas", log);
    else
        give_good(p, t, ptx, &m);
}

/* Once for each architecture; the first that does not compile ends the text. */
static void compile_text(ptx_paths *p, ptx_text *t)
{
    const char *why = NULL;
    const ptx_source src = record_ptx_source(&p->work, t->r.file, t->text);
    if (!ptx_tools_can(&p->tools, &p->work, src.dialect, &why)) {
        worsen(p, callbacks_fail(&p->c, WEFT_IO_ERROR, "%s", why));
        return;
    }
    t->r.compiler = ptx_compiler_of(&p->tools, &p->work, &src);
    t->r.warp_version = p->tools.warp_version;
    WEFT_ASSERT(p->narchs > 0);
    for (uint32_t i = 0; i < p->narchs && !p->stopped; i++) {
        const nvrtc_result made = ptx_make(&p->tools, &p->work, &src, &p->archs[i]);
        t->r.arch = arena_printf(&p->work, "sm_%s", p->archs[i].name);
        t->r.remarks = made.good && made.log.n ? in_work(p, made.log) : NULL;
        if (!made.good) {
            give_refused(p, t, t->r.compiler, made.log);
            return;
        }
        finish_ptx(p, t, made.ptx, &p->archs[i]);
        ask_whether_to_stop(p);
    }
}

/* PTX is only read, CUDA text is compiled first. `progress` is called after each text. */
static void take_text(ptx_paths *p, ptx_text *t)
{
    if (t->is_ptx)
        finish_ptx(p, t, t->text, NULL);
    else
        compile_text(p, t);
    ask_whether_to_stop(p);
}

/* --- files and records ----------------------------------------------------------------------- */

/* The part of a path that names it below its operand, without its ending; slashes become '_'.
 *
 *     path "sets/a/b.cu", start 4   ->   "a_b" */
static const char *name_for_output(arena *a, const char *path, size_t start)
{
    while (path[start] == '/')
        start++;
    char *name = arena_dup(a, path + start, strlen(path + start));
    char *dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = 0;
    for (char *at = name; *at; at++)
        if (*at == '/')
            *at = '_';
    return name;
}

/* Memory is that of one file: the arena goes back to where it was. */
static void take_file(void *arg, const char *path, size_t start)
{
    ptx_paths *p = arg;
    const arena_mark mark = arena_save(&p->work);
    const bool is_stdin = strcmp(path, "-") == 0;
    if (path_ends_with(path, ".py")) { /* of folders, .cu and .ptx are taken */
        worsen(p, callbacks_fail(&p->c, WEFT_INPUT_ERRORS,
                                 "'%s' is no CUDA text: weft compile --emit ptx takes Python files",
                                 path));
        p->counts.bad++;
        return;
    }
    ptx_text t = {.r.file = is_stdin ? "<stdin>" : path, .is_ptx = path_ends_with(path, ".ptx")};
    const int error = is_stdin ? 0 : file_read(&p->work, path, &t.text);
    if (is_stdin)
        t.text = p->walk.input;
    t.r.name = is_stdin ? "stdin" : name_for_output(&p->work, path, start);
    if (error)
        worsen(p, callbacks_fail(&p->c, WEFT_IO_ERROR, "cannot read '%s': %s", path,
                                 error_text(error)));
    else
        take_text(p, &t);
    arena_rewind(&p->work, mark);
}

/* Compiles one text of a record, the string behind `key`; false: it has none. */
static bool take_part(ptx_paths *p, const dataset_record *record, ptx_text *t, const char *name,
                      const char *part, const char *key)
{
    str quoted;
    strbuf text;
    if (!json_peek(record->text, key, &quoted))
        return false;
    sb_init(&text, &p->m);
    const bool good = json_peek_string(quoted, &text) && text.n;
    if (good) {
        ptx_text whole = *t;
        whole.text = sb_view(&text);
        whole.r.part = part;
        whole.r.name = name_for_output(&p->work, arena_printf(&p->work, "%s.%s.cu", name, part), 0);
        take_text(p, &whole);
    }
    sb_clear(&text);
    return good;
}

/* Warp's headers are read again for each of many texts: from here on they are kept compiled. */
static void take_record(void *arg, const dataset_record *record)
{
    ptx_paths *p = arg;
    ptx_tools_keep_headers(&p->tools, &p->a);
    const arena_mark mark = arena_save(&p->work);
    ptx_text t = {.r.file = record->file, .r.line = record->line};
    const unsigned long long line = record->line;
    str quoted;
    strbuf id;
    sb_init(&id, &p->m);
    if (json_peek(record->text, "id", &quoted) && json_peek_string(quoted, &id) && id.n)
        t.r.id = arena_dup(&p->work, id.p, id.n);
    sb_clear(&id);
    const char *name = t.r.id ? t.r.id : arena_printf(&p->work, "line%llu", line);
    const bool forward = take_part(p, record, &t, name, "forward", "cuda_ir_forward");
    const bool backward =
        !p->stopped && take_part(p, record, &t, name, "backward", "cuda_ir_backward");
    if (!forward && !backward) {
        worsen(p, callbacks_fail(&p->c, WEFT_INPUT_ERRORS, "%s:%llu: no record with CUDA text",
                                 record->file, line));
        p->counts.bad++;
    }
    arena_rewind(&p->work, mark);
}

/* --- paths ----------------------------------------------------------------------------------- */

/* operand_walk.fail: an operand that cannot be read (`io`) or used. */
static void fail(void *arg, bool io, const char *sentence)
{
    ptx_paths *p = arg;
    worsen(p, callbacks_fail(&p->c, io ? WEFT_IO_ERROR : WEFT_INPUT_ERRORS, "%s", sentence));
}

/* For operand_walk, before each file and record. */
static bool stopped(void *arg)
{
    return ((const ptx_paths *)arg)->stopped;
}

/* For operand_walk, in the first round: only the names of the inputs are wanted. */
static void name_input(void *arg, const char *path, size_t start)
{
    const ptx_paths *p = arg;
    (void)start;
    p->c.input(p->c.arg, strcmp(path, "-") == 0 ? "/dev/stdin" : path);
}

/* What cannot be read is reported when it is read. */
static void ignore(void *arg, bool io, const char *sentence)
{
    (void)arg;
    (void)io;
    (void)sentence;
}

/* First the names of all inputs, where the caller wants them: an output must not replace an input
 * that is read later. Then the texts. */
static void take_all(void *arg)
{
    static const char *const endings[] = {".cu", ".ptx", NULL};
    ptx_paths *p = arg;
    p->walk = (operand_walk){.a = &p->a,
                             .endings = endings,
                             .kinds = "CUDA text",
                             .names_only = true,
                             .file = name_input,
                             .fail = ignore,
                             .stopped = stopped,
                             .job = p};
    for (size_t i = 0; i < p->npaths && p->c.input; i++)
        operand_walk_one(&p->walk, p->paths[i]);
    callbacks_begin(&p->c);
    ptx_tools_open(&p->tools, &p->a, p->o.package_dirs, (uint32_t)p->o.package_dir_count,
                   p->o.warp_include);
    p->walk.names_only = false;
    p->walk.file = take_file;
    p->walk.record = take_record;
    p->walk.fail = fail;
    for (size_t i = 0; i < p->npaths && !p->stopped; i++)
        operand_walk_one(&p->walk, p->paths[i]);
}

/* False: the status is WEFT_BAD_ARGUMENT. */
static bool check_options(ptx_paths *p)
{
    str unknown;
    const char *list = p->o.arch ? p->o.arch : PTX_DEFAULT_ARCH;
    if (!p->paths || !p->npaths)
        return false;
    for (size_t i = 0; i < p->npaths; i++)
        if (!p->paths[i])
            return false;
    if (ptx_read_archs(list, p->archs, &p->narchs, &unknown))
        return true;
    callbacks_misuse(&p->c, "--arch is a list of architectures (sm_75,sm_90), not '%.*s'",
                     (int)unknown.n, unknown.p);
    return false;
}

/* The counts are given whatever the end was. */
weft_status weft_ptx_paths(const char *const *paths, size_t n, const weft_ptx_options *options,
                           const weft_callbacks *callbacks,
                           int (*result)(void *arg, const weft_ptx_result *result),
                           weft_ptx_counts *counts)
{
    ptx_paths p = {.paths = paths, .npaths = n, .result = result};
    const size_t size = counts ? counts->size : 0;
    if ((counts && size < sizeof size) || !api_take_options(&p.o, sizeof p.o, options) ||
        !callbacks_take(&p.c, callbacks) || !check_options(&p))
        return WEFT_BAD_ARGUMENT;
    mem_init(&p.m);
    p.m.waiting = p.c.waiting;
    p.m.waiting_arg = p.c.arg;
    arena_init(&p.a, &p.m);
    arena_init(&p.work, &p.m);
    if (!mem_try(&p.m, take_all, &p))
        p.status = callbacks_fail(&p.c, WEFT_NO_MEMORY, "out of memory");
    ptx_tools_close(&p.tools);
    operand_walk_close(&p.walk);
    mem_clear(&p.m);
    if (counts)
        api_give(counts, size, &p.counts, sizeof p.counts);
    return p.status;
}
