/* SPDX-License-Identifier: Apache-2.0 */
/* Finds where a numeric literal ends and checks its form; number.c gives it its value. Examples:
 * "0x_ff" and "1_000.5e-3j" are one token each, "1if" is the number 1 and the keyword `if`, and
 *
 *     b.py:1:8: error: invalid binary (digit '2') literal [bad-number]
 *         x = 0b12
 *                ^
 *
 * The functions take the place p that they have reached and report errors there, since CPython
 * does. */
#include "base/assert.h"
#include "syntax/lex.h"

#include <stdio.h>

/* CPython lets a number be followed at once by one of these keywords ("1if x else 2"). After "if",
 * "in" and "is" any letters may come: its tokenizer looks at the first two letters only. */
static bool keyword_follows(const char *p)
{
    static const char *const words[] = {"and", "else", "for", "or", "not"};
    if (*p == 'i')
        return p[1] == 'f' || p[1] == 'n' || p[1] == 's';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (strncmp(p, words[i], n) == 0)
            return !lex_is(p[n], LEX_NAME);
    }
    return false;
}

/* Reports a malformed literal of this kind; the lexer goes on at `at`. */
static bool bad_literal(lexer *lx, const char *at, const char *kind)
{
    lx->p = at;
    lex_fail(lx, DIAG_BAD_NUMBER, at);
    snprintf(lx->error.arg, sizeof lx->error.arg, "%s", kind);
    return false;
}

/* A digit that the base does not have. */
static bool bad_digit(lexer *lx, const char *at, const char *kind)
{
    char text[48];
    snprintf(text, sizeof text, "%s (digit '%c')", kind, *at);
    return bad_literal(lx, at, text);
}

/* The literal ends at p: no letter of ASCII may follow, save those of a keyword. Letters beyond
 * ASCII are left to the next token, which the grammar refuses. */
static bool finish(lexer *lx, const char *p, const char *kind)
{
    if (lex_is(*p, LEX_NAME) && (unsigned char)*p < 128 && !keyword_follows(p))
        return bad_literal(lx, p, kind);
    lx->p = p;
    return true;
}

/* Skips digits of a class below limit (all of them for LEX_HEX), with single underscores between
 * them, from p on. Returns the place behind them; NULL: the error is set. At least one digit must
 * stand there, also behind an underscore: "1__0" and "1_" are errors. */
static const char *digits(lexer *lx, const char *p, int class, char limit, const char *kind)
{
    for (;;) {
        const char *s = p;
        while (lex_is(*p, class) && (class == LEX_HEX || *p < limit))
            p++;
        if (p == s) {
            if (class == LEX_DIGIT && limit < ':' && lex_is(*p, LEX_DIGIT))
                bad_digit(lx, p, kind);
            else
                bad_literal(lx, p, kind);
            return NULL;
        }
        if (*p != '_')
            return p;
        p++;
    }
}

/* "0x...", "0o..." or "0b...", with one underscore allowed after the letter. */
static bool based(lexer *lx, int class, char limit, const char *kind)
{
    const char *p = lx->p + 2;
    p = digits(lx, *p == '_' ? p + 1 : p, class, limit, kind);
    if (!p)
        return false;
    if (class == LEX_DIGIT && lex_is(*p, LEX_DIGIT))
        return bad_digit(lx, p, kind);
    return finish(lx, p, kind);
}

/* The rest of a decimal literal: the fraction, exponent or "j" at p. An "e" that no digit follows
 * is no exponent but a letter behind the number ("1else" is allowed, "1ex" is not). */
static bool tail(lexer *lx, const char *p)
{
    if (*p == '.') {
        p++;
        if (lex_is(*p, LEX_DIGIT) && !(p = digits(lx, p, LEX_DIGIT, ':', "decimal")))
            return false;
    }
    if ((*p | 0x20) == 'e') {
        const char *q = p + 1;
        if (*q == '+' || *q == '-') {
            if (!lex_is(*++q, LEX_DIGIT))
                return bad_literal(lx, q, "decimal");
        } else if (!lex_is(*q, LEX_DIGIT)) {
            return finish(lx, p, "decimal");
        }
        p = digits(lx, q, LEX_DIGIT, ':', "decimal");
        if (!p)
            return false;
    }
    if ((*p | 0x20) == 'j')
        return finish(lx, p + 1, "imaginary");
    return finish(lx, p, "decimal");
}

/* A literal that begins with 0 and has no base letter: zero, or a float. "012" is an error,
 * because it was octal in Python 2; "00", "012.5" and "012j" are numbers. */
static bool leading_zero(lexer *lx)
{
    const char *p = digits(lx, lx->p, LEX_DIGIT, ':', "decimal");
    if (!p)
        return false;
    bool nonzero = false;
    for (const char *q = lx->p; q < p; q++)
        nonzero |= *q != '0' && *q != '_';
    char c = *p | 0x20;
    if (nonzero && *p != '.' && c != 'e' && c != 'j') {
        lex_fail(lx, DIAG_LEADING_ZEROS, lx->p);
        return false;
    }
    return tail(lx, p);
}

/* The first two characters decide the form. */
bool lex_number(lexer *lx)
{
    WEFT_ASSERT(lex_is(*lx->p, LEX_DIGIT) || *lx->p == '.');
    const char *p = lx->p;
    if (*p == '.')
        return tail(lx, p);
    if (*p != '0') {
        p = digits(lx, p, LEX_DIGIT, ':', "decimal");
        return p && tail(lx, p);
    }
    switch (p[1] | 0x20) {
    case 'x': return based(lx, LEX_HEX, 0, "hexadecimal");
    case 'o': return based(lx, LEX_DIGIT, '8', "octal");
    case 'b': return based(lx, LEX_DIGIT, '2', "binary");
    default: return leading_zero(lx);
    }
}
