/* The parser's shared inside: state, node making, and the rules that call each other across files.
 * Every rule starts at the current token and returns a finished node; it leaves by parse_fail when
 * the text does not fit. Which error the user sees is worked out afterwards (diagnose.c). */
#ifndef WEFT_SYNTAX_PARSE_H
#define WEFT_SYNTAX_PARSE_H

#include "base/ctx.h"
#include "syntax/ast.h"
#include "syntax/lex.h"

typedef struct pos {
    uint32_t line, col;
} pos;

typedef struct parser {
    ctx *c;
    const source *src;
    lexer lx;
    token tok;         /* the current token */
    pos end;           /* where the last consumed token that is no white space ended */
    VEC(node *) nodes; /* lists under construction, one above the other; in the scratch arena */
    jmp_buf *fail;     /* where parse_fail goes */
    uint32_t level;    /* nesting of rules, in CPython's measure */
    uint32_t highest;  /* the highest level so far */
    uint32_t longest;  /* longest chain built by a loop: the tree may be that much deeper */
    str *kind_u;       /* the "u" of Constant.kind, made when first needed */
    lexer restart;     /* at the top-level statement where the search for an error begins */
    const sym *print, *exec;
    bool
        legacy; /* a name "print" or "exec" without a call was seen: an error if there is another */
    lex_error error; /* of a failure that is no plain "invalid syntax" */
} parser;

enum { PARSE_MAX_LEVEL = 6000 }; /* CPython's MAXSTACK */

/* Leaves: plain invalid syntax at the current token. */
_Noreturn void parse_fail(parser *p);
/* Leaves with an error of its own, at a place; arg may be NULL. */
_Noreturn void parse_fail_at(parser *p, diag_id id, pos at, pos end, const char *arg);
/* Counts nesting in levels of CPython's rules; fails beyond PARSE_MAX_LEVEL. */
void parse_enter(parser *p, uint32_t levels);

static inline void parse_leave(parser *p, uint32_t levels)
{
    p->level -= levels;
}

static inline void parse_advance(parser *p)
{
    p->end = (pos){p->tok.end_line, p->tok.end_col};
    lex_next(&p->lx, &p->tok);
}

/* For NEWLINE, INDENT and DEDENT, which end no node. */
static inline void parse_skip(parser *p)
{
    lex_next(&p->lx, &p->tok);
}

static inline bool parse_at(const parser *p, token_kind kind)
{
    return p->tok.kind == kind;
}

static inline bool parse_accept(parser *p, token_kind kind)
{
    if (p->tok.kind != kind)
        return false;
    parse_advance(p);
    return true;
}

static inline void parse_expect(parser *p, token_kind kind)
{
    if (p->tok.kind != kind)
        parse_fail(p);
    parse_advance(p);
}

static inline pos parse_here(const parser *p)
{
    return (pos){p->tok.line, p->tok.col};
}

/* The head of a node that starts at s and ends where the last token ended. */
static inline node parse_head(const parser *p, node_kind kind, pos s)
{
    return (node){(uint8_t)kind, s.line, s.col, p->end.line, p->end.col};
}

static inline node *parse_store(parser *p, const void *n, size_t size)
{
    return memcpy(arena_alloc(&p->c->module, size), n, size);
}

/* A node with its fields given: NEW(p, Attribute, s, .value = v, .attr = a). */
#define NEW(p, name, s, ...)                                                                       \
    parse_store(p, &(ast_##name){.base = parse_head(p, AST_##name, s), __VA_ARGS__},               \
                sizeof(ast_##name))

static inline void parse_push(parser *p, node *n)
{
    VEC_PUSH(&p->c->scratch, &p->nodes, n);
}

/* Takes the nodes pushed since p->nodes.n was mark; the list lives in c->module. */
node_list parse_list(parser *p, uint32_t mark);
node_list parse_list1(parser *p, node *n);
/* The symbol of the NAME token, which is consumed. */
const sym *parse_name(parser *p);
/* Runs rule; if it fails, goes back to the token where it began and returns NULL. A failure with an
 * error of its own is passed on. */
node *parse_try(parser *p, node *(*rule)(parser *));

/* parse_expr.c */
node *parse_expression(parser *p);
node *parse_named_expression(parser *p);
node *parse_disjunction(parser *p);
node *parse_bitwise_or(parser *p);
node *parse_primary(parser *p);
node *parse_star_expressions(parser *p);
node *parse_star_named_expression(parser *p);
node *parse_yield_expr(parser *p);
node *parse_yield_or_star_expressions(parser *p);
bool parse_starts_expression(const parser *p);

/* parse_atom.c */
node *parse_atom(parser *p);
node_list parse_for_if_clauses(parser *p);
bool parse_at_comprehension(const parser *p);

/* parse_args.c */
/* "(...)" of a call or class, the opening bracket being the current token. */
void parse_call_args(parser *p, node_list *args, node_list *keywords);
node *parse_parameters(parser *p, bool is_lambda);

/* parse_target.c */
node *parse_star_targets(parser *p);
node *parse_star_target(parser *p);
/* Makes an expression a target, or fails. s is where the expression's text begins. */
void parse_to_target(parser *p, node *n, ast_ctx ctx);
bool parse_is_single_target(const node *n);
/* Is n a bare name that begins at s (not in brackets)? */
static inline bool parse_is_bare_name(const node *n, pos s)
{
    return n->kind == AST_Name && n->line == s.line && n->col == s.col;
}

/* parse_stmt.c, parse_compound.c, parse_pattern.c */
/* One compound statement or a line of simple ones, onto the node stack. */
void parse_statement(parser *p);
node_list parse_block(parser *p);
void parse_simple_stmts(parser *p);
node *parse_pattern_case(parser *p);
bool parse_is_soft(const parser *p, const char *word);

/* strings.c: one or more STRING tokens. number.c: a NUMBER token's value. */
node *parse_strings(parser *p);
constant parse_number(parser *p, const token *t);

#endif
