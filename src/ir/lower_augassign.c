/* SPDX-License-Identifier: Apache-2.0 */
/* Augmented assignments: Warp 1.19 Adjoint.emit_AugAssign.
 *
 *     x += e          a name: x = x + e
 *     a[i] += e       an array: atomic_add(a, i, e); without an atomic: load, apply, store
 *     v[i] += e       a vector or matrix: add_inplace(v, i, e)
 *     a[i].f += e     part of an element: an atomic slot update, else load, add, store
 *
 * So `y[0] += 2.0`, `v[1] += 3.0`, `a[0].x += 4.0` and `y[1] *= 5.0` become
 *
 *     CALL %2, @wp::atomic_add, %y, %0, %1
 *     CALL_VOID @wp::add_inplace, %v, %3, %4
 *     SLOT_PTR %6, %a, , %5
 *     SLOT_ATOMIC atomic_add, %a, %8, [%7], %5
 *     CALL %10, @wp::address, %y, %9
 *     CALL %13, @wp::load, %10
 *     CALL %12, @wp::mul, %13, %11
 *     CALL_VOID @wp::array_store, %y, %9, %12
 *
 * The moment at which the right-hand side is evaluated differs from form to form in Warp, and the
 * numbers of variables show it: hence lazy_rhs. */
#include "ir/lower.h"

/* The right-hand side, evaluated at first use. */
typedef struct lazy_rhs {
    const node *n;
    uint32_t var; /* NO_VAR: not evaluated yet */
} lazy_rhs;

/* Later calls give the same variable. */
static uint32_t rhs_of(lower *l, lazy_rhs *r)
{
    if (r->var == NO_VAR)
        r->var = lower_value(l, r->n);
    return r->var;
}

/* The builtin that updates a component or a tile; NULL: the operator has none (*=, /=, ...). */
static const builtin *inplace(const lower_names *t, int op)
{
    switch (op) {
    case OP_Add: return t->b_add_inplace;
    case OP_Sub: return t->b_sub_inplace;
    case OP_BitAnd: return t->b_bit_and_inplace;
    case OP_BitOr: return t->b_bit_or_inplace;
    case OP_BitXor: return t->b_bit_xor_inplace;
    default: return NULL;
    }
}

/* In-place operations on whole tiles change the tile itself. */
static bool augment_tile(lower *l, const ast_AugAssign *n, uint32_t target, uint32_t rhs)
{
    const builtin *b = inplace(l->names, n->op);
    if (var_type(l, target)->kind != TYPE_TILE || var_type(l, rhs)->kind != TYPE_TILE || !b)
        return false;
    call2(l, &n->base, b, target, rhs);
    return true;
}

/* Tiles and reference parameters are changed in place; any other name is bound to the result. */
static void augment_name(lower *l, const ast_AugAssign *n, const sym *name)
{
    const operand given = lower_expr(l, n->value);
    const bool number = given.kind == OPERAND_VALUE && value_is_number(given.value);
    const uint32_t rhs = number ? NO_VAR : operand_variable(l, n->value, given);
    const uint32_t target = lower_value(l, n->target);
    if (!number && augment_tile(l, n, target, rhs))
        return;
    operand result;
    if (number) { /* x += v.length: its constant gets a variable after the result's */
        const call_arg args[] = {arg_of_var(l, target), arg_of_operand(l, n->value, given)};
        result = call_operands(l, &n->base, n->op, args);
    } else {
        result = lower_operator(l, &n->base, (ast_op)n->op, target, rhs);
    }
    if (!is_var(result))
        lower_error(l, &n->base, NO_VALUE);
    uint32_t ref;
    if (is_ref_param(l, name, &ref)) {
        store_ref_param(l, &n->base, ref, result.var);
        return;
    }
    const binding *b = scope_find(l, &l->scope, name);
    const func *user;
    const type *new_type = var_value_type(l, result.var);
    if (b && b->var != NO_VAR && !has_user_operator(l, (ast_op)n->op, &user) &&
        !type_equal(var_type(l, b->var), new_type))
        refuse_rebinding(l, &n->base, name, var_type(l, b->var), new_type);
    scope_set(l, name, result.var, NULL);
}

/* The atomic update of an operator that slot_is_atomic accepts. */
static ir_update atomic_update(int op)
{
    switch (op) {
    case OP_Add: return IR_UPDATE_ADD;
    case OP_Sub: return IR_UPDATE_SUB;
    case OP_BitAnd: return IR_UPDATE_AND;
    case OP_BitOr: return IR_UPDATE_OR;
    default: WEFT_ASSERT(op == OP_BitXor); return IR_UPDATE_XOR;
    }
}

/* False: the slot takes no atomic update by this operator, and nothing is emitted. */
static bool atomic_slot(lower *l, const ast_AugAssign *n, const array_slot *slot, lazy_rhs *rhs)
{
    if (!slot || !slot_is_atomic(slot, (ast_op)n->op))
        return false;
    store_slot(l, n->target, slot, rhs_of(l, rhs), atomic_update(n->op));
    return true;
}

/* Does a user function with the operator's name take these operands? It comes before the atomic
 * update. */
static bool user_takes(lower *l, const ast_AugAssign *n, uint32_t current, lazy_rhs *rhs)
{
    const func *user;
    if (!has_user_operator(l, (ast_op)n->op, &user))
        return false;
    call_arg args[] = {arg_of_var(l, current), arg_of_var(l, rhs_of(l, rhs))};
    return find_overload(l, user, args, 2) != NULL;
}

/* current op rhs. An operator without an atomic update has no gradient on a part of an array
 * element (a[i].x *= e): a differentiable result is an error there with enable_backward. */
static uint32_t apply(lower *l, const ast_AugAssign *n, uint32_t current, lazy_rhs *rhs,
                      uint32_t target)
{
    uint32_t r = rhs_of(l, rhs);
    operand result = lower_operator(l, &n->base, (ast_op)n->op, current, r);
    if (!is_var(result))
        lower_error(l, &n->base, NO_VALUE);
    if (info_of(l, target)->slot && is_differentiable(var_value_type(l, result.var)) &&
        l->job->out->options.enable_backward)
        lower_error(l, &n->base, SLOT_NOT_DIFFERENTIABLE);
    return result.var;
}

/* Load the element, apply the operator, store it back. */
static void load_apply_store(lower *l, const ast_AugAssign *n, uint32_t target, uint32_t *idx,
                             uint32_t count, lazy_rhs *rhs)
{
    for (uint32_t i = 0; i < count && warp_has(l->c->warp, WARP_INDICES_LOADED_FIRST); i++)
        idx[i] = load(l, idx[i]);
    const array_slot *slot = select_slot(l, n->target, target, idx, count, NULL);
    const func *user;
    if (!has_user_operator(l, (ast_op)n->op, &user) && atomic_slot(l, n, slot, rhs))
        return;
    const builtin *b =
        var_type(l, target)->kind != TYPE_REF && var_type(l, target)->kind == TYPE_ARRAY
            ? l->names->b_address
            : l->names->b_extract;
    uint32_t *args = ARENA_ARRAY(&l->c->ir, uint32_t, count + 1);
    args[0] = target;
    memcpy(args + 1, idx, count * sizeof *args);
    if (var_type(l, target)->kind == TYPE_REF && !warp_has(l->c->warp, WARP_PART_EXTRACTED))
        b = l->names->b_indexref;
    uint32_t current = call_builtin(l, n->target, b, args, count + 1).var;
    if (b == l->names->b_indexref)
        current = load(l, current);
    if (!user_takes(l, n, current, rhs) && atomic_slot(l, n, slot, rhs))
        return;
    uint32_t result = apply(l, n, current, rhs, target);
    if (slot)
        store_slot(l, n->target, slot, result, IR_UPDATE_STORE);
    else
        store_subscript(l, n->target, target, idx, count, result);
}

/* The atomic builtin for a whole array element; NULL: the operator has none. */
static const builtin *array_atomic(const lower_names *t, int op)
{
    switch (op) {
    case OP_Add: return t->b_atomic_add;
    case OP_Sub: return t->b_atomic_sub;
    case OP_BitAnd: return t->b_atomic_and;
    case OP_BitOr: return t->b_atomic_or;
    case OP_BitXor: return t->b_atomic_xor;
    default: return NULL;
    }
}

/* b(target, indices..., rhs); the result, an atomic's old value, is not used. */
static void call_update(lower *l, const ast_AugAssign *n, const builtin *b, uint32_t target,
                        const uint32_t *idx, uint32_t count, lazy_rhs *rhs)
{
    WEFT_ASSERT(b && idx);
    uint32_t *args = ARENA_ARRAY(&l->c->ir, uint32_t, count + 2);
    args[0] = target;
    memcpy(args + 1, idx, count * sizeof *args);
    args[count + 1] = rhs_of(l, rhs);
    call_builtin_unused(l, &n->base, b, args, count + 2);
}

/* Warp 1.19 non_atomic_types: 8- and 16-bit integers, or composites of them. */
static bool lacks_atomics(const type *t)
{
    const type *s = type_scalar_of(t);
    return s && s->kind >= TYPE_INT8 && s->kind <= TYPE_UINT16;
}

/* wp.adjoint[x] op= e: a plain update of the adjoint's storage. */
static void augment_adjoint(lower *l, const ast_AugAssign *n, lazy_rhs *rhs)
{
    WEFT_ASSERT(is_adjoint_subscript(l, n->target));
    uint32_t current = lower_value(l, n->target);
    uint32_t result = lower_operator(l, &n->base, (ast_op)n->op, current, rhs_of(l, rhs)).var;
    operand target = lower_adjoint_target(l, AST(Subscript, n->target)->slice);
    FORWARD(l, MOVE, arg_var(target.var), arg_var(result));
}

/* With a builtin `b` the update is one call; without, the element is loaded, changed and stored. */
static void augment_subscript(lower *l, const ast_AugAssign *n, lazy_rhs *rhs)
{
    if (is_adjoint_subscript(l, n->target)) {
        augment_adjoint(l, n, rhs);
        return;
    }
    index_list rest;
    uint32_t target =
        lower_subscript_target(l, n->target, &rest, warp_has(l->c->warp, WARP_TARGET_SLOTS));
    const type *t = var_value_type(l, target);
    uint32_t *idx = lower_indices(l, t, rest);
    const builtin *b = NULL;
    if (t->kind == TYPE_ARRAY)
        b = lacks_atomics(t->elem) ? NULL : array_atomic(l->names, n->op);
    else if (type_is_composite(t))
        b = var_type(l, target)->kind == TYPE_REF ? NULL : inplace(l->names, n->op);
    else if (t->kind == TYPE_TILE)
        b = tile_inplace(l, n->target, (ast_op)n->op, target, idx, rest.n);
    else
        lower_error(l, n->target, NOT_STORABLE, (int)t->pyname.n, t->pyname.p);
    if (b)
        call_update(l, n, b, target, idx, rest.n, rhs);
    else
        load_apply_store(l, n, target, idx, rest.n, rhs);
}

/* x.f op= e. A user function named as the operator comes before the atomic update, but only if it
 * takes the operands, which is known when both are lowered: the slot is tried twice. */
static void augment_attribute(lower *l, const ast_AugAssign *n, const ast_Attribute *lhs,
                              lazy_rhs *rhs)
{
    uint32_t aggregate = store_aggregate(l, lhs->value);
    const array_slot *slot = select_slot(l, &lhs->base, aggregate, NULL, 0, lhs->attr);
    const func *user;
    if (!has_user_operator(l, (ast_op)n->op, &user) && atomic_slot(l, n, slot, rhs))
        return;
    operand current = lower_attribute(l, lhs, operand_var(aggregate), false, false);
    if (!is_var(current))
        lower_error(l, &lhs->base, NOT_A_VALUE);
    if (!user_takes(l, n, current.var, rhs) && atomic_slot(l, n, slot, rhs))
        return;
    uint32_t result = apply(l, n, current.var, rhs, aggregate);
    if (slot)
        store_slot(l, &lhs->base, slot, result, IR_UPDATE_STORE);
    else
        store_attribute(l, lhs, aggregate, result);
}

void lower_augassign(lower *l, const ast_AugAssign *n)
{
    lazy_rhs rhs = {n->value, NO_VAR};
    if (n->target->kind != AST_Name && !warp_has(l->c->warp, WARP_TARGET_BEFORE_VALUE))
        rhs_of(l, &rhs);
    switch (n->target->kind) {
    case AST_Name: augment_name(l, n, AST(Name, n->target)->id); return;
    case AST_Subscript: augment_subscript(l, n, &rhs); return;
    case AST_Attribute: augment_attribute(l, n, AST(Attribute, n->target), &rhs); return;
    default: lower_error(l, n->target, UNSUPPORTED_TARGET);
    }
}
