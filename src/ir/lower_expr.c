/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions: Warp 1.19 Adjoint.emit_Name, emit_Compare, emit_BoolOp, emit_BinOp, emit_UnaryOp,
 * emit_Constant, emit_IfExp, emit_Tuple and the dispatch of Adjoint.eval. Two that need branches:
 *
 *     0.0 < a < b and y[0] > a         COMPARE %2, %1, <, %a, <, %a, %b
 *                                      MOVE %0, %2
 *                                      IF %0
 *                                        CALL %4, @wp::address, %y, %3
 *                                        CALL %6, @wp::load, %4
 *                                        COMPARE %5, %6, >, %a
 *                                        AND %0, %5
 *                                      END
 *     -a if a > b else y[1]            COMPARE %7, %a, >, %b
 *                                      IF %7
 *                                        CALL %8, @wp::neg, %a
 *                                      END
 *                                      IF_NOT %7
 *                                        CALL %10, @wp::address, %y, %9
 *                                        CALL %12, @wp::load, %10
 *                                        CALL %11, @wp::copy, %12
 *                                      END
 *                                      CALL %13, @wp::where, %7, %8, %11
 */
#include "ir/lower.h"

uint32_t load(lower *l, uint32_t v)
{
    if (var_type(l, v)->kind != TYPE_REF)
        return v;
    return call1(l, NULL, l->names->b_load, v);
}

/* An error, when the value is one that weft cannot know. */
void refuse_unknown(lower *l, const node *n, const value *v)
{
    if (v->kind != VALUE_UNKNOWN)
        return;
    const char *name = n->kind == AST_Name        ? AST(Name, n)->id->s
                       : n->kind == AST_Attribute ? AST(Attribute, n)->attr->s
                                                  : "this";
    refuse_value(l, n, name, v);
}

uint32_t operand_variable(lower *l, const node *n, operand o)
{
    if (is_var(o))
        return o.var;
    if (o.kind == OPERAND_VARS)
        lower_error(l, n, MANY_VALUES);
    if (o.kind == OPERAND_NONE)
        lower_error(l, n, NO_VALUE);
    refuse_unknown(l, n, o.value);
    refuse_object(l, n, o);
}

uint32_t lower_value(lower *l, const node *n)
{
    return operand_variable(l, n, lower_expr(l, n));
}

/* Warp 1.19 is_value: what may become a constant variable. */
static bool may_be_constant(const value *v)
{
    return value_is_number(v) || v->kind == VALUE_COMPOSITE ||
           (v->kind == VALUE_STRUCT_INSTANCE && v->type->kind == TYPE_NATIVE);
}

static void note_struct(lower *l, const value *v)
{
    if (v->kind == VALUE_TYPE && v->type->kind == TYPE_STRUCT)
        lower_use_struct(l->job, v->type->st);
}

/* A local name, else one of the module or of a closure. A number there becomes a constant of this
 * function at its first use, and the name is bound to it: later uses share the variable. A name
 * whose statement failed fails silently; that error is reported already. */
static operand lower_name(lower *l, const node *n, bool soft)
{
    const sym *name = AST(Name, n)->id;
    const binding *b = scope_find(l, &l->scope, name);
    if (b && b->var == NO_VAR && !b->value)
        lower_fail(l);
    if (b)
        return b->var == NO_VAR ? operand_value(b->value) : operand_var(b->var);
    value v;
    if (!env_lookup(l->code->env, name, &v) || v.kind == VALUE_NONE) {
        if (soft)
            return (operand){.kind = OPERAND_NONE};
        refuse_undefined(l, n, name);
    }
    if (v.kind == VALUE_UNKNOWN)
        refuse_value(l, n, name->s, &v);
    if (!native_instance(l->c, &v, &v))
        check_reference(l, n, name, &v);
    if (may_be_constant(&v)) {
        uint32_t c = add_constant(l, v);
        scope_set(l, name, c, NULL);
        return operand_var(c);
    }
    note_struct(l, &v);
    return operand_value(keep_value(l, v));
}

static bool is_comparison(int op)
{
    return op == OP_Gt || op == OP_Lt || op == OP_GtE || op == OP_LtE || op == OP_Eq ||
           op == OP_NotEq;
}

static ir_arg arg_compare(uint32_t op)
{
    return ir_arg_make(IR_ARG_COMPARE, op);
}

/* Warp 1.19 Adjoint.add_comp; operands are evaluated before, references loaded one by one. A chain
 * a < b < c is one statement, printed as (a < b) && (b < c); b is evaluated once. */
static operand lower_compare(lower *l, const ast_Compare *n)
{
    uint32_t left = lower_value(l, n->left);
    uint32_t count = n->comparators.n;
    WEFT_ASSERT(count > 0 && n->ops.n == count);
    uint32_t *comps = ARENA_ARRAY(&l->c->ir, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        comps[i] = lower_value(l, n->comparators.v[i]);
    for (uint32_t i = 0; i < count; i++)
        if (!is_comparison(n->ops.v[i]))
            refuse_comparison(l, &n->base, (ast_op)n->ops.v[i]);
    uint32_t out = add_var(l, type_scalar(l->c, TYPE_BOOL));
    VEC(ir_arg) args = {0};
    arena *a = &l->c->ir;
    VEC_PUSH(a, &args, arg_var(out));
    VEC_PUSH(a, &args, arg_var(load(l, left)));
    uint32_t prev = NO_VAR;
    for (uint32_t i = 0; i < count; i++) {
        if (prev != NO_VAR) {
            if (var_type(l, prev) != var_type(l, comps[i]))
                lower_error(l, &n->base, CHAINED_TYPES);
            prev = load(l, prev);
        }
        warn_of_comparison(l, n, (ast_op)n->ops.v[i], prev == NO_VAR ? left : prev, comps[i]);
        uint32_t right = load(l, comps[i]);
        VEC_PUSH(a, &args, arg_compare(n->ops.v[i]));
        if (prev != NO_VAR)
            VEC_PUSH(a, &args, arg_var(prev));
        VEC_PUSH(a, &args, arg_var(right));
        prev = right;
    }
    add_forward(l, IR_COMPARE, args.v, args.n);
    return operand_var(out);
}

uint32_t compare_less(lower *l, uint32_t a, uint32_t b)
{
    uint32_t out = add_var(l, type_scalar(l->c, TYPE_BOOL));
    uint32_t left = load(l, a), right = load(l, b);
    FORWARD(l, COMPARE, arg_var(out), arg_var(left), arg_compare(OP_Lt), arg_var(right));
    return out;
}

/* Short circuit: each further operand is evaluated only under the result so far. */
static operand lower_boolop(lower *l, const ast_BoolOp *n)
{
    WEFT_ASSERT(n->values.n >= 2);
    bool is_and = n->op == OP_And;
    uint32_t out = add_var(l, type_scalar(l->c, TYPE_BOOL));
    uint32_t first = load(l, lower_value(l, n->values.v[0]));
    FORWARD(l, MOVE, arg_var(out), arg_var(first));
    for (uint32_t i = 1; i < n->values.n; i++) {
        begin_if(l, out, !is_and);
        uint32_t v = load(l, lower_value(l, n->values.v[i]));
        ir_arg args[] = {arg_var(out), arg_var(v)};
        add_forward(l, is_and ? IR_AND : IR_OR, args, 2);
        end_if(l, out, !is_and);
    }
    return operand_var(out);
}

/* A user function named as the operator ("add") takes its place. */
static bool user_operator(lower *l, int op, value *out)
{
    WEFT_ASSERT(op < OP_COUNT && l->names->operator_names[op]);
    return env_lookup(l->code->env, l->names->operator_names[op], out) && out->kind == VALUE_FUNC;
}

/* A user function named as the operator comes first, if an overload of it takes the operands. */
static operand call_operator(lower *l, const node *at, int op, uint32_t a, uint32_t b)
{
    value user;
    if (user_operator(l, op, &user)) {
        call_args args = {0};
        VEC_PUSH(&l->c->ir, &args.args, arg_of_var(l, a));
        VEC_PUSH(&l->c->ir, &args.args, arg_of_var(l, b));
        const func *f = find_overload(l, user.p, args.args.v, 2);
        if (f)
            return call_user(l, at, f, &args);
    }
    const call_arg args[] = {arg_of_var(l, a), arg_of_var(l, b)};
    return call_operands(l, at, op, args);
}

operand lower_operator(lower *l, const node *at, ast_op op, uint32_t a, uint32_t b)
{
    return call_operator(l, at, (int)op, a, b);
}

bool has_user_operator(lower *l, ast_op op, const func **f)
{
    value user;
    if (!user_operator(l, (int)op, &user))
        return false;
    *f = user.p;
    return true;
}

/* Operands such as v.length are numbers without a variable: they get one after the result's. */
static operand lower_binop(lower *l, const ast_BinOp *n)
{
    operand left = lower_expr(l, n->left);
    operand right = lower_expr(l, n->right);
    bool numbers = left.kind == OPERAND_VALUE || right.kind == OPERAND_VALUE;
    if (numbers) {
        call_arg args[] = {arg_of_operand(l, n->left, left), arg_of_operand(l, n->right, right)};
        return call_operands(l, &n->base, n->op, args);
    }
    return call_operator(l, &n->base, n->op, operand_variable(l, n->left, left),
                         operand_variable(l, n->right, right));
}

/* -v for a constant number; Python's rules (a bool becomes an int). */
static bool negate_constant(const value *v, value *out)
{
    switch (v->kind) {
    case VALUE_BOOL:
    case VALUE_INT:
    case VALUE_ENUM: *out = value_int(-v->i); return true;
    case VALUE_FLOAT: *out = value_float(-v->f); return true;
    default: return false;
    }
}

/* -2.0 is one constant: the literal's own variable takes the negated value. Another constant, as in
 * -K, gets a second variable, since K keeps its value. */
static operand lower_unaryop(lower *l, const ast_UnaryOp *n)
{
    uint32_t arg = lower_value(l, n->operand);
    const value *k = var_constant(l, arg);
    value negated;
    if (k && n->op == OP_USub && negate_constant(k, &negated)) {
        if (n->operand->kind != AST_Constant)
            return operand_var(add_constant(l, negated));
        l->u->vars.v[arg].constant = keep_value(l, negated);
        return operand_var(arg);
    }
    return call_builtin(l, &n->base, l->names->operators[n->op], &arg, 1);
}

static operand lower_constant(lower *l, const ast_Constant *n)
{
    const constant *k = &n->value;
    switch (k->kind) {
    case CONST_TRUE: return operand_var(add_constant(l, value_bool(true)));
    case CONST_FALSE: return operand_var(add_constant(l, value_bool(false)));
    case CONST_INT: return operand_var(add_constant(l, value_int(k->i)));
    case CONST_FLOAT: return operand_var(add_constant(l, value_float(k->f)));
    case CONST_STR: {
        const sym *s = sym_intern(&l->c->syms, k->text.p, k->text.n);
        return operand_var(add_constant(l, (value){.kind = VALUE_STR, .s = s}));
    }
    default: refuse_constant(l, &n->base, k->kind);
    }
}

/* A reference is read within its branch: in the other one its index may be out of range. */
static uint32_t ifexp_branch(lower *l, const node *n)
{
    uint32_t v = lower_value(l, n);
    return var_type(l, v)->kind == TYPE_REF ? call1(l, n, l->names->b_copy, v) : v;
}

/* A condition known at compile time leaves one branch, and nothing of the other is lowered. */
static operand lower_ifexp(lower *l, const node *at)
{
    const ast_IfExp *n = AST(IfExp, at);
    uint32_t cond = lower_value(l, n->test);
    const value *k = var_constant(l, cond);
    if (k)
        return lower_expr(l, truth(k) ? n->body : n->orelse);
    begin_if(l, cond, false);
    uint32_t body = ifexp_branch(l, n->body);
    end_if(l, cond, false);
    begin_if(l, cond, true);
    uint32_t orelse = ifexp_branch(l, n->orelse);
    end_if(l, cond, true);
    check_condition(l, n->test, cond);
    check_ifexp_types(l, at, cond, body, orelse);
    uint32_t vars[] = {cond, body, orelse};
    return call_builtin(l, at, l->names->b_where, vars, 3);
}

static operand lower_tuple(lower *l, const ast_Tuple *n)
{
    uint32_t *vars = ARENA_ARRAY(&l->c->ir, uint32_t, n->elts.n);
    for (uint32_t i = 0; i < n->elts.n; i++)
        vars[i] = lower_value(l, n->elts.v[i]);
    return call_builtin(l, &n->base, l->names->b_tuple, vars, n->elts.n);
}

static operand lower_node(lower *l, const node *n, bool soft)
{
    switch (n->kind) {
    case AST_Name: return lower_name(l, n, soft);
    case AST_Attribute:
        return lower_attribute(l, AST(Attribute, n), (operand){.kind = OPERAND_NONE}, false, soft);
    case AST_Constant: return lower_constant(l, AST(Constant, n));
    case AST_Compare: return lower_compare(l, AST(Compare, n));
    case AST_BoolOp: return lower_boolop(l, AST(BoolOp, n));
    case AST_BinOp: return lower_binop(l, AST(BinOp, n));
    case AST_UnaryOp: return lower_unaryop(l, AST(UnaryOp, n));
    case AST_IfExp: return lower_ifexp(l, n);
    case AST_Call: return lower_call(l, AST(Call, n), 0);
    case AST_Subscript: return lower_subscript(l, n);
    case AST_Slice: return lower_slice(l, n);
    case AST_Tuple: return lower_tuple(l, AST(Tuple, n));
    default: refuse_syntax(l, n);
    }
}

/* Every expression passes here: bounded depth, and a source comment where the line changes. */
static operand lower_any(lower *l, const node *n, bool soft)
{
    if (l->nesting >= NESTING_MAX)
        lower_error(l, n, TOO_DEEP);
    l->nesting++;
    set_line(l, n);
    operand o = lower_node(l, n, soft);
    l->nesting--;
    return o;
}

operand lower_expr(lower *l, const node *n)
{
    return lower_any(l, n, false);
}

operand lower_soft(lower *l, const node *n)
{
    return lower_any(l, n, true);
}
