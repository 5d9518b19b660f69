/* SPDX-License-Identifier: Apache-2.0 */
/* Python's repr of constants: quotes, escapes, shortest floats. Examples of what is written:
 * "it's" (double quotes, since the text has a single one), 'say "no"', '\x00', '\ud800', b'\xff',
 * 1e+16, 0.1, 2j. */
#include "syntax/py_repr.h"

#include "base/utf8.h"
#include "syntax/unicode.h"

/* Single quotes, unless the text has single quotes and no double ones. */
static char choose_quote(str s)
{
    bool one = s.n && memchr(s.p, '\'', s.n), two = s.n && memchr(s.p, '"', s.n);
    return one && !two ? '"' : '\'';
}

/* Writes the escapes and the printable ASCII that strings and bytes share. True: c was written. */
static bool put_common(strbuf *out, uint32_t c, char quote)
{
    char short_form = c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : 0;
    if (c == (unsigned char)quote || c == '\\')
        short_form = (char)c;
    if (short_form) {
        sb_char(out, '\\');
        sb_char(out, short_form);
        return true;
    }
    if (c >= 32 && c < 127) {
        sb_char(out, (char)c);
        return true;
    }
    return false;
}

/* \xNN, \uNNNN or \UNNNNNNNN, whichever is the shortest that fits. */
static void put_escape(strbuf *out, uint32_t c)
{
    sb_c(out, c < 0x100 ? "\\x" : c < 0x10000 ? "\\u" : "\\U");
    sb_hex(out, c, c < 0x100 ? 2 : c < 0x10000 ? 4 : 8);
}

/* Characters beyond ASCII are printed as they are if str.isprintable holds, as repr does. */
void py_repr_str(strbuf *out, str s)
{
    char quote = choose_quote(s);
    sb_char(out, quote);
    const char *p = s.p, *end = s.p + s.n;
    while (p < end) {
        const char *start = p;
        uint32_t c = utf8_get(&p);
        if (put_common(out, c, quote))
            continue;
        if (c >= 128 && unicode_is_printable(c))
            sb_put(out, start, (size_t)(p - start));
        else
            put_escape(out, c);
    }
    sb_char(out, quote);
}

/* Bytes beyond ASCII are always escaped. */
static void py_repr_bytes(strbuf *out, str s)
{
    char quote = choose_quote(s);
    sb_char(out, 'b');
    sb_char(out, quote);
    for (size_t i = 0; i < s.n; i++)
        if (!put_common(out, (unsigned char)s.p[i], quote))
            put_escape(out, (unsigned char)s.p[i]);
    sb_char(out, quote);
}

/* repr(complex(0, x)): a whole number has no ".0". */
static void put_imaginary(strbuf *out, double x)
{
    size_t start = out->n;
    sb_float(out, x);
    if (out->n - start > 2 && memcmp(out->p + out->n - 2, ".0", 2) == 0)
        out->n -= 2;
    sb_char(out, 'j');
}

/* A MatchSingleton or Constant of every kind; integers beyond 127 bits are text already. */
void py_repr_constant(strbuf *out, const constant *c)
{
    switch (c->kind) {
    case CONST_NONE: SB_LIT(out, "None"); return;
    case CONST_TRUE: SB_LIT(out, "True"); return;
    case CONST_FALSE: SB_LIT(out, "False"); return;
    case CONST_ELLIPSIS: SB_LIT(out, "Ellipsis"); return;
    case CONST_INT: sb_int128(out, c->i); return;
    case CONST_BIGINT: sb_str(out, c->text); return;
    case CONST_FLOAT: sb_float(out, c->f); return;
    case CONST_IMAGINARY: put_imaginary(out, c->f); return;
    case CONST_STR: py_repr_str(out, c->text); return;
    case CONST_BYTES: py_repr_bytes(out, c->text); return;
    }
}
