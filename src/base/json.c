/* Writing JSON: strings are scanned eight bytes at a time for what needs an escape. */
#include "base/json.h"

static const char hex_digits[] = "0123456789abcdef";

#define EACH_BYTE(x) (UINT64_C(0x0101010101010101) * (x))

/* Has one of eight bytes to be looked at: control characters, quote, backslash, beyond ASCII? */
static inline bool is_special(uint64_t w)
{
    const uint64_t high = EACH_BYTE(0x80), quote = w ^ EACH_BYTE('"'), slash = w ^ EACH_BYTE('\\');
    uint64_t found = (w - EACH_BYTE(0x20)) & ~w;
    found |= (quote - EACH_BYTE(1)) & ~quote;
    found |= (slash - EACH_BYTE(1)) & ~slash;
    return ((found | w) & high) != 0;
}

/* Bytes of the well-formed character at p, or 0. */
static size_t utf8_length(const unsigned char *p, size_t n)
{
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

/* Writes the escape of an ASCII character to `to`; returns what follows it. */
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

/* Copies the character at p, escaped where needed; returns its length. */
static size_t put_character(char **to, const unsigned char *p, size_t n)
{
    if (*p < 0x80) {
        if (*p >= 0x20 && *p != '"' && *p != '\\')
            *(*to)++ = (char)*p;
        else
            *to = put_escape(*to, *p);
        return 1;
    }
    const size_t len = utf8_length(p, n);
    memcpy(*to, len ? (const char *)p : "\xef\xbf\xbd", len ? len : 3);
    *to += len ? len : 3;
    return len ? len : 1;
}

void json_string(strbuf *out, str s)
{
    const unsigned char *p = (const unsigned char *)s.p, *const end = p + s.n;
    sb_char(out, '"');
    while (p < end) {
        /* no character of this stretch takes more than six bytes */
        const size_t n = end - p < 4096 ? (size_t)(end - p) : 4096;
        if (out->cap - out->n < n * 6 + 8)
            sb_grow(out, n * 6 + 8);
        char *to = out->p + out->n;
        for (const unsigned char *const stop = p + n; p < stop;) {
            uint64_t w;
            if (stop - p >= 8 && (memcpy(&w, p, 8), !is_special(w))) {
                memcpy(to, &w, 8);
                to += 8;
                p += 8;
                continue;
            }
            const unsigned char *const word_end = stop - p >= 8 ? p + 8 : stop;
            while (p < word_end)
                p += put_character(&to, p, (size_t)(end - p));
        }
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
