/* Expressions: names, literals and operators. */
#include "interp/interp_internal.h"

static const char *const operators[OP_COUNT] = {
    [OP_Add] = "add",
    [OP_Sub] = "sub",
    [OP_Mult] = "mul",
    [OP_MatMult] = "mul",
    [OP_Div] = "div",
    [OP_Mod] = "mod",
    [OP_Pow] = "pow",
    [OP_LShift] = "lshift",
    [OP_RShift] = "rshift",
    [OP_BitOr] = "bit_or",
    [OP_BitXor] = "bit_xor",
    [OP_BitAnd] = "bit_and",
    [OP_FloorDiv] = "floordiv",
    [OP_Invert] = "invert",
    [OP_UAdd] = "pos",
    [OP_USub] = "neg",
    [OP_Eq] = "==",
    [OP_NotEq] = "!=",
    [OP_Lt] = "<",
    [OP_LtE] = "<=",
    [OP_Gt] = ">",
    [OP_GtE] = ">=",
};

rvalue call_named(interp *in, const node *at, const char *name, rvalue *args, uint32_t n)
{
    arith_call call = {.c = in->c, .a = &in->arena, .args = args, .n = n};
    switch (arith_builtin(&call, name)) {
    case ARITH_OK: return call.result;
    case ARITH_DIVIDES_BY_ZERO: interp_fail(in, at, "an integer is divided by zero");
    case ARITH_OVERFLOWS: interp_fail(in, at, "the smallest integer is divided by -1");
    default: break;
    }
    const type *t = n ? args[0].type : NULL;
    interp_fail(in, at, "cannot execute %s of %.*s", name, t ? (int)t->pyname.n : 7,
                t ? t->pyname.p : "nothing");
}

rvalue binary(interp *in, const node *at, int op, rvalue a, rvalue b)
{
    if (!operators[op])
        interp_fail(in, at, "cannot execute this operator");
    return call_named(in, at, operators[op], (rvalue[]){a, b}, 2);
}

rvalue make_tuple(interp *in, const rvalue *items, uint32_t n)
{
    const type **types = ARENA_ARRAY(&in->arena, const type *, n + 1);
    rvalue *copy = ARENA_ARRAY(&in->arena, rvalue, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        copy[i] = items[i];
        types[i] = items[i].type ? items[i].type : type_scalar(in->c, TYPE_VOID);
    }
    return (rvalue){.type = type_tuple(in->c, types, n), .items = copy};
}

static bool literal_value(const ast_Constant *n, value *out)
{
    switch (n->value.kind) {
    case CONST_TRUE:
    case CONST_FALSE: *out = value_bool(n->value.kind == CONST_TRUE); return true;
    case CONST_INT: *out = value_int(n->value.i); return true;
    case CONST_FLOAT: *out = value_float(n->value.f); return true;
    default: return false;
    }
}

static bool negated_constant(interp *in, const node *n, value *out)
{
    if (!interp_constant(in, n, out))
        return false;
    if (out->kind == VALUE_INT)
        out->i = -out->i;
    else if (out->kind == VALUE_FLOAT)
        out->f = -out->f;
    return out->kind == VALUE_INT || out->kind == VALUE_FLOAT;
}

bool interp_constant(interp *in, const node *n, value *out)
{
    if (n->kind == AST_Constant)
        return literal_value(AST(Constant, n), out);
    if (n->kind == AST_UnaryOp && AST(UnaryOp, n)->op == OP_USub)
        return negated_constant(in, AST(UnaryOp, n)->operand, out);
    if (n->kind == AST_Name) {
        const sym *name = AST(Name, n)->id;
        return !find_variable(in, name) && (env_lookup(in->frame->code->env, name, out) ||
                                            warp_or_python_name(in->c, name, out));
    }
    value owner;
    return n->kind == AST_Attribute && interp_constant(in, AST(Attribute, n)->value, &owner) &&
           value_getattr(in->c, &owner, AST(Attribute, n)->attr, out);
}

static rvalue of_constant(interp *in, const value *v)
{
    rvalue r;
    if (rvalue_constant(in->c, &in->arena, v, &r))
        return r;
    value *object = ARENA_NEW(&in->arena, value);
    *object = *v;
    return (rvalue){.object = object};
}

static rvalue eval_name(interp *in, const ast_Name *n)
{
    const variable *var = find_variable(in, n->id);
    value v;
    if (var)
        return var->value;
    if (!interp_constant(in, &n->base, &v))
        interp_fail(in, &n->base, "'%s' is read before anything is assigned to it", n->id->s);
    return of_constant(in, &v);
}

static bool lanes_equal(const rvalue *a, const rvalue *b)
{
    const type_kind k = a->type->elem->kind;
    for (int i = 0; i < lane_count(a->type); i++)
        if (!num_compare("==", k, lane_get(a, i), k, lane_get(b, i)))
            return false;
    return true;
}

static bool compare(interp *in, const node *at, int op, const rvalue *a, const rvalue *b)
{
    if (!operators[op])
        interp_fail(in, at, "cannot execute this comparison");
    if (type_is_scalar(a->type) && type_is_scalar(b->type))
        return num_compare(operators[op], a->type->kind, a->n, b->type->kind, b->n);
    if (a->type != b->type || !type_is_composite(a->type) || (op != OP_Eq && op != OP_NotEq))
        interp_fail(in, at, "cannot execute this comparison");
    return lanes_equal(a, b) == (op == OP_Eq);
}

static rvalue of_bool(interp *in, bool b)
{
    return rvalue_num(type_scalar(in->c, TYPE_BOOL), (num){.i = b});
}

static rvalue eval_compare(interp *in, const ast_Compare *n)
{
    rvalue left = interp_value(in, n->left);
    bool all = true;
    for (uint32_t i = 0; i < n->ops.n && all; i++) {
        const rvalue right = interp_value(in, n->comparators.v[i]);
        all = compare(in, &n->base, n->ops.v[i], &left, &right);
        left = right;
    }
    return of_bool(in, all);
}

static rvalue eval_boolop(interp *in, const ast_BoolOp *n)
{
    const bool is_and = n->op == OP_And;
    for (uint32_t i = 0; i < n->values.n; i++)
        if (interp_truth(in, n->values.v[i]) != is_and)
            return of_bool(in, !is_and);
    return of_bool(in, is_and);
}

static rvalue eval_unary(interp *in, const ast_UnaryOp *n)
{
    value v;
    if (n->op == OP_Not)
        return of_bool(in, !interp_truth(in, n->operand));
    if (n->op == OP_USub && interp_constant(in, &n->base, &v))
        return of_constant(in, &v);
    rvalue x = interp_value(in, n->operand);
    return call_named(in, &n->base, operators[n->op], &x, 1);
}

static rvalue eval_tuple(interp *in, const node_list *elts)
{
    rvalue *items = ARENA_ARRAY(&in->arena, rvalue, elts->n + 1);
    for (uint32_t i = 0; i < elts->n; i++)
        items[i] = interp_value(in, elts->v[i]);
    return make_tuple(in, items, elts->n);
}

static rvalue eval_literal(interp *in, const ast_Constant *n)
{
    value v;
    if (!literal_value(n, &v))
        interp_fail(in, &n->base, "cannot execute a literal of this kind");
    return of_constant(in, &v);
}

static rvalue eval_node(interp *in, const node *n)
{
    switch (n->kind) {
    case AST_Constant: return eval_literal(in, AST(Constant, n));
    case AST_Name: return eval_name(in, AST(Name, n));
    case AST_Attribute: return interp_attribute(in, AST(Attribute, n));
    case AST_Subscript: return interp_subscript(in, AST(Subscript, n));
    case AST_Call: return interp_call(in, AST(Call, n), 0);
    case AST_Compare: return eval_compare(in, AST(Compare, n));
    case AST_BoolOp: return eval_boolop(in, AST(BoolOp, n));
    case AST_UnaryOp: return eval_unary(in, AST(UnaryOp, n));
    case AST_Tuple: return eval_tuple(in, &AST(Tuple, n)->elts);
    case AST_IfExp:
        return interp_value(in, interp_truth(in, AST(IfExp, n)->test) ? AST(IfExp, n)->body
                                                                      : AST(IfExp, n)->orelse);
    case AST_BinOp: {
        const rvalue a = interp_value(in, AST(BinOp, n)->left);
        return binary(in, n, AST(BinOp, n)->op, a, interp_value(in, AST(BinOp, n)->right));
    }
    default:
        interp_fail(in, n, "cannot execute an expression of class %s", node_kind_name(n->kind));
    }
}

rvalue interp_any(interp *in, const node *n)
{
    if (++in->nesting > NESTING_MAX_EXPR)
        interp_fail(in, n, "the expression is nested too deeply");
    const rvalue v = eval_node(in, n);
    in->nesting--;
    return v;
}

rvalue interp_value(interp *in, const node *n)
{
    const rvalue v = interp_any(in, n);
    if (!v.type)
        interp_fail(in, n, "a value is wanted here");
    return v;
}

bool interp_truth(interp *in, const node *n)
{
    const rvalue v = interp_value(in, n);
    if (!type_is_scalar(v.type))
        interp_fail(in, n, "a condition must be a number");
    return num_truth(v.type->kind, v.n);
}

int64_t interp_int(interp *in, const node *n)
{
    const rvalue v = interp_value(in, n);
    if (!type_is_scalar(v.type) || type_is_float(v.type))
        interp_fail(in, n, "an integer is wanted here");
    return v.n.i;
}
