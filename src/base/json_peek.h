/* SPDX-License-Identifier: Apache-2.0 */
/* Single values out of JSON text, without a tree: for texts that are passed on as they are.
 * Example: for a record {"id": "0-7", "metadata": {"family": "stencil", ...}} json_peek with
 * "metadata.family" gives "stencil", quotes included. What stands in front of a value is checked,
 * what follows it is not. All functions return false where the value is missing or malformed. */
#ifndef WEFT_BASE_JSON_PEEK_H
#define WEFT_BASE_JSON_PEEK_H

#include "base/str.h"

/* The value behind "metadata.family", say, in an object, as it stands there; points into `object`.
 */
bool json_peek(str object, const char *path, str *value);
/* The elements of an array, one after another: *at is 0 at first and moves behind each; false
 * after the last one. */
bool json_peek_element(str array, size_t *at, str *value);
/* The keys and values of an object, likewise; a key is given as it stands, without its quotes. */
bool json_peek_member(str object, size_t *at, str *key, str *value);
/* The values of a text, with nothing but space between them, likewise; false at its end, too: *at
 * is then behind the last one and the space. */
bool json_peek_value(str text, size_t *at, str *value);
/* Appends the text that a value stands for; false: it is no string. */
bool json_peek_string(str value, strbuf *out);
/* false: no whole number that fits. */
bool json_peek_count(str value, uint64_t *out);

#endif
