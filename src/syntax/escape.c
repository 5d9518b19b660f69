/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves backslash escapes in the text of string and bytes literals, for strings.c and
 * fstring.c. Example: `a\n\x41` between quotes becomes "a", a line feed and "A". Unknown escapes
 * stay as they are, backslash included: `\d` is two characters, as in Python. Malformed ones are
 * errors:
 *
 *     b.py:1:10: error: '\x4' is no valid escape sequence [bad-escape]
 */
#include <stdio.h>

#include "base/assert.h"
#include "base/utf8.h"
#include "syntax/strings.h"

/* Fails with the escape's own text, at most 24 bytes of it. */
_Noreturn static void bad_escape(parser *p, const char *s, size_t n)
{
    char text[32];
    snprintf(text, sizeof text, "%.*s", (int)(n < 24 ? n : 24), s);
    parse_fail_at(p, DIAG_BAD_ESCAPE, parse_here(p), parse_here(p), text);
}

/* Appends the UTF-8 form of c. Surrogates from "\ud800" pass, as they do in Python's str. */
static void add_char(parser *p, string_run *run, uint32_t c)
{
    char buf[4];
    string_add(p, run, buf, utf8_put(buf, c));
}

/* The value of a hexadecimal digit; -1: c is none. */
static int hex_digit(char c)
{
    if (!lex_is(c, LEX_HEX))
        return -1;
    return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

/* "\x41", "\u0041" or "\U00000041": exactly n hexadecimal digits from s + 2 on; s is the
 * backslash. Returns the place behind the escape. In bytes (n is 2 there) the value is one byte,
 * in strings a character: "\xe9" is two bytes of UTF-8 in a string. */
static const char *hex_escape(parser *p, string_run *run, const char *s, const char *e, int n)
{
    WEFT_ASSERT(s < e && (n == 2 || n == 4 || n == 8));
    uint32_t c = 0;
    for (int i = 0; i < n; i++) {
        int d = s + 2 + i < e ? hex_digit(s[2 + i]) : -1;
        if (d < 0)
            bad_escape(p, s, (size_t)(i + 2));
        c = c << 4 | (uint32_t)d;
    }
    if (c > 0x10ffff)
        bad_escape(p, s, (size_t)n + 2);
    if (run->bytes)
        string_add(p, run, &(char){(char)c}, 1);
    else
        add_char(p, run, c);
    return s + 2 + n;
}

/* One to three octal digits after the backslash. In bytes the value is cut to 8 bits (b"\777" is
 * b"\xff"), as in Python. */
static const char *octal_escape(parser *p, string_run *run, const char *s, const char *e)
{
    uint32_t c = 0;
    const char *q = s + 1;
    while (q < e && q < s + 4 && *q >= '0' && *q <= '7')
        c = c << 3 | (uint32_t)(*q++ - '0');
    if (run->bytes)
        string_add(p, run, &(char){(char)c}, 1);
    else
        add_char(p, run, c);
    return q;
}

/* "\N{BULLET}": a character by its Unicode name. */
static const char *name_escape(parser *p, string_run *run, const char *s, const char *e)
{
    const char *close = s + 2 < e && s[2] == '{' ? memchr(s, '}', (size_t)(e - s)) : NULL;
    int32_t c = close ? unicode_by_name(s + 3, (size_t)(close - s - 3)) : -1;
    if (c < 0)
        bad_escape(p, s, close ? (size_t)(close - s + 1) : 2);
    add_char(p, run, (uint32_t)c);
    return close + 1;
}

/* Resolves the escape at s and returns the place behind it. A backslash before a line end joins
 * the lines; one that begins no escape is an ordinary character, and what follows it is read as
 * text. */
static const char *one_escape(parser *p, string_run *run, const char *s, const char *e)
{
    WEFT_ASSERT(s < e && *s == '\\');
    static const char from[] = "\\'\"abfnrtv", to[] = "\\'\"\a\b\f\n\r\t\v";
    char c = s + 1 < e ? s[1] : 0;
    const char *hit = c ? strchr(from, c) : NULL;
    if (hit) {
        string_add(p, run, &to[hit - from], 1);
        return s + 2;
    }
    if (c == '\n')
        return s + 2;
    if (c >= '0' && c <= '7')
        return octal_escape(p, run, s, e);
    if (c == 'x')
        return hex_escape(p, run, s, e, 2);
    if (!run->bytes && (c == 'u' || c == 'U'))
        return hex_escape(p, run, s, e, c == 'u' ? 4 : 8);
    if (!run->bytes && c == 'N')
        return name_escape(p, run, s, e);
    string_add(p, run, "\\", 1);
    return s + 1;
}

/* Copies the pieces between escapes whole. In raw strings there are no escapes, so all is one
 * piece. */
void string_unescape(parser *p, string_run *run, const string_part *part, const char *s,
                     const char *e)
{
    while (s < e) {
        const char *esc = part->raw ? NULL : memchr(s, '\\', (size_t)(e - s));
        const char *to = esc ? esc : e;
        string_add(p, run, s, (size_t)(to - s));
        s = esc ? one_escape(p, run, esc, e) : e;
    }
}
