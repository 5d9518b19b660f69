/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the closing quotes of a string literal; strings.c gives it its value. Example: 'it\'s'
 * ends at its last quote, since a backslash protects the one before, in raw strings too. A string
 * without end is an error at its beginning, whose message names the line where the search ended:
 *
 *     b.py:1:5: error: this string is not closed: its line ends at line 1 [open-string]
 *         x = "abc
 *             ^
 */
#include "base/assert.h"
#include "syntax/lex.h"

#include <stdio.h>

/* Reports a string without end. The lexer's line is set back to that of the beginning, at line and
 * line_start; seen is where the search ended, for the message only. */
static bool unterminated(lexer *lx, const char *start, uint32_t line, const char *line_start,
                         bool triple, uint32_t seen)
{
    lx->line = line;
    lx->line_start = line_start;
    lex_fail(lx, triple ? DIAG_OPEN_TRIPLE_STRING : DIAG_OPEN_STRING, start);
    snprintf(lx->error.arg, sizeof lx->error.arg, "%u", (unsigned)seen);
    return false;
}

/* A string in single quotes ends in its line, unless a backslash joins the next line to it. */
static bool single(lexer *lx, const char *start)
{
    char q = *lx->p++;
    uint32_t line = lx->line;
    const char *line_start = lx->line_start;
    for (;;) {
        char c = *lx->p;
        if (c == q)
            break;
        if (c == '\n' || lx->p >= lx->end)
            return unterminated(lx, start, line, line_start, false, lx->line);
        if (c == '\\') {
            lx->p++;
            if (*lx->p == '\n') {
                lx->line++;
                lx->line_start = lx->p + 1;
            }
            if (lx->p >= lx->end)
                continue;
        }
        lx->p++;
    }
    lx->p++;
    return true;
}

/* Counts the line ends between from and to, and moves the lexer's line there. */
static void count_lines(lexer *lx, const char *from, const char *to)
{
    const char *nl;
    while ((nl = memchr(from, '\n', (size_t)(to - from)))) {
        lx->line++;
        lx->line_start = from = nl + 1;
    }
}

/* Searches for quotes with memchr, then looks for a backslash before the hit: most docstrings are
 * long and have neither. A hit stays valid while backslashes before it are skipped. */
static bool triple(lexer *lx, const char *start)
{
    char q = *lx->p;
    uint32_t line = lx->line;
    const char *line_start = lx->line_start, *from = lx->p, *p = lx->p + 3, *hit = p - 1;
    for (;;) {
        if (hit < p)
            hit = memchr(p, q, (size_t)(lx->end - p));
        if (!hit)
            break;
        const char *esc = memchr(p, '\\', (size_t)(hit - p));
        if (esc) {
            p = esc + 2 <= lx->end ? esc + 2 : lx->end;
            continue;
        }
        if (hit[1] == q && hit[2] == q) {
            lx->p = hit + 3;
            count_lines(lx, from, lx->p);
            return true;
        }
        p = hit + 1;
    }
    count_lines(lx, from, lx->end);
    return unterminated(lx, start, line, line_start, true, lx->line);
}

/* Three equal quotes begin a triple string; two are an empty one. */
static bool plain(lexer *lx, const char *start)
{
    const char *p = lx->p;
    if (p[1] == *p && p[2] == *p)
        return triple(lx, start);
    return single(lx, start);
}

/* Python 3.11 ends an f-string at the first such quotes, Python 3.12 behind its expressions. Both
 * ends differ only where 3.11 refuses the text. */
static bool f_string(lexer *lx, const char *start)
{
    const lexer before = *lx;
    const char *end = lex_string_end(start, lx->p, lx->end);
    const bool closed = plain(lx, start);
    if (!end || (closed && end <= lx->p))
        return closed;
    *lx = before;
    count_lines(lx, lx->p, end);
    lx->p = end;
    return true;
}

bool lex_string(lexer *lx, const char *start)
{
    WEFT_ASSERT(start <= lx->p && (*lx->p == '"' || *lx->p == '\''));
    for (const char *p = start; p < lx->p; p++)
        if ((*p | 0x20) == 'f')
            return f_string(lx, start);
    return plain(lx, start);
}
