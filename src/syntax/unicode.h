/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of characters beyond ASCII as in Python 3.11 (Unicode 14.0): classes of characters,
 * NFKC, names. The tables are unicode_*.def, written by tools/gen_unicode.py. Examples:
 * U+00E9 continues a name, U+FB01 (a ligature) is "fi" in NFKC, "BULLET" is U+2022, whose UTF-8 is
 * e2 80 a2. */
#ifndef WEFT_SYNTAX_UNICODE_H
#define WEFT_SYNTAX_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool unicode_is_printable(uint32_t c); /* as str.isprintable */
bool unicode_begins_name(uint32_t c);  /* XID_Start or "_" */
bool unicode_continues_name(uint32_t c);

/* Codes that unicode_nfkc may need for n bytes. No character of two bytes makes more than eight
 * codes, and longer ones make less for each byte. */
static inline size_t unicode_nfkc_room(size_t n)
{
    return n * 4; /* no character of two bytes makes more than eight codes */
}
/* The NFKC form (UAX #15) of a name of n bytes of UTF-8, into codes[0..unicode_nfkc_room(n));
 * returns their number. */
size_t unicode_nfkc(const char *s, size_t n, uint32_t *codes);

/* The character of a \N{name}, in either case; negative: there is none. Aliases count, named
 * sequences do not. */
int32_t unicode_by_name(const char *s, size_t n);

#endif
