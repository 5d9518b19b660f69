/* SPDX-License-Identifier: Apache-2.0 */
/* Statements of deterministic mode: Warp 1.19 emit_deterministic_atomic,
 * DeterministicCodegen.adjoint_address_call and emit_adjoint_slot_scatter. What the statement would
 * be otherwise stands within it, for launches where nothing waits:
 *
 *     wp.atomic_sub(y, i, x)   ->   forward:  DET_SCATTER_NEG det, det0, offset(%y, %0), %x,
 *                                                             {CALL %1, @wp::atomic_sub, ...}
 *                                             DET_ZERO %1, float32
 *                                   replay:   # DET_SKIPPED, DET_ZERO %1, float32
 *                                   reverse:  ADJ_CALL adj @wp::atomic_sub, ...
 *
 * The result of a scatter is not used. One that is used, of atomic_add on integers, makes a counter
 * (DET_COUNTER), which has no adjoint. Other sums of integers need no order: they stay plain, but
 * are left out of a counting pass (DET_EFFECT). */
#include "ir/lower.h"

/* The array of an atomic, or of a read, and where in it the element is. */
typedef struct element {
    uint32_t base; /* variable of the array, views by integers taken off */
    ir_det_array array;
    const type *type;  /* of the array */
    uint32_t param;    /* det_param */
    det_indices index; /* those of the views first */
} element;

/* False: no array is known. */
static bool find_element(lower *l, uint32_t v, element *out)
{
    *out = (element){0};
    out->base = det_without_views(l, v, &out->index);
    if (!det_array_of(l, out->base, &out->array, &out->type) || out->type->kind != TYPE_ARRAY)
        return false;
    out->param = det_param(l, &out->array);
    return true;
}

/* Where the element is, in elements from the array's start. */
static ir_arg offset_of(lower *l, span at, const element *e, bool adjoint)
{
    if (!e->index.n || e->index.n > 4)
        det_unsupported(l, at, "an array of more than four dimensions");
    /* The gradients of an indexed array are a plain one. */
    const array_class kind = e->type->array_class;
    if (kind != ARRAY_PLAIN && kind != ARRAY_FIXED && !(adjoint && kind == ARRAY_INDEXED))
        det_unsupported(l, at, "an array that is no wp.array");
    const ir_place root = {.kind = adjoint ? IR_PLACE_ADJ : IR_PLACE_VAR,
                           .base = e->param,
                           .type = var_value_type(l, e->param)};
    const uint32_t base = ir_add_place(l->c, l->u, root);
    return arg_place(
        lower_place_index(l, IR_PLACE_OFFSET, base, e->index.v, e->index.n, e->type->elem));
}

/* The plain call: results[0] = f(args). */
static uint32_t plain_call(lower *l, uint32_t callee, uint32_t result, const uint32_t *args,
                           uint32_t n)
{
    ir_arg *a = ARENA_ARRAY(&l->c->ir, ir_arg, n + 2);
    a[0] = arg_var(result);
    a[1] = ir_arg_make(IR_ARG_CALLEE, callee);
    for (uint32_t i = 0; i < n; i++)
        a[2 + i] = arg_var(args[i]);
    return ir_add_stmt(l->c, l->u, IR_CALL, a, n + 2);
}

/* wp.atomic_add(c, i, n) whose result numbers something. */
static void emit_counter(lower *l, span at, det_effect effect, const element *e, uint32_t result,
                         uint32_t added, uint32_t fallback)
{
    if (effect != DET_SUM)
        det_refuse(l, at, "the result of an atomic is used that is not atomic_add");
    if (e->type->elem->kind != TYPE_INT32)
        det_refuse(l, at, "the result of atomic_add is used, of other numbers than int32");
    if (is_custom_gradient(l) || e->array.adjoint)
        det_refuse(l, at, "the result of atomic_add is used in a gradient");
    const ir_det_target t = {
        .array = e->array, .value = e->type->elem, .is_counter = true, .in_forward = true};
    const ir_arg helper = det_target(l, at, &t);
    FORWARD(l, DET_COUNTER, arg_var(result), arg_det(0), helper, offset_of(l, at, e, false),
            arg_var(added), arg_stmt(fallback));
}

/* adj_atomic_add(array, index..., added, their adjoints, the result's). */
static void emit_scatter_adjoint(lower *l, uint32_t callee, const element *e, uint32_t added,
                                 uint32_t given, uint32_t result)
{
    const uint32_t n = e->index.n;
    ir_arg *a = ARENA_ARRAY(&l->c->ir, ir_arg, 2 * n + 6);
    uint32_t k = 0;
    a[k++] = ir_arg_make(IR_ARG_CALLEE_ADJ, callee);
    a[k++] = arg_var(e->param);
    for (uint32_t i = 0; i < n; i++)
        a[k++] = arg_var(e->index.v[i]);
    a[k++] = arg_var(added);
    a[k++] = arg_adj(e->param);
    for (uint32_t i = 0; i < n; i++)
        a[k++] = arg_adj(e->index.v[i]);
    a[k++] = arg_adj(given);
    a[k++] = arg_adj(result);
    add_reverse(l, IR_ADJ_CALL, a, k);
}

/* A scatter has no replay but a comment. */
static void add_scatter(lower *l, ir_op op, ir_arg helper, ir_arg offset, uint32_t added,
                        uint32_t plain)
{
    const ir_arg args[] = {arg_det(0), helper, offset, arg_var(added), arg_stmt(plain)};
    add_forward_commented(l, ir_add_stmt(l->c, l->u, op, args, 5),
                          ir_add_stmt(l->c, l->u, IR_DET_SKIPPED, NULL, 0));
}

static ir_det_target sum_target(const element *e)
{
    return (ir_det_target){.array = e->array, .value = e->type->elem, .reduction = IR_DET_SUM};
}

static void emit_scatter(lower *l, span at, det_effect effect, const element *e, uint32_t result,
                         uint32_t added, uint32_t fallback)
{
    ir_det_target t = sum_target(e);
    t.reduction = effect == DET_MIN ? IR_DET_MIN : effect == DET_MAX ? IR_DET_MAX : IR_DET_SUM;
    t.in_forward = !is_custom_gradient(l) && !e->array.adjoint;
    const ir_arg helper = det_target(l, at, &t);
    add_scatter(l, effect == DET_DIFFERENCE ? IR_DET_SCATTER_NEG : IR_DET_SCATTER, helper,
                offset_of(l, at, e, false), added, fallback);
    FORWARD(l, DET_ZERO, arg_var(result), ir_arg_type(l->c, l->u, var_type(l, result)));
}

/* Integers come out the same in any order. False: nothing but the loads is done. */
static bool integer_update(lower *l, span at, const element *e, uint32_t fallback)
{
    det_note_atomic(l, at, e->base);
    if (!det_guards(l) && !l->u->func)
        return false;
    FORWARD(l, DET_EFFECT, det_context(l), arg_stmt(fallback));
    return true;
}

bool det_atomic(lower *l, const call_request *r, const call_plan *plan, const uint32_t *results,
                bool is_used)
{
    const det_effect effect = l->u->det ? det_effect_of(r->fn) : DET_NONE;
    if (!det_is_atomic(effect))
        return false;
    const uint32_t n = plan->nargs;
    element e;
    if (plan->nresults != 1 || n < 3 || !find_element(l, plan->args[0].arg.var, &e) ||
        e.param == NO_VAR)
        det_unsupported(l, r->at, "an atomic on an array that is no parameter's");
    uint32_t *loaded = ARENA_ARRAY(&l->c->ir, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        loaded[i] = load(l, plan->args[i].arg.var);
    const uint32_t callee = add_callee(l, (ir_callee){.native = plan->callee});
    const uint32_t fallback = plain_call(l, callee, results[0], loaded, n);
    if (!has_floats(e.type->elem) && !is_used)
        return integer_update(l, r->at, &e, fallback);
    for (uint32_t i = 1; i + 1 < n; i++)
        VEC_PUSH(&l->c->ir, &e.index, loaded[i]);
    if (is_used) {
        emit_counter(l, r->at, effect, &e, results[0], loaded[n - 1], fallback);
        return true;
    }
    emit_scatter(l, r->at, effect, &e, results[0], loaded[n - 1], fallback);
    if (!e.array.adjoint)
        emit_scatter_adjoint(l, callee, &e, loaded[n - 1], plan->args[n - 1].arg.var, results[0]);
    return true;
}

bool det_read_adjoint(lower *l, span at, const emitted_arg *args, uint32_t n, ir_arg *helper,
                      ir_arg *offset)
{
    element e;
    if (!l->u->det || is_custom_gradient(l) || !find_element(l, args[0].forward, &e) ||
        e.param == NO_VAR || !has_floats(e.type->elem))
        return false;
    for (uint32_t i = 1; i < n; i++)
        VEC_PUSH(&l->c->ir, &e.index, args[i].forward);
    e.array.adjoint = true;
    const ir_det_target t = sum_target(&e);
    *helper = det_target(l, at, &t);
    *offset = offset_of(l, at, &e, true);
    return true;
}

/* The update goes to all of an element: zeros, but for the slot. */
static bool slot_scatter(lower *l, span at, const array_slot *slot, uint32_t rhs, ir_update how,
                         uint32_t stmt)
{
    element e;
    if (!find_element(l, slot->root, &e) || !e.array.adjoint)
        return false;
    if (!has_floats(e.type->elem))
        return false;
    if (e.param == NO_VAR)
        det_unsupported(l, at, "gradients of an array that is no parameter's");
    for (uint32_t i = 0; i < slot->nindices; i++)
        VEC_PUSH(&l->c->ir, &e.index, slot->indices[i]);
    const ir_det_target t = sum_target(&e);
    const ir_arg helper = det_target(l, at, &t), offset = offset_of(l, at, &e, true);
    const uint32_t whole = add_var(l, e.type->elem);
    FORWARD(l, DET_ZERO, arg_var(whole), ir_arg_type(l->c, l->u, e.type->elem));
    const ir_arg part[] = {arg_var(whole), arg_place(slot->access), arg_var(rhs)};
    add_forward(l, how == IR_UPDATE_SUB ? IR_DET_SET_PART_NEG : IR_DET_SET_PART, part, 3);
    add_scatter(l, IR_DET_SCATTER, helper, offset, whole, stmt);
    return true;
}

bool det_slot_update(lower *l, span at, const array_slot *slot, uint32_t rhs, ir_update how,
                     uint32_t *stmt)
{
    if (!l->u->det)
        return false;
    const bool is_sum = how == IR_UPDATE_ADD || how == IR_UPDATE_SUB;
    if (is_sum && slot_scatter(l, at, slot, rhs, how, *stmt))
        return true;
    if (is_sum && has_floats(slot->type))
        det_refuse(l, at, "part of an element has an atomic update");
    if (det_guards(l)) {
        const ir_arg args[] = {det_context(l), arg_stmt(*stmt)};
        *stmt = ir_add_stmt(l->c, l->u, IR_DET_EFFECT, args, 2);
    }
    return false;
}
