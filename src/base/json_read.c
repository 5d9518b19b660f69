/* JSON values by tables of fields. */
#include "base/json_read.h"

#include <math.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

cJSON *json_parse(str text, json_big *big, const char **wrong, size_t *at)
{
    *wrong = json_lint(text, big, at);
    if (*wrong)
        return NULL;
    while (text.n && is_space(text.p[text.n - 1]))
        text.n--;
    const char *end = text.p;
    cJSON *json = text.n ? cJSON_ParseWithLengthOpts(text.p, text.n, &end, 0) : NULL;
    *at = (size_t)(end - text.p);
    if (json && *at == text.n)
        return json;
    *wrong = !text.n             ? "an empty line"
             : json              ? "not JSON: text follows the record"
             : *at + 1 >= text.n ? "not JSON: the line breaks off"
                                 : "not JSON";
    cJSON_Delete(json);
    return NULL;
}

cJSON *json_read(str text, json_big *big, strbuf *why)
{
    size_t at;
    const char *wrong;
    cJSON *json = json_parse(text, big, &wrong, &at);
    if (json)
        return json;
    sb_c(why, wrong);
    if (text.n) {
        SB_LIT(why, " at byte ");
        sb_uint(why, at + 1);
    }
    return NULL;
}

static bool has_kind(const cJSON *value, json_kind kind)
{
    switch (kind) {
    case JSON_STRING: return cJSON_IsString(value);
    case JSON_STRING_OR_NULL: return cJSON_IsString(value) || cJSON_IsNull(value);
    case JSON_COUNT:
        return cJSON_IsNumber(value) && value->valuedouble >= 0 && value->valuedouble < 0x1p64 &&
               value->valuedouble == floor(value->valuedouble);
    case JSON_SMALL:
        return cJSON_IsNumber(value) && fabs(value->valuedouble) < 1e9 &&
               value->valuedouble == floor(value->valuedouble);
    case JSON_NUMBER_OR_NULL:
        return cJSON_IsNull(value) || (cJSON_IsNumber(value) && isfinite(value->valuedouble));
    case JSON_BOOL: return cJSON_IsBool(value);
    case JSON_ARRAY: return cJSON_IsArray(value);
    default: return cJSON_IsObject(value);
    }
}

static bool tell(strbuf *why, const char *what, const char *where, const char *name)
{
    static const char more[] = "...";
    const size_t n = strlen(name);
    sb_c(why, what);
    sb_c(why, where);
    sb_put(why, name, n < 64 ? n : 64);
    sb_c(why, n < 64 ? "" : more);
    return false;
}

static bool tell_kind(strbuf *why, const json_field *f, const char *where)
{
    static const char *const kinds[] = {"a string",         "a whole number",   "a whole number",
                                        "a number or null", "a string or null", "an array",
                                        "an object",        "true or false"};
    tell(why, "", where, f->name);
    SB_LIT(why, " is not ");
    sb_c(why, kinds[f->kind]);
    return false;
}

bool json_fields(const cJSON *object, const json_field *fields, uint32_t n, bool closed,
                 const char *where, const cJSON **out, strbuf *why)
{
    memset(out, 0, sizeof *out * n);
    for (const cJSON *v = object->child; v; v = v->next) {
        uint32_t i = 0;
        while (i < n && strcmp(fields[i].name, v->string) != 0)
            i++;
        if (i == n && closed)
            return tell(why, "an unknown key: ", where, v->string);
        if (i == n)
            continue;
        if (out[i])
            return tell(why, "a key that is there twice: ", where, v->string);
        if (!has_kind(v, fields[i].kind))
            return tell_kind(why, &fields[i], where);
        out[i] = v;
    }
    for (uint32_t i = 0; i < n; i++)
        if (!out[i] && !fields[i].optional)
            return tell(why, "a missing key: ", where, fields[i].name);
    return true;
}

uint64_t json_count(const cJSON *value)
{
    return (uint64_t)value->valuedouble;
}
