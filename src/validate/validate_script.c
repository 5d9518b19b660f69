/* SPDX-License-Identifier: Apache-2.0 */
/* Checks scripts (--style script), for validate_work.c. Their texts are those of several kernels,
 * one behind the other; what the kernels take is known from the script that seed and index give,
 * which is made again: its inputs, its run, the numbers that it expects.
 *
 *     np.testing.assert_allclose(loss.numpy(), [9.99], ...), where a run gives 945.112
 *     ->  "the source is not what weft generates for seed 7, index 3, ..." */
#include "cuda/cuda.h"
#include "validate/validate_record.h"

bool validate_make_script(record_validator *rv, const record_view *r)
{
    const gen_request q = validate_request(rv->g, r);
    const pipeline_options o = {
        .devices = r->devices, .no_backward = !r->backward, .warp = r->warp};
    const pipeline_options *is = &rv->scripts;
    const char *why;
    if (rv->scripter && (is->devices != o.devices || is->no_backward != o.no_backward)) {
        scripter_free(rv->scripter);
        rv->scripter = NULL;
    }
    rv->scripts = o;
    if (!rv->library && !(rv->library = library_new()))
        mem_fail(&rv->p.c.mem);
    if (!rv->scripter && !(rv->scripter = scripter_new(&rv->p.c.mem, rv->library, &o)))
        mem_fail(&rv->p.c.mem);
    const script_end end = script_make(rv->scripter, &q, &rv->script, &why);
    if (end == SCRIPT_MEMORY)
        mem_fail(&rv->p.c.mem);
    if (end == SCRIPT_GOOD)
        rv->sample = rv->script.sample;
    return end == SCRIPT_GOOD;
}

/* Appends a text of one kernel. False: it does not compile. */
static bool put_text(record_validator *rv, const kernel *k, emit_device d, bool backward, strbuf *b)
{
    compiled_kernel c = pipeline_lower(&rv->p, rv->program, k);
    if (!c.ir)
        return false;
    pipeline_emit(&rv->p, &c);
    if (backward)
        emit_record_backward(b, &c.text[d]);
    else
        emit_record_forward(b, &c.text[d]);
    return true;
}

static str text_of(const record_view *r, int d, bool backward)
{
    return backward ? r->texts.backward[d] : r->texts.forward[d];
}

static bool compare_text(record_validator *rv, const record_view *r, emit_device d, bool backward,
                         strbuf *why)
{
    uint32_t n;
    const kernel *const *all = program_kernels(rv->program, &n);
    rv->text.n = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!put_text(rv, all[i], d, backward, &rv->text)) {
            SB_LIT(why, "a kernel of the script has no text");
            return false;
        }
    const str is = text_of(r, (int)d, backward), should = sb_view(&rv->text);
    return str_eq(is, should) ||
           validate_put_difference(record_text_key(d, backward), is, should, NULL, why);
}

bool validate_script_text(record_validator *rv, const record_view *r, strbuf *why)
{
    for (int d = EMIT_DEVICES - 1; d >= 0; d--)
        for (int backward = 0; backward < 2; backward++)
            if (r->devices & 1u << d && (r->backward || !backward) &&
                !compare_text(rv, r, (emit_device)d, backward, why))
                return false;
    return true;
}

bool validate_script_cuda(record_validator *rv, const record_view *r, strbuf *why)
{
    uint32_t n;
    const kernel *const *all = program_kernels(rv->program, &n);
    rv->text.n = 0;
    for (uint32_t i = 0; i < n; i++)
        script_join(&rv->text, cuda_plain_source(&rv->p.c, rv->program, all[i], NULL));
    return str_eq(r->cuda_source->text, sb_view(&rv->text)) ||
           validate_put_difference("cuda_source", r->cuda_source->text, sb_view(&rv->text), NULL,
                                   why);
}

/* The part of the record's text that is the next kernel's, as long as what weft emits for it. */
static bool next_part(record_validator *rv, const record_view *r, const kernel *k, int d,
                      bool backward, size_t *at, str *out)
{
    const str all = text_of(r, d, backward);
    *out = (str){0};
    if (!(r->devices & 1u << d) || (backward && !r->backward))
        return true;
    rv->text.n = 0;
    if (!put_text(rv, k, (emit_device)d, backward, &rv->text) || *at + rv->text.n > all.n)
        return false;
    *out = (str){all.p + *at, rv->text.n};
    *at += rv->text.n;
    return true;
}

/* Executes the texts of all kernels on the inputs that they were proved with. */
static bool prove_all(record_validator *rv, const record_view *r, check_result *all, strbuf *why)
{
    uint32_t n;
    size_t at[EMIT_DEVICES][2] = {{0}};
    const kernel *const *kernels = program_kernels(rv->program, &n);
    const gen_request q = {.seed = r->seed, .index = r->index};
    *all = (check_result){0};
    for (uint32_t i = 0; i < n; i++) {
        check_subject subject = {0};
        check_result one;
        for (int d = 0; d < EMIT_DEVICES; d++)
            if (!next_part(rv, r, kernels[i], d, false, &at[d][0], &subject.forward[d]) ||
                !next_part(rv, r, kernels[i], d, true, &at[d][1], &subject.backward[d])) {
                SB_LIT(why, "cannot be executed: its texts are not those of its kernels");
                return false;
            }
        const gen_sample *is = rv->script.is[i];
        if (is->nargs != kernels[i]->code.nparams) {
            SB_LIT(why, "cannot be executed: its kernels are not those that weft generates");
            return false;
        }
        script_prove_kernel(rv->checker, kernels[i], is, &q, &subject, &one);
        if (one.reason) {
            sb_printf(why, "is not proved (%s): kernel %.*s: %s", one.reason, (int)is->kernel.n,
                      is->kernel.p, one.detail);
            return false;
        }
        script_add_proof(all, &one, i == 0);
    }
    return true;
}

/* Needs: rv->checker. */
bool validate_script_execution(record_validator *rv, const record_view *r, strbuf *why)
{
    check_result found;
    const json_value *const *v = r->v;
    if (!validate_make_script(rv, r) || rv->script.nkernels != r->nkernels ||
        !str_eq(rv->script.sample.source, r->source)) {
        SB_LIT(why, "cannot be executed: the script is not what weft generates, whose inputs and "
                    "expected values are known");
        return false;
    }
    if (!prove_all(rv, r, &found, why))
        return false;
    const bool counted =
        record_is_not_run(r) || (json_count(v[FIELD_PROOF_INPUTS]) == found.inputs &&
                                 json_count(v[FIELD_PROOF_MUTANTS]) == found.mutants &&
                                 json_count(v[FIELD_PROOF_KILLED]) == found.killed);
    return (counted && validate_agrees(r, &found)) || validate_say_other(&found, why);
}
