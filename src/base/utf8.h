/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 of texts that come from outside, and single characters. Example: U+20AC and the bytes
 * e2 82 ac. Lone surrogates are three bytes (WTF-8), since Python's strings may hold them: "\ud800"
 * is a valid literal; only utf8_length, which checks files, refuses them. */
#ifndef WEFT_BASE_UTF8_H
#define WEFT_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Length of the well-formed character at p, of which n bytes, at least 1, may be read. 0: there is
 * none, or one of ASCII, which callers have seen to before (table 3-7 of the Unicode standard: no
 * overlong forms, no surrogates, nothing beyond U+10FFFF). */
size_t utf8_length(const char *p, size_t n);
/* Writes c as UTF-8 (surrogates too) to out, which has room for four bytes; returns their number.
 */
size_t utf8_put(char *out, uint32_t c);
/* Reads the character at *s and moves *s behind it; the text must be well-formed (surrogates
 * allowed), since no byte is checked. */
uint32_t utf8_get(const char **s);

#endif
