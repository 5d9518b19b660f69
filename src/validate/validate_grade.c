/* SPDX-License-Identifier: Apache-2.0 */
/* The columns for trainers and graders, made anew and compared, for validate_work.c:
 *
 *     an expected 2.0 in `tests` made 2.5
 *     ->  "tests differs from what weft emits in line 1: '...2.5], ...', not '...2.0], ...'" */
#include "record/grade.h"
#include "validate/validate_record.h"

static str prompt_of(const record_validator *rv, const record_view *r)
{
    return r->is_messages ? rv->has_sample ? rv->sample.prompt : STR("") : r->prompt;
}

/* Of a pair each text has its number, of a conversation all messages have one. */
static uint64_t count_tokens(const record_view *r, record_field f)
{
    const record_texts *t = &r->texts;
    uint64_t n = 0;
    switch (f) {
    case FIELD_TOKENS_PROMPT: return grade_tokens(r->prompt);
    case FIELD_TOKENS_PYTHON_SOURCE: return grade_tokens(r->source);
    case FIELD_TOKENS_CUDA_SOURCE: return r->cuda_source ? grade_tokens(r->cuda_source->text) : 0;
    case FIELD_TOKENS_CUDA_IR_FORWARD: return grade_tokens(t->forward[EMIT_CUDA]);
    case FIELD_TOKENS_CUDA_IR_BACKWARD: return grade_tokens(t->backward[EMIT_CUDA]);
    case FIELD_TOKENS_CPP_FORWARD: return grade_tokens(t->forward[EMIT_CPU]);
    case FIELD_TOKENS_CPP_BACKWARD: return grade_tokens(t->backward[EMIT_CPU]);
    default: break;
    }
    WEFT_ASSERT(f == FIELD_TOKENS_MESSAGES);
    for (const json_value *e = r->v[FIELD_MESSAGES]->child; e; e = e->next)
        n += grade_tokens(json_get(e, "content")->text);
    return n;
}

bool validate_grade(const record_validator *rv, const record_view *r, strbuf *why)
{
    char id[GRADE_ID];
    WEFT_ASSERT(r->v[FIELD_PROBLEM_ID] && r->v[FIELD_TOKENS]);
    const str is = r->v[FIELD_PROBLEM_ID]->text;
    const bool has_none = r->is_messages && !r->is_graded; /* record_shape.c has no source there */
    grade_problem_id(prompt_of(rv, r), r->source, id);
    if (has_none ? is.n > 0 : !str_eq(is, (str){id, GRADE_ID})) {
        SB_LIT(why, "problem_id is not ");
        sb_put(why, id, GRADE_ID);
        return record_say(why, ", which the prompt gives");
    }
    for (record_field f = FIELD_TOP; (f = record_field_child(FIELD_TOKENS, f)) != FIELD_TOP;) {
        if (!r->v[f])
            continue;
        const uint64_t stated = json_count(r->v[f]), should = count_tokens(r, f);
        if (stated == should)
            continue;
        record_field_put_path(why, f);
        SB_LIT(why, " is ");
        sb_uint(why, stated);
        SB_LIT(why, ", the text has ");
        sb_uint(why, should);
        return false;
    }
    return true;
}

/* Does the record state these tests, in verification_info and as a column? */
static bool are_tests(record_validator *rv, const record_view *r, str tests, const char *no_tests,
                      strbuf *why)
{
    gen_arg args[SAMPLE_ARGS_MAX];
    strbuf *b = &rv->filled;
    for (uint32_t i = 0; i < r->nargs; i++)
        args[i] = (gen_arg){.name = r->args[i].name, .type = r->args[i].type};
    const grade_subject subject = {.language = r->is_messages ? task_language(r->task, r->devices)
                                                              : "python",
                                   .kernel = r->kernel,
                                   .args = args,
                                   .nargs = r->nargs,
                                   .block_dim = record_count(r, FIELD_BLOCK_DIM),
                                   .tests = tests,
                                   .why = no_tests};
    const str info = r->v[FIELD_VERIFICATION_INFO]->text;
    if (r->v[FIELD_TESTS] && !str_eq(r->v[FIELD_TESTS]->text, tests))
        return validate_put_difference("tests", r->v[FIELD_TESTS]->text, tests, NULL, why);
    b->n = 0;
    grade_put_info(b, &subject);
    return str_eq(info, sb_view(b)) ||
           validate_put_difference("verification_info", info, sb_view(b), NULL, why);
}

/* The launches of the proof are drawn and executed again. Where the record states that there are no
 * tests for an option, the set's manifest tells whether that is so. */
bool validate_tests(record_validator *rv, const record_view *r, strbuf *why)
{
    check_arg args[SAMPLE_ARGS_MAX];
    check_result result;
    WEFT_ASSERT(r->is_graded && rv->checker);
    if (grade_is_untested(r->v[FIELD_VERIFICATION_INFO]->text))
        return are_tests(rv, r, STR("[]"), GRADE_NO_TESTS, why);
    if (record_is_not_run(r))
        return are_tests(rv, r, STR("[]"), GRADE_NOT_RUN, why);
    if (r->is_script)
        return are_tests(rv, r, STR("[]"), GRADE_SCRIPT, why);
    for (uint32_t i = 0; i < r->nargs; i++)
        args[i] = (check_arg){r->args[i].shape, r->args[i].mag, r->args[i].values};
    const check_subject subject = {.kernel = rv->compiled.kernel,
                                   .launch = r->launch,
                                   .args = args,
                                   .seed = r->seed,
                                   .index = r->index};
    if (!check_repeat(rv->checker, &subject, &result)) {
        SB_LIT(why, "tests: the proof's launches cannot be executed: ");
        sb_c(why, result.detail);
        return false;
    }
    rv->text.n = 0;
    const char *no_tests = check_put_tests(rv->checker, &rv->text);
    return are_tests(rv, r, sb_view(&rv->text), no_tests, why);
}
