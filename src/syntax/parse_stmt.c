/* SPDX-License-Identifier: Apache-2.0 */
/* Simple statements: expressions and assignments, imports, and those of one keyword. Example: `a =
 * b = 1; del c` becomes
 *
 *     Assign(targets=[Name a, Name b], value=Constant 1), Delete(targets=[Name c])
 *
 * The start of an assignment is parsed as an expression and made a target afterwards
 * (parse_target.c), since only the "=" shows what it is. */
#include "base/assert.h"
#include "syntax/parse.h"

/* "target: annotation = value". `simple` is 1 for a bare name: `(x): int` does not declare x. */
static node *annotated_assignment(parser *p, node *target, pos s)
{
    if (!parse_is_single_target(target))
        parse_fail(p);
    int simple = parse_is_bare_name(target, s);
    parse_advance(p);
    node *annotation = parse_expression(p);
    node *value = NULL;
    if (parse_accept(p, T_EQUAL))
        value = parse_yield_or_star_expressions(p);
    parse_to_target(p, target, CTX_Store);
    return NEW(p, AnnAssign, s, .target = target, .annotation = annotation, .value = value,
               .simple = simple);
}

/* "a = b = value", the first target being parsed. */
static node *assignment(parser *p, node *first, pos s)
{
    uint32_t mark = p->nodes.n;
    node *value = first;
    /* What stands before each "=" turns out to be a target; the last expression is the value. */
    while (parse_at(p, T_EQUAL)) {
        parse_to_target(p, value, CTX_Store);
        parse_push(p, value);
        parse_advance(p);
        value = parse_yield_or_star_expressions(p);
    }
    node_list targets = parse_list(p, mark);
    return NEW(p, Assign, s, .targets = targets, .value = value, .type_comment = NULL);
}

/* The operator of an augmented assignment; 0xff: the token is none. */
static uint8_t augmented_op(token_kind kind)
{
    switch (kind) {
    case T_PLUSEQUAL: return OP_Add;
    case T_MINEQUAL: return OP_Sub;
    case T_STAREQUAL: return OP_Mult;
    case T_SLASHEQUAL: return OP_Div;
    case T_PERCENTEQUAL: return OP_Mod;
    case T_AMPEREQUAL: return OP_BitAnd;
    case T_VBAREQUAL: return OP_BitOr;
    case T_CIRCUMFLEXEQUAL: return OP_BitXor;
    case T_LEFTSHIFTEQUAL: return OP_LShift;
    case T_RIGHTSHIFTEQUAL: return OP_RShift;
    case T_DOUBLESTAREQUAL: return OP_Pow;
    case T_DOUBLESLASHEQUAL: return OP_FloorDiv;
    case T_ATEQUAL: return OP_MatMult;
    default: return 0xff;
    }
}

/* "target += value"; the target is one name, attribute or item. */
static node *augmented_assignment(parser *p, node *target, uint8_t op, pos s)
{
    WEFT_ASSERT(op < OP_COUNT);
    if (!parse_is_single_target(target))
        parse_fail(p);
    parse_advance(p);
    node *value = parse_yield_or_star_expressions(p);
    parse_to_target(p, target, CTX_Store);
    return NEW(p, AugAssign, s, .target = target, .op = op, .value = value);
}

/* What follows the first expression decides between an assignment, one with annotation or
 * operator, and an expression alone. */
static node *expression_stmt(parser *p)
{
    pos s = parse_here(p);
    node *n = parse_star_expressions(p);
    if (parse_at(p, T_EQUAL))
        return assignment(p, n, s);
    if (parse_at(p, T_COLON))
        return annotated_assignment(p, n, s);
    uint8_t op = augmented_op(p->tok.kind);
    if (op != 0xff)
        return augmented_assignment(p, n, op, s);
    return NEW(p, Expr, s, .value = n);
}

/* "return", "return a" or "return a, *b". */
static node *return_stmt(parser *p)
{
    pos s = parse_here(p);
    parse_advance(p);
    node *value = NULL;
    if (parse_at(p, T_STAR) || parse_starts_expression(p))
        value = parse_star_expressions(p);
    return NEW(p, Return, s, .value = value);
}

/* "raise", "raise a" or "raise a from b". */
static node *raise_stmt(parser *p)
{
    pos s = parse_here(p);
    parse_advance(p);
    node *exc = NULL, *cause = NULL;
    /* `raise` alone raises the current exception again. */
    if (parse_starts_expression(p)) {
        exc = parse_expression(p);
        if (parse_accept(p, T_FROM))
            cause = parse_expression(p);
    }
    return NEW(p, Raise, s, .exc = exc, .cause = cause);
}

/* "assert test, message" */
static node *assert_stmt(parser *p)
{
    pos s = parse_here(p);
    parse_advance(p);
    node *test = parse_expression(p);
    node *msg = parse_accept(p, T_COMMA) ? parse_expression(p) : NULL;
    return NEW(p, Assert, s, .test = test, .msg = msg);
}

/* A primary with the context Del. */
static node *del_target(parser *p)
{
    node *n = parse_primary(p);
    parse_to_target(p, n, CTX_Del);
    return n;
}

/* "del a, (b, c),": the list needs no brackets, and a comma may end it. */
static node *del_stmt(parser *p)
{
    pos s = parse_here(p);
    parse_advance(p);
    uint32_t mark = p->nodes.n;
    do {
        /* A comma may end the list, but `del` alone is an error. */
        if (p->nodes.n > mark && (parse_at(p, T_SEMI) || parse_at(p, T_NEWLINE)))
            break;
        parse_push(p, del_target(p));
    } while (parse_accept(p, T_COMMA));
    node_list targets = parse_list(p, mark);
    return NEW(p, Delete, s, .targets = targets);
}

/* Names with commas between; none may follow the last. */
static sym_list name_list(parser *p)
{
    VEC(const sym *) names = {0};
    do
        VEC_PUSH(&p->c->module, &names, parse_name(p));
    while (parse_accept(p, T_COMMA));
    return (sym_list){names.v, names.n};
}

/* "global a, b" or "nonlocal a, b". */
static node *scope_stmt(parser *p, bool global)
{
    pos s = parse_here(p);
    parse_advance(p);
    sym_list names = name_list(p);
    p->declares = true;
    if (global)
        return NEW(p, Global, s, .names = names);
    return NEW(p, Nonlocal, s, .names = names);
}

/* ---- imports ---- */

/* "a.b.c" as one symbol, as CPython has it in alias.name and ImportFrom.module. */
static const sym *dotted_name(parser *p)
{
    const sym *name = parse_name(p);
    if (!parse_at(p, T_DOT))
        return name;
    arena_mark mark = arena_save(&p->c->scratch);
    VEC(char) text = {0};
    for (;;) {
        for (uint32_t i = 0; i < name->len; i++)
            VEC_PUSH(&p->c->scratch, &text, name->s[i]);
        if (!parse_accept(p, T_DOT))
            break;
        VEC_PUSH(&p->c->scratch, &text, '.');
        name = parse_name(p);
    }
    name = sym_intern(&p->c->syms, text.v, text.n);
    arena_rewind(&p->c->scratch, mark);
    return name;
}

/* "name as asname" of an import. */
static node *alias(parser *p, bool dotted)
{
    pos s = parse_here(p);
    const sym *name = dotted ? dotted_name(p) : parse_name(p);
    const sym *asname = parse_accept(p, T_AS) ? parse_name(p) : NULL;
    return NEW(p, alias, s, .name = name, .asname = asname);
}

/* "import a.b as c, d" */
static node *import_stmt(parser *p)
{
    pos s = parse_here(p);
    parse_advance(p);
    uint32_t mark = p->nodes.n;
    do
        parse_push(p, alias(p, true));
    while (parse_accept(p, T_COMMA));
    node_list names = parse_list(p, mark);
    return NEW(p, Import, s, .names = names);
}

/* "*", "a, b as c", or the same in brackets, where a comma may end the list. */
static node_list import_targets(parser *p)
{
    pos s = parse_here(p);
    if (parse_accept(p, T_STAR))
        return parse_list1(p, NEW(p, alias, s, .name = sym_c(&p->c->syms, "*")));
    bool brackets = parse_accept(p, T_LPAR);
    uint32_t mark = p->nodes.n;
    do {
        /* Only a list in brackets may end with a comma. */
        if (brackets && parse_at(p, T_RPAR) && p->nodes.n > mark)
            break;
        parse_push(p, alias(p, false));
    } while (parse_accept(p, T_COMMA));
    if (brackets)
        parse_expect(p, T_RPAR);
    return parse_list(p, mark);
}

/* `level` counts the dots before the module's name: "from ...a import b" has 3, in one ELLIPSIS.
 * With dots the name may be missing. */
static node *import_from_stmt(parser *p)
{
    pos s = parse_here(p);
    parse_advance(p);
    int level = 0;
    while (parse_at(p, T_DOT) || parse_at(p, T_ELLIPSIS)) {
        level += parse_at(p, T_DOT) ? 1 : 3;
        parse_advance(p);
    }
    const sym *module = NULL;
    /* `from . import a` has no module; `from import a` fails in dotted_name. */
    if (!level || !parse_at(p, T_IMPORT))
        module = dotted_name(p);
    parse_expect(p, T_IMPORT);
    node_list names = import_targets(p);
    return NEW(p, ImportFrom, s, .module = module, .names = names, .level = level);
}

/* ---- all of them ---- */

/* The first token decides; what has no keyword is an expression statement. */
static node *simple_stmt(parser *p)
{
    pos s = parse_here(p);
    switch (p->tok.kind) {
    case T_RETURN: return return_stmt(p);
    case T_IMPORT: return import_stmt(p);
    case T_FROM: return import_from_stmt(p);
    case T_RAISE: return raise_stmt(p);
    case T_DEL: return del_stmt(p);
    case T_ASSERT: return assert_stmt(p);
    case T_GLOBAL: return scope_stmt(p, true);
    case T_NONLOCAL: return scope_stmt(p, false);
    case T_PASS: parse_advance(p); return NEW(p, Pass, s, );
    case T_BREAK: parse_advance(p); return NEW(p, Break, s, );
    case T_CONTINUE: parse_advance(p); return NEW(p, Continue, s, );
    case T_YIELD: {
        node *value = parse_yield_expr(p);
        return NEW(p, Expr, s, .value = value);
    }
    default: break;
    }
    node *alias = parse_is_soft(p, "type") ? parse_try(p, parse_type_alias) : NULL;
    return alias ? alias : expression_stmt(p);
}

/* "a; b; c" and the line end; a semicolon may end the line. */
void parse_simple_stmts(parser *p)
{
    do {
        /* `a;` and a line end. */
        if (parse_at(p, T_NEWLINE))
            break;
        parse_push(p, simple_stmt(p));
    } while (parse_accept(p, T_SEMI));
    if (!parse_at(p, T_NEWLINE))
        parse_fail(p);
    /* The NEWLINE is white space: nodes end before it. */
    parse_skip(p);
}
