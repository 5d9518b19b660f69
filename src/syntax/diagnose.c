/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which error to report for a text that the fast parser refused: the one that CPython 3.11
 * reports, on the same line. Called by parser.c once a file has failed. Example: for `f(x for x in
 * y, 1)` the fast parser stops at the comma; this finds
 *
 *     b.py:1:3: error: a generator among other arguments needs parentheses [bare-generator]
 *
 * CPython's parser reads a wrong text twice, the second time with its rules for wrong programs
 * (those named invalid_... in its grammar). Then it reads the rest of the text for errors of the
 * tokenizer, which win over errors of the grammar. This does the same with the PEG matcher
 * (peg.h), so the error depends on the order in which CPython tries its rules, not on how the fast
 * parser is written. */
#include <stdio.h>

#include "base/assert.h"
#include "syntax/peg.h"

/* Reads the tokens that are left. Replaces *e by the lexer's error in them, if CPython would
 * report that one: an error that its tokenizer raises (`raised` in lex_error), or a bracket that
 * is open at the end of the text and was opened above line. line: of the last token that was read.
 */
static void check_rest(lexer *lx, uint32_t line, lex_error *e)
{
    token t;
    do
        lex_next(lx, &t);
    while (t.kind != T_ERROR && t.kind != T_ENDMARKER);
    if (t.kind != T_ERROR)
        return;
    if (lx->error.raised) {
        *e = lx->error;
        return;
    }
    if (lx->level && line > lx->stacks->paren[lx->level - 1].line) {
        lx->error.at_eof = true;
        *e = peg_lexer_error(lx);
    }
}

/* An error over the token, or over its first column only if it spans lines: a diagnostic
 * underlines one line. */
static lex_error at_token(diag_id id, const token *t)
{
    lex_error e = {.set = true, .id = id, .line = t->line, .col = t->col};
    e.end_col = t->end_line == t->line && t->end_col > t->col ? t->end_col : t->col + 1;
    return e;
}

/* Are the tokens from t on the two characters of an operator, side by side? */
static bool is_pair(const token *t, const char *pair)
{
    return t[0].e - t[0].s == 1 && t[1].e - t[1].s == 1 && t[0].e == t[1].s &&
           t[0].s[0] == pair[0] && t[1].s[0] == pair[1];
}

/* An operator of C that ends the n tokens which were read, or stands before the last of them: the
 * error is placed where CPython has it, which is in the middle of `&&` and behind `++`. */
static diag_id c_operator(const token *tokens, uint32_t n)
{
    if (n >= 2 && is_pair(&tokens[n - 2], "&&"))
        return DIAG_C_AND;
    if (n >= 2 && is_pair(&tokens[n - 2], "||"))
        return DIAG_C_OR;
    if (n >= 3 && is_pair(&tokens[n - 3], "++"))
        return DIAG_C_INCREMENT;
    if (n >= 3 && is_pair(&tokens[n - 3], "--"))
        return DIAG_C_DECREMENT;
    return DIAG_INVALID_SYNTAX;
}

/* Plain "invalid syntax" at the last of n tokens, or "bad character" for a single character that
 * begins no token. */
static lex_error invalid_syntax(const token *tokens, uint32_t n)
{
    const token *t = &tokens[n - 1];
    if (t->kind != T_STRAY || t->e - t->s != 1)
        return at_token(c_operator(tokens, n), t);
    if (*t->s == '!')
        return at_token(DIAG_C_NOT, t);
    lex_error e = at_token(DIAG_BAD_CHARACTER, t);
    snprintf(e.arg, sizeof e.arg, "'%c'", *t->s);
    return e;
}

/* Runs the matcher without and then with the rules for wrong programs. In order of precedence: an
 * error of the lexer or of an action in the first reading, an error that a rule for wrong programs
 * reports, an unexpected indent or dedent, plain "invalid syntax" at the last token that the first
 * reading needed. The second reading often looks further ahead, which is why `last` is taken
 * before it.
 *
 * If the matcher accepts the text, it and the fast parser disagree; the error then stays where the
 * fast parser stopped. *final is set if the error stands whatever the rest of the text holds. */
static lex_error read_twice(peg *g, peg_rule rule, const token *seen, bool *final)
{
    *final = false;
    if (peg_run(g, rule, false))
        return at_token(DIAG_INVALID_SYNTAX, seen);
    if (g->error.set || g->lx.error.set)
        return g->error;
    if (g->gave_up || !g->tokens.n)
        return at_token(DIAG_INVALID_SYNTAX, seen);
    const uint32_t read = g->tokens.n;
    const token last = g->tokens.v[read - 1];
    if (peg_run(g, rule, true) || g->gave_up)
        return at_token(DIAG_INVALID_SYNTAX, seen);
    if (g->error.set)
        return g->error;
    if (last.kind == T_INDENT || last.kind == T_DEDENT) {
        *final = true;
        diag_id id = last.kind == T_INDENT ? DIAG_UNEXPECTED_INDENT : DIAG_UNEXPECTED_DEDENT;
        return at_token(id, &g->tokens.v[g->tokens.n - 1]);
    }
    return invalid_syntax(g->tokens.v, read);
}

/* Works out the error of a text that the fast parser refused. The text is what lx reads next, up
 * to the end, and should match rule (PEG_file, PEG_fstring). seen is the fast parser's token: the
 * error is placed there if nothing better is found. */
static lex_error diagnose(parser *p, const lexer *lx, peg_rule rule, const token *seen)
{
    arena *a = &p->c->scratch;
    WEFT_ASSERT(rule == PEG_file || rule == PEG_fstring);
    peg *g = ARENA_NEW(a, peg);
    g->p = p;
    g->lx = *lx;
    g->grammar = peg_compile(a);
    bool final;
    lex_error e = read_twice(g, rule, seen, &final);
    if (!final && !g->lx.error.set && e.id != DIAG_NESTED_TOO_DEEPLY)
        check_rest(&g->lx, g->tokens.n ? g->tokens.v[g->tokens.n - 1].line : 1, &e);
    return e;
}

/* The errors that need no second parser come first: the lexer's own, and those that parse_fail_at
 * was given. Nesting that is too deep is final, since the matcher would run into its own limit. */
lex_error diagnose_failure(parser *p, const lexer *start, peg_rule rule)
{
    lex_error e = p->error;
    if (p->lx.error.set)
        return peg_lexer_error(&p->lx);
    if (!e.set)
        return diagnose(p, start, rule, &p->tok);
    if (e.id != DIAG_NESTED_TOO_DEEPLY)
        check_rest(&p->lx, p->tok.line, &e);
    return e;
}
