/* SPDX-License-Identifier: Apache-2.0 */
/* From a file's bytes to text for the lexer: makes UTF-8 of its encoding (PEP 263) and a "\n" of
 * every "\r\n" and "\r", ends the text with a line end and a NUL, and fills the table of lines.
 * Example: the bytes "a\r\nb" become "a\nb\n", with lines at 0 and 2. Places in diagnostics count
 * in the new text. */
#include "syntax/source_text.h"

#include "base/ascii.h"
#include "base/assert.h"
#include "base/utf8.h"

/* The first byte of text that is no UTF-8, or its end. Eight bytes of ASCII are skipped at once,
 * as most of a source is ASCII. */
static const char *check_utf8(str text)
{
    const char *p = text.p, *end = p + text.n;
    while (p < end) {
        uint64_t eight;
        /* Eight bytes at once; memcpy because p may be unaligned. */
        if (end - p >= 8 && (memcpy(&eight, p, 8), !(eight & 0x8080808080808080u))) {
            p += 8;
        } else if ((unsigned char)*p < 0x80) {
            p++;
        } else {
            size_t n = utf8_length(p, (size_t)(end - p));
            if (!n)
                return p;
            p += n;
        }
    }
    return p;
}

/* Copies text with "\r\n" and "\r" made "\n", a final newline and a NUL. Like CPython's, the copy
 * of a text that ends with "\r\n" has an empty line more. The length of the result leaves out a
 * newline that was added. */
static str normal_copy(arena *a, str text)
{
    char *out = arena_alloc(a, text.n + 3), *q = out;
    const char *p = text.p, *end = p + text.n;
    while (p < end) {
        const char *cr = memchr(p, '\r', (size_t)(end - p));
        size_t n = (size_t)((cr ? cr : end) - p);
        memcpy(q, p, n);
        q += n;
        p += n;
        if (cr) {
            *q++ = '\n';
            p += p + 1 < end && p[1] == '\n' ? 2 : 1;
        }
    }
    if (text.n > 1 && end[-2] == '\r' && end[-1] == '\n')
        *q++ = '\n';
    str r = {out, (size_t)(q - out)};
    if (q > out && q[-1] != '\n')
        *q++ = '\n';
    *q = 0;
    return r;
}

/* Offsets of line starts in src->lines: the lines are counted first, then filled in, since the
 * table's arena cannot grow it. */
static void find_lines(ctx *c, source *src)
{
    const char *p = src->text.p, *end = p + src->text.n, *nl;
    uint32_t n = 1;
    while ((nl = memchr(p, '\n', (size_t)(end - p)))) {
        p = nl + 1;
        n++;
    }
    src->lines = ARENA_ARRAY(&c->module, uint32_t, n);
    src->lines[0] = 0;
    src->nlines = 1;
    p = src->text.p;
    while ((nl = memchr(p, '\n', (size_t)(end - p)))) {
        p = nl + 1;
        src->lines[src->nlines++] = (uint32_t)(p - src->text.p);
    }
}

/* The place of the byte at p. Invariant: lines[low] <= offset, and lines[high] is beyond it. */
static span place(const source *src, const char *p)
{
    WEFT_ASSERT(src->nlines > 0 && p >= src->text.p && p <= src->text.p + src->text.n);
    uint32_t offset = (uint32_t)(p - src->text.p), low = 0, high = src->nlines;
    while (high - low > 1) {
        uint32_t mid = low + (high - low) / 2;
        if (src->lines[mid] <= offset)
            low = mid;
        else
            high = mid;
    }
    uint32_t col = offset - src->lines[low];
    return (span){src, low + 1, col, low + 1, col + 1};
}

/* ---- the encoding cookie (PEP 263) ---- */

typedef enum encoding {
    ENCODING_UTF8,
    ENCODING_LATIN1,
    ENCODING_CP1252,
    ENCODING_ASCII,
    ENCODINGS
} encoding;

/* Names as CPython 3.11 normalises them: lower case, "_" as "-"; behind those that are open there
 * may be more, as in utf-8-sig. Other encodings have no row. */
static const struct {
    const char *name;
    encoding is;
    bool open;
} encodings[] = {{"utf-8", ENCODING_UTF8, true},
                 {"utf8", ENCODING_UTF8, false},
                 {"u8", ENCODING_UTF8, false},
                 {"utf", ENCODING_UTF8, false},
                 {"latin-1", ENCODING_LATIN1, true},
                 {"iso-8859-1", ENCODING_LATIN1, true},
                 {"iso-latin-1", ENCODING_LATIN1, true},
                 {"latin1", ENCODING_LATIN1, false},
                 {"latin", ENCODING_LATIN1, false},
                 {"l1", ENCODING_LATIN1, false},
                 {"iso8859-1", ENCODING_LATIN1, false},
                 {"cp1252", ENCODING_CP1252, false},
                 {"windows-1252", ENCODING_CP1252, false},
                 {"1252", ENCODING_CP1252, false},
                 {"ascii", ENCODING_ASCII, false},
                 {"us-ascii", ENCODING_ASCII, false}};

/* ENCODINGS: it is not known. After a byte order mark CPython takes only UTF-8, by that name. */
static encoding find_encoding(str name, bool bom)
{
    char text[16] = "";
    size_t n = 0;
    for (size_t i = 0; i < name.n && n < sizeof text - 1; i++)
        text[n++] = name.p[i] == '_' ? '-' : ascii_lower(name.p[i]);
    for (size_t i = 0; i < (bom ? 1 : sizeof encodings / sizeof *encodings); i++) {
        const size_t own = strlen(encodings[i].name);
        if (memcmp(text, encodings[i].name, own) == 0 &&
            (!text[own] || (encodings[i].open && text[own] == '-')))
            return encodings[i].is;
    }
    return ENCODINGS;
}

/* The bytes 0x80 to 0x9f of Windows-1252; 0: there is no such character. */
static const uint16_t cp1252[] = {0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
                                  0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017d, 0,
                                  0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                  0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

/* The character of a byte; 0: it is none. */
static uint32_t decoded(encoding from, unsigned char byte)
{
    if (byte < 0x80)
        return byte;
    if (from == ENCODING_CP1252 && byte < 0xa0)
        return cp1252[byte - 0x80];
    return from == ENCODING_ASCII ? 0 : byte;
}

/* The text as UTF-8; *bad: the first byte that is no character, or NULL. */
static str as_utf8(arena *a, str text, encoding from, const char **bad)
{
    char *out = arena_alloc(a, mem_mul(a->m, text.n, 3) + 1), *q = out;
    *bad = NULL;
    for (size_t i = 0; i < text.n && !*bad; i++) {
        const uint32_t c = decoded(from, (unsigned char)text.p[i]);
        if (!c && text.p[i])
            *bad = text.p + i;
        q += utf8_put(q, c);
    }
    return (str){out, (size_t)(q - out)};
}

/* The encoding's name in a comment line ("# -*- coding: latin-1 -*-"), or nothing. *blank: the
 * line holds no code, so that the next one may have a cookie. */
static str cookie(const char *p, const char *end, bool *blank)
{
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\f'))
        p++;
    *blank = p == end || *p == '#';
    if (p == end || *p != '#')
        return (str){0};
    for (; end - p > 7; p++) {
        if (memcmp(p, "coding", 6) != 0 || (p[6] != ':' && p[6] != '='))
            continue;
        const char *s = p + 7;
        while (s < end && (*s == ' ' || *s == '\t'))
            s++;
        const char *e = s;
        while (e < end &&
               (ascii_is_letter(*e) || ascii_is_digit(*e) || *e == '-' || *e == '_' || *e == '.'))
            e++;
        if (e > s)
            return (str){s, (size_t)(e - s)};
    }
    return (str){0};
}

/* The encoding that one of the first two lines names (PEP 263), or nothing. */
static str find_cookie(const source *src)
{
    bool blank = true;
    str name = {0};
    for (uint32_t i = 0; i < 2 && i < src->nlines && blank && !name.n; i++) {
        const char *p = src->text.p + src->lines[i], *end = src->text.p + src->text.n;
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        name = cookie(p, nl ? nl : end, &blank);
    }
    return name;
}

/* False: the encoding that the source names is not known here. */
static bool read_cookie(ctx *c, source *src, bool bom, encoding *out)
{
    const str name = find_cookie(src);
    *out = name.n ? find_encoding(name, bom) : ENCODING_UTF8;
    if (*out != ENCODINGS)
        return true;
    span at = place(src, name.p);
    at.end_col = at.col + (uint32_t)name.n;
    return diag_error(c, at, DIAG_ENCODING, (int)(name.n < 40 ? name.n : 40), name.p);
}

str source_as_utf8_file(arena *a, const source *src)
{
    WEFT_ASSERT(src->decoded && src->lines);
    const str text = src->text, name = find_cookie(src), utf8 = STR("utf-8");
    if (!name.n || find_encoding(name, false) == ENCODING_UTF8)
        return text;
    const size_t before = (size_t)(name.p - text.p), behind = text.n - before - name.n;
    char *p = arena_alloc(a, before + utf8.n + behind + 1);
    memcpy(p, text.p, before);
    memcpy(p + before, utf8.p, utf8.n);
    memcpy(p + before + utf8.n, name.p + name.n, behind);
    p[before + utf8.n + behind] = 0;
    return (str){p, before + utf8.n + behind};
}

/* The order of the checks is CPython's: the cookie, NUL bytes, then malformed UTF-8. */
bool source_prepare(ctx *c, source *src)
{
    str text = src->text;
    bool bom = text.n >= 3 && memcmp(text.p, "\xef\xbb\xbf", 3) == 0;
    if (bom)
        text = (str){text.p + 3, text.n - 3};
    /* The copy is made first: places of errors refer to it, and messages show its lines. */
    src->text = normal_copy(&c->module, text);
    find_lines(c, src);
    encoding from = ENCODING_UTF8;
    const char *unknown;
    if (!src->decoded && !read_cookie(c, src, bom, &from))
        return false;
    if (from != ENCODING_UTF8) {
        const str converted = as_utf8(&c->module, src->text, from, &unknown);
        if (unknown)
            return diag_error(c, place(src, unknown), DIAG_NOT_UTF8, (unsigned char)*unknown);
        src->text = normal_copy(&c->module, converted);
        find_lines(c, src);
    }
    const char *nul = src->text.n ? memchr(src->text.p, 0, src->text.n) : NULL;
    if (nul)
        return diag_error(c, place(src, nul), DIAG_NUL_BYTE);
    const char *bad = check_utf8(src->text);
    if (bad < src->text.p + src->text.n)
        return diag_error(c, place(src, bad), DIAG_NOT_UTF8, (unsigned char)*bad);
    src->decoded = true;
    return true;
}
