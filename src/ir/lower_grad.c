/* SPDX-License-Identifier: Apache-2.0 */
/* wp.grad(f)(args): the gradient of f within the forward pass, by a call of f's adjoint (Warp 1.19
 * Adjoint.add_grad_call). The adjoints of the arguments start as zero, those of the results (the
 * seeds) as one:
 *
 *     a[i] = wp.grad(sq)(a[i])   ->   CALL %2, @wp::load, %1
 *                                     CLEAR %3
 *                                     ONE %4, float32
 *                                     CALL_VOID adj @sq_0, %2, %3, %4
 *                                     CALL_VOID @wp::array_store, %a, %0, %3
 *
 * Nothing is added to the reverse list: second derivatives do not exist, and a gradient passes no
 * adjoint on to its arguments. lower_func.c (grad_of_user) prepares the call of a user function,
 * lower_call.c that of a builtin. */
#include "ir/lower.h"

/* wp.grad(f), before its call: a compile-time value (VALUE_GRAD) whose `items` is f. Calling it is
 * lower_call.c's part. */
operand lower_grad(lower *l, const ast_Call *n)
{
    if (n->args.n != 1 || n->keywords.n)
        lower_error(l, &n->base, ONE_ARGUMENT, "wp.grad");
    operand o = lower_arg(l, n->args.v[0]);
    if (o.kind != OPERAND_VALUE || (o.value->kind != VALUE_FUNC && o.value->kind != VALUE_BUILTIN))
        lower_error(l, n->args.v[0], GRAD_OF_NO_FUNCTION, "");
    value *v = ARENA_NEW(&l->c->ir, value);
    v->kind = VALUE_GRAD;
    v->items = o.value;
    return operand_value(v);
}

static void put(lower *l, call_vars *b, ir_arg a)
{
    VEC_PUSH(&l->c->ir, b, a);
}

static void put_vars(lower *l, call_vars *b, const uint32_t *vars, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        put(l, b, arg_var(vars[i]));
}

static uint32_t *add_vars(lower *l, const type *const *types, uint32_t n)
{
    uint32_t *vars = ARENA_ARRAY(&l->c->ir, uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        vars[i] = add_var(l, types[i]);
    return vars;
}

/* Calls f itself, for adjoints that take its results; returns their variables. */
static uint32_t *call_forward(lower *l, const grad_target *t)
{
    WEFT_ASSERT(t->nresults > 0);
    uint32_t *out = add_vars(l, t->result_types, t->nresults);
    call_vars b = {0};
    if (t->nresults == 1)
        put(l, &b, arg_var(out[0]));
    put(l, &b, ir_arg_make(IR_ARG_CALLEE, t->callee));
    put_vars(l, &b, t->args, t->nargs);
    if (t->nresults > 1)
        put_vars(l, &b, out, t->nresults);
    add_forward(l, t->nresults == 1 ? IR_CALL : IR_CALL_VOID, b.v, b.n);
    return out;
}

/* Variables that start as zero, or as one. */
static uint32_t *add_started(lower *l, const type *const *types, uint32_t n, bool as_one)
{
    uint32_t *vars = ARENA_ARRAY(&l->c->ir, uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        vars[i] = add_var(l, types[i]);
        if (as_one)
            FORWARD(l, ONE, arg_var(vars[i]), ir_arg_type(l->c, l->u, types[i]));
        else
            FORWARD(l, CLEAR, arg_var(vars[i]));
    }
    return vars;
}

/* One gradient is the value; several become a tuple, made by its constructor. */
static operand gather(lower *l, const grad_target *target, const uint32_t *vars)
{
    const uint32_t n = target->nargs;
    if (n == 1)
        return operand_var(vars[0]);
    const type *t = type_tuple_named(l->c, target->arg_types, n, target->python);
    const uint32_t out = add_var(l, t);
    call_arg *items = ARENA_ARRAY(&l->c->ir, call_arg, n + 1);
    for (uint32_t i = 0; i < n; i++)
        items[i] = arg_of_var(l, vars[i]);
    info_of(l, out)->items = items;
    info_of(l, out)->nitems = n;
    call_vars b = {0};
    put(l, &b, arg_var(out));
    put(l, &b, ir_arg_make(IR_ARG_CALLEE, callee_of_type(l, t)));
    put_vars(l, &b, vars, n);
    add_forward(l, IR_CALL, b.v, b.n);
    return operand_var(out);
}

/* The adjoint's parameters are f's arguments, its results if it takes them, the arguments' adjoints
 * and the results' adjoints, in this order. The unit has no adjoint of its own from here on
 * (uses_grad), unless it is a custom gradient, which has none anyway. */
operand emit_grad_call(lower *l, const grad_target *t)
{
    WEFT_ASSERT(t->callee < l->u->callees.n && t->nresults > 0);
    if (!is_custom_gradient(l))
        l->u->uses_grad = true;
    const bool takes_results = t->needs_output || t->nresults > 1;
    const uint32_t *results = takes_results ? call_forward(l, t) : NULL;
    const uint32_t *gradients = add_started(l, t->arg_types, t->nargs, false);
    const uint32_t *seeds = add_started(l, t->result_types, t->nresults, true);
    call_vars b = {0};
    put(l, &b, ir_arg_make(IR_ARG_CALLEE_ADJ, t->callee));
    put_vars(l, &b, t->args, t->nargs);
    if (takes_results)
        put_vars(l, &b, results, t->nresults);
    put_vars(l, &b, gradients, t->nargs);
    put_vars(l, &b, seeds, t->nresults);
    add_forward(l, IR_CALL_VOID, b.v, b.n);
    return gather(l, t, gradients);
}
