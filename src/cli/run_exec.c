/* Launches by the reference interpreter or the text machine, and how their errors are told. */
#include "cli/run_exec.h"

#include <stdlib.h>

#include "cli/cli.h"
#include "textvm/textvm.h"

/* Threads of a block as Warp 1.19 launches a kernel by default. */
enum { CPU_BLOCK = 1, CUDA_BLOCK = 256 };

unsigned run_devices(run_executor executor)
{
    return executor == RUN_TEXT_CUDA ? EMIT_FOR_CUDA : EMIT_FOR_CPU;
}

static void tell_fuel(void)
{
    fputs("    hint: --fuel STEPS allows more; 0: no limit\n", stderr);
}

static bool run_reference(run_launch *l)
{
    ctx *c = &l->p->c;
    interp_launch launch = {.kernel = l->compiled.kernel, .args = l->args, .ndim = l->ndim};
    strbuf error;
    memcpy(launch.dim, l->dim, sizeof launch.dim);
    launch.fuel = l->fuel;
    sb_init(&error, &c->mem);
    interp *in = interp_new(c, l->compiled.kernel);
    const bool good = interp_launch_run(in, &launch, &error);
    if (!good)
        cli_error("%s", sb_cstr(&error));
    if (!good && l->fuel && interp_steps(in) == l->fuel)
        tell_fuel();
    sb_clear(&error);
    return good;
}

/* The line of the Python source that a line of the text comes from, by the last "<L n>" up to its
 * end; 0: there is none. */
static unsigned long python_line(str text, uint32_t line)
{
    const char *at = NULL, *p = text.p, *end = text.p + text.n;
    for (uint32_t n = 0; n < line && p < end; n++) {
        const char *next = memchr(p, '\n', (size_t)(end - p));
        next = next ? next + 1 : end;
        if (next - p > 4 && next[-2] == '>') {
            const char *mark = next - 2;
            while (mark > p && *mark != '<')
                mark--;
            at = mark[1] == 'L' && mark[2] == ' ' ? mark + 3 : at;
        }
        p = next;
    }
    return at ? strtoul(at, NULL, 10) : 0;
}

static void tell(const run_launch *l, str text, const textvm_error *e)
{
    const code *k = &l->compiled.kernel->code;
    const unsigned long line = python_line(text, e->line);
    cli_error("%s:%lu: %s", k->src->path, line ? line : k->first_line, e->text);
}

static bool run_text(run_launch *l, str text, const rvalue *adjoints)
{
    ctx *c = &l->p->c;
    textvm_launch launch = {.args = l->args, .adjoints = adjoints, .ndim = l->ndim};
    textvm_error error = {0};
    memcpy(launch.dim, l->dim, sizeof launch.dim);
    launch.block_dim = l->executor == RUN_TEXT_CUDA ? CUDA_BLOCK : CPU_BLOCK;
    launch.fuel = l->fuel;
    textvm *vm = textvm_read(c, &c->module, text, &error);
    const bool good = vm && textvm_run(vm, &launch, &error);
    if (!good)
        tell(l, text, &error);
    if (!good && error.kind == TEXTVM_FUEL)
        tell_fuel();
    return good;
}

/* Copies of a record's texts: the emitter's own buffer serves for the next kernel. */
static str record_text(run_launch *l, void (*emit)(strbuf *, const emit_text *))
{
    ctx *c = &l->p->c;
    strbuf b;
    sb_init(&b, &c->mem);
    emit(&b, &l->compiled.text[l->executor == RUN_TEXT_CUDA ? EMIT_CUDA : EMIT_CPU]);
    const str text = {arena_dup(&c->module, b.p, b.n), b.n};
    sb_clear(&b);
    return text;
}

bool run_execute(run_launch *l)
{
    if (l->executor != RUN_REFERENCE || l->adjoints)
        pipeline_emit(l->p, &l->compiled);
    if (l->executor == RUN_REFERENCE ? !run_reference(l)
                                     : !run_text(l, record_text(l, emit_record_forward), NULL))
        return false;
    return !l->adjoints || run_text(l, record_text(l, emit_record_backward), l->adjoints);
}
