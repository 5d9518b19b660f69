/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the record of a kernel of somebody's file:
 *
 *     compile the file   ->   the kernel's own source   ->   compile that alone
 *     the same text?     ->   executed                  ->   a line of JSON
 *
 * A kernel that fails on the way is listed with the step's reason. The record's index is a hash of
 * where the kernel stands and of its source, so that it depends on nothing else in the set. */
#include "collect/collect_kernel.h"

#include <unistd.h>

#include "base/ascii.h"
#include "check/check_found.h"
#include "collect/collect_license.h"
#include "collect/collect_program.h"
#include "collect/extract.h"
#include "collect/factory.h"
#include "collect/files.h"
#include "collect/generic_types.h"
#include "collect/same_text.h"
#include "cuda/cuda.h"
#include "make/exclude.h"
#include "prove/proof_search.h"
#include "record/found_facts.h"
#include "record/record_name.h"
#include "record/source_counts.h"
#include "store/line_reader.h"

/* What a file may take: it may be anyone's. */
enum { MEMORY_LIMIT = 1 << 30, NAME_MAX_BYTES = 255 };

/* Bytes of text whose trees each thread keeps: the files of most packages. */
enum { KEEP_TEXT = 16 << 20 };

/* --- init ------------------------------------------------------------------------------------ */

/* All of it lives in the second compiler's memory, which its clear gives back. */
static void init_rest(void *arg)
{
    kernel_maker *k = arg;
    ctx *c = &k->alone.c;
    k->checker = check_new(c);
    k->structurer = structurer_new(c);
    k->hasher.m = &c->mem;
    sb_init(&k->source, &c->mem);
    sb_init(&k->texts, &c->mem);
    sb_init(&k->expected, &c->mem);
}

/* The compiler of kernels alone gets the folders for functions that Warp has in Python; a
 * self-contained source imports no other file. */
bool kernel_maker_init(kernel_maker *k, const kernel_maker_options *by)
{
    const record_options *o = by->record;
    *k = (kernel_maker){.o = o,
                        .licenses = by->licenses,
                        .others = {.v = by->files->files.v, .n = by->files->files.n}};
    pipeline_options options = {.program = {.dirs = by->dirs, .ndirs = by->ndirs},
                                .devices = o->devices,
                                .stop = by->stop,
                                .no_backward = o->no_backward,
                                .warp = o->warp,
                                .memory_limit = MEMORY_LIMIT,
                                .keep_text = KEEP_TEXT};
    if (!pipeline_init(&k->whole, &options))
        return false;
    options.keep_text = 0;
    return pipeline_init(&k->alone, &options) && mem_try(&k->alone.c.mem, init_rest, k);
}

void kernel_maker_clear(kernel_maker *k)
{
    pipeline_clear(&k->whole);
    pipeline_clear(&k->alone);
}

/* --- what became of it ----------------------------------------------------------------------- */

/* A copy that lasts as long as the file's result: the compilers forget their texts with each
 * kernel. */
static str keep(kernel_maker *k, str s)
{
    return (str){arena_dup(&k->out->a, s.p, s.n), s.n};
}

static void skip(kernel_maker *k, collected_kernel *item, collect_skip what, const char *why)
{
    item->skip = what;
    item->why = keep(k, str_c(why));
}

/* --- facts for the record -------------------------------------------------------------------- */

/* The members of a generated sample that the record is written from; a found kernel has no target
 * and no productions. */
static void fill_sample(kernel_maker *k, const program *prog, const compiled_kernel *c,
                        gen_sample *s)
{
    const code *f = &c->kernel->code;
    const source_counts counts = source_counts_of(f->def);
    const found_facts facts = found_facts_of(&program_tree(prog)->base, f);
    *s = (gen_sample){.source = sb_view(&k->source), .kernel = c->kernel->key};
    s->category = facts.category;
    s->nargs = f->nparams;
    for (uint32_t i = 0; i < f->nparams; i++) {
        s->args[i].name = sym_str(f->params[i].name);
        s->args[i].type = record_type_text(&k->alone.c.module, f->params[i].type);
    }
    s->lines = str_count(sb_view(&k->source), '\n');
    s->kernel_lines = f->last_line - f->first_line + 1;
    s->statements = counts.statements;
    s->branches = counts.branches;
    s->loop_depth = counts.loop_depth;
    s->level = facts.level;
    s->nbuiltins = facts.nbuiltins;
    memcpy(s->builtins, facts.builtins, sizeof s->builtins);
}

/* --- the proof ------------------------------------------------------------------------------- */

static void set_inputs(gen_sample *s, const proof_inputs *by)
{
    s->launch = by->launch;
    for (uint32_t i = 0; i < s->nargs; i++) {
        s->args[i].shape = by->args[i].shape;
        s->args[i].mag = by->args[i].mag;
        s->args[i].values = by->args[i].values;
    }
}

/* Finds inputs and proves the pair with them. */
static void prove(kernel_maker *k, const compiled_kernel *c, const record_texts *t, uint64_t index,
                  gen_sample *s, check_result *best, str *why)
{
    proof_search p = {
        .checker = k->checker, .c = &k->alone.c, .kernel = c, .seed = k->o->seed, .index = index};
    memcpy(p.forward, t->forward, sizeof p.forward);
    memcpy(p.backward, t->backward, sizeof p.backward);
    proof_search_run(&p);
    *best = p.best;
    *why = keep(k, p.why);
    set_inputs(s, &p.inputs);
}

/* --- one kernel ------------------------------------------------------------------------------ */

/* The texts of a record, one after another in b. */
static void gather(const kernel_maker *k, const compiled_kernel *c, strbuf *b, record_texts *t)
{
    size_t at[2 * EMIT_DEVICES + 1] = {0};
    b->n = 0;
    for (int d = 0; d < EMIT_DEVICES; d++) {
        const bool wanted = k->o->devices & 1u << d;
        if (wanted)
            emit_record_forward(b, &c->text[d]);
        at[2 * d + 1] = b->n;
        if (wanted && c->ir->options.enable_backward)
            emit_record_backward(b, &c->text[d]);
        at[2 * d + 2] = b->n;
    }
    for (int d = 0; d < EMIT_DEVICES; d++) {
        t->forward[d] = (str){b->p + at[2 * d], at[2 * d + 1] - at[2 * d]};
        t->backward[d] = (str){b->p + at[2 * d + 1], at[2 * d + 2] - at[2 * d + 1]};
    }
}

/* Names stand in records without escapes, and become names of files. */
static bool is_ascii_name(str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] >= 0x80)
            return false;
    return s.n && s.n <= NAME_MAX_BYTES;
}

/* A kernel may get any name from its decorator, and Warp refuses such. */
static bool is_identifier(str s)
{
    bool good = s.n && !ascii_is_digit(*s.p);
    for (size_t i = 0; i < s.n; i++)
        good = good && (ascii_is_letter(s.p[i]) || ascii_is_digit(s.p[i]) || s.p[i] == '_');
    return good;
}

/* What the fields of a record cannot hold; NULL: it fits. */
static const char *misfit(const code *f)
{
    if (f->nparams > SAMPLE_ARGS_MAX)
        return "it has more than 96 parameters";
    for (uint32_t i = 0; i < f->nparams; i++)
        if (!is_ascii_name(sym_str(f->params[i].name)))
            return "a parameter's name is not ASCII";
    return NULL;
}

/* The inputs of a kernel that is not executed. */
static void state_inputs(kernel_maker *k, const compiled_kernel *c, gen_sample *s)
{
    proof_plan plan;
    proof_inputs inputs;
    plan_init(&plan, &k->alone.c, c);
    inputs.launch = plan_state(&plan, inputs.args);
    set_inputs(s, &inputs);
}

/* Its source is k->source. */
static uint64_t index_of(const kernel_maker *k, const collected_kernel *item,
                         const record_origin *o, str key)
{
    uint8_t digest[SHA256_SIZE];
    char hex[SHA256_HEX];
    sha256_of(k->source.p, k->source.n, digest);
    sha256_hex(digest, hex);
    return found_index(o, key, item->ordinal, (str){hex, SHA256_HEX});
}

/* Writes the record of the kernel that is compiled alone. */
static void put_record(kernel_maker *k, collected_kernel *item, const program *prog,
                       const compiled_kernel *c, const record_texts *t)
{
    check_result proof = {.status = CHECK_STATUSES};
    structure found;
    gen_sample s;
    strbuf line;
    fill_sample(k, prog, c, &s);
    if (!structure_of(k->structurer, program_tree(prog), &found)) {
        skip(k, item, COLLECT_SKIP_FIELDS, "its structure is not found");
        return;
    }
    item->structure = found.structure;
    if (k->o->near)
        minhash_of(&k->hasher, &found, &item->near);
    if (k->o->exclude && exclude_has(k->o->exclude, found.structure)) {
        skip(k, item, COLLECT_SKIP_EXCLUDED, "its structure is excluded");
        return;
    }
    if (k->o->style == RECORD_MESSAGES && !record_has_task(k->o, &s, t, true)) {
        skip(k, item, COLLECT_SKIP_FIELDS, "it has no backward text, which all tasks need");
        return;
    }
    record_origin origin = {.package = k->file->package,
                            .version = k->file->version,
                            .path = k->file->shown,
                            .repository = k->file->repository,
                            .license = item->license,
                            .instance = item->instance,
                            .types_from = item->types_from,
                            .line = item->line};
    const uint64_t index = index_of(k, item, &origin, c->kernel->key);
    origin.why = k->o->no_verify ? STR("--no-verify") : STR(RECORD_UNPROVED);
    if (k->o->no_verify || k->unproved)
        state_inputs(k, c, &s);
    else
        prove(k, c, t, index, &s, &proof, &origin.why);
    if (check_differs(&proof)) {
        skip(k, item, COLLECT_SKIP_FAILED,
             arena_printf(&k->alone.c.module, "%s: %s", proof.reason ? proof.reason : "",
                          proof.detail));
        return;
    }
    const bool ran = proof.status < CHECK_FAILED;
    record_counts counts = {.variables = c->ir->kernel->declared.n,
                            .proof = ran ? &proof : NULL,
                            .structure = found.structure,
                            .family = found.family,
                            .block_dim = check_tile_block(c->ir),
                            .origin = &origin};
    if (record_needs_plain(k->o, index, &s, t, true))
        counts.cuda_source = cuda_plain_source(&k->alone.c, prog, c->kernel, NULL);
    const program_subject subject = {prog, c, &s, t, &counts, index};
    const char *none = NULL;
    sb_init(&line, &k->out->mem);
    if (record_format_of(k->o)->programs)
        none =
            k->unproved ? RECORD_UNPROVED : collect_put_program(&k->alone, k->o, &subject, &line);
    else
        record_put(&line, k->o, index, &s, t, &counts);
    if (none) {
        skip(k, item, COLLECT_SKIP_PROGRAM, none);
    } else if (line.n > LINE_MAX_BYTES) {
        skip(k, item, COLLECT_SKIP_FIELDS, "its record is longer than 16 MiB");
    } else {
        item->record = keep(k, sb_view(&line));
        item->status = ran ? proof.status : CHECK_STATUSES;
    }
    sb_clear(&line);
}

/* Compiles k->source alone and compares its text with the expected one. */
static void make_alone(kernel_maker *k, collected_kernel *item, const kernel *whole)
{
    pipeline *p = &k->alone;
    record_texts texts;
    uint32_t n = 0;
    pipeline_reset(p);
    const char *name = arena_printf(&p->c.module, "%.*s.py", (int)whole->key.n, whole->key.p);
    const program *prog = pipeline_load_text(p, name, sb_view(&k->source));
    const kernel *const *kernels = prog ? program_kernels(prog, &n) : NULL;
    if (n != 1) {
        skip(k, item, COLLECT_SKIP_TEXT, p->c.diags.n ? p->c.diags.v[0].text : "no kernel alone");
        return;
    }
    compiled_kernel c = pipeline_lower(p, prog, kernels[0]);
    if (!c.ir) {
        skip(k, item, COLLECT_SKIP_TEXT, c.error ? c.error->text : "it does not compile alone");
        return;
    }
    pipeline_emit(p, &c);
    gather(k, &c, &k->texts, &texts);
    str line;
    if (!same_text(&p->c.module, sb_view(&k->expected), sb_view(&k->texts), &line))
        skip(k, item, COLLECT_SKIP_TEXT,
             arena_printf(&p->c.module, "its text alone is another in the line '%.*s'",
                          (int)(line.n < 120 ? line.n : 120), line.p));
    else
        put_record(k, item, prog, &c, &texts);
}

static void make_licensed(kernel_maker *k, collected_kernel *item, const kernel *whole, str license)
{
    item->license = keep(k, license);
    make_alone(k, item, whole);
}

/* A generic kernel that nobody overloads becomes one of its instances: *whole. */
static bool find_types(kernel_maker *k, const program *prog, const kernel **whole,
                       collected_kernel *item)
{
    found_types by = (*whole)->generic ? FOUND_TYPES_OVERLOAD : FOUND_TYPES_NONE;
    const char *why;
    if ((*whole)->code.generic) {
        const kernel *found = instance_of(&k->whole, prog, &k->others, *whole, &by, &why);
        if (!found) {
            skip(k, item, COLLECT_SKIP_GENERIC,
                 arena_printf(&k->whole.c.module, "a launch decides its types: %s", why));
            return false;
        }
        *whole = found;
    }
    const str types = found_instance(&k->whole.c.module, *whole);
    if (types.n && item->instance.n)
        item->instance =
            keep(k, str_c(arena_printf(&k->whole.c.module, "%.*s[%.*s]", (int)item->instance.n,
                                       item->instance.p, (int)types.n, types.p)));
    else if (types.n)
        item->instance = keep(k, types);
    if (types.n && (!item->types_from.n || by == FOUND_TYPES_CHOSEN))
        item->types_from = str_c(found_types_name(by));
    return true;
}

/* The kernel in its own file, for the text to compare with; then its source, with each choice of
 * options until the texts agree. */
static void make_kernel(kernel_maker *k, const program *prog, const kernel *whole,
                        collected_kernel *item)
{
    pipeline *p = &k->whole;
    record_texts ignored;
    extract_sources sources;
    str license;
    const char *wrong = !is_ascii_name(whole->key)   ? "its name is not ASCII"
                        : !is_identifier(whole->key) ? "its name is no identifier"
                                                     : misfit(&whole->code);
    if (!find_types(k, prog, &whole, item))
        return;
    compiled_kernel c = pipeline_lower(p, prog, whole);
    if (!c.ir) {
        skip(k, item, COLLECT_SKIP_COMPILE, c.error ? c.error->text : "it does not compile");
        return;
    }
    if (c.ir->kernel->line_directives)
        wrong = "its text names lines of its file (lineinfo or debug mode)";
    if (wrong) {
        skip(k, item, COLLECT_SKIP_FIELDS, wrong);
        return;
    }
    pipeline_emit(p, &c);
    gather(k, &c, &k->expected, &ignored);
    for (extract_options o = 0; o < EXTRACT_OPTIONS; o++) {
        item->skip = COLLECT_SKIP_NONE;
        k->source.n = 0;
        const char *why = extract_kernel(&p->c, whole, o, &k->source, &sources);
        if (why)
            skip(k, item, whole->is_static ? COLLECT_SKIP_EXTRACT : COLLECT_SKIP_FACTORY, why);
        else if ((why = collect_join_licenses(&p->c.module, k->file, k->licenses, &sources,
                                              &k->out->unread, &license)) != NULL)
            skip(k, item, COLLECT_SKIP_LICENSE, why);
        else
            make_licensed(k, item, whole, license);
        if (item->skip != COLLECT_SKIP_TEXT)
            return;
    }
}

/* --- one file -------------------------------------------------------------------------------- */

/* How many kernels of this key and line come before it: a factory's calls, or overloads. */
static uint32_t ordinal_of(const kernel *const *kernels, uint32_t at)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < at; i++)
        n += kernels[i]->code.first_line == kernels[at]->code.first_line &&
             str_eq(kernels[i]->key, kernels[at]->key);
    return n;
}

typedef struct kernel_job {
    kernel_maker *k;
    const program *prog;
    const kernel *whole;
    collected_kernel *item;
} kernel_job;

static void run_job(void *arg)
{
    const kernel_job *j = arg;
    make_kernel(j->k, j->prog, j->whole, j->item);
}

/* A new compiler for kernels alone: the state of the old one is that of an interrupted proof. The
 * guards around this call stay. */
static void renew_alone(kernel_maker *k)
{
    const pipeline_options options = k->alone.options;
    jmp_buf *const guard = k->alone.c.mem.guard;
    pipeline_clear(&k->alone);
    const bool enough =
        pipeline_init(&k->alone, &options) && mem_try(&k->alone.c.mem, init_rest, k);
    k->alone.c.mem.guard = guard;
    if (!enough)
        mem_fail(&k->alone.c.mem);
}

/* A kernel whose proof takes too much memory is a record that was not executed. */
static void make_guarded(kernel_maker *k, const program *prog, const kernel *whole,
                         collected_kernel *item)
{
    kernel_job job = {k, prog, whole, item};
    const collected_kernel fresh = *item;
    for (k->unproved = false; !mem_try(&k->alone.c.mem, run_job, &job); k->unproved = true) {
        if (k->unproved || !k->alone.c.mem.over_limit)
            mem_fail(&k->alone.c.mem);
        renew_alone(k);
        *item = fresh;
    }
    k->unproved = false;
}

/* Did reading fail, of a file that is there for us? */
static bool is_unread(const ctx *c, const char *path)
{
    return c->diags.n && c->diags.v[0].id == DIAG_CANNOT_READ && access(path, R_OK) == 0;
}

static void make_unless_large(kernel_maker *k, const program *prog, const kernel *whole,
                              collected_kernel *item)
{
    if (k->out->items.n == k->large)
        skip(k, item, COLLECT_SKIP_COMPILE, "it takes too much memory");
    else
        make_guarded(k, prog, whole, item);
}

/* A kernel of a definition that the file alone makes none of. */
static void take_factory(void *arg, const factory_kernel *f)
{
    kernel_maker *k = arg;
    const ast_FunctionDef *def = f->def;
    if (k->known) {
        k->known--;
        return;
    }
    collected_kernel item = {.kernel = keep(k, f->kernel ? f->kernel->key : sym_str(def->name)),
                             .line = def->decorator_list.v[0]->line,
                             .instance = keep(k, f->instance),
                             .types_from = str_c(found_types_name(f->from)),
                             .status = CHECK_STATUSES};
    for (uint32_t i = 0; i < k->out->items.n; i++)
        item.ordinal +=
            k->out->items.v[i].line == item.line && str_eq(k->out->items.v[i].kernel, item.kernel);
    if (f->kernel)
        make_unless_large(k, k->prog, f->kernel, &item);
    else
        skip(k, &item, COLLECT_SKIP_FACTORY, f->why);
    VEC_PUSH(&k->out->a, &k->out->items, item);
}

/* Without the place of the file on this machine: the path stands beside it. */
static const char *unloaded_reason(kernel_maker *k)
{
    const ctx *c = &k->whole.c;
    if (!c->diags.n)
        return "it does not load";
    const char *text = c->diags.v[0].text,
               *why = c->diags.v[0].id == DIAG_CANNOT_READ ? strstr(text, "': ") : NULL;
    return why ? arena_printf(&k->whole.c.module, "it cannot be read%s", why + 1) : text;
}

/* A file with a syntax error, or one that may not be read: nobody knows its kernels. */
static void list_file(kernel_maker *k)
{
    const ctx *c = &k->whole.c;
    collected_kernel item = {.kernel = STR(""), .status = CHECK_STATUSES};
    if (k->file->text.n && !mentions_warp(k->file->text))
        return;
    item.line = c->diags.n ? c->diags.v[0].at.line : 0;
    skip(k, &item, COLLECT_SKIP_FILE, unloaded_reason(k));
    VEC_PUSH(&k->out->a, &k->out->items, item);
}

/* A file that names neither Warp nor a kernel defines none. Most files of a package are such, and
 * to evaluate them would take most of the time. A text that was not read may have some. */
static bool may_have_kernels(str text)
{
    return !text.n || mentions_warp(text) || str_contains(text, STR("kernel"));
}

/* A file that does not load has no kernels; what stops one kernel does not stop the others. Goes on
 * behind what an earlier attempt has made. */
static void make_file(void *arg)
{
    kernel_maker *k = arg;
    pipeline *p = &k->whole;
    uint32_t n = 0;
    if (!may_have_kernels(k->file->text))
        return;
    pipeline_reset(p);
    const program *prog = pipeline_load(p, k->file->path);
    const kernel *const *kernels = prog ? program_kernels(prog, &n) : NULL;
    const uint32_t before = k->out->items.n;
    k->out->unread = !prog && is_unread(&p->c, k->file->path);
    k->known = before > n ? before - n : 0;
    for (uint32_t i = before; i < n; i++) {
        collected_kernel item = {.kernel = keep(k, kernels[i]->key),
                                 .line = kernels[i]->code.first_line,
                                 .ordinal = ordinal_of(kernels, i),
                                 .status = CHECK_STATUSES};
        make_unless_large(k, prog, kernels[i], &item);
        VEC_PUSH(&k->out->a, &k->out->items, item);
    }
    k->prog = prog;
    if (prog)
        factory_kernels(p, prog, &k->others, take_factory, k);
    else if (!k->out->unread)
        list_file(k);
}

/* A new compiler for the file, which has forgotten the kernels so far. */
static void renew_whole(kernel_maker *k)
{
    const pipeline_options options = k->whole.options;
    jmp_buf *const guard = k->whole.c.mem.guard;
    pipeline_clear(&k->whole);
    if (!pipeline_init(&k->whole, &options))
        mem_fail(&k->alone.c.mem);
    k->whole.c.mem.guard = guard;
}

/* Three owners of memory, each with a guard: the result, the file's compiler, the kernel's. Where
 * the kernels of a file take too much memory together, another attempt goes on behind the last one;
 * one that takes too much alone is left out. */
static void make_alone_guarded(void *arg)
{
    kernel_maker *k = arg;
    jmp_buf *const guard = k->alone.c.mem.guard;
    k->large = UINT32_MAX;
    for (uint32_t before = UINT32_MAX; !mem_try(&k->whole.c.mem, make_file, k);) {
        const uint32_t n = k->out->items.n;
        k->alone.c.mem.guard = guard; /* that of a kernel in work is left behind */
        if (!k->whole.c.mem.over_limit || k->large == n)
            mem_fail(&k->alone.c.mem);
        if (n == before)
            k->large = n;
        before = n;
        renew_whole(k);
        renew_alone(k);
    }
}

/* The outer guard of the two: the kernel's own compiler. */
static void make_all_guarded(void *arg)
{
    kernel_maker *k = arg;
    if (!mem_try(&k->alone.c.mem, make_alone_guarded, k))
        mem_fail(&k->out->mem);
}

bool kernel_maker_file(kernel_maker *k, const collect_file *file, collected_file *out)
{
    k->file = file;
    k->others.own = file->path;
    k->out = out;
    return mem_try(&out->mem, make_all_guarded, k);
}
