/* SPDX-License-Identifier: Apache-2.0 */
/* Prints expressions by the precedences of Python's grammar, 3.11, section 6.17. */
#include "syntax/unparse.h"

#include "syntax/py_repr.h"

/* How each operator is spelled, and how strongly it binds. */
static const struct {
    const char *text;
    unparse_prec prec;
} ops[OP_COUNT] = {
    [OP_Add] = {"+", UNPARSE_SUM},
    [OP_Sub] = {"-", UNPARSE_SUM},
    [OP_Mult] = {"*", UNPARSE_PRODUCT},
    [OP_MatMult] = {"@", UNPARSE_PRODUCT},
    [OP_Div] = {"/", UNPARSE_PRODUCT},
    [OP_Mod] = {"%", UNPARSE_PRODUCT},
    [OP_Pow] = {"**", UNPARSE_POWER},
    [OP_LShift] = {"<<", UNPARSE_SHIFT},
    [OP_RShift] = {">>", UNPARSE_SHIFT},
    [OP_BitOr] = {"|", UNPARSE_BIT_OR},
    [OP_BitXor] = {"^", UNPARSE_BIT_XOR},
    [OP_BitAnd] = {"&", UNPARSE_BIT_AND},
    [OP_FloorDiv] = {"//", UNPARSE_PRODUCT},
    [OP_Invert] = {"~", UNPARSE_UNARY},
    [OP_Not] = {"not ", UNPARSE_NOT},
    [OP_UAdd] = {"+", UNPARSE_UNARY},
    [OP_USub] = {"-", UNPARSE_UNARY},
    [OP_And] = {"and", UNPARSE_AND},
    [OP_Or] = {"or", UNPARSE_OR},
    [OP_Eq] = {"==", UNPARSE_COMPARE},
    [OP_NotEq] = {"!=", UNPARSE_COMPARE},
    [OP_Lt] = {"<", UNPARSE_COMPARE},
    [OP_LtE] = {"<=", UNPARSE_COMPARE},
    [OP_Gt] = {">", UNPARSE_COMPARE},
    [OP_GtE] = {">=", UNPARSE_COMPARE},
    [OP_Is] = {"is", UNPARSE_COMPARE},
    [OP_IsNot] = {"is not", UNPARSE_COMPARE},
    [OP_In] = {"in", UNPARSE_COMPARE},
    [OP_NotIn] = {"not in", UNPARSE_COMPARE},
};

const char *unparse_op(ast_op op)
{
    WEFT_ASSERT(op < OP_COUNT);
    return ops[op].text;
}

static void put_list(unparser *u, const node_list *l)
{
    for (uint32_t i = 0; i < l->n; i++) {
        if (i)
            SB_LIT(u->out, ", ");
        unparse(u, l->v[i], UNPARSE_TERNARY);
    }
}

static void put_call(unparser *u, const ast_Call *c)
{
    unparse(u, c->func, UNPARSE_ATOM);
    sb_char(u->out, '(');
    put_list(u, &c->args);
    for (uint32_t i = 0; i < c->keywords.n; i++) {
        const ast_keyword *k = AST(keyword, c->keywords.v[i]);
        if (i || c->args.n)
            SB_LIT(u->out, ", ");
        sb_str(u->out, sym_str(k->arg));
        sb_char(u->out, '=');
        unparse(u, k->value, UNPARSE_TERNARY);
    }
    sb_char(u->out, ')');
}

/* "i", "i, j" or "1:n" between the brackets of an item. */
static void put_slice(unparser *u, const node *n)
{
    if (n->kind == AST_Tuple && AST(Tuple, n)->elts.n > 1) {
        put_list(u, &AST(Tuple, n)->elts);
        return;
    }
    if (n->kind != AST_Slice) {
        unparse(u, n, UNPARSE_TERNARY);
        return;
    }
    const ast_Slice *s = AST(Slice, n);
    if (s->lower)
        unparse(u, s->lower, UNPARSE_TERNARY);
    sb_char(u->out, ':');
    if (s->upper)
        unparse(u, s->upper, UNPARSE_TERNARY);
    if (s->step) {
        sb_char(u->out, ':');
        unparse(u, s->step, UNPARSE_TERNARY);
    }
}

static void put_constant(unparser *u, const constant *c)
{
    switch (c->kind) {
    case CONST_NONE: SB_LIT(u->out, "None"); break;
    case CONST_TRUE: SB_LIT(u->out, "True"); break;
    case CONST_FALSE: SB_LIT(u->out, "False"); break;
    case CONST_INT: sb_int128(u->out, c->i); break;
    case CONST_FLOAT: sb_float(u->out, c->f); break;
    case CONST_STR: py_repr_str(u->out, c->text); break;
    default: WEFT_ASSERT(false); /* a constant without a text */
    }
}

/* Operands of equal strength stand in brackets on the right: a - (b - c). Powers the other way
 * round. */
static void put_binary(unparser *u, const ast_BinOp *b)
{
    const unparse_prec prec = ops[b->op].prec;
    const bool power = b->op == OP_Pow;
    unparse(u, b->left, power ? prec + 1 : prec);
    sb_char(u->out, ' ');
    sb_c(u->out, ops[b->op].text);
    sb_char(u->out, ' ');
    unparse(u, b->right, power ? UNPARSE_UNARY : prec + 1);
}

static void put_compare(unparser *u, const ast_Compare *c)
{
    unparse(u, c->left, UNPARSE_BIT_OR);
    for (uint32_t i = 0; i < c->ops.n; i++) {
        sb_char(u->out, ' ');
        sb_c(u->out, ops[c->ops.v[i]].text);
        sb_char(u->out, ' ');
        unparse(u, c->comparators.v[i], UNPARSE_BIT_OR);
    }
}

static void put_joined(unparser *u, const ast_BoolOp *b)
{
    for (uint32_t i = 0; i < b->values.n; i++) {
        if (i) {
            sb_char(u->out, ' ');
            sb_c(u->out, ops[b->op].text);
            sb_char(u->out, ' ');
        }
        unparse(u, b->values.v[i], ops[b->op].prec + 1);
    }
}

unparse_prec unparse_prec_of(const node *n)
{
    switch (n->kind) {
    case AST_Tuple: return UNPARSE_TUPLE;
    case AST_IfExp: return UNPARSE_TERNARY;
    case AST_BoolOp: return ops[AST(BoolOp, n)->op].prec;
    case AST_Compare: return UNPARSE_COMPARE;
    case AST_BinOp: return ops[AST(BinOp, n)->op].prec;
    case AST_UnaryOp: return ops[AST(UnaryOp, n)->op].prec;
    default: return UNPARSE_ATOM;
    }
}

static void put_node(unparser *u, const node *n)
{
    switch (n->kind) {
    case AST_Name: sb_str(u->out, sym_str(AST(Name, n)->id)); break;
    case AST_Constant: put_constant(u, &AST(Constant, n)->value); break;
    case AST_Attribute: {
        /* 1.x would be a number. */
        const node *of = AST(Attribute, n)->value;
        unparse(u, of, of->kind == AST_Constant ? UNPARSE_ATOM + 1 : UNPARSE_ATOM);
        sb_char(u->out, '.');
        sb_str(u->out, sym_str(AST(Attribute, n)->attr));
        break;
    }
    case AST_Subscript:
        unparse(u, AST(Subscript, n)->value, UNPARSE_ATOM);
        sb_char(u->out, '[');
        put_slice(u, AST(Subscript, n)->slice);
        sb_char(u->out, ']');
        break;
    case AST_Call: put_call(u, AST(Call, n)); break;
    case AST_BinOp: put_binary(u, AST(BinOp, n)); break;
    case AST_UnaryOp:
        sb_c(u->out, ops[AST(UnaryOp, n)->op].text);
        unparse(u, AST(UnaryOp, n)->operand, ops[AST(UnaryOp, n)->op].prec);
        break;
    case AST_BoolOp: put_joined(u, AST(BoolOp, n)); break;
    case AST_Compare: put_compare(u, AST(Compare, n)); break;
    case AST_IfExp:
        unparse(u, AST(IfExp, n)->body, UNPARSE_OR);
        SB_LIT(u->out, " if ");
        unparse(u, AST(IfExp, n)->test, UNPARSE_OR);
        SB_LIT(u->out, " else ");
        unparse(u, AST(IfExp, n)->orelse, UNPARSE_TERNARY);
        break;
    case AST_Tuple:
        put_list(u, &AST(Tuple, n)->elts);
        if (AST(Tuple, n)->elts.n == 1)
            sb_char(u->out, ',');
        break;
    case AST_List:
        sb_char(u->out, '[');
        put_list(u, &AST(List, n)->elts);
        sb_char(u->out, ']');
        break;
    default: WEFT_ASSERT(false); /* an expression without a text */
    }
}

void unparse(unparser *u, const node *n, unparse_prec least)
{
    if (u->node && u->node(u, n, least))
        return;
    /* "()" is written with its brackets anyway. */
    const bool empty = n->kind == AST_Tuple && !AST(Tuple, n)->elts.n;
    const bool brackets = unparse_prec_of(n) < least || empty;
    if (brackets)
        sb_char(u->out, '(');
    put_node(u, n);
    if (brackets)
        sb_char(u->out, ')');
}

static void see_child(void *arg, const node *child)
{
    bool *can = arg;
    *can = *can && unparse_can(child);
}

bool unparse_can(const node *n)
{
    switch (n->kind) {
    case AST_Constant: {
        const const_kind k = AST(Constant, n)->value.kind;
        return k == CONST_NONE || k == CONST_TRUE || k == CONST_FALSE || k == CONST_INT ||
               k == CONST_FLOAT || k == CONST_STR;
    }
    case AST_keyword:
        if (!AST(keyword, n)->arg)
            return false;
        break;
    case AST_Name:
    case AST_Attribute:
    case AST_Subscript:
    case AST_Slice:
    case AST_Call:
    case AST_BinOp:
    case AST_UnaryOp:
    case AST_BoolOp:
    case AST_Compare:
    case AST_IfExp:
    case AST_Tuple:
    case AST_List: break;
    default: return false;
    }
    bool can = true;
    ast_each_child(n, see_child, &can);
    return can;
}
