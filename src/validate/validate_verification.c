/* metadata.verification: what was found out about the pair when it was made. */
#include "check/check.h"
#include "validate/validate_record.h"

enum {
    V_STATUS,
    V_CLASS,
    V_INPUTS,
    V_FORWARD_ERROR,
    V_ADJOINT_ERROR,
    V_TOLERANCE,
    V_MUTANTS,
    V_KILLED
};

static const json_field fields[] = {
    [V_STATUS] = {"status", JSON_STRING, false},
    [V_CLASS] = {"class", JSON_STRING, false},
    [V_INPUTS] = {"inputs", JSON_COUNT, false},
    [V_FORWARD_ERROR] = {"forward_error", JSON_NUMBER_OR_NULL, false},
    [V_ADJOINT_ERROR] = {"adjoint_error", JSON_NUMBER_OR_NULL, false},
    [V_TOLERANCE] = {"tolerance", JSON_NUMBER_OR_NULL, false},
    [V_MUTANTS] = {"mutants", JSON_COUNT, false},
    [V_KILLED] = {"killed", JSON_COUNT, false},
};
enum { V_COUNT = sizeof fields / sizeof *fields };

static const char *without_run(const json_value *const *v)
{
    const bool empty = !json_count(v[V_INPUTS]) && json_is(v[V_FORWARD_ERROR], JSON_TYPE_NULL) &&
                       json_is(v[V_ADJOINT_ERROR], JSON_TYPE_NULL) &&
                       json_is(v[V_TOLERANCE], JSON_TYPE_NULL) && !json_count(v[V_MUTANTS]) &&
                       !json_count(v[V_KILLED]) && !v[V_CLASS]->text.p[0];
    return empty ? NULL : "has results, but status not_run";
}

/* What is wrong with the evidence for a status; NULL: nothing. */
static const char *with_run(const json_value *const *v, check_status status)
{
    const bool measured = status == CHECK_EXACT || status == CHECK_WARP_DIFFERS;
    const check_result r = {.mutants = (uint32_t)json_count(v[V_MUTANTS]),
                            .killed = (uint32_t)json_count(v[V_KILLED])};
    if (json_count(v[V_INPUTS]) < CHECK_INPUTS || json_count(v[V_INPUTS]) > CHECK_INPUTS_MAX)
        return "has a number of inputs that no proof has";
    if (!json_is(v[V_FORWARD_ERROR], JSON_TYPE_NUMBER) || json_number(v[V_FORWARD_ERROR]) != 0)
        return "has a forward_error that is not 0";
    if (measured != json_is(v[V_ADJOINT_ERROR], JSON_TYPE_NUMBER) ||
        measured != json_is(v[V_TOLERANCE], JSON_TYPE_NUMBER))
        return "has an adjoint_error or a tolerance that does not go with its status";
    if (measured && (json_number(v[V_ADJOINT_ERROR]) < 0 || json_number(v[V_ADJOINT_ERROR]) > 1 ||
                     json_number(v[V_TOLERANCE]) <= 0 || json_number(v[V_TOLERANCE]) > 1))
        return "has an adjoint_error or a tolerance outside of 0 to 1";
    if (status == CHECK_EXACT && json_number(v[V_ADJOINT_ERROR]) > json_number(v[V_TOLERANCE]))
        return "has an adjoint_error above its tolerance";
    if (status == CHECK_WARP_DIFFERS ? !check_class_known(v[V_CLASS]->text.p)
                                     : v[V_CLASS]->text.p[0] != 0)
        return "has a class that does not go with its status";
    if (!r.mutants || r.killed > r.mutants || !check_is_adequate(&r))
        return "has too few mutants killed";
    return NULL;
}

bool verification_read(const json_value *object, strbuf *why)
{
    const json_value *v[V_COUNT];
    if (!json_fields(object, fields, V_COUNT, true, "metadata.verification.", v, why))
        return false;
    const char *name = v[V_STATUS]->text.p, *wrong = ".status is unknown";
    uint32_t status = 0;
    while (status < CHECK_FAILED && strcmp(name, check_status_name((check_status)status)) != 0)
        status++;
    if (status < CHECK_FAILED)
        wrong = with_run(v, (check_status)status);
    else if (strcmp(name, "not_run") == 0)
        wrong = without_run(v);
    if (wrong) {
        SB_LIT(why, "metadata.verification");
        sb_c(why, wrong[0] == '.' ? "" : " ");
        sb_c(why, wrong);
    }
    return !wrong;
}

bool verification_agrees(const json_value *object, const check_result *p)
{
    const char *status = json_get(object, "status")->text.p;
    const char *class = json_get(object, "class")->text.p;
    return strcmp(status, "not_run") == 0 || (strcmp(status, check_status_name(p->status)) == 0 &&
                                              strcmp(class, p->class ? p->class : "") == 0);
}

/* Both were measured on the same inputs; the libraries of two machines may round differently. */
bool verification_repeats(const json_value *object, const check_result *p)
{
    const json_value *error = json_get(object, "adjoint_error");
    if (!json_is(error, JSON_TYPE_NUMBER)) /* it was not run, or had nothing to measure */
        return true;
    const double was = json_number(error);
    const double off = was > p->adjoint_error ? was - p->adjoint_error : p->adjoint_error - was;
    return p->status != CHECK_WARP_DIFFERS || off <= 1e-3 * was;
}
