/* SPDX-License-Identifier: Apache-2.0 */
/* From Python 3.11 text to tokens, one at a time, with the rules and limits of CPython's
 * tokenizer. Used by the parser and by the PEG matcher. Example: the two lines
 *
 *     if x:
 *         y = 1
 *
 * are IF NAME COLON NEWLINE, INDENT NAME EQUAL NUMBER NEWLINE, DEDENT ENDMARKER.
 *
 * The lexer never looks further than the token it makes. So a copy of the struct is a place to
 * come back to within one logical line (parse_try, lex_peek); beyond it the shared stacks may have
 * changed. */
#ifndef WEFT_SYNTAX_LEX_H
#define WEFT_SYNTAX_LEX_H

#include "base/diag.h"
#include "base/sym.h"

/* T_NAME, T_LPAR, T_IF, ...: one value for each row of token.def. */
typedef enum token_kind {
#define TOKEN(name)         T_##name,
#define PUNCT(name, text)   T_##name,
#define KEYWORD(name, text) T_##name,
#include "syntax/token.def"
#undef TOKEN
#undef PUNCT
#undef KEYWORD
    T_COUNT
} token_kind;

enum { LEX_MAX_INDENT = 100, LEX_MAX_PARENS = 200 }; /* CPython's limits */
enum { LEX_MAX_NAME = 1 << 16 };                     /* bytes of a name beyond ASCII */

typedef struct token {
    uint8_t kind;
    uint8_t level;     /* open brackets after it */
    const char *s, *e; /* its text in the source; empty for INDENT, DEDENT, ENDMARKER, ERROR */
    const sym *name;   /* of a NAME, in NFKC form; else undefined */
    uint32_t line, col, end_line, end_col;
} token;

/* An open bracket and its place, for messages about brackets that do not match. */
typedef struct lex_paren {
    uint32_t line, col;
    char open;
} lex_paren;

/* The lexer's stacks. Entries below the current depth never change, so copies of a lexer may share
 * them. indent holds columns with tabs to multiples of 8, alt_indent with tabs of width 1; entry 0
 * of both is 0. */
typedef struct lex_stacks {
    uint32_t indent[LEX_MAX_INDENT], alt_indent[LEX_MAX_INDENT];
    lex_paren paren[LEX_MAX_PARENS];
} lex_stacks;

/* The first error of a text, not yet a diagnostic: diagnose.c decides whether it is the one to
 * report. */
typedef struct lex_error {
    bool set;
    bool raised; /* CPython's lexer reports it: such an error later on wins over a parser's */
    bool at_eof; /* the text ended where it must not */
    diag_id id;
    uint32_t line, col, end_col;
    char arg[80]; /* what the sentence names; may be "" */
} lex_error;

typedef struct lexer {
    const char *p, *end;    /* next byte; the NUL that ends the text */
    const char *text;       /* first byte of all */
    const char *line_start; /* of the physical line that p is in */
    uint32_t line;
    uint32_t first_line, first_shift; /* columns of that line are shifted (f-string expressions) */
    uint8_t level;                    /* number of open brackets */
    uint8_t depth;                    /* open indents */
    bool at_bol;                      /* indentation comes next */
    bool ended;                       /* the last line's end was seen */
    int pending;                      /* INDENT (1) or DEDENTs (-n) to give */
    lex_stacks *stacks;
    interner *syms;
    lex_error error;
} lexer;

/* text must end with a newline and a NUL after it (at text.p[text.n]): the lexer stops at those
 * bytes and needs no check of the end elsewhere. */
void lex_init(lexer *lx, str text, lex_stacks *stacks, interner *syms);
/* Makes the next token. After an error every token is ERROR, and lx->error says why. */
void lex_next(lexer *lx, token *t);
/* Goes back to the start of t, the last token made, which begins outside brackets. */
void lex_restart(lexer *lx, const token *t);
/* Kind of the token after the current one; the lexer stays where it is. The error of a token is
 * ignored. */
token_kind lex_peek(const lexer *lx);
/* The text of a punctuation mark or keyword ("+=", "if"); for classes of tokens their name
 * ("NAME"). */
const char *token_text(token_kind kind);

/* lex_number.c: scans the number at lx->p. False: lx->error is set. */
bool lex_number(lexer *lx);
/* lex_string.c: scans the string whose prefix begins at start and whose quote is at lx->p. False:
 * lx->error is set. */
bool lex_string(lexer *lx, const char *start);
/* lex_fstring.c: the end of the string literal whose quotes are at s and whose prefix, if any,
 * stands right before them, not before `from`; NULL: it does not end before `end`. Expressions of
 * f-strings may hold what Python 3.12 allows there. */
const char *lex_string_end(const char *from, const char *s, const char *end);
/* lex_name.c: the keyword that s[0..n) is, or T_NAME. */
token_kind lex_keyword(const char *s, size_t n);
/* lex_name.c: checks and interns an identifier with bytes above 127, in NFKC form; NULL: lx->error
 * is set. */
const sym *lex_unicode_name(lexer *lx, const char *s, const char *e);

/* Sets an error that CPython's tokenizer raises; returns false. at points into the current line. */
bool lex_fail(lexer *lx, diag_id id, const char *at);

/* What a byte may be part of: the first byte of a name, a name, a decimal and a hexadecimal number.
 */
enum { LEX_START = 1, LEX_NAME = 2, LEX_DIGIT = 4, LEX_HEX = 8 };
extern const uint8_t lex_class[256]; /* what a byte may be part of */

static inline bool lex_is(char c, int class)
{
    return lex_class[(unsigned char)c] & class;
}

#endif
