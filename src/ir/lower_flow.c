/* SPDX-License-Identifier: Apache-2.0 */
/* Branches, returns and assert: Warp 1.19 Adjoint.emit_If, begin_if, end_if, emit_Return,
 * add_return, emit_Assert. The dispatcher of statements in lower.c calls it.
 *
 *     if s > 1.0:          ->   COMPARE %5, %2, >, %4
 *         s = 2.0               IF %5
 *     else:                       LINE "s = 2.0", 1, 21
 *         s = 3.0               END
 *                               IF_NOT %5
 *                                 LINE "s = 3.0", 1, 23
 *                               END
 *                               CALL %8, @wp::where, %5, %6, %7
 *
 * Both branches are lowered in scopes of their own. A name that they bind differently gets a new
 * variable after them (%8 for s above). A condition that is constant at compile time leaves only
 * one branch.
 *
 * A return in the reverse list is a label: the replay jumps to it, and the adjoints of the
 * statements before the return run from there.
 *
 *     return x * x         ->   forward:  CALL %0, @wp::mul, %x, %x
 *                                         RETURN_VALUE %0
 *                               replay:   CALL %0, @wp::mul, %x, %x
 *                                         GOTO_LABEL 0
 *                               reverse:  LABEL 0
 *                                         ADJ_TAKE_RET adj %0
 *                                         ADJ_CALL adj @wp::mul, %x, %x, ... */
#include "ir/lower.h"

/* Is a constant condition true? Objects that are neither a number nor a string are. */
bool truth(const value *v)
{
    switch (v->kind) {
    case VALUE_FLOAT: return v->f != 0;
    case VALUE_STR: return v->s->len != 0;
    case VALUE_SCALAR: return value_has_f(v) ? v->f != 0 : v->i != 0;
    case VALUE_BOOL:
    case VALUE_INT:
    case VALUE_ENUM: return v->i != 0;
    default: return true;
    }
}

/* Opens `if (cond) {`, or `if (!cond) {`. The reverse list is stored last first, so the statement
 * added here is the one that closes the branch there; end_if adds the one that opens it. */
void begin_if(lower *l, uint32_t cond, bool negated)
{
    ir_arg c = arg_var(load(l, cond));
    add_forward(l, negated ? IR_IF_NOT : IR_IF, &c, 1);
    add_reverse(l, IR_END, NULL, 0);
    l->depth++;
}

void end_if(lower *l, uint32_t cond, bool negated)
{
    WEFT_ASSERT(l->depth > 0);
    l->depth--;
    add_forward(l, IR_END, NULL, 0);
    ir_arg c = arg_var(load(l, cond));
    add_reverse(l, negated ? IR_IF_NOT : IR_IF, &c, 1);
}

/* Do both bind the name to the same thing? Two values are the same if they are one object of the
 * program (a function, a type), even if it was looked up twice. */
static bool same_binding(const binding *a, const binding *b)
{
    if (!a || !b || a->var != b->var)
        return false;
    return a->var != NO_VAR || a->value == b->value ||
           (a->value && b->value && a->value->p == b->value->p);
}

/* Binds `name` after the branches. Names that they bind differently become
 * wp::where(cond, if, else). A name that only one branch binds, and none before, keeps that
 * binding, as in Warp: it is undefined if the other branch runs, which is the program's business.
 *
 * A binding without variable and value comes from a statement with an error; its use adds no
 * second error. A name that is a function or type in one branch has no value to merge. */
static void merge_name(lower *l, const ast_If *at, uint32_t cond, const sym *name, scope *prev,
                       scope *s_if, scope *s_else)
{
    const binding *before = scope_find(l, prev, name);
    const binding *a = scope_find(l, s_if, name), *b = scope_find(l, s_else, name);
    if (!a)
        a = before;
    if (!b)
        b = before;
    if (!a || !b || same_binding(a, b)) {
        const binding *only = a ? a : b;
        WEFT_ASSERT(only);
        scope_set(l, name, only->var, only->value);
        return;
    }
    if ((a->var == NO_VAR && !a->value) || (b->var == NO_VAR && !b->value))
        lower_fail(l);
    if (a->var == NO_VAR || b->var == NO_VAR)
        lower_error(l, &at->base, REBOUND_FUNCTION, name->s);
    check_branch_types(l, at, cond, name, a->var, b->var);
    uint32_t args[] = {cond, a->var, b->var};
    operand merged = call_builtin(l, &at->base, l->names->b_where, args, 3);
    scope_set(l, name, merged.var, NULL);
}

/* Merges the names in the order in which Warp's dicts hold them: those of the first branch, then
 * those that only the second has. The order decides the numbers of the variables. */
static void merge(lower *l, const ast_If *at, uint32_t cond, scope *prev, scope *s_if,
                  scope *s_else)
{
    l->scope = scope_copy(l, prev);
    for (uint32_t i = 0; i < s_if->n; i++)
        merge_name(l, at, cond, s_if->v[i].name, prev, s_if, s_else);
    for (uint32_t i = 0; i < s_else->n; i++)
        if (!scope_find(l, s_if, s_else->v[i].name))
            merge_name(l, at, cond, s_else->v[i].name, prev, s_if, s_else);
}

/* The second branch is another IF_NOT with the same condition, not an `else`: in Warp's form each
 * has its own begin and end, so that the reverse list mirrors them. */
void lower_if(lower *l, const ast_If *n)
{
    uint32_t cond = lower_value(l, n->test);
    const value *k = var_constant(l, cond);
    if (k) {
        lower_body(l, truth(k) ? &n->body : &n->orelse);
        return;
    }
    scope prev = scope_copy(l, &l->scope);
    begin_if(l, cond, false);
    lower_body(l, &n->body);
    end_if(l, cond, false);
    scope s_if = l->scope;
    l->scope = scope_copy(l, &prev);
    if (n->orelse.n) {
        begin_if(l, cond, true);
        lower_body(l, &n->orelse);
        end_if(l, cond, true);
    }
    scope s_else = l->scope;
    merge(l, n, cond, &prev, &s_if, &s_else);
    scope_free(l, &prev);
    scope_free(l, &s_if);
    scope_free(l, &s_else);
}

/* Warp 1.19 add_return, for the variables in u->returns. One result is the C++ function's result;
 * several are written to its output parameters (SET_RET i), and the adjoint takes theirs from the
 * adjoint parameters in the same order. The replay must not leave the function: it jumps to the
 * label from which the adjoints run. */
static void add_return(lower *l)
{
    WEFT_ASSERT(!l->u->nreturns || l->u->returns);
    const ir_unit *u = l->u;
    uint32_t label = l->labels++;
    ir_arg label_arg = arg_int(label);
    uint32_t jump = ir_add_stmt(l->c, l->u, IR_GOTO_LABEL, &label_arg, 1);
    if (u->nreturns == 1) {
        ir_arg v = arg_var(u->returns[0]), a = arg_adj(u->returns[0]);
        add_forward_replay(l, ir_add_stmt(l->c, l->u, IR_RETURN_VALUE, &v, 1), jump);
        add_reverse(l, IR_ADJ_TAKE_RET, &a, 1);
    } else {
        for (uint32_t i = 0; i < u->nreturns; i++) {
            FORWARD(l, SET_RET, arg_int(i), arg_var(u->returns[i]));
            REVERSE(l, ADJ_TAKE_RET_I, arg_adj(u->returns[i]), arg_int(i));
        }
        add_forward_replay(l, ir_add_stmt(l->c, l->u, IR_RETURN, NULL, 0), jump);
    }
    add_reverse(l, IR_LABEL, &label_arg, 1);
}

/* The variables of `return x`: the elements of a tuple, the results of a call that has several, or
 * the one value. */
static const uint32_t *return_operands(lower *l, const node *x, uint32_t *n)
{
    if (x->kind == AST_Tuple) {
        const node_list *e = &AST(Tuple, x)->elts;
        uint32_t *vars = ARENA_ARRAY(&l->c->ir, uint32_t, e->n + 1);
        for (uint32_t i = 0; i < e->n; i++)
            vars[i] = lower_value(l, e->v[i]);
        *n = e->n;
        return vars;
    }
    operand o = lower_expr(l, x);
    if (o.kind == OPERAND_VARS) {
        *n = o.n;
        return o.vars;
    }
    if (!is_var(o))
        refuse_object(l, x, o);
    uint32_t *one = ARENA_ARRAY(&l->c->ir, uint32_t, 1);
    one[0] = o.var;
    *n = 1;
    return one;
}

/* Each return has to agree with the one before it in number and types. */
static void check_same_returns(lower *l, const node *at, const uint32_t *vars, uint32_t n)
{
    const ir_unit *u = l->u;
    bool same = n == u->nreturns;
    for (uint32_t i = 0; same && i < n; i++)
        same = var_value_type(l, vars[i]) == var_value_type(l, u->returns[i]);
    if (!same)
        lower_error(l, at, RETURN_TYPES_DIFFER);
}

/* u->returns holds the variables of the latest return; types are compared with it, and the results
 * of a function without annotation come from it (lower_func.c result_types). References are copied:
 * a result is a value, and what it refers to may be local. */
void lower_return(lower *l, const ast_Return *n)
{
    if (n->value && l->u->kernel)
        lower_error(l, &n->base, KERNEL_RETURNS);
    if (!n->value) {
        if (l->u->has_return)
            lower_error(l, &n->base, RETURN_TYPES_DIFFER);
        add_return(l);
        return;
    }
    uint32_t count;
    const uint32_t *vars = return_operands(l, n->value, &count);
    if (l->u->has_return)
        check_same_returns(l, &n->base, vars, count);
    uint32_t *kept = ARENA_ARRAY(&l->c->ir, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++)
        kept[i] = copy_reference(l, &n->base, vars[i]);
    l->u->returns = kept;
    l->u->nreturns = count;
    l->u->has_return = true;
    add_return(l);
}

/* The message is the source text of the whole statement. */
void lower_assert(lower *l, const ast_Assert *n)
{
    uint32_t cond = load(l, lower_value(l, n->test));
    const struct source *src = l->code->src;
    size_t from = src->lines[n->base.line - 1] + n->base.col;
    size_t to = src->lines[n->base.end_line - 1] + n->base.end_col;
    const str text = {src->text.p + from, to - from};
    FORWARD(l, ASSERT, ir_arg_text(l->c, l->u, text), arg_var(cond));
}
