/* Python 3.11 text to tokens, one at a time. The lexer never looks further than the token it
 * makes, so a copy of the struct is a place to come back to within one logical line. */
#ifndef WEFT_SYNTAX_LEX_H
#define WEFT_SYNTAX_LEX_H

#include "base/diag.h"
#include "base/sym.h"

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
    const char *s, *e; /* its text */
    const sym *name;   /* of a NAME, normalised */
    uint32_t line, col, end_line, end_col;
} token;

typedef struct lex_paren {
    uint32_t line, col;
    char open;
} lex_paren;

/* The lexer's stacks; entries below the current depth never change, so copies may share them. */
typedef struct lex_stacks {
    uint32_t indent[LEX_MAX_INDENT], alt_indent[LEX_MAX_INDENT];
    lex_paren paren[LEX_MAX_PARENS];
} lex_stacks;

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
    uint8_t level;                    /* open brackets */
    uint8_t depth;                    /* open indents */
    bool at_bol;                      /* indentation comes next */
    bool ended;                       /* the last line's end was seen */
    int pending;                      /* INDENT (1) or DEDENTs (-n) to give */
    lex_stacks *stacks;
    interner *syms;
    lex_error error;
} lexer;

/* text must end with a newline and a NUL after it (at text.p[text.n]). */
void lex_init(lexer *lx, str text, lex_stacks *stacks, interner *syms);
/* Makes the next token. After an error every token is ERROR, and lx->error says why. */
void lex_next(lexer *lx, token *t);
/* Goes back to the start of t, outside brackets, which was the last token made. */
void lex_restart(lexer *lx, const token *t);
/* Kind of the token after the current one; the lexer stays where it is. */
token_kind lex_peek(const lexer *lx);
/* The text of a fixed token, "NAME" and the like for the others. */
const char *token_text(token_kind kind);

/* lex_number.c: scans the number at lx->p. False: lx->error is set. */
bool lex_number(lexer *lx);
/* lex_string.c: scans the string whose prefix begins at start and whose quote is at lx->p. */
bool lex_string(lexer *lx, const char *start);
/* lex_name.c: the keyword that s[0..n) is, or T_NAME. */
token_kind lex_keyword(const char *s, size_t n);
/* lex_name.c: interns an identifier with bytes above 127 in NFKC form; NULL: lx->error is set. */
const sym *lex_unicode_name(lexer *lx, const char *s, const char *e);

/* Sets the error; returns false. at points into the current line. */
bool lex_fail(lexer *lx, diag_id id, const char *at);

enum { LEX_START = 1, LEX_NAME = 2, LEX_DIGIT = 4, LEX_HEX = 8 };
extern const uint8_t lex_class[256]; /* what a byte may be part of */

static inline bool lex_is(char c, int class)
{
    return lex_class[(unsigned char)c] & class;
}

#endif
