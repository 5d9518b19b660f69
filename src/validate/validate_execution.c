/* SPDX-License-Identifier: Apache-2.0 */
/* Executes a record's texts against its source (check/check.h), for validate_work.c, on inputs
 * other than those that it was proved on: a text that was fitted to the proof's inputs fails here.
 * Where other inputs cannot decide (is_open), the proof's inputs are run as well, and must give
 * what metadata.verification says. A reason reads
 *
 *     is not proved (forward): ...
 *     metadata.verification says something else than what is found: warp_differs, normalize */
#include "check/check_found.h"
#include "record/record_name.h"
#include "validate/validate_record.h"

static bool verification_repeats(const record_view *r, const check_result *p);

/* What the record's seed is mixed with, for inputs that it was not made with. */
#define FRESH UINT64_C(0x9e3779b97f4a7c15)

enum { MORE = 12 }; /* further input sets for the forward texts */
/* An error of an adjoint that may be rounding: normalize(a - b) of equals, say. */
#define SMALL 0.01

/* The arguments' shapes and magnitudes by the metadata, from which the inputs are drawn. */
static void describe(const record_view *r, check_arg *args)
{
    WEFT_ASSERT(r->nargs <= SAMPLE_ARGS_MAX);
    for (uint32_t i = 0; i < r->nargs; i++)
        args[i] = (check_arg){r->args[i].shape, r->args[i].mag, r->args[i].values};
}

/* False, with the proof's reason: "is not proved (forward): ...". */
static bool say_result(const check_result *p, strbuf *why)
{
    WEFT_ASSERT(p->status == CHECK_FAILED || p->status == CHECK_CANNOT);
    const char *reason = p->reason ? p->reason : "";
    sb_c(why, p->status == CHECK_CANNOT ? "cannot be executed (" : "is not proved (");
    sb_c(why, reason);
    SB_LIT(why, ")");
    if (p->detail[0]) {
        SB_LIT(why, ": ");
        sb_c(why, p->detail);
    }
    return false;
}

/* own: the inputs that the record was made with, and its mutants; else fresh inputs, and more of
 * them for the forward texts. */
static check_subject subject_of(const record_validator *rv, const record_view *r, bool own,
                                check_arg *args)
{
    describe(r, args);
    return (check_subject){.kernel = rv->compiled.kernel,
                           .launch = r->launch,
                           .args = args,
                           .forward = {r->texts.forward[EMIT_CPU], r->texts.forward[EMIT_CUDA]},
                           .backward = {r->texts.backward[EMIT_CPU], r->texts.backward[EMIT_CUDA]},
                           .seed = own ? r->seed : r->seed ^ FRESH,
                           .index = r->index,
                           .foreign = r->is_collected,
                           .no_mutants = !own,
                           .more = own ? 0 : MORE};
}

static void prove(record_validator *rv, const record_view *r, bool own, check_result *p)
{
    check_arg args[SAMPLE_ARGS_MAX];
    const check_subject subject = subject_of(rv, r, own, args);
    check_pair(rv->checker, &subject, p);
}

/* Gradients may be of another class on other inputs, and Warp's text may use what has no value:
 * then the inputs that the record was made with decide. An adjoint that is wrong by much without a
 * cause is wrong on any. */
static bool is_open(const record_view *r, const check_result *fresh)
{
    if (fresh->status == CHECK_FAILED) {
        const check_reason why = check_reason_find(fresh->reason);
        return why == CHECK_REASON_UNINITIALISED ||
               (why == CHECK_REASON_ADJOINT && fresh->adjoint_error < SMALL);
    }
    if (fresh->status == CHECK_CANNOT) { /* larger launches than those of the proof, few digits */
        const check_reason why = check_reason_find(fresh->reason);
        return why == CHECK_REASON_FUEL || why == CHECK_REASON_ROUNDING ||
               why == CHECK_REASON_UNSPECIFIED;
    }
    return fresh->status == CHECK_WARP_DIFFERS || !validate_agrees(r, fresh);
}

/* False, with what was found: "...: warp_differs, 3 inputs, 20 of 20 mutants, normalize". */
bool validate_say_other(const check_result *p, strbuf *why)
{
    SB_LIT(why, "metadata.verification says something else than what is found: ");
    sb_c(why, check_status_name(p->status));
    sb_printf(why, ", %u inputs, %u of %u mutants", p->inputs, p->killed, p->mutants);
    if (p->class) {
        SB_LIT(why, ", ");
        sb_c(why, p->class);
    }
    return false;
}

/* A kernel that was found promises nothing about other inputs: only the proof's own are run. What
 * was not executed then must not be executable now, for the same reason. */
static bool validate_found_execution(record_validator *rv, const record_view *r, strbuf *why)
{
    static const char *const not_tried[] = {"--no-verify", RECORD_UNPROVED};
    check_arg args[SAMPLE_ARGS_MAX];
    check_result p;
    const str stated = r->v[FIELD_PROOF_WHY]->text;
    if (record_is_not_run(r) && STR_IS_IN(stated, not_tried))
        return true;
    check_subject subject = subject_of(rv, r, true, args);
    rv->text.n = 0;
    check_found(rv->checker, &subject, &p, &rv->text);
    const bool cannot = p.status == CHECK_FAILED || p.status == CHECK_CANNOT;
    if (cannot && (check_differs(&p) || !record_is_not_run(r)))
        return say_result(&p, why);
    if (cannot != record_is_not_run(r) || !validate_agrees(r, &p) ||
        (!cannot && !verification_repeats(r, &p)))
        return validate_say_other(&p, why);
    if (str_eq(stated, sb_view(&rv->text)))
        return true;
    SB_LIT(why, "metadata.verification.why is not what is found: ");
    sb_str(why, sb_view(&rv->text));
    return false;
}

/* Fresh inputs first, the proof's own only where those leave it open, then the comparison of both
 * passes by their text. */
bool validate_execution(record_validator *rv, const record_view *r, strbuf *why)
{
    check_result p;
    WEFT_ASSERT(rv->compiled.kernel);
    if (r->nargs != rv->compiled.kernel->code.nparams) {
        SB_LIT(why, "cannot be executed: metadata.arguments are not the kernel's");
        return false;
    }
    if (!rv->checker)
        rv->checker = check_new(&rv->p.c);
    if (r->is_script)
        return validate_script_execution(rv, r, why);
    if (r->is_collected)
        return validate_found_execution(rv, r, why);
    prove(rv, r, false, &p);
    const bool open = is_open(r, &p);
    if (open)
        prove(rv, r, true, &p);
    if (p.status == CHECK_FAILED || p.status == CHECK_CANNOT)
        return say_result(&p, why);
    if (!validate_agrees(r, &p) || (open && !verification_repeats(r, &p)))
        return validate_say_other(&p, why);
    /* A gradient that somebody wrote may compute what the forward text does not. */
    return validate_repeat(rv, r, why);
}

/* Does metadata.verification say what was found? A record that was made with --no-verify says
 * nothing, and agrees. */
bool validate_agrees(const record_view *r, const check_result *p)
{
    const str status = r->v[FIELD_PROOF_STATUS]->text;
    return record_is_not_run(r) || (str_eq(status, str_c(check_status_name(p->status))) &&
                                    str_eq(record_class(r), str_c(p->class ? p->class : "")));
}

/* Are two measured figures the same, but for how the libraries of two machines round? */
static bool repeats(const json_value *stated, double found)
{
    if (!json_is(stated, JSON_TYPE_NUMBER)) /* it was not run, or had nothing to measure */
        return true;
    const double was = json_number(stated);
    return (was > found ? was - found : found - was) <= 1e-3 * was;
}

/* Both were measured on the same inputs. Those of a kernel that was found stand in the record
 * alone, so their judgement must come out again, with all figures: else they are other ones. */
static bool verification_repeats(const record_view *r, const check_result *p)
{
    const json_value *const *v = r->v;
    if (!r->is_collected)
        return p->status != CHECK_WARP_DIFFERS ||
               repeats(v[FIELD_PROOF_ADJOINT_ERROR], p->adjoint_error);
    return json_count(v[FIELD_PROOF_INPUTS]) == p->inputs &&
           json_count(v[FIELD_PROOF_MUTANTS]) == p->mutants &&
           json_count(v[FIELD_PROOF_KILLED]) == p->killed &&
           repeats(v[FIELD_PROOF_ADJOINT_ERROR], p->adjoint_error) &&
           repeats(v[FIELD_PROOF_TOLERANCE], p->adjoint_tolerance);
}
