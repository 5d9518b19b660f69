/* SPDX-License-Identifier: Apache-2.0 */
/* Writing JSON into a string builder. The caller writes braces and commas; strings are escaped
 * here:
 *
 *     tab<TAB>"x"   ->   "tab\t\"x\"" */
#ifndef WEFT_BASE_JSON_H
#define WEFT_BASE_JSON_H

#include "base/str.h"

/* Appends s as a JSON string with its quotes. What is not UTF-8 becomes U+FFFD. */
void json_string(strbuf *out, str s);
/* Appends `"key": ` with ", " before it unless it is an object's first; key is a literal that
 * needs no escapes. */
void json_key(strbuf *out, const char *key, bool first);
/* Appends a string, or null if s is NULL. */
void json_string_or_null(strbuf *out, const char *s);

#endif
