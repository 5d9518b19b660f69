/* SPDX-License-Identifier: Apache-2.0 */
/* Single values from the events of the reader (json_peek.h): nothing is allocated, and reading
 * stops at the value. Example: json_peek of {"a": {"b": [1, 2]}, "c": ...} with "a.b" gives "[1,
 * 2]" and never reads "c". */
#include "base/json_peek.h"

#include "base/assert.h"
#include "base/json_read.h"

/* Sets *value to the whole of the value that the event e began. False: e is no value, or it is
 * malformed. */
static bool finish(json_reader *r, json_event e, str *value)
{
    if (e != JSON_VALUE && (e != JSON_OPEN || !json_skip(r)))
        return false;
    *value = r->raw;
    return true;
}

/* A key with escapes is decoded on the way; most have none and are compared as they stand. */
static bool is_key(const json_reader *r, str wanted)
{
    return r->key_escapes ? json_decodes_to(r->key, wanted) : str_eq(r->key, wanted);
}

/* One step down for each part of the path. Members before the wanted one are skipped, those behind
 * it are not looked at. Of a key that is there twice, the first counts. */
bool json_peek(str object, const char *path, str *value)
{
    json_reader r;
    json_start(&r, object, JSON_ANY);
    json_event e = json_next(&r);
    for (;; path++) {
        const str wanted = {path, strcspn(path, ".")};
        if (e != JSON_OPEN || r.type != JSON_TYPE_OBJECT)
            return false;
        while ((e = json_next(&r)) == JSON_VALUE || e == JSON_OPEN) {
            if (is_key(&r, wanted))
                break;
            if (e == JSON_OPEN && !json_skip(&r))
                return false;
        }
        if (e != JSON_VALUE && e != JSON_OPEN)
            return false;
        path += wanted.n;
        if (!*path)
            return finish(&r, e, value);
    }
}

/* The next value of an array or object that is read from *at on. */
static bool next_within(json_reader *r, str text, bool object, size_t *at, str *value)
{
    json_start_within(r, text, object, *at);
    if (!*at && (json_next(r) != JSON_OPEN || (r->type == JSON_TYPE_OBJECT) != object))
        return false;
    if (!finish(r, json_next(r), value))
        return false;
    *at = r->at;
    return true;
}

bool json_peek_element(str array, size_t *at, str *value)
{
    WEFT_ASSERT(*at <= array.n);
    json_reader r;
    return next_within(&r, array, false, at, value);
}

bool json_peek_member(str object, size_t *at, str *key, str *value)
{
    WEFT_ASSERT(*at <= object.n);
    json_reader r;
    if (!next_within(&r, object, true, at, value))
        return false;
    *key = r.key;
    return true;
}

/* The reader starts afresh behind the last value, since a text of several values is no JSON text
 * of one. */
bool json_peek_value(str text, size_t *at, str *value)
{
    WEFT_ASSERT(*at <= text.n);
    json_reader r;
    const str rest = {text.p + *at, text.n - *at};
    json_start(&r, rest, JSON_ANY);
    json_ends(&r);
    const size_t from = r.at;
    const bool there = finish(&r, json_next(&r), value);
    *at += there ? r.at : from;
    return there;
}

/* The result is never longer than the text with its quotes and escapes. */
bool json_peek_string(str value, strbuf *out)
{
    json_reader r;
    json_start(&r, value, JSON_ANY);
    if (json_next(&r) != JSON_VALUE || r.type != JSON_TYPE_STRING || !json_ends(&r))
        return false;
    if (out->cap - out->n < value.n)
        sb_grow(out, value.n);
    out->n += json_decode((str){r.raw.p + 1, r.raw.n - 2}, out->p + out->n);
    return true;
}

bool json_peek_count(str value, uint64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < value.n; i++)
        if (value.p[i] < '0' || value.p[i] > '9' || __builtin_mul_overflow(*out, 10u, out) ||
            __builtin_add_overflow(*out, (uint64_t)(value.p[i] - '0'), out))
            return false;
    return value.n > 0;
}
