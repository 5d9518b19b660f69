/* SPDX-License-Identifier: Apache-2.0 */
/* From a file's bytes to text for the lexer: checks the encoding (PEP 263: UTF-8 only), makes
 * every "\r\n" and "\r" a "\n", ends the text with a line end and a NUL, and fills the table of
 * lines. Example: the bytes "a\r\nb" become "a\nb\n", with lines at 0 and 2. Places in diagnostics
 * count in the new text. */
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

/* Is name one of UTF-8's names, as CPython normalises them: lower case, "_" as "-"? After a byte
 * order mark CPython takes only the name "utf-8" itself. */
static bool is_utf8_name(str name, bool bom)
{
    char text[16] = "";
    size_t n = 0;
    for (size_t i = 0; i < name.n && n < sizeof text - 1; i++) {
        char c = name.p[i];
        text[n++] = c == '_' ? '-' : (char)(ascii_is_letter(c) ? c | 0x20 : c);
    }
    if (strcmp(text, "utf-8") == 0 || strncmp(text, "utf-8-", 6) == 0)
        return true;
    return !bom &&
           (strcmp(text, "utf8") == 0 || strcmp(text, "u8") == 0 || strcmp(text, "utf") == 0);
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

/* Looks at the first two lines (PEP 263). Encodings other than UTF-8 are refused: sources are not
 * converted. */
static bool check_cookie(ctx *c, source *src, bool bom)
{
    bool blank = true;
    for (uint32_t i = 0; i < 2 && i < src->nlines && blank; i++) {
        const char *p = src->text.p + src->lines[i], *end = src->text.p + src->text.n;
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        str name = cookie(p, nl ? nl : end, &blank);
        if (!name.n)
            continue;
        if (is_utf8_name(name, bom))
            return true;
        span at = place(src, name.p);
        at.end_col = at.col + (uint32_t)name.n;
        return diag_error(c, at, DIAG_ENCODING, (int)(name.n < 40 ? name.n : 40), name.p);
    }
    return true;
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
    if (!check_cookie(c, src, bom))
        return false;
    const char *nul = src->text.n ? memchr(src->text.p, 0, src->text.n) : NULL;
    if (nul)
        return diag_error(c, place(src, nul), DIAG_NUL_BYTE);
    const char *bad = check_utf8(src->text);
    if (bad < src->text.p + src->text.n)
        return diag_error(c, place(src, bad), DIAG_NOT_UTF8, (unsigned char)*bad);
    return true;
}
