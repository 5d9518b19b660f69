/* SPDX-License-Identifier: Apache-2.0 */
/* Targets of assignments, loops and deletions. They are parsed as expressions, then converted: the
 * Tuple of `a, b.c = 1` has the context Load, and becomes
 *
 *     Tuple(elts=[Name(id='a', ctx=Store()),
 *                 Attribute(value=Name(id='b', ctx=Load()), attr='c', ctx=Store())], ctx=Store())
 *
 * What cannot be assigned, `f(x) = 1`, fails, and diagnose.c names the part that cannot. */
#include "base/assert.h"
#include "syntax/parse.h"

bool parse_is_single_target(const node *n)
{
    return n->kind == AST_Name || n->kind == AST_Attribute || n->kind == AST_Subscript;
}

/* The parts of a tuple or list, in order. */
static void list_to_target(parser *p, node_list list, ast_ctx to)
{
    for (uint32_t i = 0; i < list.n; i++)
        parse_to_target(p, list.v[i], to);
}

/* The context of an attribute or item changes, that of the expression before it does not: `b` of
 * `b.c = 1` is read. Nothing starred can be deleted. */
void parse_to_target(parser *p, node *n, ast_ctx to)
{
    WEFT_ASSERT(to != CTX_Load);
    switch (n->kind) {
    case AST_Name: AST(Name, n)->ctx = (uint8_t)to; return;
    case AST_Attribute: AST(Attribute, n)->ctx = (uint8_t)to; return;
    case AST_Subscript: AST(Subscript, n)->ctx = (uint8_t)to; return;
    case AST_Tuple:
        AST(Tuple, n)->ctx = (uint8_t)to;
        list_to_target(p, AST(Tuple, n)->elts, to);
        return;
    case AST_List:
        AST(List, n)->ctx = (uint8_t)to;
        list_to_target(p, AST(List, n)->elts, to);
        return;
    case AST_Starred:
        if (to == CTX_Del)
            break;
        AST(Starred, n)->ctx = (uint8_t)to;
        parse_to_target(p, AST(Starred, n)->value, to);
        return;
    default: break;
    }
    parse_fail(p);
}

/* "*a" or a target, which is a primary: `for x + y in z` ends after x. */
node *parse_star_target(parser *p)
{
    pos s = parse_here(p);
    if (!parse_accept(p, T_STAR)) {
        node *n = parse_primary(p);
        parse_to_target(p, n, CTX_Store);
        return n;
    }
    node *value = parse_primary(p);
    parse_to_target(p, value, CTX_Store);
    return NEW(p, Starred, s, .value = value, .ctx = CTX_Store);
}

/* One target, or several with commas, which make a tuple. */
node *parse_star_targets(parser *p)
{
    pos s = parse_here(p);
    node *first = parse_star_target(p);
    if (!parse_at(p, T_COMMA))
        return first;
    uint32_t mark = p->nodes.n;
    parse_push(p, first);
    while (parse_accept(p, T_COMMA) && (parse_at(p, T_STAR) || parse_starts_expression(p)))
        parse_push(p, parse_star_target(p));
    node_list elts = parse_list(p, mark);
    return NEW(p, Tuple, s, .elts = elts, .ctx = CTX_Store);
}
