/* SPDX-License-Identifier: Apache-2.0 */
/* Writing JSON. Strings are scanned 16 bytes at a time for what needs an escape: records are
 * mostly source code, so this is one of the hot paths of `weft generate`. Example:
 *
 *     tab<TAB>"x"   ->   "tab\t\"x\""
 *
 * Control characters without a short escape become \u00XX; text beyond ASCII is kept. */
#include "base/json.h"

#include "base/assert.h"
#include "base/utf8.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

static const char hex_digits[] = "0123456789abcdef";

enum { STEP = 16 };

/* Copies STEP bytes; returns how many from the first on need no look: neither control characters,
 * quote, backslash, nor beyond ASCII. */
static inline unsigned copy_plain(char *to, const unsigned char *p)
{
#if defined(__SSE2__)
    const __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1f)), v);
    const __m128i quote = _mm_cmpeq_epi8(v, _mm_set1_epi8('"'));
    const __m128i slash = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
    const __m128i any = _mm_or_si128(_mm_or_si128(control, quote), _mm_or_si128(slash, v));
    const unsigned mask = (unsigned)_mm_movemask_epi8(any);
    _mm_storeu_si128((__m128i *)(void *)to, v);
    return mask ? (unsigned)__builtin_ctz(mask) : STEP;
#else
    unsigned n = 0;
    while (n < STEP && p[n] >= 0x20 && p[n] < 0x80 && p[n] != '"' && p[n] != '\\')
        n++;
    memcpy(to, p, STEP);
    return n;
#endif
}

/* Writes the escape of an ASCII character to `to`; returns what follows it. At most six bytes. */
static char *put_escape(char *to, unsigned char c)
{
    *to++ = '\\';
    switch (c) {
    case '\n': *to++ = 'n'; return to;
    case '\t': *to++ = 't'; return to;
    case '\r': *to++ = 'r'; return to;
    case '\f': *to++ = 'f'; return to;
    case '\b': *to++ = 'b'; return to;
    case '"':
    case '\\': *to++ = (char)c; return to;
    default:
        memcpy(to, "u00", 3);
        to[3] = hex_digits[c >> 4];
        to[4] = hex_digits[c & 15];
        return to + 5;
    }
}

/* Copies the character at p to *to, escaped where needed, and moves *to; returns the bytes read. A
 * byte that is not UTF-8 becomes U+FFFD. */
static size_t put_character(char **to, const unsigned char *p, size_t n)
{
    WEFT_ASSERT(n > 0);
    if (*p < 0x80) {
        if (*p >= 0x20 && *p != '"' && *p != '\\')
            *(*to)++ = (char)*p;
        else
            *to = put_escape(*to, *p);
        return 1;
    }
    const size_t len = utf8_length((const char *)p, n);
    memcpy(*to, len ? (const char *)p : "\xef\xbf\xbd", len ? len : 3);
    *to += len ? len : 3;
    return len ? len : 1;
}

/* Records are mostly strings of code, so this is a hot path: room is made once for each stretch,
 * and 16 plain bytes are copied at a time. */
void json_string(strbuf *out, str s)
{
    const unsigned char *p = (const unsigned char *)s.p, *const end = s.n ? p + s.n : p;
    sb_char(out, '"');
    while (p < end) {
        /* no character of this stretch takes more than six bytes */
        const size_t n = end - p < 4096 ? (size_t)(end - p) : 4096;
        if (out->cap - out->n < n * 6 + 2 * STEP)
            sb_grow(out, n * 6 + 2 * STEP);
        char *to = out->p + out->n;
        const unsigned char *const stop = p + n;
        while (p < stop) {
            if (stop - p >= STEP) {
                const unsigned plain = copy_plain(to, p);
                to += plain;
                p += plain;
                if (plain == STEP)
                    continue;
            }
            if (*p == '\n') { /* by far the most frequent */
                memcpy(to, "\\n", 2);
                to += 2;
                p++;
                continue;
            }
            p += put_character(&to, p, (size_t)(end - p));
        }
        WEFT_ASSERT(to <= out->p + out->cap);
        out->n = (size_t)(to - out->p);
    }
    sb_char(out, '"');
}

void json_key(strbuf *out, const char *key, bool first)
{
    sb_c(out, first ? "\"" : ", \"");
    sb_c(out, key);
    SB_LIT(out, "\": ");
}

void json_string_or_null(strbuf *out, const char *s)
{
    if (s)
        json_string(out, str_c(s));
    else
        SB_LIT(out, "null");
}
