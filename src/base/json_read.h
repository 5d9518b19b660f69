/* Reading JSON strictly: cJSON for the structure, a check of our own for what it lets through. */
#ifndef WEFT_BASE_JSON_READ_H
#define WEFT_BASE_JSON_READ_H

#include <cjson/cJSON.h>

#include "base/str.h"

enum { JSON_BIG_MAX = 4 };
#define JSON_EXACT (UINT64_C(1) << 53) /* whole numbers up to here are exact */

/* The whole numbers above JSON_EXACT, in order. */
typedef struct json_big {
    uint64_t v[JSON_BIG_MAX];
    uint32_t n;
} json_big;

/* Encoding, control characters, escapes, numbers, words. NULL, or what is wrong at byte *at. */
const char *json_lint(str text, json_big *big, size_t *at);

/* The value that is all of the text; or NULL, what is wrong, and at which byte. The caller deletes
 * it. */
cJSON *json_parse(str text, json_big *big, const char **wrong, size_t *at);
/* The value that is all of the text, or NULL with the reason appended to why; the caller deletes
 * it. */
cJSON *json_read(str text, json_big *big, strbuf *why);

typedef enum json_kind {
    JSON_STRING,
    JSON_COUNT, /* a whole number, not negative */
    JSON_SMALL, /* a whole number of up to nine digits */
    JSON_NUMBER_OR_NULL,
    JSON_STRING_OR_NULL,
    JSON_ARRAY,
    JSON_OBJECT,
    JSON_BOOL
} json_kind;

typedef struct json_field {
    const char *name;
    json_kind kind;
    bool optional;
} json_field;

/* Sorts an object's values into out[0..n) by the table; one that is not there is NULL. With
 * `closed`, other keys are an error. False: something is missing, twice there or of the wrong type,
 * and why tells it; `where` is the object's name with a dot, or empty. */
bool json_fields(const cJSON *object, const json_field *fields, uint32_t n, bool closed,
                 const char *where, const cJSON **out, strbuf *why);
uint64_t json_count(const cJSON *value);

#endif
