/* Which error to report for a text that the fast parser refused: the one that CPython 3.11 reports.
 * An example: for `f(x for x in y, 1)` the fast parser knows only where it stopped; this finds that
 * the generator needs parentheses, and its place.
 *
 * CPython's parser reads the text twice, the second time with rules for wrong programs. Then it
 * reads the rest of the text for errors of the lexer, which win. This does the same with the PEG
 * matcher (peg.h). */
#include <stdio.h>

#include "syntax/peg.h"

/* Replaces *e by the lexer's error in the rest of the text, if CPython would report that one. line:
 * of the last token that was read. */
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

/* An error over the token, or over its first column if it spans lines. */
static lex_error at_token(diag_id id, const token *t)
{
    lex_error e = {.set = true, .id = id, .line = t->line, .col = t->col};
    e.end_col = t->end_line == t->line && t->end_col > t->col ? t->end_col : t->col + 1;
    return e;
}

/* Plain "invalid syntax", or "bad character" for a single character that begins no token. */
static lex_error invalid_syntax(const token *t)
{
    if (t->kind != T_STRAY || t->e - t->s != 1)
        return at_token(DIAG_INVALID_SYNTAX, t);
    lex_error e = at_token(DIAG_BAD_CHARACTER, t);
    snprintf(e.arg, sizeof e.arg, "'%c'", *t->s);
    return e;
}

/* Both readings. *final: the error stands, whatever the rest of the text holds. */
static lex_error read_twice(peg *g, peg_rule rule, const token *seen, bool *final)
{
    *final = false;
    if (peg_run(g, rule, false))
        return at_token(DIAG_INVALID_SYNTAX, seen);
    if (g->error.set || g->lx.error.set)
        return g->error;
    if (g->gave_up || !g->tokens.n)
        return at_token(DIAG_INVALID_SYNTAX, seen);
    token last = g->tokens.v[g->tokens.n - 1];
    if (peg_run(g, rule, true) || g->gave_up)
        return at_token(DIAG_INVALID_SYNTAX, seen);
    if (g->error.set)
        return g->error;
    if (last.kind == T_INDENT || last.kind == T_DEDENT) {
        *final = true;
        diag_id id = last.kind == T_INDENT ? DIAG_UNEXPECTED_INDENT : DIAG_UNEXPECTED_DEDENT;
        return at_token(id, &g->tokens.v[g->tokens.n - 1]);
    }
    return invalid_syntax(&last);
}

/* Works out the error of a text that the fast parser refused. The text is what lx reads next, up to
 * the end, and should match rule (PEG_file, PEG_fstring). seen is the fast parser's token: the
 * error is placed there if nothing better is found. */
static lex_error diagnose(parser *p, const lexer *lx, peg_rule rule, const token *seen)
{
    arena *a = &p->c->scratch;
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
