/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles the kernels of a script and proves each by execution. The script's proof is theirs
 * together: it is exact if one gradient is and none is wrong. */
#include "compose/script_internal.h"
#include "cuda/cuda.h"

void script_join(strbuf *b, str text)
{
    if (b->n && text.n)
        sb_char(b, '\n');
    sb_str(b, text);
}

/* Appends the kernel's texts, and notes where they are. */
static void gather(scripter *s, script_kernel *k, check_subject *subject)
{
    for (int d = 0; d < EMIT_DEVICES; d++) {
        if (!(s->p.options.devices & 1u << d))
            continue;
        strbuf *b = &s->forward[d];
        const size_t forward = b->n;
        emit_record_forward(b, &k->compiled.text[d]);
        subject->forward[d] = (str){b->p + forward, b->n - forward};
        if (s->p.options.no_backward)
            continue;
        b = &s->backward[d];
        const size_t backward = b->n;
        emit_record_backward(b, &k->compiled.text[d]);
        subject->backward[d] = (str){b->p + backward, b->n - backward};
    }
    const str back = subject->backward[subject->backward[EMIT_CPU].n ? EMIT_CPU : EMIT_CUDA];
    k->backward = (str){arena_dup(&s->p.c.module, back.p ? back.p : "", back.n), back.n};
}

/* Adds the proof of a kernel to that of the script. */
void script_add_proof(check_result *all, const check_result *one, bool first)
{
    const check_result before = *all;
    if (first) {
        *all = *one;
        return;
    }
    if (one->inputs < all->inputs)
        all->inputs = one->inputs;
    all->mutants += one->mutants;
    all->killed += one->killed;
    all->steps += one->steps;
    if (one->forward_error > all->forward_error)
        all->forward_error = one->forward_error;
    /* Wrong gradients come first, then proved ones. */
    const bool wrong = one->status == CHECK_WARP_DIFFERS && before.status != CHECK_WARP_DIFFERS;
    const bool proved = one->status == CHECK_EXACT && before.status != CHECK_WARP_DIFFERS &&
                        (before.status != CHECK_EXACT || one->adjoint_error > before.adjoint_error);
    if (!wrong && !proved)
        return;
    all->status = one->status;
    all->class = one->class;
    all->adjoint_error = one->adjoint_error;
    all->adjoint_tolerance = one->adjoint_tolerance;
}

void script_prove_kernel(checker *with, const kernel *k, const gen_sample *is, const gen_request *q,
                         check_subject *subject, check_result *r)
{
    check_arg args[GEN_ARGS_MAX];
    for (uint32_t i = 0; i < is->nargs; i++)
        args[i] = (check_arg){is->args[i].shape, is->args[i].mag, is->args[i].values};
    subject->kernel = k;
    subject->launch = is->launch;
    subject->args = args;
    subject->seed = q->seed;
    subject->index = q->index;
    check_pair(with, subject, r);
}

static bool prove_kernel(scripter *s, uint32_t at)
{
    script_kernel *k = &s->kernels[at];
    check_result *all = &s->out->proof, one;
    check_subject subject = {.adequate_only = true};
    gather(s, k, &subject);
    script_prove_kernel(s->checker, k->compiled.kernel, &k->is, s->q, &subject, &one);
    s->differentiable &= one.status == CHECK_EXACT;
    script_add_proof(all, &one, at == 0);
    if (!one.reason && check_is_adequate(&one))
        return true;
    *all = one;
    return script_stop(s, SCRIPT_UNPROVED,
                       one.reason ? all->detail : "the inputs do not tell it from its mutants");
}

bool script_prove(scripter *s)
{
    uint32_t n = 0;
    pipeline *p = &s->p;
    s->source.n = s->cuda.n = 0;
    for (int d = 0; d < EMIT_DEVICES; d++)
        s->forward[d].n = s->backward[d].n = 0;
    script_put_title(s);
    sb_str(&s->source, sb_view(&s->c->source));
    pipeline_reset(p);
    const program *prog = pipeline_load_text(p, SCRIPT_FILE, sb_view(&s->source));
    const kernel *const *all = prog ? program_kernels(prog, &n) : NULL;
    if (n != s->nkernels)
        return script_stop(s, SCRIPT_BROKEN, p->c.diags.n ? p->c.diags.v[0].text : "kernels lack");
    s->differentiable = true;
    for (uint32_t i = 0; i < n; i++) {
        script_kernel *k = &s->kernels[i];
        k->compiled = pipeline_lower(p, prog, all[i]);
        if (!k->compiled.ir)
            return script_stop(s, SCRIPT_BROKEN,
                               k->compiled.error ? k->compiled.error->text : "not lowered");
        pipeline_emit(p, &k->compiled);
        if (!prove_kernel(s, i))
            return false;
        if (p->options.devices & EMIT_FOR_CUDA)
            script_join(&s->cuda, cuda_plain_source(&p->c, prog, all[i], NULL));
    }
    return true;
}
