/* SPDX-License-Identifier: Apache-2.0 */
/* Splits CUDA text into tokens, behind lint_token.h: comments and directives are dropped, line
 * continuations are joined, of each #if one branch is read. Then it matches brackets. An example:
 *
 *     #if 0                       left out
 *     int a[2                     (so the open bracket does not matter)
 *     #else                       read
 *     int b[2]; // two            n'int' n'b' '[' 0'2' ']' ';'
 *     #endif
 *
 * Every byte belongs to one token, comment, directive or gap; nothing is an error but strings and
 * comments without an end. */
#include "lint/lint_token.h"

#include <stdio.h>

#include "base/ascii.h"

/* A position in the text. p only moves forward. */
typedef struct reader {
    ctx *c;
    lint_tokens *out;
    const char *p, *end, *line_start;
    uint32_t line;
    bool fresh;         /* nothing but space stands before on this line */
    VEC(uint32_t) open; /* #if that are open, one of whose branches was read: its first token */
    uint32_t skip;      /* #if that are open within a branch that is left out; 0: none is */
    bool later;         /* that branch is the first of an #if 0: another one may be read */
} reader;

/* A token of one sign at the position; push sets its length. */
static lint_token here(const reader *r, char kind)
{
    return (lint_token){
        .kind = kind, .line = r->line, .col = (uint32_t)(r->p - r->line_start), .text = {r->p, 1}};
}

/* Reports a string or comment that begins at the token and does not end. */
static void error_at(reader *r, const lint_token *t, diag_id id)
{
    char line[16];
    snprintf(line, sizeof line, "%u", t->line);
    diag_error(r->c, lint_span(r->out, t), id, line);
}

/* Passes the end of a line. */
static void newline(reader *r)
{
    WEFT_ASSERT(r->p < r->end && *r->p == '\n');
    r->p++;
    r->line++;
    r->line_start = r->p;
    r->fresh = true;
}

/* '$' is a letter to nvcc, and so is any byte beyond ASCII. */
static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

/* Passes a comment over several lines. */
static void skip_comment(reader *r)
{
    WEFT_ASSERT(r->end - r->p >= 2);
    const lint_token t = here(r, '/');
    for (r->p += 2; r->p < r->end;) {
        if (*r->p == '\n') {
            newline(r);
        } else if (r->end - r->p >= 2 && r->p[0] == '*' && r->p[1] == '/') {
            r->p += 2;
            return;
        } else {
            r->p++;
        }
    }
    error_at(r, &t, DIAG_OPEN_COMMENT);
}

/* The length of a backslash and the end of the line behind it, or 0. */
static size_t continuation(const reader *r)
{
    if (r->end - r->p >= 2 && r->p[0] == '\\' && r->p[1] == '\n')
        return 2;
    return r->end - r->p >= 3 && memcmp(r->p, "\\\r\n", 3) == 0 ? 3 : 0;
}

/* Passes a backslash and the end of the line: the next line continues this one, so it is not fresh.
 */
static void skip_continuation(reader *r, size_t n)
{
    WEFT_ASSERT(n == 2 || n == 3);
    const bool fresh = r->fresh;
    r->p += n - 1;
    newline(r);
    r->fresh = fresh;
}

/* To the end of the line, lines continued by a backslash included. */
static void skip_line(reader *r)
{
    while (r->p < r->end && *r->p != '\n') {
        const size_t n = continuation(r);
        if (n)
            skip_continuation(r, n);
        else
            r->p++;
    }
}

/* Passes a directive to the end of its line, where comments may stand, but not within strings. */
static void skip_directive(reader *r)
{
    char quote = 0;
    while (r->p < r->end && *r->p != '\n') {
        const size_t n = continuation(r);
        const char c = *r->p, after = r->end - r->p >= 2 ? r->p[1] : 0;
        if (n) {
            skip_continuation(r, n);
        } else if (quote) {
            quote = c == quote ? 0 : quote;
            /* A quote behind a backslash does not end the string. */
            r->p += c == '\\' && after && after != '\n' ? 2 : 1;
        } else if (c == '/' && after == '*') {
            skip_comment(r);
        } else if (c == '/' && after == '/') {
            skip_line(r);
        } else {
            quote = c == '"' || c == '\'' ? c : 0;
            r->p++;
        }
    }
}

/* Does the text go on with the word at p? */
static bool begins(const reader *r, const char *p, const char *word)
{
    const size_t n = strlen(word);
    return (size_t)(r->end - p) >= n && memcmp(p, word, n) == 0;
}

static const char *skip_space(const reader *r, const char *p)
{
    while (p < r->end && (*p == ' ' || *p == '\t'))
        p++;
    return p;
}

/* Keeps the branch that ends here. A bracket that one branch opens and another closes cannot be
 * judged (has_uneven_branch). */
static void end_branch(reader *r)
{
    WEFT_ASSERT(r->open.n > 0);
    const lint_branch b = {r->open.v[r->open.n - 1], r->out->all.n};
    VEC_PUSH(&r->c->module, &r->out->branches, b);
}

/* At the word of a condition. Every condition but a plain "#if 0" counts as true. */
static void read_if(reader *r, const char *p)
{
    if (r->skip) {
        r->skip++;
        return;
    }
    const bool is_plain = begins(r, p, "if") && !begins(r, p, "ifdef") && !begins(r, p, "ifndef");
    const char *condition = skip_space(r, p + 2);
    VEC_PUSH(&r->c->module, &r->open, r->out->all.n);
    /* "#if 0x10" is another condition. */
    r->later = is_plain && begins(r, condition, "0") &&
               (condition + 1 == r->end || strchr(" \t\r\n/", condition[1]));
    r->skip = r->later;
}

/* At #else or #elif: the branch that was read ends, or the one behind "#if 0" begins. An #else
 * without #if is ignored. */
static void read_else(reader *r)
{
    if (r->skip > 1 || !r->open.n)
        return;
    if (!r->skip)
        end_branch(r);
    /* The first branch was read, so this one is not, and the other way round. */
    r->skip = !r->later;
    if (r->later)
        r->open.v[r->open.n - 1] = r->out->all.n;
    r->later = false;
}

/* At #endif of a branch that was read, or of a nested #if in one that was not. */
static void read_endif(reader *r)
{
    if (r->skip > 1) {
        r->skip--;
    } else if (r->open.n) {
        if (!r->skip)
            end_branch(r);
        r->open.n--;
        r->skip = 0;
        r->later = false;
    }
}

/* A #define: its name, and its parameters and text as one piece. */
static void keep_macro(reader *r, const char *p, const char *end)
{
    const char *name = skip_space(r, p), *q = name;
    while (q < end && (is_name_start(*q) || ascii_is_digit(*q)))
        q++;
    const lint_macro m = {{name, (size_t)(q - name)}, {q, (size_t)(end - q)}};
    if (m.name.n)
        VEC_PUSH(&r->c->module, &r->out->macros, m);
}

/* At '#' or its digraph (`sign` bytes): keeps macros and includes, and follows conditions. In a
 * branch that is left out only conditions count. */
static void read_directive(reader *r, size_t sign)
{
    const char *p = skip_space(r, r->p + sign);
    const bool read = !r->skip;
    if (begins(r, p, "if"))
        read_if(r, p);
    else if (begins(r, p, "el"))
        read_else(r);
    else if (begins(r, p, "endif"))
        read_endif(r);
    skip_directive(r);
    if (read && begins(r, p, "define"))
        keep_macro(r, p + strlen("define"), r->p);
    if (read && begins(r, p, "include") && begins(r, skip_space(r, p + strlen("include")), "\""))
        r->out->own_headers = true;
}

/* Appends the token, which ends at the position. */
static void push(reader *r, lint_token t)
{
    WEFT_ASSERT(t.kind && t.text.p <= r->p && r->p <= r->end);
    t.text.n = (size_t)(r->p - t.text.p);
    if (t.kind == 'n')
        t.name = sym_intern(&r->c->syms, t.text.p, t.text.n)->id;
    VEC_PUSH(&r->c->module, &r->out->all, t);
}

/* A string or character; it ends with its line at the latest, unless a backslash continues the
 * line. The token's text has its quotes. */
static void read_string(reader *r)
{
    const lint_token t = here(r, 's');
    const char quote = *r->p++;
    while (r->p < r->end && *r->p != quote && *r->p != '\n') {
        const size_t n = continuation(r);
        if (n) {
            skip_continuation(r, n);
        } else {
            r->p += *r->p == '\\' && r->p + 1 < r->end ? 2 : 1;
        }
    }
    if (r->p < r->end && *r->p == quote)
        r->p++;
    else
        error_at(r, &t, DIAG_OPEN_STRING);
    push(r, t);
}

/* R"x(...)x", from its quote on. It may contain quotes and ends of lines; *start is where an error
 * is reported. */
static void read_raw_string(reader *r, const lint_token *start)
{
    const char *delimiter = ++r->p;
    while (r->p < r->end && *r->p != '(' && *r->p != '"' && *r->p != '\n')
        r->p++;
    const size_t n = (size_t)(r->p - delimiter);
    for (; r->p < r->end; r->p++) {
        if (*r->p == '\n') {
            /* newline passes the sign, and the loop would do so again. */
            newline(r);
            r->p--;
        } else if (*r->p == ')' && (size_t)(r->end - r->p) > n + 1 && r->p[n + 1] == '"' &&
                   memcmp(r->p + 1, delimiter, n) == 0) {
            r->p += n + 2;
            r->fresh = false;
            return;
        }
    }
    error_at(r, start, DIAG_OPEN_STRING);
}

/* Words that make the string behind them a raw one. */
static bool is_raw_prefix(str word)
{
    static const char *const prefixes[] = {"R", "LR", "uR", "UR", "u8R"};
    return STR_IS_IN(word, prefixes);
}

/* A name or a number; a raw string begins like a name. 1'000 and 1.5e3 are numbers of one token,
 * "1e+3" is three. */
static void read_word(reader *r)
{
    const lint_token t = here(r, ascii_is_digit(*r->p) ? '0' : 'n');
    const bool number = t.kind == '0';
    while (r->p < r->end && (is_name_start(*r->p) || ascii_is_digit(*r->p) ||
                             (number && (*r->p == '.' || *r->p == '\''))))
        r->p++;
    const str word = {t.text.p, (size_t)(r->p - t.text.p)};
    /* A prefix such as R belongs to the string. */
    if (r->p < r->end && *r->p == '"' && is_raw_prefix(word)) {
        lint_token raw = t;
        raw.kind = 's';
        read_raw_string(r, &raw);
        push(r, raw);
        return;
    }
    push(r, t);
}

/* What the two signs at p stand for, or 0: "<%" is '{', "%:" is '#'. C++ has them for
 * keyboards without braces. */
static char digraph(const reader *r)
{
    static const char signs[][4] = {"<%{", "%>}", "<:[", ":>]", "%:#"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (begins(r, r->p, (const char[]){signs[i][0], signs[i][1], 0}))
            /* "a<::b" is "a < ::b" */
            return begins(r, r->p, "<::") && !begins(r, r->p, "<:::") && !begins(r, r->p, "<::>")
                       ? 0
                       : signs[i][2];
    return 0;
}

/* One sign, or a digraph as what it stands for. A byte of 0, which a kind may not have, becomes a
 * space. */
static void read_sign(reader *r)
{
    const char c = digraph(r);
    const lint_token t = here(r, c ? c : *r->p ? *r->p : ' ');
    r->p += c ? 2 : 1;
    push(r, t);
}

/* Passes one token, gap, comment or directive. In a branch that is left out only comments and
 * directives count. */
static void read_token(reader *r)
{
    WEFT_ASSERT(r->p < r->end);
    const char c = *r->p;
    const char after = r->end - r->p >= 2 ? r->p[1] : 0;
    if (c == '\n') {
        newline(r);
        return;
    }
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        r->p++;
        return;
    }
    const size_t joined = continuation(r), sign = c == '#' ? 1 : digraph(r) == '#' ? 2 : 0;
    if (joined) {
        skip_continuation(r, joined);
        return;
    }
    if (sign && r->fresh) {
        read_directive(r, sign);
        return;
    }
    /* A comment over several lines may precede a directive. */
    r->fresh = r->fresh && c == '/' && after == '*';
    if (c == '/' && after == '/') {
        skip_line(r);
    } else if (c == '/' && after == '*') {
        skip_comment(r);
    } else if (r->skip) {
        r->p++;
    } else if (c == '"' || c == '\'') {
        read_string(r);
    } else if (is_name_start(c) || ascii_is_digit(c)) {
        read_word(r);
    } else {
        read_sign(r);
    }
}

/* A token of kind 0 ends the list, so that looking ahead needs no test of the length. */
void lint_tokenize(ctx *c, const source *src, lint_tokens *tokens)
{
    const char *p = src->text.p;
    *tokens = (lint_tokens){.src = src};
    reader r = {c, tokens, p, p + src->text.n, p, 1, true, {0}, 0, false};
    if (begins(&r, p, "\xef\xbb\xbf")) /* a mark of UTF-8, which compilers pass over */
        r.p += 3;
    while (r.p < r.end)
        read_token(&r);
    WEFT_ASSERT(r.p == r.end);
    lint_token end = here(&r, 0);
    end.text.n = 0;
    VEC_PUSH(&c->module, &tokens->all, end);
}

/* The token on its line; the end of the text has one column. */
span lint_span(const lint_tokens *tokens, const lint_token *t)
{
    const uint32_t n = (uint32_t)t->text.n;
    return (span){tokens->src, t->line, t->col, t->line, t->col + (n ? n : 1)};
}

/* A plain search for bytes: the word may be a part of a longer one. */
bool lint_mentions(str text, const char *word)
{
    const size_t n = strlen(word);
    for (size_t i = 0; i + n <= text.n; i++)
        if (memcmp(text.p + i, word, n) == 0)
            return true;
    return false;
}

/* Moves *at behind the name. Digits of a number may look like a part of a name, which does no harm:
 * "1e5" gives "e5". */
bool lint_next_name(str text, size_t *at, str *name)
{
    size_t i = *at, from;
    while (i < text.n && !is_name_start(text.p[i]))
        i++;
    for (from = i; i < text.n && (is_name_start(text.p[i]) || ascii_is_digit(text.p[i]));)
        i++;
    *at = i;
    *name = (str){text.p + from, i - from};
    return i > from;
}

/* --- brackets -------------------------------------------------------------------------------- */

char lint_closing(char c)
{
    return c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : 0;
}

/* Does some branch that was read close what it does not open, or the other way round? Then a
 * bracket may be matched in the branch that was not read. */
static bool has_uneven_branch(ctx *c, const lint_tokens *tokens)
{
    int64_t *depth = ARENA_ARRAY(&c->module, int64_t, tokens->all.n + 1);
    depth[0] = 0;
    for (uint32_t i = 0; i < tokens->all.n; i++) {
        const char kind = tokens->all.v[i].kind;
        depth[i + 1] = depth[i] + (lint_closing(kind) != 0) - (kind && strchr(")]}", kind) != NULL);
    }
    for (uint32_t i = 0; i < tokens->branches.n; i++) {
        WEFT_ASSERT(tokens->branches.v[i].to <= tokens->all.n);
        if (depth[tokens->branches.v[i].from] != depth[tokens->branches.v[i].to])
            return true;
    }
    return false;
}

/* Reports the bracket at i. `before`: the open bracket that it should close, UINT32_MAX: none is
 * open. Always false. */
static bool report_bracket(ctx *c, const lint_tokens *tokens, uint32_t i, uint32_t before)
{
    const lint_token *t = lint_at(tokens, i);
    const char sign[2] = {t->kind, 0};
    const span at = lint_span(tokens, t);
    if (has_uneven_branch(c, tokens))
        return diag_error(c, at, DIAG_UNSURE_BRACKET, sign);
    if (lint_closing(t->kind))
        return diag_error(c, at, DIAG_OPEN_BRACKET, sign);
    if (before == UINT32_MAX)
        return diag_error(c, at, DIAG_UNMATCHED_BRACKET, sign);
    const lint_token *b = lint_at(tokens, before);
    return diag_error(c, at, DIAG_CROSSED_BRACKET, t->kind, b->kind, b->line);
}

/* A stack of open brackets. The first that does not match ends it, since all that follow would be
 * guesses. */
bool lint_match_brackets(ctx *c, lint_tokens *tokens)
{
    VEC(uint32_t) open = {0};
    for (uint32_t i = 0; i < tokens->all.n; i++) {
        const char kind = tokens->all.v[i].kind;
        if (lint_closing(kind)) {
            VEC_PUSH(&c->module, &open, i);
            continue;
        }
        if (kind != ')' && kind != ']' && kind != '}')
            continue;
        const uint32_t before = open.n ? open.v[--open.n] : UINT32_MAX;
        if (before == UINT32_MAX || lint_closing(tokens->all.v[before].kind) != kind)
            return report_bracket(c, tokens, i, before);
        WEFT_ASSERT(before < i);
        tokens->all.v[before].other = i;
    }
    return !open.n || report_bracket(c, tokens, open.v[open.n - 1], 0);
}
