/* SPDX-License-Identifier: Apache-2.0 */
/* The parser's entry, its failure and small helpers. parse_module turns the text `x = 1` into
 * Module(body=[Assign(targets=[Name x], value=Constant 1)]). There is no error recovery, as
 * CPython has none: a rule that does not fit leaves by longjmp, and diagnose.c then finds the
 * error that CPython would report. */
#include "syntax/parser.h"

#include "base/assert.h"
#include "syntax/peg.h"
#include "syntax/scoping.h"
#include "syntax/source_text.h"

/* Levels of CPython's rules from a statement to a name in it, found by trying how deep a text
 * CPython accepts. Counted once at the start, as each nesting ends at a name. */
enum { LEAF_LEVELS = 31 };

_Noreturn void parse_fail(parser *p)
{
    longjmp(*p->fail, 1);
}

_Noreturn void parse_fail_at(parser *p, diag_id id, pos at, pos end, const char *arg)
{
    p->error = (lex_error){.set = true, .id = id, .line = at.line, .col = at.col};
    /* Diagnostics underline one line, as at_token in diagnose.c. */
    p->error.end_col = end.line == at.line && end.col > at.col ? end.col : at.col + 1;
    /* A long argument is cut to the room of lex_error. */
    if (arg) {
        size_t n = strlen(arg);
        n = n < sizeof p->error.arg ? n : sizeof p->error.arg - 1;
        memcpy(p->error.arg, arg, n);
        p->error.arg[n] = 0;
    }
    parse_fail(p);
}

void parse_enter(parser *p, uint32_t levels)
{
    WEFT_ASSERT(levels <= 64);
    p->level += levels;
    if (p->level > p->highest)
        p->highest = p->level;
    if (p->level > PARSE_MAX_LEVEL)
        parse_fail_at(p, DIAG_NESTED_TOO_DEEPLY, parse_here(p), parse_here(p), NULL);
}

node_list parse_list(parser *p, uint32_t mark)
{
    WEFT_ASSERT(mark <= p->nodes.n);
    uint32_t n = p->nodes.n - mark;
    if (!n)
        return (node_list){0};
    node **v = ARENA_ARRAY(&p->c->module, node *, n);
    memcpy(v, p->nodes.v + mark, n * sizeof *v);
    p->nodes.n = mark;
    return (node_list){v, n};
}

node_list parse_list1(parser *p, node *n)
{
    node **v = ARENA_ARRAY(&p->c->module, node *, 1);
    v[0] = n;
    return (node_list){v, 1};
}

const sym *parse_name(parser *p)
{
    if (!parse_at(p, T_NAME))
        parse_fail(p);
    const sym *name = p->tok.name;
    parse_advance(p);
    return name;
}

/* What a failed rule may have changed is restored; nodes that it has made stay in the arena
 * unused. longest, highest and legacy keep what it recorded, which makes them too large at worst.
 */
node *parse_try(parser *p, node *(*rule)(parser *))
{
    const lexer lx = p->lx;
    const token tok = p->tok;
    const pos end = p->end;
    const uint32_t mark = p->nodes.n, level = p->level;
    jmp_buf *outer = p->fail, here;
    p->fail = &here;
    if (!setjmp(here)) {
        node *n = rule(p);
        p->fail = outer;
        return n;
    }
    p->fail = outer;
    /* An error of its own is final: CPython raises it at once, also where another alternative
     * would fit. */
    if (p->error.set)
        parse_fail(p);
    p->lx = lx;
    p->tok = tok;
    p->end = end;
    p->nodes.n = mark;
    p->level = level;
    return NULL;
}

/* Finds the error that stands for the failure and adds it to the diagnostics. */
static void report(parser *p)
{
    lex_error e = diagnose_failure(p, &p->restart, PEG_file);
    span at = {p->src, e.line, e.col, e.line, e.end_col};
    diag_error(p->c, at, e.id, e.arg);
}

/* Loops over operands, trailers and elifs make the tree deeper than the parser's own nesting. The
 * tree is measured only where this may have gone beyond the limit: `highest` bounds how deep the
 * parser was, at least 20 levels of CPython's rules for each bracket, and each nesting may hold
 * one chain of `longest` nodes. */
static void check_depth(parser *p, const ast_Module *m)
{
    uint64_t nests = p->highest / 20 + LEX_MAX_INDENT;
    if (p->highest + nests * (p->longest + 1) < AST_MAX_DEPTH)
        return;
    const node *deep = ast_too_deep(&m->base);
    if (deep)
        parse_fail_at(p, DIAG_NESTED_TOO_DEEPLY, (pos){deep->line, deep->col},
                      (pos){deep->end_line, deep->end_col}, NULL);
}

/* Parses all statements. The search for an error starts at the top-level statement where the
 * parser failed, for the text before it is right. An exception are statements like "print -1":
 * each is valid by itself, yet CPython reports it once anything after it is wrong. The search then
 * starts at the first of them. */
static ast_Module *module(parser *p)
{
    /* p->tok is the first token of the next statement, but the lexer is behind it: lex_restart
     * goes back. */
    p->restart = p->lx;
    lex_next(&p->lx, &p->tok);
    while (!parse_at(p, T_ENDMARKER)) {
        parse_statement(p);
        if (p->legacy)
            continue;
        p->restart = p->lx;
        lex_restart(&p->restart, &p->tok);
    }
    ast_Module *m = ARENA_NEW(&p->c->module, ast_Module);
    m->base.kind = AST_Module;
    m->body = parse_list(p, 0);
    check_depth(p, m);
    return m;
}

/* All but the tree is in the scratch arena and goes at the end. The newline that a last line lacks
 * is in the text but not counted (source_prepare); the lexer reads it all the same. */
static ast_Module *parse_text(ctx *c, source *src, bool compiled)
{
    if (!source_prepare(c, src))
        return NULL;
    arena_mark mark = arena_save(&c->scratch);
    parser *p = ARENA_NEW(&c->scratch, parser);
    p->c = c;
    p->src = src;
    p->level = LEAF_LEVELS;
    p->print = sym_c(&c->syms, "print");
    p->exec = sym_c(&c->syms, "exec");
    lex_stacks *stacks = arena_alloc(&c->scratch, sizeof *stacks);
    size_t n = src->text.n;
    /* The added newline is text for the lexer: lines end with one. */
    bool newline_added = n && src->text.p[n - 1] != '\n';
    lex_init(&p->lx, (str){src->text.p, n + newline_added}, stacks, &c->syms);
    jmp_buf here;
    p->fail = &here;
    ast_Module *m = NULL;
    if (!setjmp(here))
        m = module(p);
    else
        report(p);
    if (m && compiled && !scoping_check(c, src, m, p->declares))
        m = NULL;
    arena_rewind(&c->scratch, mark);
    return m;
}

static ast_Module *parse(ctx *c, source *src, bool compiled)
{
    const work_stage before = stage_switch(c->clock, STAGE_PARSE);
    ast_Module *m = parse_text(c, src, compiled);
    stage_switch(c->clock, before);
    return m;
}

ast_Module *parse_module(ctx *c, source *src)
{
    return parse(c, src, true);
}

ast_Module *parse_snippet(ctx *c, source *src)
{
    return parse(c, src, false);
}
