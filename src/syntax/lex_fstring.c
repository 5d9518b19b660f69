/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the end of a string literal that may be an f-string, by the rules of Python 3.12 (PEP 701):
 * an expression in braces may hold the string's own quotes, line ends and comments. Example: of
 *
 *     f"{names["a"]:>{width}} km" + x
 *
 * the end is behind `km"`, where Python 3.11 ends the literal at the second quote. A literal that
 * 3.11 accepts has the same end by both rules. */
#include "base/assert.h"
#include "syntax/lex.h"

enum { NEST_MOST = 100 }; /* f-strings within one another; CPython has 150 */

/* What is read: s moves on, up to end. */
typedef struct scan {
    const char *s, *end;
    int depth;
} scan;

/* A literal's quotes, and what its prefix says. */
typedef struct quotes {
    char q;
    bool triple, fields, raw;
} quotes;

static bool skip_literal(scan *c, const char *from);

/* The quotes at s. Letters before them, but not before `from`, are the prefix, if nothing but they
 * stand there: in `rf"` they are, in `elf"` they are a name. */
static quotes quotes_at(const char *from, const char *s, const char *end)
{
    quotes k = {.q = *s, .triple = end - s >= 3 && s[1] == *s && s[2] == *s};
    const char *p = s;
    while (p > from && s - p < 3 && memchr("fFrRbBuU", p[-1], 8)) {
        p--;
        k.fields |= (*p | 0x20) == 'f';
        k.raw |= (*p | 0x20) == 'r';
    }
    const unsigned char before = p > from ? (unsigned char)p[-1] : ' ';
    const unsigned char letter = before | 0x20;
    if ((letter >= 'a' && letter <= 'z') || (before >= '0' && before <= '9') || before == '_' ||
        before >= 128)
        k.fields = k.raw = false;
    return k;
}

static bool at_end_quotes(const scan *c, quotes k)
{
    return *c->s == k.q && (!k.triple || (c->end - c->s >= 3 && c->s[1] == k.q && c->s[2] == k.q));
}

/* A backslash and what it escapes: one character, or "\N{...}", whose braces hold no expression. */
static void skip_escape(scan *c, quotes k)
{
    const bool named = k.fields && !k.raw && c->end - c->s >= 3 && c->s[1] == 'N' && c->s[2] == '{';
    const char *close = named ? memchr(c->s, '}', (size_t)(c->end - c->s)) : NULL;
    c->s = close ? close + 1 : c->end - c->s < 2 ? c->end : c->s + 2;
}

static bool skip_field(scan *c, quotes k);

/* Literal text up to the closing quotes, which are read, too; of a format specification up to its
 * "}". False: it does not end. */
static bool skip_text(scan *c, quotes k, bool spec)
{
    while (c->s < c->end) {
        const char ch = *c->s;
        if (at_end_quotes(c, k)) {
            c->s += k.triple ? 3 : 1;
            return !spec;
        }
        if (ch == '\n' && !k.triple)
            return false;
        if (spec && ch == '}')
            return true;
        const bool doubled = !spec && c->end - c->s >= 2 && c->s[1] == ch;
        if (ch == '\\' && !(k.fields && c->end - c->s >= 2 && c->s[1] == '{'))
            skip_escape(c, k);
        else if (!k.fields || (ch != '{' && ch != '}'))
            c->s++;
        else if (doubled || ch == '}')
            c->s += doubled ? 2 : 1;
        else if (!skip_field(c, k))
            return false;
    }
    return false;
}

/* "{expression!r:spec}" from its brace on. Which brackets match is the parser's to say. */
static bool skip_field(scan *c, quotes k)
{
    int open = 0;
    for (const char *from = ++c->s; c->s < c->end;) {
        const char ch = *c->s;
        if (ch == '"' || ch == '\'') {
            if (!skip_literal(c, from))
                return false;
            from = c->s;
            continue;
        }
        if (ch == '#' && !(c->s = memchr(c->s, '\n', (size_t)(c->end - c->s))))
            return false;
        c->s++;
        if (!open && ch == '}')
            return true;
        if (!open && ch == ':' && !skip_text(c, k, true))
            return false;
        open += ch == '(' || ch == '[' || ch == '{';
        open -= open && (ch == ')' || ch == ']' || ch == '}');
    }
    return false;
}

/* The literal whose quotes are at c->s. */
static bool skip_literal(scan *c, const char *from)
{
    const quotes k = quotes_at(from, c->s, c->end);
    if (c->depth >= NEST_MOST)
        return false;
    c->depth++;
    c->s += k.triple ? 3 : 1;
    const bool ended = skip_text(c, k, false);
    c->depth--;
    return ended;
}

const char *lex_string_end(const char *from, const char *s, const char *end)
{
    WEFT_ASSERT(from <= s && s < end && (*s == '"' || *s == '\''));
    scan c = {.s = s, .end = end};
    return skip_literal(&c, from) ? c.s : NULL;
}
