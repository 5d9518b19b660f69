/* What `weft compile` writes for one file: a module's text, or a line or dump per kernel. */
#include "base/json.h"
#include "base/str_map.h"
#include "cli/compile.h"

static void put_text_or_null(strbuf *out, const compiled_kernel *k, emit_device device)
{
    if (k->text[device].all.p)
        json_string(out, k->text[device].all);
    else
        SB_LIT(out, "null");
}

/* One JSON object for each kernel, on a line of its own: its place, texts and error. */
static void write_json(compile_job *job, compiled_kernel *k, const char *path)
{
    strbuf *out = &job->out->text;
    if (k->ir)
        pipeline_emit(&job->p, k);
    const work_stage before = stage_switch(job->p.c.clock, STAGE_WRITE);
    sb_char(out, '{');
    json_key(out, "file", true);
    json_string(out, str_c(path));
    json_key(out, "kernel", false);
    json_string(out, k->kernel->key);
    json_key(out, "line", false);
    sb_uint(out, k->kernel->code.first_line);
    json_key(out, "cpu", false);
    put_text_or_null(out, k, EMIT_CPU);
    json_key(out, "cuda", false);
    put_text_or_null(out, k, EMIT_CUDA);
    json_key(out, "error", false);
    if (k->error)
        diag_put_json(out, k->error, compile_severity(job, k->error));
    else
        SB_LIT(out, "null");
    SB_LIT(out, "}\n");
    output_flush(job->out);
    stage_switch(job->p.c.clock, before);
}

/* All kernels of a file as one module for each device. */
static void write_modules(compile_job *job, const ir_module *const *kernels, uint32_t n,
                          const char *path)
{
    strbuf *out = &job->out->text;
    if (job->kind == COMPILE_PTX) {
        compile_write_ptx(job, pipeline_emit_module(&job->p, kernels, n, EMIT_CUDA), path);
        return;
    }
    if (job->kind != COMPILE_CU)
        sb_str(out, pipeline_emit_module(&job->p, kernels, n, EMIT_CPU));
    if (job->kind != COMPILE_CPP)
        sb_str(out, pipeline_emit_module(&job->p, kernels, n, EMIT_CUDA));
}

/* Kinds that write kernel by kernel; others wait for the module. */
static void write_kernel(compile_job *job, const program *prog, compiled_kernel *k,
                         const char *path)
{
    if (job->kind == COMPILE_JSON)
        write_json(job, k, path);
    else if (job->kind == COMPILE_IR && k->ir)
        pipeline_dump(&job->p, prog, k, job->dump ? job->dump : "w", &job->out->text);
}

/* Kernels that were lowered, in order. */
typedef struct lowered_kernels {
    const ir_module **v; /* NULL: another one of that name came later */
    uint32_t n;
    str_map at; /* by key, counted from 1 */
} lowered_kernels;

/* Of kernels with one name the last counts, as in a Warp module. */
static void add_module(arena *a, lowered_kernels *all, const ir_module *m)
{
    all->v[all->n++] = m;
    const uint32_t before = str_map_set(a, &all->at, m->kernel->kernel->key, all->n);
    if (before)
        all->v[before - 1] = NULL;
}

static void drop_replaced(lowered_kernels *all)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < all->n; i++)
        if (all->v[i])
            all->v[n++] = all->v[i];
    all->n = n;
}

/* A file without kernels gives an empty module, a file with errors only gives none. */
void compile_write_program(compile_job *job, const program *prog, const char *path)
{
    ctx *c = &job->p.c;
    uint32_t n;
    const kernel *const *kernels = program_kernels(prog, &n);
    lowered_kernels good = {.v = ARENA_ARRAY(&c->module, const ir_module *, (size_t)n + 1)};
    for (uint32_t i = 0; i < n && !cli_interrupted(); i++) {
        if (!compile_wants(job, kernels[i]))
            continue;
        compiled_kernel k = pipeline_lower(&job->p, prog, kernels[i]);
        if (k.ir)
            add_module(&c->module, &good, k.ir);
        write_kernel(job, prog, &k, path);
    }
    const bool is_text = job->kind == COMPILE_CPP || job->kind == COMPILE_CU ||
                         job->kind == COMPILE_BOTH || (job->kind == COMPILE_PTX && good.n);
    drop_replaced(&good);
    if (is_text && (good.n || (!c->diags.n && !job->nwanted)))
        write_modules(job, good.v, good.n, path);
}
