/* SPDX-License-Identifier: Apache-2.0 */
/* weft_standalone_file, weft_standalone_text: the CUDA program of one kernel, with a main() that
 * launches it, as `weft compile --emit standalone` writes it. api_make_program is what weft_emit.c
 * uses for the same; the text itself is made by standalone/. */
#include <stdio.h>

#include "api/api.h"
#include "standalone/standalone.h"

/* One call. `kernel` NULL: the program has only one; `out` lives in the module arena. */
typedef struct program_request {
    weft_context *c;
    const char *path; /* of the program; NULL: name and text */
    const char *name, *kernel;
    str text, out;
    weft_status status;
} program_request;

/* The kernel of this name, or without a name the only one; NULL after a message. */
static const kernel *find_kernel(program_request *r, const program *prog)
{
    int fault;
    const kernel *k = api_find_kernel(r->c, prog, r->kernel, &fault);
    if (k)
        return k;
    program_warn_unseen(prog);
    r->status = WEFT_BAD_ARGUMENT;
    return NULL;
}

/* The head of a program names the file without its folder: the text does not depend on where it
 * was made.
 *
 *     "src/k.py"   ->   "k.py" */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Needs the CUDA text of Warp: its backward pass gives the expected gradients. */
bool api_make_program(weft_context *x, const program *prog, compiled_kernel *k, str name,
                      uint32_t elements, standalone_program *out)
{
    pipeline *p = &x->p;
    ctx *c = &p->c;
    strbuf b, forward, own;
    WEFT_ASSERT(k->ir && p->options.devices & EMIT_FOR_CUDA);
    sb_init(&b, &c->mem);
    sb_init(&forward, &c->mem);
    sb_init(&own, &c->mem);
    pipeline_emit(p, k);
    emit_whole_forward(&forward, &k->text[EMIT_CUDA]);
    emit_record_forward(&own, &k->text[EMIT_CUDA]);
    if (!p->options.no_backward && k->ir->options.enable_backward)
        emit_record_backward(&b, &k->text[EMIT_CUDA]);
    const standalone_subject s = {.program = prog,
                                  .kernel = k->kernel,
                                  .ir = k->ir,
                                  .backward = sb_view(&b),
                                  .forward = sb_view(&forward),
                                  .mutated = sb_view(&own),
                                  .file = str_c(base_name(k->kernel->code.src->path)),
                                  .name = name,
                                  .elements = elements};
    const bool made = standalone_make(c, &s, out);
    sb_clear(&b);
    sb_clear(&forward);
    sb_clear(&own);
    return made;
}

/* 0 elements: the default of standalone/. */
static void make_program(program_request *r, const program *prog, const kernel *k)
{
    standalone_program made;
    compiled_kernel compiled = pipeline_lower(&r->c->p, prog, k);
    if (compiled.ir && api_make_program(r->c, prog, &compiled, k->key, 0, &made))
        r->out = made.cu;
}

/* For api_try. */
static void run_program(void *arg)
{
    program_request *r = arg;
    r->c->names_kernels = true; /* a generic kernel has no program */
    const program *prog = api_load(r->c, r->path, r->name, r->text);
    const kernel *k = prog ? find_kernel(r, prog) : NULL;
    if (k)
        make_program(r, prog, k);
    const weft_status status = api_take_errors(r->c);
    if (status != WEFT_OK)
        r->status = status;
}

/* Runs a request on an emptied context. */
static weft_status run(program_request *r, void (*what)(void *))
{
    return api_try(r->c, what, r, &r->status);
}

/* A context for the CPU alone makes CUDA text for this call. */
static weft_status give_program(program_request *r, const char **cuda, size_t *cuda_size)
{
    weft_context *c = r->c;
    c->p.options.devices |= EMIT_FOR_CUDA;
    const weft_status status = run(r, run_program);
    c->p.options.devices = c->devices;
    *cuda = status == WEFT_OK ? r->out.p : NULL;
    *cuda_size = status == WEFT_OK ? r->out.n : 0;
    return status;
}

weft_status weft_standalone_file(weft_context *c, const char *path, const char *kernel_name,
                                 const char **cuda, size_t *cuda_size)
{
    if (!c || !path || !cuda || !cuda_size)
        return WEFT_BAD_ARGUMENT;
    program_request r = {.c = c, .path = path, .kernel = kernel_name};
    return give_program(&r, cuda, cuda_size);
}

weft_status weft_standalone_text(weft_context *c, const char *name, const char *text, size_t size,
                                 const char *kernel_name, const char **cuda, size_t *cuda_size)
{
    if (!c || !name || (!text && size) || !cuda || !cuda_size)
        return WEFT_BAD_ARGUMENT;
    program_request r = {
        .c = c, .name = name, .kernel = kernel_name, .text = {text ? text : "", size}};
    return give_program(&r, cuda, cuda_size);
}

/* cuda_on_cpu.h: the same text for every program, so it takes no program to make it. */
static void put_shim(void *arg)
{
    program_request *r = arg;
    strbuf b;
    sb_init(&b, &r->c->p.c.mem);
    standalone_put_shim(&b);
    r->out = (str){arena_dup(&r->c->p.c.module, b.p, b.n), b.n};
    sb_clear(&b);
}

/* For `make cpu`, which compiles a program without CUDA. */
weft_status weft_standalone_shim(weft_context *c, const char **text, size_t *size)
{
    program_request r = {.c = c};
    if (!c || !text || !size)
        return WEFT_BAD_ARGUMENT;
    const weft_status status = run(&r, put_shim);
    *text = r.out.p;
    *size = r.out.n;
    return status;
}
