/* SPDX-License-Identifier: Apache-2.0 */
/* The parser's shared inside: state, node making, and the rules that call each other across files.
 * It is a recursive descent parser for valid programs. Example, with NAME EQUAL NUMBER NEWLINE
 * ahead:
 *
 *     parse_statement -> parse_simple_stmts -> expression_stmt -> parse_star_expressions -> ...
 *
 * pushes Assign([Name x], Constant 1) to the node stack. Every rule starts at the current token,
 * consumes what it matches and returns a finished node; it leaves by parse_fail when the text does
 * not fit. Which error the user sees is worked out afterwards (diagnose.c). */
#ifndef WEFT_SYNTAX_PARSE_H
#define WEFT_SYNTAX_PARSE_H

#include "base/ctx.h"
#include "syntax/ast.h"
#include "syntax/lex.h"

/* A place as nodes have it: line from 1, column from 0 in bytes. */
typedef struct pos {
    uint32_t line, col;
} pos;

/* The state of parsing one file, or one expression of an f-string (a copy with a lexer of its
 * own). */
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
    bool declares; /* a global or nonlocal statement was seen */
    bool
        legacy; /* a name "print" or "exec" without a call was seen: an error if there is another */
    lex_error error; /* of a failure that is no plain "invalid syntax" */
} parser;

enum { PARSE_MAX_LEVEL = 6000 }; /* CPython's MAXSTACK */

/* Leaves: plain invalid syntax at the current token. */
_Noreturn void parse_fail(parser *p);
/* Leaves with an error of its own, at a place; arg may be NULL. */
_Noreturn void parse_fail_at(parser *p, diag_id id, pos at, pos end, const char *arg);
/* Counts `levels` calls of CPython's rules as entered; fails beyond PARSE_MAX_LEVEL. CPython
 * refuses a text that nests its rules deeper than MAXSTACK, and weft refuses the same texts:
 * `levels` says how many of CPython's rules lie between two nestings of ours. */
void parse_enter(parser *p, uint32_t levels);

/* Undoes parse_enter. Not called when a rule fails, which ends the parse or restores the level. */
static inline void parse_leave(parser *p, uint32_t levels)
{
    p->level -= levels;
}

/* Consumes the current token. Nodes that are finished now end where it ended. */
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

/* Consumes the token if it is of this kind. */
static inline bool parse_accept(parser *p, token_kind kind)
{
    if (p->tok.kind != kind)
        return false;
    parse_advance(p);
    return true;
}

/* Consumes a token of this kind, or fails. */
static inline void parse_expect(parser *p, token_kind kind)
{
    if (p->tok.kind != kind)
        parse_fail(p);
    parse_advance(p);
}

/* Where the current token begins, which is where a node made of what follows begins. */
static inline pos parse_here(const parser *p)
{
    return (pos){p->tok.line, p->tok.col};
}

/* The head of a node that starts at s and ends where the last token ended. */
static inline node parse_head(const parser *p, node_kind kind, pos s)
{
    return (node){(uint8_t)kind, s.line, s.col, p->end.line, p->end.col};
}

/* Copies a node to the tree's arena. */
static inline node *parse_store(parser *p, const void *n, size_t size)
{
    return memcpy(arena_alloc(&p->c->module, size), n, size);
}

/* Makes a node that starts at s, with its fields given: NEW(p, Attribute, s, .value = v, .attr =
 * a). Fields that are left out are NULL or 0. */
#define NEW(p, name, s, ...)                                                                       \
    parse_store(p, &(ast_##name){.base = parse_head(p, AST_##name, s), __VA_ARGS__},               \
                sizeof(ast_##name))

/* Lists are built on one stack of nodes: a rule remembers p->nodes.n, pushes, and takes the list
 * with parse_list. Rules called meanwhile do the same above it. */
static inline void parse_push(parser *p, node *n)
{
    VEC_PUSH(&p->c->scratch, &p->nodes, n);
}

/* Takes the nodes pushed since p->nodes.n was mark; the list lives in c->module. */
node_list parse_list(parser *p, uint32_t mark);
/* A list of one node, in c->module. */
node_list parse_list1(parser *p, node *n);
/* The symbol of the NAME token, which is consumed. */
const sym *parse_name(parser *p);
/* Runs rule; if it fails, goes back to the token where it began and returns NULL. For the places
 * where CPython's grammar needs to look far ahead: `with (a, b):` and the soft keyword `match`. A
 * failure with an error of its own is passed on. The rule must stay within one logical line, since
 * the stacks of the lexer are shared. */
node *parse_try(parser *p, node *(*rule)(parser *));

/* parse_expr.c */
/* Named as CPython's rules: expression is a conditional or a lambda, named_expression has ":="
 * too, star_expression may have a "*", star_expressions is a list of those with commas that may
 * become a tuple, disjunction an operand of a conditional, bitwise_or an operand of a comparison,
 * primary an atom with its trailers. */
node *parse_expression(parser *p);
node *parse_named_expression(parser *p);
node *parse_disjunction(parser *p);
node *parse_bitwise_or(parser *p);
node *parse_primary(parser *p);
node *parse_star_expression(parser *p);
node *parse_star_expressions(parser *p);
node *parse_star_named_expression(parser *p);
node *parse_yield_expr(parser *p);
node *parse_yield_or_star_expressions(parser *p);
/* Can the current token begin an expression other than `*x` and `yield`? False after the last
 * comma of a list. */
bool parse_starts_expression(const parser *p);

/* parse_atom.c */
node *parse_atom(parser *p);
/* The `for` and `if` clauses of a comprehension, at least one. */
node_list parse_for_if_clauses(parser *p);
/* Is the current token `for` or `async`? After the first element that makes a comprehension of it.
 */
bool parse_at_comprehension(const parser *p);

/* parse_args.c */
/* "(...)" of a call or class, the opening bracket being the current token. */
void parse_call_args(parser *p, node_list *args, node_list *keywords);
/* Parameters up to the closing token (")" of a def, ":" of a lambda), which stays. */
node *parse_parameters(parser *p, bool is_lambda);

/* parse_target.c */
/* Targets of a for loop or comprehension, with the context Store. */
node *parse_star_targets(parser *p);
node *parse_star_target(parser *p);
/* Makes an expression, and the parts of a tuple or list, a target with the context ctx, or fails.
 */
void parse_to_target(parser *p, node *n, ast_ctx ctx);
/* Is n what augmented and annotated assignments take: a name, attribute or item? */
bool parse_is_single_target(const node *n);
/* Is n a bare name that begins at s (not in brackets)? */
static inline bool parse_is_bare_name(const node *n, pos s)
{
    return n->kind == AST_Name && n->line == s.line && n->col == s.col;
}

/* parse_type.c */
/* "[T, *Ts]" of a definition or an alias; empty: the current token is another. */
node_list parse_type_params(parser *p);
/* The alias that may begin at the soft keyword "type", for parse_try. */
node *parse_type_alias(parser *p);

/* parse_stmt.c, parse_compound.c, parse_pattern.c */
/* One compound statement or a line of simple ones, onto the node stack. */
void parse_statement(parser *p);
/* The statements after the colon of a compound statement, in its line or indented below. */
node_list parse_block(parser *p);
/* A line of simple statements and its end, onto the node stack. */
void parse_simple_stmts(parser *p);
/* One `case` of a match statement with its block. */
node *parse_pattern_case(parser *p);
/* Is the current token the soft keyword word, which is a NAME elsewhere? */
bool parse_is_soft(const parser *p, const char *word);

/* strings.c: one or more STRING tokens. number.c: a NUMBER token's value. */
node *parse_strings(parser *p);
constant parse_number(parser *p, const token *t);

#endif
