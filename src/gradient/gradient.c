/* SPDX-License-Identifier: Apache-2.0 */
/* From a proof to a verdict on a gradient:
 *
 *     exact, by inputs that tell             ->   right
 *     the adjoint differs                    ->   wrong, with its cause and an example
 *     the same, with wp.func_grad            ->   custom: the author may have wanted that
 *     threads store to one element           ->   nondifferentiable: their order decides
 *     something in it cannot be executed     ->   not_executed */
#include "gradient/gradient.h"

#include "check/check_found.h"

/* One judgement. */
typedef struct judgement {
    pipeline *p;
    compiled_kernel *k;
    gradient_finding *out;
    proof_search search;
} judgement;

const char *gradient_verdict_name(gradient_verdict v)
{
    static const char *const names[] = {[GRADIENT_RIGHT] = "right",
                                        [GRADIENT_WRONG] = "wrong",
                                        [GRADIENT_NONDIFFERENTIABLE] = "nondifferentiable",
                                        [GRADIENT_NOT_EXECUTED] = "not_executed",
                                        [GRADIENT_CUSTOM] = "custom"};
    WEFT_ASSERT(v < GRADIENT_VERDICTS);
    return names[v];
}

static void conclude(judgement *j, gradient_verdict v, str why)
{
    arena *a = &j->p->c.module;
    j->out->verdict = v;
    j->out->why = (str){arena_dup(a, why.p, why.n), why.n};
}

/* Has the kernel, or a function that it calls, a gradient that the author wrote? */
static bool has_own_gradient(const ir_module *m)
{
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        const func *f = m->funcs.v[i]->func;
        if (f &&
            (f->is_custom_grad || f->custom_grad || f->is_replay || f->custom_replay || f->snippet))
            return true;
    }
    return false;
}

/* The texts of the kernel alone, as a record has them. */
static void gather(judgement *j, strbuf *forward, strbuf *backward)
{
    const emit_text *text = &j->k->text[EMIT_CUDA];
    pipeline_emit(j->p, j->k);
    emit_record_forward(forward, text);
    emit_record_backward(backward, text);
    j->search.forward[EMIT_CUDA] = sb_view(forward);
    j->search.backward[EMIT_CUDA] = sb_view(backward);
}

/* The proof that is known to be wrong once more, for its cause and an example. */
static void explain(judgement *j)
{
    proof_search *s = &j->search;
    gradient_finding *out = j->out;
    strbuf b;
    const check_subject subject = {.kernel = j->k->kernel,
                                   .launch = s->inputs.launch,
                                   .args = s->inputs.args,
                                   .forward = {s->forward[EMIT_CPU], s->forward[EMIT_CUDA]},
                                   .backward = {s->backward[EMIT_CPU], s->backward[EMIT_CUDA]},
                                   .foreign = true,
                                   .gradients = true};
    sb_init(&b, &j->p->c.mem);
    out->has_example = check_explain(s->checker, &subject, &out->cause, &out->example, &b);
    out->arguments = (str){arena_dup(&j->p->c.module, b.p, b.n), b.n};
    sb_clear(&b);
}

/* Where no derivative shows it alone, rounding or inputs without one may be all that is wrong; but
 * a backward text that fails is no gradient. */
static void conclude_explained(judgement *j)
{
    const gradient_finding *out = j->out;
    const char *detail = j->search.best.detail;
    if (!out->has_example && (!detail[0] || j->search.best.reason)) {
        conclude(j, GRADIENT_NOT_EXECUTED,
                 STR("its gradient differs a little, but no single derivative is clearly wrong"));
        return;
    }
    if (out->has_example && out->example.unordered) {
        conclude(j, GRADIENT_NONDIFFERENTIABLE,
                 STR("threads store to one element, and their order decides"));
        return;
    }
    conclude(j, GRADIENT_WRONG,
             !out->cause.class ? STR("nothing that is known explains it")
                               : str_c(out->cause.sentence));
}

static void conclude_wrong(judgement *j)
{
    const proof_search *s = &j->search;
    if (s->best.unordered) {
        conclude(j, GRADIENT_NONDIFFERENTIABLE, s->why);
    } else if (has_own_gradient(j->k->ir)) {
        conclude(j, GRADIENT_CUSTOM,
                 STR("it is not the derivative, and its author wrote a part of it"));
    } else {
        explain(j);
        conclude_explained(j);
    }
}

static void conclude_right(judgement *j)
{
    const check_result *r = &j->search.best;
    if (r->unset) {
        conclude(j, GRADIENT_NOT_EXECUTED,
                 STR("its backward pass reads a variable that it has given no value, such as what "
                     "an atomic operation has returned"));
        return;
    }
    if (check_is_adequate(r)) {
        conclude(j, GRADIENT_RIGHT, STR(""));
        return;
    }
    conclude(j, GRADIENT_NOT_EXECUTED,
             str_c(arena_printf(&j->p->c.module,
                                "no mistake is found, but the inputs notice only %u of %u small "
                                "changes of the kernel",
                                r->killed, r->mutants)));
}

/* By the best proof. Where the adjoint is wrong and none of Warp's known faults is there, the proof
 * has been repeated without it (check_found.h). */
static void conclude_proof(judgement *j)
{
    const proof_search *s = &j->search;
    const check_result *r = &s->best;
    const bool adjoint = r->unjudged && check_reason_find(r->unjudged) == CHECK_REASON_ADJOINT;
    if (check_is_wrong(r) || adjoint)
        conclude_wrong(j);
    else if (r->status == CHECK_EXACT)
        conclude_right(j);
    else if (r->status == CHECK_NONDIFFERENTIABLE)
        conclude(j, GRADIENT_NONDIFFERENTIABLE,
                 r->undecided
                     ? STR("at all inputs that were tried its derivative is 0 or does not exist")
                     : STR("no float goes in, or none comes out"));
    else
        conclude(j, GRADIENT_NOT_EXECUTED, s->why);
}

static void search(judgement *j)
{
    ctx *c = &j->p->c;
    strbuf forward, backward;
    sb_init(&forward, &c->mem);
    sb_init(&backward, &c->mem);
    j->search = (proof_search){.checker = check_new(c), .c = c, .kernel = j->k, .gradients = true};
    gather(j, &forward, &backward);
    proof_search_run(&j->search);
    conclude_proof(j);
    sb_clear(&forward);
    sb_clear(&backward);
}

bool gradient_is_judged(const compiled_kernel *k)
{
    return k->ir && k->ir->options.enable_backward && k->kernel->code.nparams <= SAMPLE_ARGS_MAX;
}

void gradient_judge(pipeline *p, compiled_kernel *k, gradient_finding *out)
{
    judgement j = {.p = p, .k = k, .out = out};
    const unsigned devices = p->options.devices;
    *out = (gradient_finding){.verdict = GRADIENT_NOT_EXECUTED};
    if (!k->ir)
        conclude(&j, GRADIENT_NOT_EXECUTED, str_c(k->error ? k->error->text : "it has errors"));
    else if (!k->ir->options.enable_backward)
        conclude(&j, GRADIENT_NOT_EXECUTED, STR(CHECK_NO_BACKWARD " (enable_backward=False)"));
    else if (k->kernel->code.nparams > SAMPLE_ARGS_MAX)
        conclude(&j, GRADIENT_NOT_EXECUTED, STR("it has too many parameters"));
    else {
        p->options.devices = EMIT_FOR_CUDA;
        search(&j);
        p->options.devices = devices;
    }
}
