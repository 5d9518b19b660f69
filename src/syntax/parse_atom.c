/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms: names, literals, brackets and comprehensions. Examples: `[x for x in y]` becomes
 *
 *     ListComp(elt=Name x,
 *              generators=[comprehension(target=Name x, iter=Name y, ifs=[], is_async=0)])
 *
 * `(a, b)` a Tuple, `(a)` the Name a itself, adjacent strings one Constant. */
#include "base/assert.h"
#include "syntax/parse.h"

/* Levels of CPython's rules between a bracket and the expression in it, found by trying how deep a
 * text CPython accepts. */
enum { PAREN_LEVELS = 28, DISPLAY_LEVELS = 29 };

bool parse_at_comprehension(const parser *p)
{
    return parse_at(p, T_FOR) || parse_at(p, T_ASYNC);
}

/* "async for target in iter if test if test". */
static node *for_if_clause(parser *p)
{
    pos s = parse_here(p);
    bool is_async = parse_accept(p, T_ASYNC);
    parse_expect(p, T_FOR);
    node *target = parse_star_targets(p);
    parse_expect(p, T_IN);
    node *iter = parse_disjunction(p);
    uint32_t mark = p->nodes.n;
    while (parse_accept(p, T_IF))
        parse_push(p, parse_disjunction(p));
    node_list ifs = parse_list(p, mark);
    return NEW(p, comprehension, s, .target = target, .iter = iter, .ifs = ifs,
               .is_async = is_async);
}

node_list parse_for_if_clauses(parser *p)
{
    uint32_t mark = p->nodes.n;
    do
        parse_push(p, for_if_clause(p));
    while (parse_at_comprehension(p));
    return parse_list(p, mark);
}

/* The rest of "a, b, ...": elements from first on, up to the closing bracket, which stays. A comma
 * may come before it. */
static node_list elements(parser *p, node *first, token_kind close)
{
    uint32_t mark = p->nodes.n;
    parse_push(p, first);
    while (parse_accept(p, T_COMMA) && !parse_at(p, close))
        parse_push(p, parse_star_named_expression(p));
    return parse_list(p, mark);
}

/* "()", "(a, b)", "(yield x)", "(x for x in y)", or an expression in brackets, which leaves no
 * node of its own. `(*a)` and `(*a for a in b)` fail, `(*a,)` is a tuple. */
static node *parenthesised(parser *p)
{
    WEFT_ASSERT(parse_at(p, T_LPAR));
    pos s = parse_here(p);
    parse_advance(p);
    if (parse_accept(p, T_RPAR))
        return NEW(p, Tuple, s, .elts = {0}, .ctx = CTX_Load);
    if (parse_at(p, T_YIELD)) {
        node *n = parse_yield_expr(p);
        parse_expect(p, T_RPAR);
        return n;
    }
    node *first = parse_star_named_expression(p);
    if (parse_at(p, T_COMMA)) {
        node_list elts = elements(p, first, T_RPAR);
        parse_expect(p, T_RPAR);
        return NEW(p, Tuple, s, .elts = elts, .ctx = CTX_Load);
    }
    if (first->kind == AST_Starred)
        parse_fail(p);
    if (parse_at_comprehension(p)) {
        node_list generators = parse_for_if_clauses(p);
        parse_expect(p, T_RPAR);
        return NEW(p, GeneratorExp, s, .elt = first, .generators = generators);
    }
    parse_expect(p, T_RPAR);
    return first;
}

/* "[]", "[a, *b]" or "[x for x in y]". */
static node *list_display(parser *p)
{
    WEFT_ASSERT(parse_at(p, T_LSQB));
    pos s = parse_here(p);
    parse_advance(p);
    if (parse_accept(p, T_RSQB))
        return NEW(p, List, s, .elts = {0}, .ctx = CTX_Load);
    node *first = parse_star_named_expression(p);
    /* `[*a for a in b]` fails at the `for`, in elements. */
    if (first->kind != AST_Starred && parse_at_comprehension(p)) {
        node_list generators = parse_for_if_clauses(p);
        parse_expect(p, T_RSQB);
        return NEW(p, ListComp, s, .elt = first, .generators = generators);
    }
    node_list elts = elements(p, first, T_RSQB);
    parse_expect(p, T_RSQB);
    return NEW(p, List, s, .elts = elts, .ctx = CTX_Load);
}

/* After the first element of a set or set comprehension. */
static node *set_display(parser *p, node *first, pos s)
{
    if (first->kind != AST_Starred && parse_at_comprehension(p)) {
        node_list generators = parse_for_if_clauses(p);
        parse_expect(p, T_RBRACE);
        return NEW(p, SetComp, s, .elt = first, .generators = generators);
    }
    node_list elts = elements(p, first, T_RBRACE);
    parse_expect(p, T_RBRACE);
    return NEW(p, Set, s, .elts = elts);
}

/* Reads "key: value" or "**mapping" onto the node stack, as two nodes. The key of "**mapping" is
 * NULL. */
static void dict_item(parser *p)
{
    if (parse_accept(p, T_DOUBLESTAR)) {
        parse_push(p, NULL);
        parse_push(p, parse_bitwise_or(p));
        return;
    }
    parse_push(p, parse_expression(p));
    parse_expect(p, T_COLON);
    parse_push(p, parse_expression(p));
}

/* Takes the pairs pushed since mark as two lists of equal length. */
static node *dict_node(parser *p, uint32_t mark, pos s)
{
    WEFT_ASSERT(mark <= p->nodes.n && (p->nodes.n - mark) % 2 == 0);
    uint32_t n = (p->nodes.n - mark) / 2;
    node **keys = ARENA_ARRAY(&p->c->module, node *, n);
    node **values = ARENA_ARRAY(&p->c->module, node *, n);
    for (uint32_t i = 0; i < n; i++) {
        keys[i] = p->nodes.v[mark + 2 * i];
        values[i] = p->nodes.v[mark + 2 * i + 1];
    }
    p->nodes.n = mark;
    return NEW(p, Dict, s, .keys = {keys, n}, .values = {values, n});
}

/* The rest of a dict after "{", or its comprehension. key: the first key, with the current token
 * being ":"; NULL: the first item is "**mapping", which is the current token. */
static node *dict_display(parser *p, node *key, pos s)
{
    uint32_t mark = p->nodes.n;
    if (key) {
        parse_push(p, key);
        parse_expect(p, T_COLON);
        node *value = parse_expression(p);
        if (parse_at_comprehension(p)) {
            /* The key that was pushed belongs to the DictComp. */
            p->nodes.n = mark;
            node_list generators = parse_for_if_clauses(p);
            parse_expect(p, T_RBRACE);
            return NEW(p, DictComp, s, .key = key, .value = value, .generators = generators);
        }
        parse_push(p, value);
    } else {
        dict_item(p);
    }
    while (parse_accept(p, T_COMMA) && !parse_at(p, T_RBRACE))
        dict_item(p);
    parse_expect(p, T_RBRACE);
    return dict_node(p, mark, s);
}

/* A dict or a set; "{}" is a dict. The token after the first element decides. A key may be no `*x`
 * and no `x := 1` without brackets, although an element of a set may. */
static node *braces(parser *p)
{
    WEFT_ASSERT(parse_at(p, T_LBRACE));
    pos s = parse_here(p);
    parse_advance(p);
    if (parse_accept(p, T_RBRACE))
        return NEW(p, Dict, s, .keys = {0}, .values = {0});
    if (parse_at(p, T_DOUBLESTAR))
        return dict_display(p, NULL, s);
    pos at = parse_here(p);
    node *first = parse_star_named_expression(p);
    if (!parse_at(p, T_COLON))
        return set_display(p, first, s);
    /* `{a := 1: 2}` is refused, `{(a := 1): 2}` is not: the inner one begins behind the bracket. */
    bool walrus = first->kind == AST_NamedExpr && first->line == at.line && first->col == at.col;
    if (first->kind == AST_Starred || walrus)
        parse_fail(p);
    return dict_display(p, first, s);
}

/* Counts the nesting in CPython's measure while the rule runs. */
static node *bracketed(parser *p, node *(*rule)(parser *), uint32_t levels)
{
    parse_enter(p, levels);
    node *n = rule(p);
    parse_leave(p, levels);
    return n;
}

/* None, True, False and "...". */
static node *fixed(parser *p, const_kind kind)
{
    pos s = parse_here(p);
    parse_advance(p);
    return NEW(p, Constant, s, .value = {.kind = kind});
}

/* Which form it is shows in the first token. A name "print" or "exec" that no bracket follows is
 * recorded, since it may be a statement of Python 2 (module in parser.c). */
node *parse_atom(parser *p)
{
    pos s = parse_here(p);
    switch (p->tok.kind) {
    case T_NAME: {
        const sym *id = parse_name(p);
        if (id == p->print || id == p->exec)
            p->legacy |= !parse_at(p, T_LPAR);
        return NEW(p, Name, s, .id = id, .ctx = CTX_Load);
    }
    case T_NUMBER: {
        constant value = parse_number(p, &p->tok);
        parse_advance(p);
        return NEW(p, Constant, s, .value = value);
    }
    case T_STRING: return parse_strings(p);
    case T_LPAR: return bracketed(p, parenthesised, PAREN_LEVELS);
    case T_LSQB: return bracketed(p, list_display, DISPLAY_LEVELS);
    case T_LBRACE: return bracketed(p, braces, DISPLAY_LEVELS);
    case T_NONE: return fixed(p, CONST_NONE);
    case T_TRUE: return fixed(p, CONST_TRUE);
    case T_FALSE: return fixed(p, CONST_FALSE);
    case T_ELLIPSIS: return fixed(p, CONST_ELLIPSIS);
    default: parse_fail(p);
    }
}
