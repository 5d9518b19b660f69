/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler's stages, over one context:
 *
 *     load   read, parse and evaluate the Python module   ->   program
 *     lower  one kernel with the functions it calls       ->   ir_module
 *     emit   Warp's text for the chosen devices           ->   emit_text
 *
 * No stage prints or reads what another printed. Each call switches the stage clock, so that
 * --timings adds up to the whole. */
#include "driver/pipeline.h"

#include "builtin/builtin.h"
#include "cuda/cuda.h"
#include "syntax/parse_cache.h"

/* What outlives programs: types, builtins and names that no program brought. */
static void init(void *arg)
{
    pipeline *p = arg;
    ctx *c = &p->c;
    ctx_init(c);
    if (p->options.warp)
        c->warp = p->options.warp;
    types_init(c);
    builtins_init(c);
    sema_init(c);
    lower_init(c);
    p->emitter = emitter_new(c);
    if (p->options.keep_text)
        c->parsed = parse_cache_new(c, p->options.keep_text);
    p->names = sym_save(&c->syms);
    if (p->options.timings) {
        stage_start(&p->clock);
        c->clock = &p->clock;
    }
}

/* The memory is zeroed first, so that pipeline_clear may follow a failure. */
bool pipeline_init(pipeline *p, const pipeline_options *o)
{
    memset(p, 0, sizeof *p);
    p->options = *o;
    mem_init(&p->c.mem);
    p->c.mem.limit = o->memory_limit;
    p->c.mem.stop = o->stop;
    return mem_try(&p->c.mem, init, p);
}

void pipeline_clear(pipeline *p)
{
    ctx_clear(&p->c);
}

/* Symbols go back to the mark: a million programs take the memory of one. Where trees are kept,
 * they go with these. */
void pipeline_reset(pipeline *p)
{
    ctx_reset_module(&p->c);
    types_reset(&p->c);
    if (parse_cache_trim(&p->c))
        sym_restore(&p->c.syms, p->names);
}

const program *pipeline_load(pipeline *p, const char *path)
{
    const work_stage before = stage_switch(p->c.clock, STAGE_EVALUATE);
    const program *prog = program_load(&p->c, path, &p->options.program);
    stage_switch(p->c.clock, before);
    return prog;
}

const program *pipeline_load_text(pipeline *p, const char *name, str text)
{
    const work_stage before = stage_switch(p->c.clock, STAGE_EVALUATE);
    const program *prog = program_load_text(&p->c, name, text, &p->options.program);
    stage_switch(p->c.clock, before);
    return prog;
}

/* The kernel, or a copy with other options of its own, which override the module's: without a
 * backward pass, or with another block size (Warp 1.19 Module.resolve_options, which a launch calls
 * with its block_dim: 1 on the CPU). block_dim 0: as the module says. */
static const kernel *adjusted(pipeline *p, const kernel *k, int block_dim)
{
    WEFT_ASSERT(block_dim >= 0);
    if (!p->options.no_backward && !block_dim)
        return k;
    kernel *copy = arena_alloc(&p->c.module, sizeof *copy);
    *copy = *k;
    if (p->options.no_backward)
        copy->code.options.enable_backward = 0;
    if (block_dim)
        copy->code.options.block_dim = block_dim;
    return copy;
}

/* Has the program's list this error, at the same place? */
static bool is_reported(const ctx *c, const diag *d)
{
    for (uint32_t i = 0; i < c->diags.n; i++) {
        const diag *e = &c->diags.v[i];
        if (e->id == d->id && e->at.src == d->at.src && e->at.line == d->at.line &&
            e->at.col == d->at.col)
            return true;
    }
    return false;
}

/* Adds a kernel's own errors to those of the program, each once. */
static void add_errors(ctx *c, const diag *own, uint32_t n)
{
    for (uint32_t i = 0; i < n && c->diags.n < DIAG_MAX; i++)
        if (!is_reported(c, &own[i]))
            VEC_PUSH(&c->module, &c->diags, own[i]);
}

/* The first of them that is no warning; NULL: there is none. */
static const diag *first_error(const diag *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!v[i].is_warning)
            return &v[i];
    return NULL;
}

/* A kernel lowered, and its own diagnostics. */
typedef struct lowering {
    ir_module *ir; /* NULL after errors */
    const diag *own;
    uint32_t nown;
    const diag *error; /* the first of them; NULL: none */
} lowering;

/* Each kernel starts with an empty list of diagnostics. */
static lowering lower_alone(pipeline *p, const program *prog, const kernel *k, int block_dim)
{
    ctx *c = &p->c;
    lowering out;
    diag *const others = c->diags.v;
    const uint32_t nothers = c->diags.n, cap = c->diags.cap;
    c->diags.v = NULL;
    c->diags.n = c->diags.cap = 0;
    out.ir = lower_kernel(c, prog, adjusted(p, k, block_dim));
    out.own = c->diags.v;
    out.nown = c->diags.n;
    c->diags.v = others;
    c->diags.n = nothers;
    c->diags.cap = cap;
    out.error = first_error(out.own, out.nown);
    return out;
}

/* With the first block size of the file's launches that the kernel is right with; if it is with
 * none, `first`, whose errors are those that Warp's default gives. */
static lowering lower_as_launched(pipeline *p, const program *prog, const kernel *k, lowering first)
{
    uint32_t sizes[LAUNCH_SIZES_MAX];
    const uint32_t n = program_launch_sizes(prog, sizes);
    for (uint32_t i = 0; i < n; i++) {
        const lowering other = lower_alone(p, prog, k, (int)sizes[i]);
        if (other.ir && !other.error)
            return other;
    }
    return first;
}

/* An error in a function that several kernels call fails each of them, yet is reported once. A
 * kernel that fails without an error of its own uses a name that was reported when the module ran:
 * the program's first error is its. */
static compiled_kernel finish(pipeline *p, const kernel *k, const lowering *done)
{
    ctx *c = &p->c;
    compiled_kernel out = {
        .kernel = k, .ir = done->ir, .error = done->error, .nerrors = done->nown};
    if (!out.ir && !out.error)
        out.error = first_error(c->diags.v, c->diags.n);
    WEFT_ASSERT(out.ir || out.error);
    if (out.error)
        out.ir = NULL;
    add_errors(c, done->own, done->nown);
    return out;
}

compiled_kernel pipeline_lower(pipeline *p, const program *prog, const kernel *k)
{
    const work_stage before = stage_switch(p->c.clock, STAGE_LOWER);
    const lowering done = lower_alone(p, prog, k, p->options.block_dim);
    const compiled_kernel out = finish(p, k, &done);
    stage_switch(p->c.clock, before);
    return out;
}

void pipeline_forget(pipeline *p)
{
    arena_reset(&p->c.ir);
}

compiled_kernel pipeline_check(pipeline *p, const program *prog, const kernel *k)
{
    const work_stage before = stage_switch(p->c.clock, STAGE_LOWER);
    lowering done = lower_alone(p, prog, k, p->options.block_dim);
    if (done.error && !p->options.block_dim)
        done = lower_as_launched(p, prog, k, done);
    const compiled_kernel out = finish(p, k, &done);
    stage_switch(p->c.clock, before);
    return out;
}

/* The letter of the intermediate form; the passes of cuda/ have the others. */
enum { LOWERED = 'w' };

char pipeline_stage(uint32_t i, const char **name)
{
    if (i)
        return cuda_pass_letter(i - 1, name);
    *name = "as lowered";
    return LOWERED;
}

/* The lowered form first, then the tree after each pass of cuda/ whose letter is given. */
void pipeline_dump(pipeline *p, const program *prog, const compiled_kernel *k, const char *letters,
                   strbuf *out)
{
    WEFT_ASSERT(k->ir);
    const char lowered[] = {LOWERED, 0};
    if (strchr(letters, LOWERED))
        ir_dump(&p->c, out, k->ir);
    if (strspn(letters, lowered) == strlen(letters))
        return;
    const bool backward = k->ir->options.enable_backward && !p->options.no_backward;
    (void)cuda_dump_passes(&p->c, prog, k->kernel, backward, letters, out);
}

void pipeline_emit(pipeline *p, compiled_kernel *k)
{
    const work_stage before = stage_switch(p->c.clock, STAGE_EMIT);
    emit_kernel_text(p->emitter, k->ir, p->options.devices, k->text);
    stage_switch(p->c.clock, before);
}

str pipeline_emit_module(pipeline *p, const ir_module *const *kernels, uint32_t n,
                         emit_device device)
{
    const work_stage before = stage_switch(p->c.clock, STAGE_EMIT);
    const str text = emit_module_text(p->emitter, kernels, n, device);
    stage_switch(p->c.clock, before);
    return text;
}
