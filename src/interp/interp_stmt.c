/* SPDX-License-Identifier: Apache-2.0 */
/* Statements. Where Python and Warp differ, Warp's meaning counts: a loop's variable has no value
 * after a loop without a round, a range is evaluated once, integers have 32 bits.
 *
 * A statement returns how it ended (flow); break, continue and return travel up through blocks:
 *
 *     for j in range(n):
 *         if x[j] < 0.0:
 *             break         FLOW_BREAK leaves the `if` and its block; the loop ends by it */
#include "interp/interp_tile.h"

/* name = value. A call without a result gives no value. */
flow interp_exec_assign(interp *in, istmt *s)
{
    const iv *v = interp_eval(in, s->value);
    if (!v->type && !v->object)
        interp_fail(in, s->at, "a value is wanted here");
    interp_keep_value(in, s->slot, v);
    return FLOW_NEXT;
}

/* name += value: of a tile, its elements change in place. */
flow interp_exec_update(interp *in, istmt *s)
{
    const bool tile = interp_is_tile(&s->slot->v);
    const iv *v = interp_eval(in, s->value);
    if (!tile || !interp_is_tile(v)) {
        if (!v->type && !v->object)
            interp_fail(in, s->at, "a value is wanted here");
        interp_keep_value(in, s->slot, v);
        return FLOW_NEXT;
    }
    const iv made = *v;
    interp_tile_update(in, s->value, &s->slot->v, &made);
    return FLOW_NEXT;
}

/* place = value, for any target but a name: an element, a field, a slice, or a wp.ref parameter.
 * The value is evaluated before the target, as in Python. */
flow interp_exec_store(interp *in, istmt *s)
{
    const iv v = *interp_eval(in, s->value);
    interp_assign(in, s->target, &v);
    return FLOW_NEXT;
}

/* A wp.ref parameter is written through; any other name gets the value. */
static void assign_slot(interp *in, const istmt *s, islot *slot, const iv *v)
{
    if (slot->is_ref && slot->v.type)
        interp_store(in, s->at, &slot->v, v);
    else
        interp_keep(in, slot, v);
}

/* a, b = value. s->slot, where there is one, takes a copy of a tuple display before the first
 * target changes: the items of a, b = b, a would otherwise change on the way. The items of a call's
 * result are the call's own. */
flow interp_exec_unpack(interp *in, istmt *s)
{
    WEFT_ASSERT(s->value && s->slots);
    const iv *v = interp_eval(in, s->value);
    if (!v->type || v->type->kind != TYPE_TUPLE || v->type->nitems != s->nslots)
        interp_fail(in, s->at, "cannot take this value apart into %u targets", s->nslots);
    if (s->slot) {
        interp_keep(in, s->slot, v);
        v = &s->slot->v;
    }
    const iv *items = v->p;
    for (uint32_t i = 0; i < s->nslots; i++)
        assign_slot(in, s, s->slots[i], &items[i]);
    return FLOW_NEXT;
}

/* Is an index of the place a slice? */
static bool sliced(const inode *n)
{
    for (uint32_t i = 1; n->kind == NODE_INDEX && i < n->n; i++)
        if (n->kid[i]->kind == NODE_SLICE)
            return true;
    return false;
}

/* Is the place an element of a tile? */
static bool indexes_tile(const inode *n)
{
    return n->kind == NODE_INDEX && n->kid[0]->kind == NODE_SLOT &&
           interp_is_tile(&n->kid[0]->slot->v);
}

/* Warp makes x[i] += v an atomic operation, and x[i] *= v none. */
static bool is_atomic(uint8_t op)
{
    return op == OP_Add || op == OP_Sub || op == OP_BitAnd || op == OP_BitOr || op == OP_BitXor;
}

/* target += value, for a target that is no name. value->kid[0] stands for what the target holds
 * now, so the target's indices are evaluated once; a sliced target is read and assigned, which
 * evaluates them twice. */
flow interp_exec_augmented(interp *in, istmt *s)
{
    WEFT_ASSERT(s->value->n >= 1 && s->value->kid[0]->eval == interp_eval_held);
    inode *held = s->value->kid[0];
    const bool lanes = sliced(s->target);
    if (in->group && indexes_tile(s->target)) {
        interp_tile_inplace(in, s->target, s->value);
        return FLOW_NEXT;
    }
    const iv place = lanes ? *interp_eval(in, s->target) : interp_place(in, s->target);
    if (!place.type)
        interp_refuse(in, s->at, "an assignment to this");
    held->v = place;
    const iv v = *interp_eval(in, s->value);
    if (lanes)
        interp_assign(in, s->target, &v);
    else if (is_atomic(s->value->op))
        interp_store_atomic(in, s->at, &place, &v);
    else
        interp_store(in, s->at, &place, &v);
    return FLOW_NEXT;
}

/* Also a statement whose condition was a constant, and a nested def: without a value the body is
 * executed. */
flow interp_exec_if(interp *in, istmt *s)
{
    const bool yes = !s->value || interp_truth(in, s->value->at, interp_eval(in, s->value));
    return interp_block(in, yes ? &s->body : &s->orelse);
}

/* range(0, 10, 3) = 0 3 6 9   ->   range(9, -3, -3) */
static void turn_range(int64_t bound[3])
{
    const int64_t length = bound[2] > 0 ? bound[1] - bound[0] : bound[0] - bound[1];
    const int64_t step = bound[2] > 0 ? bound[2] : -bound[2];
    const int64_t last = length > 0 ? bound[0] + (length - 1) / step * bound[2] : bound[0];
    bound[1] = length > 0 ? bound[0] - bound[2] : bound[0];
    bound[0] = last;
    bound[2] = -bound[2];
}

/* A loop over range(). The bounds are evaluated once; each round takes one step of fuel, and after
 * it a function that shares names writes back (interp_alias.c). */
flow interp_exec_for(interp *in, istmt *s)
{
    int64_t bound[3] = {0, 0, 1};
    for (int i = 0; i < 3; i++)
        if (s->bound[i])
            bound[i] = interp_integer(in, s->bound[i]->at, interp_eval(in, s->bound[i]));
    if (bound[2] == 0)
        interp_fail(in, s->at, "the step of range() is zero");
    if (s->reversed)
        turn_range(bound);
    const int64_t step = bound[2];
    interp_enter_loop(s);
    if (!s->constant)
        s->slot->v = (iv){0}; /* without a round it has no value */
    for (int64_t i = bound[0]; step > 0 ? i < bound[1] : i > bound[1]; i += step) {
        interp_step(in, s->at);
        interp_set_int(in, s->slot, i);
        const flow f = interp_block(in, &s->body);
        if (s->nslots)
            interp_write_back(in, s);
        if (f == FLOW_BREAK)
            break;
        if (f == FLOW_RETURN)
            return f;
    }
    return FLOW_NEXT;
}

/* for i in query: each round takes the query (target) one step on. */
flow interp_exec_query(interp *in, istmt *s)
{
    const iv *v = interp_eval(in, s->value);
    if (!v->type || v->type->kind != TYPE_NATIVE)
        interp_refuse(in, s->at, "a loop over anything but range() and queries");
    if (s->target != s->value)
        interp_keep(in, s->target->slot, v);
    interp_enter_loop(s);
    s->slot->v = (iv){0}; /* without a round it has no value */
    while (interp_truth(in, s->at, interp_eval(in, s->more))) {
        interp_step(in, s->at);
        interp_keep(in, s->slot, interp_eval(in, s->item));
        const flow f = interp_block(in, &s->body);
        if (s->nslots)
            interp_write_back(in, s);
        if (f == FLOW_BREAK)
            break;
        if (f == FLOW_RETURN)
            return f;
    }
    return FLOW_NEXT;
}

/* The test is evaluated before each round, and each round takes a step, so that an empty body
 * ends by fuel.
 *
 *     while True: pass     ends as out of fuel */
flow interp_exec_while(interp *in, istmt *s)
{
    interp_enter_loop(s);
    while (interp_truth(in, s->value->at, interp_eval(in, s->value))) {
        interp_step(in, s->at);
        const flow f = interp_block(in, &s->body);
        if (s->nslots)
            interp_write_back(in, s);
        if (f == FLOW_BREAK)
            break;
        if (f == FLOW_RETURN)
            return f;
    }
    return FLOW_NEXT;
}

/* The result goes to the caller's slot; a kernel has none. */
flow interp_exec_return(interp *in, istmt *s)
{
    if (s->value && in->result)
        interp_keep(in, in->result, interp_eval(in, s->value));
    return FLOW_RETURN;
}

/* The loops look at the flow that their body gives. */
flow interp_exec_break(interp *in, istmt *s)
{
    (void)in;
    (void)s;
    return FLOW_BREAK;
}

/* Ends the block; the loop goes on with its next round. */
flow interp_exec_continue(interp *in, istmt *s)
{
    (void)in;
    (void)s;
    return FLOW_CONTINUE;
}

/* pass, and an annotation without a value. */
flow interp_exec_pass(interp *in, istmt *s)
{
    (void)in;
    (void)s;
    return FLOW_NEXT;
}

/* An expression as a statement, for what it changes or prints. */
flow interp_exec_value(interp *in, istmt *s)
{
    interp_eval(in, s->value);
    return FLOW_NEXT;
}

/* A fault, where Warp's assert would end the process. */
flow interp_exec_assert(interp *in, istmt *s)
{
    if (!interp_truth(in, s->at, interp_eval(in, s->value)))
        interp_fail(in, s->at, "the assertion does not hold");
    return FLOW_NEXT;
}

/* Every statement takes one step of fuel. */
flow interp_block(interp *in, const iblock *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        istmt *s = b->v[i];
        interp_step(in, s->at);
        const flow f = s->exec(in, s);
        if (f != FLOW_NEXT)
            return f;
    }
    return FLOW_NEXT;
}
