/* SPDX-License-Identifier: Apache-2.0 */
/* Compound statements, blocks and the list of statements. Example: the If of
 *
 *     if a:
 *         f()
 *     elif b:
 *         g()
 *
 * has an orelse that holds a second If. "match" is a soft keyword: a line is tried as the header
 * of a match statement first and is a simple statement otherwise. */
#include "base/assert.h"
#include "syntax/parse.h"

static node_list parse_statements(parser *p);

/* Levels of CPython's rules from one block's statement to a statement in it, found by trying how
 * deep a text CPython accepts. */
enum { BLOCK_LEVELS = 6 };

/* NEWLINE, INDENT, statements, DEDENT. These tokens end no node: a block ends with its last
 * statement. */
static node_list block_of_lines(parser *p)
{
    parse_skip(p);
    /* "expected an indented block" is diagnose.c's to say (NO_BLOCK). */
    if (!parse_at(p, T_INDENT))
        parse_fail(p);
    parse_skip(p);
    parse_enter(p, BLOCK_LEVELS);
    node_list body = parse_statements(p);
    parse_leave(p, BLOCK_LEVELS);
    if (!parse_at(p, T_DEDENT))
        parse_fail(p);
    parse_skip(p);
    return body;
}

/* Statements in the same line are simple ones: `if a: if b: c` is refused. */
node_list parse_block(parser *p)
{
    if (parse_at(p, T_NEWLINE))
        return block_of_lines(p);
    uint32_t mark = p->nodes.n;
    /* `if a: ; b` has an empty statement, which parse_simple_stmts would not see. */
    if (parse_at(p, T_SEMI))
        parse_fail(p);
    parse_simple_stmts(p);
    return parse_list(p, mark);
}

/* ":" and the block behind it. */
static node_list colon_block(parser *p)
{
    parse_expect(p, T_COLON);
    return parse_block(p);
}

/* The list is empty if there is no `else`. */
static node_list else_block(parser *p)
{
    if (!parse_accept(p, T_ELSE))
        return (node_list){0};
    return colon_block(p);
}

/* ---- if ---- */

/* The chain of elifs is walked, not nested: each If waits on the node stack for its orelse, and
 * the chain is linked from its end. So a thousand elifs need no deep C stack. All Ifs end where
 * the last block ends. */
static node *if_stmt(parser *p)
{
    uint32_t mark = p->nodes.n;
    do {
        pos s = parse_here(p);
        parse_advance(p);
        node *test = parse_named_expression(p);
        node_list body = colon_block(p);
        parse_push(p, NEW(p, If, s, .test = test, .body = body, .orelse = {0}));
    } while (parse_at(p, T_ELIF));
    /* n Ifs of one chain, the last one innermost. */
    uint32_t n = p->nodes.n - mark;
    node_list orelse = else_block(p);
    if (n > p->longest)
        p->longest = n;
    for (;;) {
        node *last = p->nodes.v[mark + --n];
        /* From the end: each If takes what comes after it as its orelse, and ends where all end. */
        AST(If, last)->orelse = orelse;
        last->end_line = p->end.line;
        last->end_col = p->end.col;
        if (!n) {
            p->nodes.n = mark;
            return last;
        }
        orelse = parse_list1(p, last);
    }
}

/* ---- loops ---- */

/* "while test: ... else: ..." */
static node *while_stmt(parser *p)
{
    pos s = parse_here(p);
    parse_advance(p);
    node *test = parse_named_expression(p);
    node_list body = colon_block(p);
    node_list orelse = else_block(p);
    return NEW(p, While, s, .test = test, .body = body, .orelse = orelse);
}

/* s: the place of the statement, which is that of `async` if there is one. The current token is
 * `for`. */
static node *for_stmt(parser *p, pos s, bool is_async)
{
    parse_advance(p);
    node *target = parse_star_targets(p);
    parse_expect(p, T_IN);
    node *iter = parse_star_expressions(p);
    node_list body = colon_block(p);
    node_list orelse = else_block(p);
    /* The two classes have the same fields but different types, and NEW needs the type. */
    if (is_async)
        return NEW(p, AsyncFor, s, .target = target, .iter = iter, .body = body, .orelse = orelse);
    return NEW(p, For, s, .target = target, .iter = iter, .body = body, .orelse = orelse);
}

/* ---- with ---- */

/* "context as target". What follows must end the item, as CPython's lookahead wants: `with a as b
 * + c` fails. */
static node *with_item(parser *p)
{
    pos s = parse_here(p);
    node *context = parse_expression(p), *vars = NULL;
    if (parse_accept(p, T_AS)) {
        vars = parse_star_target(p);
        if (!parse_at(p, T_COMMA) && !parse_at(p, T_RPAR) && !parse_at(p, T_COLON))
            parse_fail(p);
    }
    return NEW(p, withitem, s, .context_expr = context, .optional_vars = vars);
}

/* "(item, item):" as a Tuple that only carries the items, for parse_try. A colon must follow, else
 * `with (a, b) as c:` would be read wrongly. */
static node *bracketed_items(parser *p)
{
    pos s = parse_here(p);
    parse_expect(p, T_LPAR);
    uint32_t mark = p->nodes.n;
    do {
        /* A comma may end the list; `with ():` has no item and fails in with_item. */
        if (parse_at(p, T_RPAR) && p->nodes.n > mark)
            break;
        parse_push(p, with_item(p));
    } while (parse_accept(p, T_COMMA));
    parse_expect(p, T_RPAR);
    if (!parse_at(p, T_COLON))
        parse_fail(p);
    node_list items = parse_list(p, mark);
    return NEW(p, Tuple, s, .elts = items);
}

/* Brackets around all items are tried first, as in CPython; if that fails they belong to an
 * expression. */
static node_list with_items(parser *p)
{
    if (parse_at(p, T_LPAR)) {
        node *items = parse_try(p, bracketed_items);
        if (items)
            return AST(Tuple, items)->elts;
    }
    uint32_t mark = p->nodes.n;
    do
        parse_push(p, with_item(p));
    while (parse_accept(p, T_COMMA));
    return parse_list(p, mark);
}

/* s is the place of `async`, if there is one; the current token is `with`. */
static node *with_stmt(parser *p, pos s, bool is_async)
{
    parse_advance(p);
    node_list items = with_items(p);
    node_list body = colon_block(p);
    if (is_async)
        return NEW(p, AsyncWith, s, .items = items, .body = body);
    return NEW(p, With, s, .items = items, .body = body);
}

/* ---- try ---- */

/* What a clause catches: "A", "(A, B)", or "A, B", which Python has since 3.14 (PEP 758) where no
 * `as` follows. */
static node *exceptions(parser *p)
{
    pos s = parse_here(p);
    node *first = parse_expression(p);
    if (!parse_at(p, T_COMMA))
        return first;
    uint32_t mark = p->nodes.n;
    parse_push(p, first);
    while (parse_accept(p, T_COMMA) && !parse_at(p, T_COLON))
        parse_push(p, parse_expression(p));
    if (!parse_at(p, T_COLON))
        parse_fail(p);
    node_list elts = parse_list(p, mark);
    return NEW(p, Tuple, s, .elts = elts, .ctx = CTX_Load);
}

/* One "except" clause. *star is -1 before the first one, then whether they are "except*": a try
 * statement has one kind only. */
static node *handler(parser *p, int *star)
{
    pos s = parse_here(p);
    parse_advance(p);
    int starred = parse_accept(p, T_STAR);
    if (*star >= 0 && *star != starred)
        parse_fail(p);
    *star = starred;
    node *type = NULL;
    const sym *name = NULL;
    /* `except:` has no type, but `except*:` needs one. */
    if (starred || !parse_at(p, T_COLON)) {
        type = exceptions(p);
        if (parse_accept(p, T_AS))
            name = parse_name(p);
    }
    node_list body = colon_block(p);
    return NEW(p, ExceptHandler, s, .type = type, .name = name, .body = body);
}

/* Needs a handler or `finally`; `else` needs a handler. */
static node *try_stmt(parser *p)
{
    pos s = parse_here(p);
    parse_advance(p);
    node_list body = colon_block(p), orelse = {0}, finalbody = {0};
    int star = -1;
    uint32_t mark = p->nodes.n;
    while (parse_at(p, T_EXCEPT))
        parse_push(p, handler(p, &star));
    node_list handlers = parse_list(p, mark);
    /* CPython refuses `else` without `except` here; a missing handler is reported below. */
    if (handlers.n)
        orelse = else_block(p);
    if (parse_accept(p, T_FINALLY))
        finalbody = colon_block(p);
    else if (!handlers.n)
        parse_fail(p);
    if (star > 0)
        return NEW(p, TryStar, s, .body = body, .handlers = handlers, .orelse = orelse,
                   .finalbody = finalbody);
    return NEW(p, Try, s, .body = body, .handlers = handlers, .orelse = orelse,
               .finalbody = finalbody);
}

/* ---- definitions ---- */

/* The node of a decorated function begins at `def` (s), not at the decorator, since Python 3.8. */
static node *function_def(parser *p, node_list decorators, pos s, bool is_async)
{
    parse_advance(p);
    const sym *name = parse_name(p);
    node_list type_params = parse_type_params(p);
    parse_expect(p, T_LPAR);
    node *args = parse_parameters(p, false);
    parse_expect(p, T_RPAR);
    node *returns = parse_accept(p, T_RARROW) ? parse_expression(p) : NULL;
    node_list body = colon_block(p);
    if (is_async)
        return NEW(p, AsyncFunctionDef, s, .name = name, .args = args, .body = body,
                   .decorator_list = decorators, .returns = returns, .type_params = type_params);
    return NEW(p, FunctionDef, s, .name = name, .args = args, .body = body,
               .decorator_list = decorators, .returns = returns, .type_params = type_params);
}

/* "class C[T](bases, keywords):"; the arguments are those of a call. */
static node *class_def(parser *p, node_list decorators)
{
    pos s = parse_here(p);
    parse_advance(p);
    const sym *name = parse_name(p);
    node_list type_params = parse_type_params(p), bases = {0}, keywords = {0};
    if (parse_at(p, T_LPAR)) {
        pos open = parse_here(p);
        parse_call_args(p, &bases, &keywords);
        /* A generator without brackets of its own is for calls only. */
        bool generator = bases.n == 1 && bases.v[0]->kind == AST_GeneratorExp;
        if (generator && bases.v[0]->line == open.line && bases.v[0]->col == open.col)
            parse_fail(p);
    }
    node_list body = colon_block(p);
    return NEW(p, ClassDef, s, .name = name, .bases = bases, .keywords = keywords, .body = body,
               .decorator_list = decorators, .type_params = type_params);
}

/* "@expression" and a line end, once for each decorator. */
static node_list decorators(parser *p)
{
    uint32_t mark = p->nodes.n;
    while (parse_accept(p, T_AT)) {
        parse_push(p, parse_named_expression(p));
        if (!parse_at(p, T_NEWLINE))
            parse_fail(p);
        parse_skip(p);
    }
    return parse_list(p, mark);
}

/* Decorators, then a class or function. `async` before anything but `def` is refused. */
static node *decorated(parser *p)
{
    WEFT_ASSERT(parse_at(p, T_AT));
    node_list list = decorators(p);
    if (parse_at(p, T_CLASS))
        return class_def(p, list);
    pos s = parse_here(p);
    bool is_async = parse_accept(p, T_ASYNC);
    if (!parse_at(p, T_DEF))
        parse_fail(p);
    return function_def(p, list, s, is_async);
}

/* `async` stands before `def`, `for` or `with` only. */
static node *async_stmt(parser *p)
{
    WEFT_ASSERT(parse_at(p, T_ASYNC));
    pos s = parse_here(p);
    parse_advance(p);
    switch (p->tok.kind) {
    case T_DEF: return function_def(p, (node_list){0}, s, true);
    case T_FOR: return for_stmt(p, s, true);
    case T_WITH: return with_stmt(p, s, true);
    default: parse_fail(p);
    }
}

/* ---- match ---- */

/* `match a, *b:` has a tuple without brackets as its subject. */
static node *match_subject(parser *p)
{
    pos s = parse_here(p);
    node *first = parse_star_named_expression(p);
    if (!parse_at(p, T_COMMA)) {
        if (first->kind == AST_Starred)
            parse_fail(p);
        return first;
    }
    uint32_t mark = p->nodes.n;
    parse_push(p, first);
    while (parse_accept(p, T_COMMA) && !parse_at(p, T_COLON))
        parse_push(p, parse_star_named_expression(p));
    node_list elts = parse_list(p, mark);
    return NEW(p, Tuple, s, .elts = elts, .ctx = CTX_Load);
}

/* "match subject:" and the line's end, for parse_try; returns the subject. No simple statement
 * ends so, hence the header decides and the rest of the statement need not be tried. */
static node *match_header(parser *p)
{
    WEFT_ASSERT(parse_is_soft(p, "match"));
    parse_advance(p);
    node *subject = match_subject(p);
    parse_expect(p, T_COLON);
    if (!parse_at(p, T_NEWLINE))
        parse_fail(p);
    parse_skip(p);
    return subject;
}

/* A match statement; NULL: the line is none but, for example, the call `match(x)`. */
static node *match_stmt(parser *p)
{
    pos s = parse_here(p);
    node *subject = parse_try(p, match_header);
    if (!subject)
        return NULL;
    /* From here on it is a match statement, so a failure is final. */
    if (!parse_at(p, T_INDENT))
        parse_fail(p);
    parse_skip(p);
    parse_enter(p, BLOCK_LEVELS);
    uint32_t mark = p->nodes.n;
    do
        parse_push(p, parse_pattern_case(p));
    while (!parse_at(p, T_DEDENT));
    parse_leave(p, BLOCK_LEVELS);
    parse_skip(p);
    node_list cases = parse_list(p, mark);
    return NEW(p, Match, s, .subject = subject, .cases = cases);
}

/* ---- all of them ---- */

/* A compound statement; NULL: the statement is a simple one, and no token was consumed. */
static node *parse_compound_stmt(parser *p)
{
    pos s = parse_here(p);
    switch (p->tok.kind) {
    case T_IF: return if_stmt(p);
    case T_FOR: return for_stmt(p, s, false);
    case T_WHILE: return while_stmt(p);
    case T_WITH: return with_stmt(p, s, false);
    case T_TRY: return try_stmt(p);
    case T_DEF: return function_def(p, (node_list){0}, s, false);
    case T_CLASS: return class_def(p, (node_list){0});
    case T_AT: return decorated(p);
    case T_ASYNC: return async_stmt(p);
    /* parse_try goes back to the name if the header does not fit. */
    case T_NAME: return parse_is_soft(p, "match") ? match_stmt(p) : NULL;
    default: return NULL;
    }
}

/* Called for each statement of a file and of a block. */
void parse_statement(parser *p)
{
    node *n = parse_compound_stmt(p);
    if (n)
        parse_push(p, n);
    /* A statement cannot be empty, although parse_simple_stmts would accept a bare line end. */
    else if (parse_at(p, T_NEWLINE) || parse_at(p, T_SEMI))
        parse_fail(p);
    else
        parse_simple_stmts(p);
}

/* Statements up to a DEDENT or the end, at least one. */
static node_list parse_statements(parser *p)
{
    uint32_t mark = p->nodes.n;
    do
        parse_statement(p);
    while (!parse_at(p, T_DEDENT) && !parse_at(p, T_ENDMARKER));
    return parse_list(p, mark);
}
