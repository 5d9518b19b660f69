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

/* Where the cause stands, or the kernel. */
static span place_of(const compiled_kernel *k, const check_cause *cause)
{
    const code *in = cause->in ? cause->in : &k->kernel->code;
    return node_span(in->src, cause->at ? cause->at : &in->def->base);
}

static void add_error(weft_context *c, const compiled_kernel *k, const gradient_finding *f)
{
    arena *a = &c->p.c.module;
    diag_error(&c->p.c, place_of(k, &f->cause), DIAG_WRONG_GRADIENT, (int)k->kernel->key.n,
               k->kernel->key.p, f->why.p, example_text(a, f),
               f->cause.hint ? f->cause.hint : "compare with finite differences, and report it");
}

static void fill(arena *a, const compiled_kernel *k, const gradient_finding *f, weft_gradient *g)
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
        const span at = place_of(k, cause);
        g->cause_file = cause->in->src->path;
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

int api_check_gradient(weft_context *c, compiled_kernel *k,
                       int (*found)(void *arg, const weft_gradient *g), void *arg)
{
    gradient_finding f;
    weft_gradient g;
    gradient_judge(&c->p, k, &f);
    if (f.verdict == GRADIENT_WRONG)
        add_error(c, k, &f);
    fill(&c->p.c.module, k, &f, &g);
    return found(arg, &g);
}
