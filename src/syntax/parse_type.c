/* SPDX-License-Identifier: Apache-2.0 */
/* Type parameters and type aliases, which Python has since 3.12 (PEP 695), with defaults since 3.13
 * (PEP 696). Example:
 *
 *     type Rows[T: float, *Shape] = dict[T, tuple[*Shape]]
 *
 * is TypeAlias(Name Rows, [TypeVar(T, bound=Name float), TypeVarTuple(Shape)], value). "type" is a
 * soft keyword. No text that Python 3.11 accepts has another meaning by this. */
#include "base/assert.h"
#include "syntax/parse.h"

/* "T", "T: bound", "*Ts" or "**P", each with "= default". A default of *Ts may be starred. */
static node *type_param(parser *p)
{
    pos s = parse_here(p);
    const bool tuple = parse_accept(p, T_STAR), spec = !tuple && parse_accept(p, T_DOUBLESTAR);
    const sym *name = parse_name(p);
    node *bound = NULL, *value = NULL;
    if (!tuple && !spec && parse_accept(p, T_COLON))
        bound = parse_expression(p);
    if (parse_accept(p, T_EQUAL))
        value = tuple ? parse_star_expression(p) : parse_expression(p);
    if (tuple)
        return NEW(p, TypeVarTuple, s, .name = name, .default_value = value);
    if (spec)
        return NEW(p, ParamSpec, s, .name = name, .default_value = value);
    return NEW(p, TypeVar, s, .name = name, .bound = bound, .default_value = value);
}

/* "[T, *Ts]", at least one; a comma may end the list. Empty: there are none. */
node_list parse_type_params(parser *p)
{
    if (!parse_accept(p, T_LSQB))
        return (node_list){0};
    uint32_t mark = p->nodes.n;
    do {
        if (parse_at(p, T_RSQB) && p->nodes.n > mark)
            break;
        parse_push(p, type_param(p));
    } while (parse_accept(p, T_COMMA));
    parse_expect(p, T_RSQB);
    return parse_list(p, mark);
}

/* "type NAME[...] = value", for parse_try: without a name behind it, "type" is a name itself. */
node *parse_type_alias(parser *p)
{
    WEFT_ASSERT(parse_is_soft(p, "type"));
    pos s = parse_here(p);
    parse_advance(p);
    pos at = parse_here(p);
    const sym *id = parse_name(p);
    node *name = NEW(p, Name, at, .id = id, .ctx = CTX_Store);
    node_list params = parse_type_params(p);
    parse_expect(p, T_EQUAL);
    node *value = parse_expression(p);
    return NEW(p, TypeAlias, s, .name = name, .type_params = params, .value = value);
}
