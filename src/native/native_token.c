/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens of a snippet.
 *
 *     wp::min(x, 0x1Fu)   ->   NAME wp::min, '(', NAME x, ',', INT 0x1Fu, ')' */
#include <stdarg.h>
#include <stdio.h>

#include "base/format.h"
#include "native/native_internal.h"

void native_refuse(nreader *r, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    format_text_v(r->why->text, sizeof r->why->text, fmt, args);
    va_end(args);
    r->why->line = r->tokens.n ? native_peek(r, 0)->line : 1;
    longjmp(r->fail, 1);
}

static bool starts_name(char ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_';
}

static bool is_digit(char ch)
{
    return ch >= '0' && ch <= '9';
}

/* The end of a name, with its scopes. */
static size_t name_end(str s, size_t at)
{
    for (;;) {
        while (at < s.n && (starts_name(s.p[at]) || is_digit(s.p[at])))
            at++;
        if (at + 2 >= s.n || s.p[at] != ':' || s.p[at + 1] != ':' || !starts_name(s.p[at + 2]))
            return at;
        at += 2;
    }
}

/* The end of a number; *is_float: it has a point or an exponent. */
static size_t number_end(str s, size_t at, bool *is_float)
{
    const bool hex = at + 1 < s.n && s.p[at] == '0' && (s.p[at + 1] | 32) == 'x';
    *is_float = false;
    for (; at < s.n; at++) {
        const char ch = s.p[at];
        if (ch == '.' || (!hex && (ch | 32) == 'e'))
            *is_float = true;
        else if (!starts_name(ch) && !is_digit(ch) && ch != '\'' &&
                 !((ch == '+' || ch == '-') && !hex && (s.p[at - 1] | 32) == 'e'))
            break;
    }
    return at;
}

/* The longest sign at `at`: up to three characters. */
static size_t sign_length(str s, size_t at)
{
    static const char *const signs[] = {
        "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
        "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "++", "--", "->"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const size_t n = strlen(signs[i]);
        if (s.n - at >= n && memcmp(s.p + at, signs[i], n) == 0)
            return n;
    }
    return 1;
}

/* Behind a comment, or `at` where none begins. */
size_t native_comment_end(str s, size_t at)
{
    if (at + 1 >= s.n || s.p[at] != '/')
        return at;
    if (s.p[at + 1] == '/') {
        while (at < s.n && s.p[at] != '\n')
            at++;
    } else if (s.p[at + 1] == '*') {
        for (at += 3; /* the star of the beginning ends nothing */ at < s.n &&
                      !(s.p[at] == '/' && s.p[at - 1] == '*');
             at++)
            ;
        at = at < s.n ? at + 1 : s.n;
    }
    return at;
}

/* Behind a string or character; the end of the text where it is not closed. */
size_t native_string_end(str s, size_t at)
{
    const char quote = s.p[at++];
    while (at < s.n && s.p[at] != quote)
        at += s.p[at] == '\\' && at + 1 < s.n ? 2 : 1;
    return at < s.n ? at + 1 : s.n;
}

/* Of a text without comments. The last token is NT_END. */
void native_tokens(nreader *r, str s)
{
    uint32_t line = 1;
    size_t at = 0;
    while (at < s.n) {
        const size_t from = at;
        const char ch = s.p[at];
        ntoken t = {.line = line};
        if (ch == ' ' || (ch >= '\t' && ch <= '\r')) {
            at++;
        } else if (starts_name(ch)) {
            t.kind = NT_NAME;
            at = name_end(s, at);
        } else if (is_digit(ch) || (ch == '.' && at + 1 < s.n && is_digit(s.p[at + 1]))) {
            bool is_float;
            at = number_end(s, at, &is_float);
            t.kind = is_float ? NT_FLOAT : NT_INT;
        } else if (ch == '"' || ch == '\'') {
            t.kind = NT_STRING;
            at = native_string_end(s, at);
        } else {
            t.kind = NT_SIGN;
            at += sign_length(s, at);
        }
        for (size_t i = from; i < at; i++)
            line += s.p[i] == '\n';
        t.text = (str){s.p + from, at - from};
        if (t.kind != NT_END)
            VEC_PUSH(r->a, &r->tokens, t);
        if (r->tokens.n > NATIVE_TOKENS)
            native_refuse(r, "a text of so many words");
    }
    VEC_PUSH(r->a, &r->tokens, ((ntoken){NT_END, STR("the end"), line}));
}

const ntoken *native_peek(const nreader *r, uint32_t ahead)
{
    WEFT_ASSERT(r->tokens.n > 0);
    const uint32_t at = r->at + ahead;
    return &r->tokens.v[at < r->tokens.n ? at : r->tokens.n - 1];
}

bool native_is(const nreader *r, const char *text)
{
    const ntoken *t = native_peek(r, 0);
    return (t->kind == NT_SIGN || t->kind == NT_NAME) && str_eq(t->text, str_c(text));
}

bool native_accept(nreader *r, const char *text)
{
    if (!native_is(r, text))
        return false;
    r->at++;
    return true;
}

void native_expect(nreader *r, const char *text)
{
    if (native_accept(r, text))
        return;
    const str have = native_peek(r, 0)->text;
    native_refuse(r, "'%.*s' where '%s' is expected", (int)(have.n < 60 ? have.n : 60), have.p,
                  text);
}

/* Begins a string or a character here? A ' behind a digit stands within a number. */
bool native_string_starts(str s, size_t at)
{
    return s.p[at] == '"' || (s.p[at] == '\'' && (!at || !is_digit(s.p[at - 1])));
}

/* Braces in comments and strings do not count. */
size_t native_body_length(str s)
{
    uint32_t open = 0;
    for (size_t at = 0; at < s.n;) {
        const size_t behind = native_comment_end(s, at);
        const char ch = s.p[at];
        if (behind > at) {
            at = behind;
            continue;
        }
        if (native_string_starts(s, at)) {
            at = native_string_end(s, at);
            continue;
        }
        if (ch == '}' && !open)
            return at;
        open += ch == '{';
        open -= ch == '}';
        at++;
    }
    return SIZE_MAX;
}
