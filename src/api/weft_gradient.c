/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients that weft_check judges: gradient/ finds them, and this file makes a weft_gradient for
 * the caller, and an error of a wrong one.
 *
 *     k.py:9:9: error: Warp's gradient of kernel 'scale' is wrong: Warp replays each iteration from
 *     the values before the loop; d y[0] / d x[0] is 0.25 in Warp and 0.5 in truth [wrong-gradient]
 *             s = s * x[i]
 *             ^ */
#include "api/api.h"
#include "gradient/gradient.h"

#define VERDICT(ID) _Static_assert((int)WEFT_GRADIENT_##ID == (int)GRADIENT_##ID, "one order")
VERDICT(RIGHT);
VERDICT(WRONG);
VERDICT(NONDIFFERENTIABLE);
VERDICT(NOT_EXECUTED);
VERDICT(CUSTOM);
#undef VERDICT

const char *weft_gradient_name(int verdict)
{
    return verdict >= 0 && verdict < GRADIENT_VERDICTS
               ? gradient_verdict_name((gradient_verdict)verdict)
               : NULL;
}

/* "; d y[0] / d x[0] is 0.25 in Warp and 0.5 in truth, launched for 1 thread". */
static const char *example_text(arena *a, const gradient_finding *f)
{
    const check_example *e = &f->example;
    int64_t threads = 1;
    if (!f->has_example)
        return "";
    for (int d = 0; d < e->ndim; d++)
        threads *= e->dim[d];
    return arena_printf(
        a, "; d %s / d %s is %.6g in Warp and %.6g in truth, launched for %lld thread%s", e->output,
        e->input, e->text, e->truth, (long long)threads, threads == 1 ? "" : "s");
}

/* Where the cause stands, or the kernel. Its source may be that of the second pipeline, whose
 * memory the next kernel takes: then it becomes the kernel's own, or a copy. */
static span place_of(weft_context *c, const compiled_kernel *k, const check_cause *cause)
{
    const code *in = cause->in ? cause->in : &k->kernel->code;
    span at = node_span(in->src, cause->at ? cause->at : &in->def->base);
    if (strcmp(in->src->path, k->kernel->code.src->path) == 0) {
        at.src = k->kernel->code.src;
        return at;
    }
    arena *a = &c->p.c.module;
    source *copy = ARENA_NEW(a, source);
    *copy = *in->src;
    copy->path = arena_dup(a, in->src->path, strlen(in->src->path));
    copy->text = (str){arena_dup(a, in->src->text.p, in->src->text.n), in->src->text.n};
    at.src = copy;
    return at;
}

static void add_error(weft_context *c, const compiled_kernel *k, const gradient_finding *f, span at)
{
    arena *in = &c->p.c.module;
    diag_error(&c->p.c, at, DIAG_WRONG_GRADIENT, (int)k->kernel->key.n, k->kernel->key.p,
               arena_printf(in, "%s%s", f->why.p, example_text(in, f)),
               f->cause.hint ? f->cause.hint : "compare with finite differences, and report it");
}

static void fill(arena *a, const compiled_kernel *k, const gradient_finding *f, span at,
                 weft_gradient *g)
{
    const check_cause *cause = &f->cause;
    *g = (weft_gradient){.size = sizeof *g,
                         .file = k->kernel->code.src->path,
                         .kernel = arena_dup(a, k->kernel->key.p, k->kernel->key.n),
                         .line = k->kernel->code.first_line,
                         .verdict = (int)f->verdict,
                         .why = arena_dup(a, f->why.p, f->why.n),
                         .class_name = cause->class ? cause->class : "",
                         .variable = cause->variable ? cause->variable->s : "",
                         .cause_file = ""};
    if (cause->in && cause->at) {
        g->cause_file = at.src->path;
        g->cause_line = at.line;
        g->cause_column = at.col;
    }
    if (!f->has_example)
        return;
    g->dim_count = (size_t)f->example.ndim;
    memcpy(g->dim, f->example.dim, sizeof g->dim);
    g->input = f->example.input;
    g->output = f->example.output;
    g->warp = f->example.text;
    g->truth = f->example.truth;
    g->arguments = f->arguments.n ? f->arguments.p : NULL;
}

/* --- the second pipeline ---------------------------------------------------------------------- */

/* A judgement takes memory of its context, so a program is compiled again for each kernel. */
typedef struct gradient_request {
    weft_context *c;
    const char *path; /* of the file, or the name of the text */
    const str *text;  /* NULL: a file */
    uint32_t index;
    gradient_finding found;
} gradient_request;

static void judge(void *arg)
{
    gradient_request *r = arg;
    pipeline *p = r->c->gradients;
    uint32_t n = 0;
    pipeline_reset(p);
    const program *prog =
        r->text ? pipeline_load_text(p, r->path, *r->text) : pipeline_load(p, r->path);
    const kernel *const *kernels = prog ? program_kernels(prog, &n) : NULL;
    if (r->index >= n) { /* the file is another one now */
        r->found = (gradient_finding){.verdict = GRADIENT_NOT_EXECUTED,
                                      .why = STR("the file has changed meanwhile")};
        return;
    }
    compiled_kernel k = pipeline_check(p, prog, kernels[r->index]);
    gradient_judge(p, &k, &r->found);
}

void api_close_gradients(weft_context *c)
{
    if (!c->gradients)
        return;
    pipeline_clear(c->gradients);
    mem_free(&c->owner, c->gradients);
    c->gradients = NULL;
}

/* Texts of programs that stay compiled for the next kernel. False: memory ran out. */
static bool open_gradients(weft_context *c)
{
    enum { KEEP_TEXT = 16 << 20 };
    pipeline_options o = c->p.options;
    o.devices = EMIT_FOR_CUDA;
    o.timings = false;
    o.keep_text = KEEP_TEXT;
    if (c->gradients)
        return true;
    c->gradients = mem_alloc(&c->owner, sizeof *c->gradients);
    if (!pipeline_init(c->gradients, &o))
        return false;
    mem *m = &c->gradients->c.mem;
    m->stop = c->p.c.mem.stop;
    m->waiting = c->p.c.mem.waiting;
    m->waiting_arg = c->p.c.mem.waiting_arg;
    return true;
}

/* A kernel that takes too much memory is not executed. */
static void judge_guarded(gradient_request *r)
{
    weft_context *c = r->c;
    jmp_buf *const guard = c->owner.guard;
    c->owner.guard = c->p.c.mem.guard;
    const bool open = open_gradients(c);
    c->owner.guard = guard;
    if (open && mem_try(&c->gradients->c.mem, judge, r))
        return;
    if (!open || mem_stopped(&c->p.c.mem) || !c->gradients->c.mem.over_limit)
        mem_fail(&c->p.c.mem);
    api_close_gradients(c);
    r->found = (gradient_finding){.verdict = GRADIENT_NOT_EXECUTED,
                                  .why = STR("executing it takes too much memory")};
}

/* Kernels without a backward pass are not compiled again. */
int api_check_gradient(weft_context *c, uint32_t index, compiled_kernel *k, const str *text,
                       int (*found)(void *arg, const weft_gradient *g), void *arg)
{
    gradient_request r = {.c = c, .path = k->kernel->code.src->path, .text = text, .index = index};
    weft_gradient g;
    if (gradient_is_judged(k))
        judge_guarded(&r);
    else
        gradient_judge(&c->p, k, &r.found);
    const span at = place_of(c, k, &r.found.cause);
    if (r.found.verdict == GRADIENT_WRONG)
        add_error(c, k, &r.found, at);
    fill(&c->p.c.module, k, &r.found, at, &g);
    return found(arg, &g);
}
