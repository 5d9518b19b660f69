/* SPDX-License-Identifier: Apache-2.0 */
/* Launches by the reference interpreter or the text machine. Both messages begin with a place in
 * the Python file:
 *
 *     k.py:6: kernel 'k', thread (4): array 'x': index 4 is out of bounds: dimension 0 has size 4
 *     k.py:6: kernel k: index 4 is out of bounds for dimension 0 of array x, of size 4; thread 4,
 *     line 32 of the text */
#include "launch/launch_exec.h"

#include "base/assert.h"
#include "base/decimal.h"
#include "textvm/textvm.h"

/* Threads of a block as Warp 1.19 launches a kernel by default. */
enum { CPU_BLOCK = 1, CUDA_BLOCK = 256 };

/* The reference needs the CPU's text for its backward pass. */
unsigned launch_devices(launch_executor executor)
{
    WEFT_ASSERT(executor <= LAUNCH_TEXT_CUDA);
    return executor == LAUNCH_TEXT_CUDA ? EMIT_FOR_CUDA : EMIT_FOR_CPU;
}

/* The threads of both passes as one count. */
static void report_threads(void *arg, uint64_t done, uint64_t total)
{
    const launch_job *l = arg;
    l->progress(l->progress_arg, l->is_second ? total + done : done,
                l->adjoints ? 2 * total : total);
}

/* Threads of a block: what the launch says; tiles have the width that the text was written for. The
 * module's options count for them alone, as a launch of Warp's has its own number. */
static int block_of(const launch_job *l, bool has_tiles, int usual)
{
    const int given = l->p->options.block_dim;
    const int of_module = (int)l->compiled.ir->options.block_dim;
    if (given || !has_tiles)
        return given ? given : usual;
    return of_module > 0 ? of_module : CUDA_BLOCK;
}

/* Forward by the interpreter, which has no backward pass. */
static bool run_reference(launch_job *l)
{
    ctx *c = &l->p->c;
    interp_launch launch = {.kernel = l->compiled.kernel, .args = l->args, .ndim = l->ndim};
    strbuf error;
    memcpy(launch.dim, l->dim, sizeof launch.dim);
    launch.fuel = l->fuel;
    launch.progress = l->progress ? report_threads : NULL;
    launch.progress_arg = l;
    sb_init(&error, &c->mem);
    interp *in = interp_new(c, l->compiled.kernel);
    launch.block_dim = block_of(l, interp_has_tiles(in), 0);
    const bool good = interp_launch_run(in, &launch, &error);
    if (!good) {
        l->error = arena_dup(&c->module, error.p, error.n);
        l->out_of_fuel = l->fuel && interp_steps(in) == l->fuel;
    }
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
    uint64_t number = 0;
    return at && decimal_read_uint(at, &at, &number) ? (unsigned long)number : 0;
}

/* The unit whose text has a function of this name; the kernel's for no name. The backward text's
 * functions have "adj_" before it. */
static const ir_unit *unit_named(const ir_module *ir, str name)
{
    if (!name.n)
        return ir->kernel;
    if (str_starts(name, "adj_"))
        name = (str){name.p + 4, name.n - 4};
    for (uint32_t i = 0; i < ir->funcs.n; i++)
        if (str_eq(ir->funcs.v[i]->func->native_name, name))
            return ir->funcs.v[i];
    return NULL;
}

/* What Python calls the variable "var_8" of the text; NULL: it has no name there. */
static const sym *source_name(const launch_job *l, const textvm_error *e)
{
    const ir_unit *u = unit_named(l->compiled.ir, e->function);
    const char *end;
    uint64_t number;
    if (!u || !str_starts(e->variable, "var_"))
        return NULL;
    if (!decimal_read_uint(e->variable.p + 4, &end, &number) ||
        end != e->variable.p + e->variable.n || number >= u->declared.n)
        return NULL;
    return u->vars.v[u->declared.v[number]].name;
}

/* Errors of the text machine name lines and variables of the text. The user has the Python file:
 * the mark of the line is looked up, else the kernel's first line stands, and a variable without a
 * value is named as Python does.
 *
 *     for j in range(n):
 *         x = a[j] * 2.0
 *     b[i] = x * x
 *
 *     m.py:8: backward pass of kernel k: 'x' is read before it has a value
 *     (var_8, line 65 of the text); thread 0
 *
 * The forward pass assigns to x; Warp's backward pass leaves the loop out before that statement. */
static void keep_error(launch_job *l, str text, const textvm_error *e, bool backward)
{
    ctx *c = &l->p->c;
    const code *k = &l->compiled.kernel->code;
    const unsigned long line = python_line(text, e->line);
    strbuf b;
    sb_init(&b, &c->mem);
    sb_printf(&b, "%s:%lu: ", k->src->path, line ? line : k->first_line);
    const sym *name = e->kind == TEXTVM_UNSET ? source_name(l, e) : NULL;
    if (name)
        sb_printf(&b,
                  "%skernel %s: '%s' is read before it has a value (%.*s, line %u of the text); "
                  "thread %llu",
                  backward ? "backward pass of " : "", k->name->s, name->s, (int)e->variable.n,
                  e->variable.p, e->line, (unsigned long long)e->thread);
    else
        sb_str(&b, str_c(e->text));
    l->error = arena_dup(&c->module, b.p, b.n);
    l->out_of_fuel = e->kind == TEXTVM_FUEL;
    sb_clear(&b);
}

/* Reads the text anew for each run: forward and backward are two texts. */
static bool run_text(launch_job *l, str text, const rvalue *adjoints)
{
    ctx *c = &l->p->c;
    textvm_launch launch = {.args = l->args, .adjoints = adjoints, .ndim = l->ndim};
    textvm_error error = {0};
    memcpy(launch.dim, l->dim, sizeof launch.dim);
    launch.fuel = l->fuel;
    launch.progress = l->progress ? report_threads : NULL;
    launch.progress_arg = l;
    WEFT_ASSERT(text.n);
    textvm *vm = textvm_read(c, &c->module, text, &error);
    launch.block_dim = block_of(l, vm && textvm_has_tiles(vm),
                                l->executor == LAUNCH_TEXT_CUDA ? CUDA_BLOCK : CPU_BLOCK);
    const bool good = vm && textvm_run(vm, &launch, &error);
    if (!good)
        keep_error(l, text, &error, vm && textvm_is_backward(vm));
    return good;
}

/* Copies of a record's texts: the emitter's own buffer serves for the next kernel. */
static str record_text(launch_job *l, void (*emit)(strbuf *, const emit_text *))
{
    ctx *c = &l->p->c;
    strbuf b;
    sb_init(&b, &c->mem);
    emit(&b, &l->compiled.text[l->executor == LAUNCH_TEXT_CUDA ? EMIT_CUDA : EMIT_CPU]);
    const str text = {arena_dup(&c->module, b.p, b.n), b.n};
    sb_clear(&b);
    return text;
}

/* Text is emitted only where a text is run; the backward pass always is one. */
bool launch_execute(launch_job *l)
{
    WEFT_ASSERT(l->compiled.kernel && l->compiled.ir && l->args);
    WEFT_ASSERT(l->ndim >= 1 && l->ndim <= LAUNCH_DIMS);
    if (l->executor != LAUNCH_REFERENCE || l->adjoints)
        pipeline_emit(l->p, &l->compiled);
    l->is_second = false;
    if (l->executor == LAUNCH_REFERENCE ? !run_reference(l)
                                        : !run_text(l, record_text(l, emit_record_forward), NULL))
        return false;
    l->is_second = true;
    return !l->adjoints || run_text(l, record_text(l, emit_record_backward), l->adjoints);
}

/* Kernels of one name, made by a function called twice, have different keys. A user may give the
 * plain name, which finds the first of them. */
const kernel *launch_find_kernel(const program *prog, const char *name, uint32_t *n)
{
    const kernel *found = NULL;
    uint32_t count;
    const kernel *const *all = program_kernels(prog, &count);
    *n = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!name || program_kernel_is(prog, i, name)) {
            found = all[i];
            ++*n;
        }
    return *n == 1 ? found : NULL;
}
