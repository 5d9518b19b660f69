/* SPDX-License-Identifier: Apache-2.0 */
/* Trees of JSON from the reader's events, and objects checked by tables of fields. Example of a
 * check: with the rows {"id", JSON_STRING}, {"index", JSON_COUNT} the object {"id": "0-7",
 * "index": -1} is refused with "index is not a whole number". Used by `weft validate`, which reads
 * each record so. */
#include "base/json_tree.h"

#include <math.h>

#include "base/assert.h"
#include "base/decimal.h"

/* --- building -------------------------------------------------------------------------------- */

/* A copy of a string without its quotes, escapes resolved, with a NUL behind it. */
static str dup_string(arena *a, str raw, bool escapes)
{
    if (!escapes)
        return (str){arena_dup(a, raw.p, raw.n), raw.n};
    char *p = arena_alloc(a, raw.n + 1);
    const size_t n = json_decode(raw, p);
    p[n] = 0;
    return (str){p, n};
}

/* The value of the event that r has just read, not linked yet. */
static json_value *new_value(arena *a, const json_reader *r)
{
    json_value *v = ARENA_NEW(a, json_value);
    v->type = r->type;
    if (r->key.p)
        v->key = dup_string(a, r->key, r->key_escapes);
    if (r->type == JSON_TYPE_STRING)
        v->text = dup_string(a, (str){r->raw.p + 1, r->raw.n - 2}, r->escapes);
    /* Numbers stay texts, so that 64-bit integers are exact. */
    else if (r->type == JSON_TYPE_NUMBER || r->type == JSON_TYPE_BOOL)
        v->text = dup_string(a, r->raw, false);
    return v;
}

/* Reads a value. ends[d] is where the next element at depth d is to be linked, so the tree is
 * built in one pass, with no recursion and in the order of the text. NULL: the reader's `wrong`
 * has the reason. */
static json_value *build(arena *a, json_reader *r)
{
    json_value *root = NULL, **ends[JSON_DEPTH_MAX + 1];
    ends[0] = &root;
    for (;;) {
        const uint32_t depth = r->depth;
        const json_event e = json_next(r);
        if (e == JSON_WRONG)
            return NULL;
        if (e == JSON_DONE)
            return root;
        /* The list that ends needs nothing; ends[] of the outer depth is still right. */
        if (e == JSON_CLOSE)
            continue;
        WEFT_ASSERT(depth <= JSON_DEPTH_MAX && !*ends[depth]);
        json_value *v = *ends[depth] = new_value(a, r);
        ends[depth] = &v->next;
        if (e == JSON_OPEN)
            ends[depth + 1] = &v->child;
    }
}

/* Text behind the value is an error here, unlike in json_peek. */
const json_value *json_parse(arena *a, str text, json_rules rules, const char **wrong, size_t *at)
{
    json_reader r;
    json_start(&r, text, rules);
    const json_value *v = NULL;
    /* Nothing but space. */
    if (json_ends(&r)) {
        *wrong = "an empty line";
    } else if (!(v = build(a, &r))) {
        *wrong = r.wrong;
    } else if (!json_ends(&r)) {
        *wrong = "not JSON: text follows the record";
        v = NULL;
    }
    *at = r.at;
    return v;
}

const json_value *json_read(arena *a, str text, strbuf *why)
{
    size_t at;
    const char *wrong;
    const json_value *v = json_parse(a, text, JSON_LINE, &wrong, &at);
    if (v)
        return v;
    sb_c(why, wrong);
    /* Bytes count from 1, as editors count. */
    if (text.n) {
        SB_LIT(why, " at byte ");
        sb_uint(why, at + 1);
    }
    return NULL;
}

/* --- values ---------------------------------------------------------------------------------- */

bool json_is_true(const json_value *v)
{
    return json_is(v, JSON_TYPE_BOOL) && v->text.p[0] == 't';
}

double json_number(const json_value *v)
{
    WEFT_ASSERT(json_is(v, JSON_TYPE_NUMBER));
    const char *end;
    return decimal_read_double(v->text.p, &end);
}

/* Reads s if it is digits alone, and as many as fit 64 bits. */
static bool read_digits(str s, uint64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < '0' || s.p[i] > '9' || __builtin_mul_overflow(*out, 10u, out) ||
            __builtin_add_overflow(*out, (uint64_t)(s.p[i] - '0'), out))
            return false;
    return s.n > 0;
}

/* Digits alone are exact up to UINT64_MAX; other forms (1e3, 2.0) are judged as doubles. */
bool json_is_count(const json_value *v)
{
    uint64_t digits;
    if (!json_is(v, JSON_TYPE_NUMBER))
        return false;
    if (read_digits(v->text, &digits))
        return true;
    /* A count of more than 2^53 that is written as 1e18 is taken as the double that it is read as.
     */
    const double x = json_number(v);
    return x >= 0 && x < 0x1p64 && x == floor(x);
}

uint64_t json_count(const json_value *v)
{
    uint64_t digits;
    WEFT_ASSERT(json_is_count(v));
    return read_digits(v->text, &digits) ? digits : (uint64_t)json_number(v);
}

/* A key with a NUL inside (\u0000) ends there for this comparison. */
const json_value *json_get(const json_value *object, const char *key)
{
    const json_value *v = json_is(object, JSON_TYPE_OBJECT) ? object->child : NULL;
    while (v && strcmp(v->key.p, key) != 0)
        v = v->next;
    return v;
}

uint32_t json_size(const json_value *v)
{
    uint32_t n = 0;
    for (const json_value *e = v ? v->child : NULL; e; e = e->next)
        n++;
    return n;
}

/* --- fields ---------------------------------------------------------------------------------- */

/* A whole number that fits an int32 safely. */
static bool is_small(const json_value *v)
{
    if (!json_is(v, JSON_TYPE_NUMBER))
        return false;
    const double x = json_number(v);
    return fabs(x) < 1e9 && x == floor(x);
}

/* Does the value fit the row of a table? */
static bool has_kind(const json_value *v, json_kind kind)
{
    switch (kind) {
    case JSON_STRING: return v->type == JSON_TYPE_STRING;
    case JSON_STRING_OR_NULL: return v->type == JSON_TYPE_STRING || v->type == JSON_TYPE_NULL;
    case JSON_COUNT: return json_is_count(v);
    case JSON_SMALL: return is_small(v);
    /* 1e999 is a number of JSON, but no double. */
    case JSON_NUMBER_OR_NULL:
        return v->type == JSON_TYPE_NULL ||
               (v->type == JSON_TYPE_NUMBER && isfinite(json_number(v)));
    case JSON_BOOL: return v->type == JSON_TYPE_BOOL;
    case JSON_ARRAY: return v->type == JSON_TYPE_ARRAY;
    default: return v->type == JSON_TYPE_OBJECT;
    }
}

/* Names a key, cut at 64 bytes: it comes from the input and may be long. */
static bool report(strbuf *why, const char *what, const char *where, const char *name)
{
    static const char more[] = "...";
    const size_t n = strlen(name);
    sb_c(why, what);
    sb_c(why, where);
    sb_put(why, name, n < 64 ? n : 64);
    sb_c(why, n < 64 ? "" : more);
    return false;
}

static bool report_kind(strbuf *why, const json_field *f, const char *where)
{
    static const char *const kinds[] = {"a string",         "a whole number",   "a whole number",
                                        "a number or null", "a string or null", "an array",
                                        "an object",        "true or false"};
    report(why, "", where, f->name);
    SB_LIT(why, " is not ");
    sb_c(why, kinds[f->kind]);
    return false;
}

/* Tables have few rows, so a scan for each member is fastest. */
bool json_fields(const json_value *object, const json_field *fields, uint32_t n, bool closed,
                 const char *where, const json_value **out, strbuf *why)
{
    WEFT_ASSERT(json_is(object, JSON_TYPE_OBJECT));
    memset(out, 0, sizeof *out * n);
    for (const json_value *v = object->child; v; v = v->next) {
        uint32_t i = 0;
        while (i < n && strcmp(fields[i].name, v->key.p) != 0)
            i++;
        /* Without `closed` unknown keys are left to newer versions. */
        if (i == n && closed)
            return report(why, "an unknown key: ", where, v->key.p);
        if (i == n)
            continue;
        if (out[i])
            return report(why, "a key that is there twice: ", where, v->key.p);
        if (!has_kind(v, fields[i].kind))
            return report_kind(why, &fields[i], where);
        out[i] = v;
    }
    for (uint32_t i = 0; i < n; i++)
        if (!out[i] && !fields[i].optional)
            return report(why, "a missing key: ", where, fields[i].name);
    return true;
}
