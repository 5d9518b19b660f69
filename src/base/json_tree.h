/* SPDX-License-Identifier: Apache-2.0 */
/* JSON as a tree, and tables of the fields that an object has to have. All lives in the arena that
 * the text was read into: a tree ends with it, also where memory fails on the way. Example: {"a":
 * [1, "x"]} is
 *
 *     object -child-> array, key "a" -child-> number "1" -next-> string "x"
 */
#ifndef WEFT_BASE_JSON_TREE_H
#define WEFT_BASE_JSON_TREE_H

#include "base/arena.h"
#include "base/json_read.h"

/* A value. Elements and members are a list from `child` on, linked by `next`, in the order of the
 * text. */
typedef struct json_value json_value;
struct json_value {
    json_type type;
    str key;                  /* of a member; with a NUL behind it, as `text` */
    str text;                 /* what a string stands for; a number or a bool as it is written */
    json_value *child, *next; /* NULL: there is none */
};

/* The value that is all of the text. NULL: *wrong is the reason, a constant, and *at the byte. */
const json_value *json_parse(arena *a, str text, json_rules rules, const char **wrong, size_t *at);
/* The same for a line that weft has written (JSON_LINE); the reason is appended to why. */
const json_value *json_read(arena *a, str text, strbuf *why);

/* The functions below accept NULL, which is no value. */

static inline bool json_is(const json_value *v, json_type wanted)
{
    return v && v->type == wanted;
}

bool json_is_true(const json_value *v);
/* A whole number from 0 to UINT64_MAX, however it is written. */
bool json_is_count(const json_value *v);
/* Needs: json_is_count. Exact. */
uint64_t json_count(const json_value *v);
/* Needs: a number. */
double json_number(const json_value *v);
/* What a string stands for; empty: there is none. */
static inline str json_text(const json_value *v)
{
    return json_is(v, JSON_TYPE_STRING) ? v->text : (str){0};
}

/* A member of an object; NULL: there is none. Of several the first. */
const json_value *json_get(const json_value *object, const char *key);
/* Elements of an array or members of an object; 0 for others and NULL. */
uint32_t json_size(const json_value *v);

/* What a field may hold. */
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
 * `closed`, other keys are an error. False: something is missing, twice there or of the wrong
 * type, and the reason is appended to why; `where` is the object's name with a dot, or empty. */
bool json_fields(const json_value *object, const json_field *fields, uint32_t n, bool closed,
                 const char *where, const json_value **out, strbuf *why);

#endif
