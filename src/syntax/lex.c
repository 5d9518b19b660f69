/* SPDX-License-Identifier: Apache-2.0 */
/* The lexer's core: lines and indentation, names, operators, brackets. Rules and limits are those
 * of CPython 3.11's tokenizer (Parser/tokenizer.c); positions count from line 1 and column 0 in
 * UTF-8 bytes. lex.h has an example. Numbers, strings and words have files of their own.
 *
 * CPython distinguishes errors that its tokenizer raises at once from those that its parser
 * reports when it reaches the token; lex_fail makes the former, lex_fail_quietly the latter. The
 * difference decides which of two errors in one file is reported (diagnose.c). */
#include "syntax/lex.h"

#include <stdio.h>

enum { TAB_WIDTH = 8 }; /* CPython's, for indentation */

/* What token_text returns, expanded from token.def. */
static const char *const texts[T_COUNT] = {
#define TOKEN(name)         #name,
#define PUNCT(name, text)   text,
#define KEYWORD(name, text) text,
#include "base/assert.h"
#include "syntax/token.def"
#undef TOKEN
#undef PUNCT
#undef KEYWORD
};

const char *token_text(token_kind kind)
{
    WEFT_ASSERT(kind < T_COUNT);
    return texts[kind];
}

void lex_init(lexer *lx, str text, lex_stacks *stacks, interner *syms)
{
    WEFT_ASSERT(text.p && text.p[text.n] == 0 && (!text.n || text.p[text.n - 1] == '\n'));
    *lx = (lexer){.p = text.p,
                  .text = text.p,
                  .end = text.p + text.n,
                  .line_start = text.p,
                  .line = 1,
                  .at_bol = true,
                  .stacks = stacks,
                  .syms = syms};
    stacks->indent[0] = stacks->alt_indent[0] = 0;
}

/* Sets an error of one column at `at`, for a failure that CPython's parser, not its tokenizer,
 * reports. Returns false. */
static bool lex_fail_quietly(lexer *lx, diag_id id, const char *at)
{
    WEFT_ASSERT(id < DIAG_COUNT);
    uint32_t col = at >= lx->line_start ? (uint32_t)(at - lx->line_start) : 0;
    /* An error at the end of the text may be behind the line of line_start, hence the
     * check above. Expressions of f-strings are copies whose first line is shifted. */
    if (lx->line == lx->first_line)
        col += lx->first_shift;
    lx->error =
        (lex_error){.set = true, .id = id, .line = lx->line, .col = col, .end_col = col + 1};
    return false;
}

bool lex_fail(lexer *lx, diag_id id, const char *at)
{
    lex_fail_quietly(lx, id, at);
    lx->error.raised = true;
    return false;
}

/* A backslash at lx->p joins this line to the next one. At the end of the text it is an error. */
static bool join_lines(lexer *lx)
{
    WEFT_ASSERT(*lx->p == '\\');
    if (lx->p[1] != '\n')
        /* CPython points behind the backslash. */
        return lex_fail_quietly(lx, DIAG_STRAY_BACKSLASH, lx->p + 1);
    /* Nothing follows: CPython reports the end of the file, which diagnose.c may turn into an open
     * bracket (at_eof). */
    if (lx->p + 2 >= lx->end) {
        lx->p += 2;
        lex_fail_quietly(lx, DIAG_UNEXPECTED_EOF, lx->p);
        lx->error.at_eof = true;
        return false;
    }
    lx->p += 2;
    lx->line++;
    lx->line_start = lx->p;
    return true;
}

/* Compares an indentation with the open ones and sets lx->pending. CPython counts columns twice,
 * with tabs to multiples of 8 (col) and with tabs of width 1 (alt); an indentation for which the
 * two disagree is an error, because it would depend on the editor's tab width. */
static bool apply_indent(lexer *lx, uint32_t col, uint32_t alt)
{
    WEFT_ASSERT(lx->depth < LEX_MAX_INDENT && !lx->level);
    uint32_t *indent = lx->stacks->indent, *alt_indent = lx->stacks->alt_indent;
    /* A deeper line opens one block. Its alternative column must be deeper too. */
    if (col > indent[lx->depth]) {
        if (lx->depth + 1 >= LEX_MAX_INDENT)
            return lex_fail_quietly(lx, DIAG_TOO_MANY_INDENTS, lx->p);
        if (alt <= alt_indent[lx->depth])
            return lex_fail_quietly(lx, DIAG_TAB_MIX, lx->p);
        lx->pending = 1;
        lx->depth++;
        indent[lx->depth] = col;
        alt_indent[lx->depth] = alt;
        return true;
    }
    /* A line further left closes blocks until one of its column is found. */
    while (lx->depth && col < indent[lx->depth]) {
        lx->pending--;
        lx->depth--;
    }
    if (col != indent[lx->depth])
        return lex_fail_quietly(lx, DIAG_DEDENT_MISMATCH, lx->p);
    if (alt != alt_indent[lx->depth])
        return lex_fail_quietly(lx, DIAG_TAB_MIX, lx->p);
    return true;
}

/* Reads the white space that begins a line. Sets *blank if nothing but a comment follows; such
 * lines, and lines inside brackets, have no indentation. A form feed starts the count again. Of
 * lines joined by a backslash the indentation is that of the first one. */
static bool read_indent(lexer *lx, bool *blank)
{
    uint32_t col = 0, alt = 0, joined_col = 0;
    for (;; lx->p++) {
        char c = *lx->p;
        if (c == ' ') {
            col++, alt++;
        } else if (c == '\t') {
            col = (col / TAB_WIDTH + 1) * TAB_WIDTH;
            alt++;
        } else if (c == '\f') {
            col = alt = 0;
        } else if (c == '\\') {
            /* A backslash in the indentation: the column before the first one counts. The loop's
             * own step moves over the character that join_lines stops at, hence the step back. */
            joined_col = joined_col ? joined_col : col;
            if (!join_lines(lx))
                return false;
            lx->p--;
        } else {
            break;
        }
    }
    /* The NUL at the end of the text is not blank: its column 0 closes all blocks. */
    *blank = *lx->p == '#' || *lx->p == '\n';
    if (*blank || lx->level)
        return true;
    return apply_indent(lx, joined_col ? joined_col : col, joined_col ? joined_col : alt);
}

/* Fills in text and place of a token in one line. The columns of the first line of an f-string
 * expression are shifted to its place in the file. */
static void set_place(const lexer *lx, token *t, const char *s, const char *e)
{
    WEFT_ASSERT(s <= e);
    uint32_t shift = lx->line == lx->first_line ? lx->first_shift : 0;
    t->s = s;
    t->e = e;
    t->line = t->end_line = lx->line;
    t->col = (uint32_t)(s - lx->line_start) + shift;
    t->end_col = (uint32_t)(e - lx->line_start) + shift;
}

/* Makes a token of the next n bytes and consumes them. */
static void give(lexer *lx, token *t, token_kind kind, size_t n)
{
    WEFT_ASSERT(lx->p + n <= lx->end + 1);
    set_place(lx, t, lx->p, lx->p + n);
    lx->p += n;
    t->kind = (uint8_t)kind;
}

/* The ERROR token; the lexer's error says what is wrong. */
static void give_error(lexer *lx, token *t)
{
    t->kind = T_ERROR;
    t->s = t->e = lx->p;
    t->line = t->end_line = lx->error.line;
    t->col = lx->error.col;
    t->end_col = lx->error.end_col;
}

/* Remembers the bracket, since an error may have to name its line. */
static void open_bracket(lexer *lx, token *t, token_kind kind)
{
    WEFT_ASSERT(*lx->p == '(' || *lx->p == '[' || *lx->p == '{');
    if (lx->level >= LEX_MAX_PARENS) {
        lex_fail(lx, DIAG_TOO_MANY_PARENS, lx->p);
        give_error(lx, t);
        return;
    }
    char c = *lx->p;
    give(lx, t, kind, 1);
    lx->stacks->paren[lx->level++] = (lex_paren){t->line, t->col, c};
}

/* A bracket must close the last open one, of its own kind. */
static void close_bracket(lexer *lx, token *t, token_kind kind, char open)
{
    char c = *lx->p;
    if (!lx->level) {
        lex_fail(lx, DIAG_UNMATCHED_BRACKET, lx->p);
        snprintf(lx->error.arg, sizeof lx->error.arg, "%c", c);
        give_error(lx, t);
        return;
    }
    const lex_paren *top = &lx->stacks->paren[lx->level - 1];
    /* The message names the line of the opening bracket, since it may be far away. */
    if (top->open != open) {
        lex_fail(lx, DIAG_MISMATCHED_BRACKET, lx->p);
        snprintf(lx->error.arg, sizeof lx->error.arg, "'%c' does not match opening '%c' of line %u",
                 c, top->open, (unsigned)top->line);
        give_error(lx, t);
        return;
    }
    lx->level--;
    give(lx, t, kind, 1);
}

/* A name or keyword at lx->p. Only names with bytes above 127 need normalisation, so they alone go
 * through lex_unicode_name. Bytes above 127 cannot be part of a keyword. */
static void give_name(lexer *lx, token *t)
{
    WEFT_ASSERT(lex_is(*lx->p, LEX_START));
    const char *s = lx->p, *e = s;
    unsigned char high = 0;
    while (lex_is(*e, LEX_NAME))
        high |= (unsigned char)*e++;
    size_t n = (size_t)(e - s);
    if (high < 128) {
        t->kind = (uint8_t)lex_keyword(s, n);
        t->name = t->kind == T_NAME ? sym_intern(lx->syms, s, n) : NULL;
    } else {
        t->kind = T_NAME;
        t->name = lex_unicode_name(lx, s, e);
        if (!t->name) {
            give_error(lx, t);
            return;
        }
    }
    set_place(lx, t, s, e);
    lx->p = e;
}

/* A string whose prefix begins at start; its quote is at lx->p. The token's place is that of its
 * beginning, although the lexer may have moved on by several lines. */
static void give_string(lexer *lx, token *t, const char *start)
{
    uint32_t line = lx->line;
    const char *line_start = lx->line_start;
    /* lex_string moves lx->line to the line of the closing quotes, so the beginning was saved
     * above. */
    if (!lex_string(lx, start)) {
        give_error(lx, t);
        return;
    }
    set_place(lx, t, start, lx->p);
    /* set_place computed the place of the end, in the last line; the start is filled in here. */
    t->kind = T_STRING;
    t->line = line;
    t->col = (uint32_t)(start - line_start) + (line == lx->first_line ? lx->first_shift : 0);
    /* CPython shifts a string's start by the line it ends in (f-string expressions). */
    if (lx->first_line && line == lx->first_line && lx->line != line)
        t->col -= lx->first_shift;
}

/* Returns the place of the quote if the letters at p are the prefix of a string, else NULL. The
 * prefixes are those of the language reference in either case and order: b, u, r, f, br, rb, fr,
 * rf. */
static const char *string_prefix(const char *p)
{
    bool b = false, u = false, r = false, f = false;
    for (;; p++) {
        char c = *p | 0x20;
        if (c == 'b' && !(b || u || f))
            b = true;
        else if (c == 'u' && !(b || u || r || f))
            u = true;
        else if (c == 'r' && !(r || u))
            r = true;
        else if (c == 'f' && !(f || b || u))
            f = true;
        else
            break;
    }
    return *p == '"' || *p == '\'' ? p : NULL;
}

/* A number at lx->p; a "." may begin it. */
static void give_number(lexer *lx, token *t)
{
    const char *s = lx->p;
    if (!lex_number(lx)) {
        give_error(lx, t);
        return;
    }
    set_place(lx, t, s, lx->p);
    t->kind = T_NUMBER;
}

/* An operator of up to three characters: the plain one, with "=", doubled, doubled with "=".
 * T_STRAY stands for a form that does not exist. */
static void give_op(lexer *lx, token *t, token_kind one, token_kind one_eq, token_kind two,
                    token_kind two_eq)
{
    char c = *lx->p;
    /* "**" and "**=" before "*" and "*=": the longest form wins, as in CPython. */
    if (two != T_STRAY && lx->p[1] == c) {
        bool eq = two_eq != T_STRAY && lx->p[2] == '=';
        give(lx, t, eq ? two_eq : two, eq ? 3 : 2);
    } else {
        bool eq = one_eq != T_STRAY && lx->p[1] == '=';
        give(lx, t, eq ? one_eq : one, eq ? 2 : 1);
    }
}

/* Control characters are an error of the tokenizer; other characters that begin no token become
 * STRAY, which the parser refuses with "invalid syntax". */
static void give_control(lexer *lx, token *t)
{
    unsigned char c = (unsigned char)*lx->p;
    if (c < 32 || c == 127) {
        lex_fail(lx, DIAG_BAD_CHARACTER, lx->p);
        snprintf(lx->error.arg, sizeof lx->error.arg, "U+%04X", c);
        give_error(lx, t);
        return;
    }
    give(lx, t, T_STRAY, 1);
}

/* The token at lx->p, which is no white space, line end or comment. */
static void give_token(lexer *lx, token *t)
{
    char c = *lx->p;
    switch (c) {
    case '(': open_bracket(lx, t, T_LPAR); return;
    case '[': open_bracket(lx, t, T_LSQB); return;
    case '{': open_bracket(lx, t, T_LBRACE); return;
    case ')': close_bracket(lx, t, T_RPAR, '('); return;
    case ']': close_bracket(lx, t, T_RSQB, '['); return;
    case '}': close_bracket(lx, t, T_RBRACE, '{'); return;
    case ',': give(lx, t, T_COMMA, 1); return;
    case ';': give(lx, t, T_SEMI, 1); return;
    case '~': give(lx, t, T_TILDE, 1); return;
    case '+': give_op(lx, t, T_PLUS, T_PLUSEQUAL, T_STRAY, T_STRAY); return;
    case '/': give_op(lx, t, T_SLASH, T_SLASHEQUAL, T_DOUBLESLASH, T_DOUBLESLASHEQUAL); return;
    case '*': give_op(lx, t, T_STAR, T_STAREQUAL, T_DOUBLESTAR, T_DOUBLESTAREQUAL); return;
    case '>': give_op(lx, t, T_GREATER, T_GREATEREQUAL, T_RIGHTSHIFT, T_RIGHTSHIFTEQUAL); return;
    case '|': give_op(lx, t, T_VBAR, T_VBAREQUAL, T_STRAY, T_STRAY); return;
    case '&': give_op(lx, t, T_AMPER, T_AMPEREQUAL, T_STRAY, T_STRAY); return;
    case '^': give_op(lx, t, T_CIRCUMFLEX, T_CIRCUMFLEXEQUAL, T_STRAY, T_STRAY); return;
    case '%': give_op(lx, t, T_PERCENT, T_PERCENTEQUAL, T_STRAY, T_STRAY); return;
    case '@': give_op(lx, t, T_AT, T_ATEQUAL, T_STRAY, T_STRAY); return;
    case '=': give_op(lx, t, T_EQUAL, T_EQEQUAL, T_STRAY, T_STRAY); return;
    case ':': give_op(lx, t, T_COLON, T_COLONEQUAL, T_STRAY, T_STRAY); return;
    case '!': give_op(lx, t, T_STRAY, T_NOTEQUAL, T_STRAY, T_STRAY); return;
    /* "<>" is no operator without `from __future__ import barry_as_FLUFL`, and CPython's parser
     * refuses the token. It is one STRAY of two characters, so the error covers both. */
    case '<':
        if (lx->p[1] == '>')
            give(lx, t, T_STRAY, 2);
        else
            give_op(lx, t, T_LESS, T_LESSEQUAL, T_LEFTSHIFT, T_LEFTSHIFTEQUAL);
        return;
    case '-':
        if (lx->p[1] == '>')
            give(lx, t, T_RARROW, 2);
        else
            give_op(lx, t, T_MINUS, T_MINEQUAL, T_STRAY, T_STRAY);
        return;
    /* ".5" is a number, "..." one token, ".." two dots. */
    case '.':
        if (lex_is(lx->p[1], LEX_DIGIT))
            give_number(lx, t);
        else if (lx->p[1] == '.' && lx->p[2] == '.')
            give(lx, t, T_ELLIPSIS, 3);
        else
            give(lx, t, T_DOT, 1);
        return;
    case '"':
    case '\'': give_string(lx, t, lx->p); return;
    default: give_control(lx, t); return;
    }
}

/* A token after the last line end (ENDMARKER, the last DEDENTs) gets its place at the end of the
 * last line, as CPython's do. */
static void place_at_end(const lexer *lx, token *t)
{
    if (lx->p < lx->end || lx->p != lx->line_start || lx->line == 1)
        return;
    /* The start of the last line that has text: that of the newline before p. */
    const char *start = lx->p - 1;
    while (start > lx->text && start[-1] != '\n')
        start--;
    t->line = t->end_line = lx->line - 1;
    t->col = t->end_col = (uint32_t)(lx->p - 1 - start);
}

/* The end of the text: an error inside brackets, else ENDMARKER. ENDMARKER can be made again and
 * again. */
static void give_end(lexer *lx, token *t)
{
    if (lx->level) {
        lex_fail_quietly(lx, DIAG_UNEXPECTED_EOF, lx->p);
        lx->error.at_eof = true;
        give_error(lx, t);
        return;
    }
    give(lx, t, T_ENDMARKER, 0);
    place_at_end(lx, t);
}

/* An INDENT or DEDENT that read_indent has counted. One line may close several blocks. */
static bool give_pending(lexer *lx, token *t)
{
    if (!lx->pending)
        return false;
    set_place(lx, t, lx->p, lx->p);
    place_at_end(lx, t);
    t->kind = lx->pending > 0 ? T_INDENT : T_DEDENT;
    /* Counts towards 0 from either side. */
    lx->pending += lx->pending > 0 ? -1 : 1;
    return true;
}

/* Skips white space, comments and joined lines; stops at the next token or line end. False:
 * lx->error is set. */
static bool skip_space(lexer *lx)
{
    for (;;) {
        while (*lx->p == ' ' || *lx->p == '\t' || *lx->p == '\f')
            lx->p++;
        if (*lx->p == '#') {
            /* The text ends with a newline, so one is found. */
            lx->p = memchr(lx->p, '\n', (size_t)(lx->end - lx->p));
            return true;
        }
        if (*lx->p != '\\')
            return true;
        if (!join_lines(lx))
            return false;
    }
}

/* Consumes a line end; indentation comes next. */
static void next_line(lexer *lx)
{
    WEFT_ASSERT(*lx->p == '\n');
    lx->p++;
    lx->line++;
    lx->line_start = lx->p;
    lx->at_bol = true;
}

/* Makes one token. Once an error is set, every further token is ERROR. The loop repeats for line
 * ends that are no token: those of blank lines and those inside brackets. */
static void scan(lexer *lx, token *t)
{
    if (lx->error.set) {
        give_error(lx, t);
        return;
    }
    /* blank: the current line has no token so far and no indentation that counts, so its end is no
     * NEWLINE. */
    bool blank = false;
    for (;;) {
        if (lx->at_bol) {
            lx->at_bol = false;
            blank = false;
            if (!read_indent(lx, &blank)) {
                give_error(lx, t);
                return;
            }
        }
        if (give_pending(lx, t))
            return;
        if (!skip_space(lx)) {
            give_error(lx, t);
            return;
        }
        char c = *lx->p;
        if (lex_is(c, LEX_START)) {
            /* A name's letters may be the prefix of a string: rb"..." begins like the name rb. */
            const char *quote = string_prefix(lx->p);
            if (quote) {
                const char *start = lx->p;
                lx->p = quote;
                give_string(lx, t, start);
            } else {
                give_name(lx, t);
            }
            return;
        }
        if (lex_is(c, LEX_DIGIT)) {
            give_number(lx, t);
            return;
        }
        if (c == '\n') {
            /* Line ends of blank lines and inside brackets are white space. */
            if (blank || lx->level) {
                next_line(lx);
                continue;
            }
            give(lx, t, T_NEWLINE, 1);
            /* give has consumed the newline and next_line does it too. */
            lx->p--;
            next_line(lx);
            return;
        }
        if (lx->p >= lx->end)
            give_end(lx, t);
        else
            give_token(lx, t);
        return;
    }
}

/* level is that behind the token: 1 for an opening bracket, 0 for the one that closes it. */
void lex_next(lexer *lx, token *t)
{
    scan(lx, t);
    t->level = lx->level;
}

/* The copy shares the stacks, which is safe for one token: a bracket that it opens writes an entry
 * above lx's depth only. */
token_kind lex_peek(const lexer *lx)
{
    lexer copy = *lx;
    token t;
    lex_next(&copy, &t);
    return t.kind;
}

/* An INDENT or DEDENT has no text: it is counted as pending again. */
void lex_restart(lexer *lx, const token *t)
{
    lx->p = t->s;
    lx->line = t->line;
    /* The column counts from the start of the line; in the first line of an f-string's expression
     * it counts from the file's line. */
    lx->line_start = t->s - t->col;
    if (t->line == lx->first_line)
        lx->line_start += lx->first_shift;
    lx->at_bol = false;
    lx->level = 0;
    if (t->kind == T_INDENT)
        lx->pending++;
    else if (t->kind == T_DEDENT)
        lx->pending--;
    lx->error.set = false;
}
