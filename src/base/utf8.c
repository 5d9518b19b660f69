/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8: checks and conversions (utf8.h). Text is checked once, where it is read; utf8_get trusts
 * its input. */
#include "base/utf8.h"

#include "base/assert.h"

size_t utf8_length(const char *s, size_t n)
{
    const unsigned char *p = (const unsigned char *)s;
    const unsigned c = p[0];
    const size_t len = c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
    if (!len || len > n)
        return 0;
    for (size_t i = 1; i < len; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    const bool overlong = (c == 0xe0 && p[1] < 0xa0) || (c == 0xf0 && p[1] < 0x90);
    const bool surrogate = c == 0xed && p[1] >= 0xa0, beyond = c == 0xf4 && p[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : len;
}

size_t utf8_put(char *out, uint32_t c)
{
    WEFT_ASSERT(c <= 0x10ffff);
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xc0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xe0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3f));
        out[2] = (char)(0x80 | (c & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3f));
    out[2] = (char)(0x80 | (c >> 6 & 0x3f));
    out[3] = (char)(0x80 | (c & 0x3f));
    return 4;
}

uint32_t utf8_get(const char **s)
{
    const unsigned char *p = (const unsigned char *)*s;
    if (p[0] < 0x80) {
        *s += 1;
        return p[0];
    }
    if (p[0] < 0xe0) {
        *s += 2;
        return (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu);
    }
    if (p[0] < 0xf0) {
        *s += 3;
        return (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
    }
    *s += 4;
    return (p[0] & 0x07u) << 18 | (p[1] & 0x3fu) << 12 | (p[2] & 0x3fu) << 6 | (p[3] & 0x3fu);
}
