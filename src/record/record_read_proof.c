/* SPDX-License-Identifier: Apache-2.0 */
/* Reads metadata.verification: the evidence must go with the status. A proof that was not run has
 * no results; one that was run has inputs, a forward error of 0 and enough mutants killed.
 *
 *     status "exact", inputs 0   ->   "metadata.verification has a number of inputs that no proof
 *                                     has" */
#include "check/check.h"
#include "record/record_read.h"

/* What is wrong with the results of a proof that was not run; NULL: nothing, there are none. */
static const char *without_run(const json_value *const *v)
{
    const bool empty = !json_count(v[FIELD_PROOF_INPUTS]) &&
                       json_is(v[FIELD_PROOF_FORWARD_ERROR], JSON_TYPE_NULL) &&
                       json_is(v[FIELD_PROOF_ADJOINT_ERROR], JSON_TYPE_NULL) &&
                       json_is(v[FIELD_PROOF_TOLERANCE], JSON_TYPE_NULL) &&
                       !json_count(v[FIELD_PROOF_MUTANTS]) && !json_count(v[FIELD_PROOF_KILLED]) &&
                       !v[FIELD_PROOF_CLASS]->text.p[0];
    return empty ? NULL : "has results, but status not_run";
}

/* What is wrong with the evidence for a status; NULL: nothing. The bounds are those of check/: the
 * number of input sets, and check_is_adequate for the mutants. */
static const char *with_run(const json_value *const *v, check_status status, bool collected)
{
    const bool measured = status == CHECK_EXACT || status == CHECK_WARP_DIFFERS;
    const check_result r = {.mutants = (uint32_t)json_count(v[FIELD_PROOF_MUTANTS]),
                            .killed = (uint32_t)json_count(v[FIELD_PROOF_KILLED])};
    if (json_count(v[FIELD_PROOF_INPUTS]) < CHECK_INPUTS ||
        json_count(v[FIELD_PROOF_INPUTS]) > CHECK_INPUTS_MAX)
        return "has a number of inputs that no proof has";
    if (!json_is(v[FIELD_PROOF_FORWARD_ERROR], JSON_TYPE_NUMBER) ||
        json_number(v[FIELD_PROOF_FORWARD_ERROR]) != 0)
        return "has a forward_error that is not 0";
    if (measured != json_is(v[FIELD_PROOF_ADJOINT_ERROR], JSON_TYPE_NUMBER) ||
        measured != json_is(v[FIELD_PROOF_TOLERANCE], JSON_TYPE_NUMBER))
        return "has an adjoint_error or a tolerance that does not go with its status";
    if (measured &&
        (json_number(v[FIELD_PROOF_ADJOINT_ERROR]) < 0 ||
         json_number(v[FIELD_PROOF_ADJOINT_ERROR]) > 1 ||
         json_number(v[FIELD_PROOF_TOLERANCE]) <= 0 || json_number(v[FIELD_PROOF_TOLERANCE]) > 1))
        return "has an adjoint_error or a tolerance outside of 0 to 1";
    if (status == CHECK_EXACT &&
        json_number(v[FIELD_PROOF_ADJOINT_ERROR]) > json_number(v[FIELD_PROOF_TOLERANCE]))
        return "has an adjoint_error above its tolerance";
    if (status == CHECK_WARP_DIFFERS ? !check_class_known(v[FIELD_PROOF_CLASS]->text.p)
                                     : v[FIELD_PROOF_CLASS]->text.p[0] != 0)
        return "has a class that does not go with its status";
    if (r.killed > r.mutants)
        return "has more mutants killed than there are";
    /* Inputs that tell little prove no gradient; a kernel that was found has no others, and perhaps
     * no statement that a mutant changes. */
    if (collected && status == CHECK_FORWARD)
        return NULL;
    if ((!r.mutants && !collected) || !check_is_adequate(&r))
        return "has too few mutants killed";
    return NULL;
}

/* Statuses below CHECK_FAILED are those of a proof that was run and accepted. */
bool record_read_proof(record_view *r, strbuf *why)
{
    const json_value *const *v = r->v;
    const unsigned traits = r->is_collected ? TRAIT_COLLECTED : 0;
    if (!record_read_fields(r, v[FIELD_VERIFICATION], FIELD_VERIFICATION, traits, traits, why))
        return false;
    const str name = v[FIELD_PROOF_STATUS]->text;
    const char *wrong = ".status is unknown";
    check_status status = 0;
    while (status < CHECK_FAILED && !str_eq(name, str_c(check_status_name(status))))
        status++;
    if (status < CHECK_FAILED)
        wrong = with_run(v, status, r->is_collected);
    else if (str_eq(name, STR("not_run")))
        wrong = without_run(v);
    if (!wrong)
        return true;
    record_field_put_path(why, FIELD_VERIFICATION);
    sb_c(why, wrong[0] == '.' ? "" : " ");
    return record_say(why, wrong);
}
