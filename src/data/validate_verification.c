/* metadata.verification: what was found out about the pair when it was made. */
#include "data/validate_record.h"

enum { V_STATUS, V_INPUTS, V_FORWARD_ERROR, V_ADJOINT_ERROR };

static const json_field fields[] = {
    [V_STATUS] = {"status", JSON_STRING, false},
    [V_INPUTS] = {"inputs_tried", JSON_COUNT, false},
    [V_FORWARD_ERROR] = {"forward_error", JSON_NUMBER_OR_NULL, false},
    [V_ADJOINT_ERROR] = {"adjoint_error", JSON_NUMBER_OR_NULL, false},
};
enum { V_COUNT = sizeof fields / sizeof *fields };

bool verification_read(const cJSON *object, strbuf *why)
{
    const cJSON *v[V_COUNT];
    if (!json_fields(object, fields, V_COUNT, true, "metadata.verification.", v, why))
        return false;
    if (strcmp(v[V_STATUS]->valuestring, "not_run") != 0) {
        SB_LIT(why, "metadata.verification.status is unknown");
        return false;
    }
    if (json_count(v[V_INPUTS]) || !cJSON_IsNull(v[V_FORWARD_ERROR]) ||
        !cJSON_IsNull(v[V_ADJOINT_ERROR])) {
        SB_LIT(why, "metadata.verification has results, but status not_run");
        return false;
    }
    return true;
}
