/* SPDX-License-Identifier: Apache-2.0 */
/* Builtins that change variables given to them, or a volume.
 *
 *     transform_set_translation(t, p)          changes its first argument
 *     quat_to_axis_angle(q, axis, angle)       changes all but its first
 *     volume_store_f(id, i, j, k, x)           changes none of its arguments
 *     d = volume_sample_grad_f(id, p, m, g)    sets its last, and has a value
 *     mesh_query_point(id, p, m, s, f, u, v)   sets its last four if it finds one; has a value
 *
 * An operation of the first form has `in_place`; one of the second is found as an operation of one
 * argument whose results are assigned to the variables. An argument that is no variable is a copy
 * in Warp, so its change has no effect. */
#include "interp/interp_internal.h"

/* The bytes of one value. */
static void *copied(void *to, const void *from, const type *t)
{
    return memcpy(to, from, layout_size(t));
}

/* An operation of src/arith that changes its argument 0, which must be an operand of the call.
 * `shadow` is room for its tangent. */
static bool find_in_place(interp *in, site *s, const arith_request *q)
{
    if (s->map[0] < 0 || !interp_find_op(in, s, q) || !s->op.in_place)
        return false;
    s->shadow = arena_zero(in->a, layout_size(s->op.types[0]) + 1);
    return true;
}

/* One that changes a volume. */
static bool find_effect(interp *in, site *s, const arith_request *q)
{
    return interp_find_op(in, s, q) && s->op.has_effect;
}

/* `q` has all arguments and no result. */
bool interp_find_changing(interp *in, site *s, const arith_request *q)
{
    s->changes = true;
    if (q->n == 0)
        return false;
    if (find_in_place(in, s, q) || find_effect(in, s, q))
        return true;
    const uint32_t nresults = q->n - 1;
    arith_request outputs = *q;
    outputs.n = 1;
    outputs.results = q->args + 1;
    outputs.nresults = nresults;
    if (nresults == 0 || nresults > ARITH_RESULTS_MAX || !interp_find_op(in, s, &outputs))
        return false;
    return s->op.nresults == nresults;
}

/* Assigns v to the variable that was passed for this argument, if it was a variable. */
static void assign(interp *in, const inode *n, const site *s, uint32_t argument, const iv *v)
{
    const int32_t from = s->map[argument];
    if (from >= 0 && from < n->n && n->kid[from]->kind == NODE_SLOT)
        interp_assign(in, n->kid[from], v);
}

/* Runs the operation on copies of the first argument and of its tangent (state, shadow), then
 * assigns the copy to the variable. A variable whose tangent is zero gets room for one when another
 * argument has a tangent. */
static void change_in_place(interp *in, const inode *n, site *s, const iv *const *args)
{
    WEFT_ASSERT(s->map && s->map[0] >= 0 && s->state && s->shadow);
    const type *t = s->op.types[0];
    const iv *old = args[s->map[0]];
    iv first = {.type = t, .p = copied(s->state, old->p, t)};
    const iv *moved[INTERP_ARGS];
    for (uint32_t i = 0; i < s->n; i++)
        moved[i] = args[i];
    moved[s->map[0]] = &first;
    bool any = false;
    for (uint32_t i = 0; i < s->n; i++)
        any = any || args[i]->t;
    if (any && interp_has_tangent(t))
        first.t = old->t ? copied(s->shadow, old->t, t) : memset(s->shadow, 0, layout_size(t));
    s->operands[0] = first.p;
    interp_after_run(in, n, s, moved, s->op.run(&s->op, s->operands));
    assign(in, n, s, 0, &first);
}

/* Runs an operation that sets arguments, on room that has their values and tangents, and assigns it
 * to the variables. */
void interp_run_setting(interp *in, const inode *n, site *s, const iv *const *args)
{
    WEFT_ASSERT(s->op.nset && s->set && s->map && s->op.nresults == 1);
    for (uint32_t i = 0; i < s->op.nset; i++) {
        const uint32_t k = s->op.first_set + i;
        const iv *room = &s->set[i], *old = s->map[k] < 0 ? NULL : args[s->map[k]];
        s->operands[k] = copied(room->p, s->operands[k], room->type);
        if (old && old->t)
            copied(room->t, old->t, room->type);
        else
            memset(room->t, 0, layout_size(room->type));
    }
    interp_after_run(in, n, s, args, s->op.run(&s->op, s->operands));
    for (uint32_t i = 0; i < s->op.nset; i++) {
        iv now = s->set[i];
        now.t = s->results[0].t && interp_has_tangent(now.type) ? now.t : NULL;
        assign(in, n, s, s->op.first_set + i, &now);
    }
}

/* Such a call has no value of its own. */
const iv *interp_run_changing(interp *in, inode *n, site *s, const iv *const *args)
{
    for (uint32_t i = 0; i < s->op.n; i++)
        if (s->map[i] >= 0)
            s->operands[i] = args[s->map[i]]->p;
    if (s->op.in_place) {
        change_in_place(in, n, s, args);
    } else {
        interp_after_run(in, n, s, args, s->op.run(&s->op, s->operands));
        for (uint32_t i = 0; i < s->op.nresults; i++)
            assign(in, n, s, 1 + i, &s->results[i]);
    }
    n->v = (iv){0};
    return &n->v;
}
