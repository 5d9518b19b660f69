/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions from the conditional down to the primary. Example: `a + b * c ** -d` becomes
 *
 *     BinOp(a, Add, BinOp(b, Mult, BinOp(c, Pow, UnaryOp(USub, d))))
 *
 * Binary operators are parsed by precedence climbing, so an operand costs one call and not one for
 * each level of precedence of the grammar; all else follows CPython's rules. */
#include "base/assert.h"
#include "syntax/parse.h"

/* A binary operator: prec from 1 (|) to 6 (*, /), and the operator of the tree. */
typedef struct binary {
    uint8_t prec; /* 0: no binary operator */
    uint8_t op;
} binary;

/* Precedences of the language reference, 6.17; "**" and the unary operators are in factor. */
static const binary binaries[T_COUNT] = {
    [T_VBAR] = {1, OP_BitOr},        [T_CIRCUMFLEX] = {2, OP_BitXor},
    [T_AMPER] = {3, OP_BitAnd},      [T_LEFTSHIFT] = {4, OP_LShift},
    [T_RIGHTSHIFT] = {4, OP_RShift}, [T_PLUS] = {5, OP_Add},
    [T_MINUS] = {5, OP_Sub},         [T_STAR] = {6, OP_Mult},
    [T_SLASH] = {6, OP_Div},         [T_DOUBLESLASH] = {6, OP_FloorDiv},
    [T_PERCENT] = {6, OP_Mod},       [T_AT] = {6, OP_MatMult},
};

/* Tokens that may begin an expression. */
static const bool starts[T_COUNT] = {
    [T_NAME] = true,  [T_NUMBER] = true,   [T_STRING] = true, [T_LPAR] = true,
    [T_LSQB] = true,  [T_LBRACE] = true,   [T_PLUS] = true,   [T_MINUS] = true,
    [T_TILDE] = true, [T_ELLIPSIS] = true, [T_NOT] = true,    [T_LAMBDA] = true,
    [T_AWAIT] = true, [T_NONE] = true,     [T_TRUE] = true,   [T_FALSE] = true,
};

bool parse_starts_expression(const parser *p)
{
    return starts[p->tok.kind];
}

/* Operators parsed by a loop make the tree deeper without nesting the parser; check_depth
 * (parser.c) needs the longest such chain. n: the number of operators of one. */
static void record_chain(parser *p, uint32_t n)
{
    if (n > p->longest)
        p->longest = n;
}

/* `a`, `a:b` or `a:b:c`. A named expression may stand alone, not as a bound: `x[a := 1:2]` is an
 * error. */
static node *slice(parser *p)
{
    pos s = parse_here(p);
    node *lower = NULL, *upper = NULL, *step = NULL;
    if (!parse_at(p, T_COLON)) {
        lower = parse_named_expression(p);
        /* A walrus in brackets, `x[(a := 1):2]`, begins behind the bracket and may be a bound. */
        bool walrus = lower->kind == AST_NamedExpr && lower->col == s.col && lower->line == s.line;
        if (!parse_at(p, T_COLON) || walrus)
            return lower;
    }
    parse_expect(p, T_COLON);
    /* Both `x[a:]` and `x[a:b]`: what begins no expression ends the slice. */
    if (parse_starts_expression(p))
        upper = parse_expression(p);
    if (parse_accept(p, T_COLON) && parse_starts_expression(p))
        step = parse_expression(p);
    return NEW(p, Slice, s, .lower = lower, .upper = upper, .step = step);
}

/* `x[*a]` unpacks a into the index (PEP 646). */
static node *slice_or_starred(parser *p)
{
    pos s = parse_here(p);
    if (!parse_accept(p, T_STAR))
        return slice(p);
    node *value = parse_expression(p);
    return NEW(p, Starred, s, .value = value, .ctx = CTX_Load);
}

/* What stands in the brackets of a subscript. Several make a Tuple, and so does one starred. */
static node *slices(parser *p)
{
    pos s = parse_here(p);
    node *first = slice_or_starred(p);
    /* `x[*a]` is a tuple of one element since Python 3.11 (PEP 646). */
    if (!parse_at(p, T_COMMA) && first->kind != AST_Starred)
        return first;
    uint32_t mark = p->nodes.n;
    parse_push(p, first);
    while (parse_accept(p, T_COMMA) && !parse_at(p, T_RSQB))
        parse_push(p, slice_or_starred(p));
    node_list elts = parse_list(p, mark);
    return NEW(p, Tuple, s, .elts = elts, .ctx = CTX_Load);
}

/* What follows an atom: attributes, calls, subscripts. Each wraps what came before, and all start
 * at s. */
static node *trailers(parser *p, node *n, pos s)
{
    for (uint32_t count = 0;; count++) {
        switch (p->tok.kind) {
        case T_DOT: {
            parse_advance(p);
            const sym *attr = parse_name(p);
            n = NEW(p, Attribute, s, .value = n, .attr = attr, .ctx = CTX_Load);
            break;
        }
        case T_LPAR: {
            node_list args, keywords;
            parse_call_args(p, &args, &keywords);
            n = NEW(p, Call, s, .func = n, .args = args, .keywords = keywords);
            break;
        }
        /* Levels as CPython's rules from a primary to the slice inside its brackets. */
        case T_LSQB: {
            parse_enter(p, 24);
            parse_advance(p);
            node *index = slices(p);
            parse_expect(p, T_RSQB);
            parse_leave(p, 24);
            n = NEW(p, Subscript, s, .value = n, .slice = index, .ctx = CTX_Load);
            break;
        }
        default: record_chain(p, count); return n;
        }
    }
}

/* An atom with its attributes, calls and subscripts: `a.b(c)[d]`. */
node *parse_primary(parser *p)
{
    pos s = parse_here(p);
    return trailers(p, parse_atom(p), s);
}

/* "await x" binds closer than "**". */
static node *await_primary(parser *p)
{
    pos s = parse_here(p);
    if (!parse_accept(p, T_AWAIT))
        return parse_primary(p);
    node *value = parse_primary(p);
    return NEW(p, Await, s, .value = value);
}

/* A sign, or a power: `-a ** b` is -(a ** b), and `a ** -b` is allowed. The exponent is a factor,
 * so `**` groups to the right. */
static node *factor(parser *p)
{
    pos s = parse_here(p);
    ast_op op;
    switch (p->tok.kind) {
    case T_PLUS: op = OP_UAdd; break;
    case T_MINUS: op = OP_USub; break;
    case T_TILDE: op = OP_Invert; break;
    default: {
        node *left = await_primary(p);
        if (!parse_accept(p, T_DOUBLESTAR))
            return left;
        /* Two of CPython's rules for each "**". */
        parse_enter(p, 2);
        node *right = factor(p);
        parse_leave(p, 2);
        return NEW(p, BinOp, s, .left = left, .op = OP_Pow, .right = right);
    }
    }
    parse_enter(p, 1);
    parse_advance(p);
    node *operand = factor(p);
    parse_leave(p, 1);
    return NEW(p, UnaryOp, s, .op = (uint8_t)op, .operand = operand);
}

/* Operators of precedence min and above. The right operand takes operators that bind closer only,
 * so operators of one precedence group to the left. */
static node *binary_from(parser *p, uint8_t min)
{
    WEFT_ASSERT(min >= 1 && min <= 7);
    pos s = parse_here(p);
    node *left = factor(p);
    uint32_t count = 0;
    for (;; count++) {
        /* A token without operator has prec 0 and ends the operand. */
        binary b = binaries[p->tok.kind];
        if (!b.prec || b.prec < min)
            break;
        parse_advance(p);
        node *right = binary_from(p, (uint8_t)(b.prec + 1));
        left = NEW(p, BinOp, s, .left = left, .op = b.op, .right = right);
    }
    record_chain(p, count);
    return left;
}

/* All binary operators but "**"; "|" binds least. */
node *parse_bitwise_or(parser *p)
{
    return binary_from(p, 1);
}

/* Consumes the comparison operator at the current token and returns it; -1: there is none. OP_Add
 * is 0, so 0 in the table means none. `not` begins "not in" here only. */
static int comparison_op(parser *p)
{
    static const int8_t ops[T_COUNT] = {
        [T_EQEQUAL] = OP_Eq,
        [T_NOTEQUAL] = OP_NotEq,
        [T_LESSEQUAL] = OP_LtE,
        [T_LESS] = OP_Lt,
        [T_GREATEREQUAL] = OP_GtE,
        [T_GREATER] = OP_Gt,
        [T_IN] = OP_In,
        [T_IS] = OP_Is,
        [T_NOT] = OP_NotIn,
    };
    int op = ops[p->tok.kind];
    if (!op)
        return -1;
    parse_advance(p);
    if (op == OP_NotIn)
        /* `a not b` is refused here; `not` as a prefix is in inversion. */
        parse_expect(p, T_IN);
    else if (op == OP_Is && parse_accept(p, T_NOT))
        op = OP_IsNot;
    return op;
}

/* `a < b <= c` is one Compare with two operators. */
static node *comparison(parser *p)
{
    pos s = parse_here(p);
    node *left = parse_bitwise_or(p);
    int op = comparison_op(p);
    if (op < 0)
        return left;
    VEC(uint8_t) ops = {0};
    /* Comparators go to the node stack, operators to a list of their own, in the tree's arena. */
    uint32_t mark = p->nodes.n;
    for (; op >= 0; op = comparison_op(p)) {
        VEC_PUSH(&p->c->module, &ops, (uint8_t)op);
        parse_push(p, parse_bitwise_or(p));
    }
    node_list rest = parse_list(p, mark);
    return NEW(p, Compare, s, .left = left, .ops = {ops.v, ops.n}, .comparators = rest);
}

/* `not not a` nests; `not a == b` is not (a == b). */
static node *inversion(parser *p)
{
    if (!parse_at(p, T_NOT))
        return comparison(p);
    pos s = parse_here(p);
    parse_enter(p, 1);
    parse_advance(p);
    node *operand = inversion(p);
    parse_leave(p, 1);
    return NEW(p, UnaryOp, s, .op = OP_Not, .operand = operand);
}

/* Operands of "and" or "or"; `a or b or c` is one BoolOp. */
static node *bool_op(parser *p, node *(*operand)(parser *), token_kind kind, ast_op op)
{
    pos s = parse_here(p);
    node *first = operand(p);
    if (!parse_at(p, kind))
        return first;
    uint32_t mark = p->nodes.n;
    parse_push(p, first);
    while (parse_accept(p, kind))
        parse_push(p, operand(p));
    node_list values = parse_list(p, mark);
    return NEW(p, BoolOp, s, .op = (uint8_t)op, .values = values);
}

/* `a and b and c` is one BoolOp. */
static node *conjunction(parser *p)
{
    return bool_op(p, inversion, T_AND, OP_And);
}

/* `or` binds less than `and`. */
node *parse_disjunction(parser *p)
{
    return bool_op(p, conjunction, T_OR, OP_Or);
}

/* Levels are counted around the parameters as well, because a default may be a lambda. */
static node *lambda(parser *p)
{
    pos s = parse_here(p);
    parse_advance(p);
    parse_enter(p, 8); /* for defaults that are lambdas */
    node *args = parse_parameters(p, true);
    parse_leave(p, 8);
    parse_expect(p, T_COLON);
    parse_enter(p, 2);
    node *body = parse_expression(p);
    parse_leave(p, 2);
    return NEW(p, Lambda, s, .args = args, .body = body);
}

/* "body if test else orelse" groups to the right; test may be no conditional without brackets. */
node *parse_expression(parser *p)
{
    if (parse_at(p, T_LAMBDA))
        return lambda(p);
    pos s = parse_here(p);
    node *body = parse_disjunction(p);
    if (!parse_accept(p, T_IF))
        return body;
    node *test = parse_disjunction(p);
    parse_expect(p, T_ELSE);
    /* The else branch is the same rule again; the other two parts are one level deeper only. */
    parse_enter(p, 1);
    node *orelse = parse_expression(p);
    parse_leave(p, 1);
    return NEW(p, IfExp, s, .test = test, .body = body, .orelse = orelse);
}

/* "name := value". The name must be bare: neither `(x) := 1` nor `x.y := 1`. */
node *parse_named_expression(parser *p)
{
    pos s = parse_here(p);
    bool name = parse_at(p, T_NAME);
    node *n = parse_expression(p);
    if (!parse_at(p, T_COLONEQUAL))
        return n;
    /* parse_expression has read the name as an expression; it must be that name and nothing else.
     */
    if (!name || !parse_is_bare_name(n, s))
        parse_fail(p);
    parse_advance(p);
    node *value = parse_expression(p);
    AST(Name, n)->ctx = CTX_Store;
    return NEW(p, NamedExpr, s, .target = n, .value = value);
}

/* "*x" in a display or on the right side of an assignment. */
static node *starred(parser *p)
{
    pos s = parse_here(p);
    parse_advance(p);
    node *value = parse_bitwise_or(p);
    return NEW(p, Starred, s, .value = value, .ctx = CTX_Load);
}

node *parse_star_named_expression(parser *p)
{
    return parse_at(p, T_STAR) ? starred(p) : parse_named_expression(p);
}

/* An element of a list with commas that may become a tuple. */
node *parse_star_expression(parser *p)
{
    return parse_at(p, T_STAR) ? starred(p) : parse_expression(p);
}

/* "a, *b,": one expression, or a Tuple without brackets. */
node *parse_star_expressions(parser *p)
{
    pos s = parse_here(p);
    node *first = parse_star_expression(p);
    if (!parse_at(p, T_COMMA))
        return first;
    uint32_t mark = p->nodes.n;
    parse_push(p, first);
    /* A comma may end the list: `a,` is a tuple of one. */
    while (parse_accept(p, T_COMMA) && (parse_at(p, T_STAR) || parse_starts_expression(p)))
        parse_push(p, parse_star_expression(p));
    node_list elts = parse_list(p, mark);
    return NEW(p, Tuple, s, .elts = elts, .ctx = CTX_Load);
}

/* "yield", "yield a, b" or "yield from a". */
node *parse_yield_expr(parser *p)
{
    pos s = parse_here(p);
    parse_expect(p, T_YIELD);
    if (parse_accept(p, T_FROM)) {
        node *from = parse_expression(p);
        return NEW(p, YieldFrom, s, .value = from);
    }
    /* A bare `yield` is followed by ")", "=", a line end or the like. */
    node *value = NULL;
    if (parse_at(p, T_STAR) || parse_starts_expression(p))
        value = parse_star_expressions(p);
    return NEW(p, Yield, s, .value = value);
}

/* The right side of an assignment. */
node *parse_yield_or_star_expressions(parser *p)
{
    return parse_at(p, T_YIELD) ? parse_yield_expr(p) : parse_star_expressions(p);
}
