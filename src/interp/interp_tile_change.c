/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that change elements of a tile, or what a block shares: t[i] += v, scattered values,
 * t += alpha * u, a diagonal, stacks, and queries of BVHs and meshes.
 *
 *     wp.tile_scatter_add(t, k[i], x[i], x[i] > 0.0)      lane after lane, those that have a value
 *     slot = wp.tile_stack_push(s, x[i], x[i] > 0.0)      the slots 0, 1, ... in order of the lanes
 *
 * A device does this in any order, by atomics; Warp's CPU device in order of the lanes. */
#include "geometry/geometry.h"
#include "interp/interp_tile.h"

/* A stack of the block. A slot holds a pointer to it, as with tiles. */
typedef struct istack {
    const type *type; /* of the stack: elements, and the capacity in rows */
    uint8_t *data;
    int32_t count;
} istack;

/* t[i] op= v: the node is that of the operator. Arguments: tile, value, indices. */
static void op_inplace(interp *in, inode *n)
{
    const itile *t = itile_of(meet_arg(in, 0, 0));
    inode *sub = itile_operator_node(in, n);
    for (uint32_t lane = 0; lane < in->group->shape.lanes; lane++) {
        const iv place = itile_lane_item(in, n, t, lane, 2, meet_count(in) - 2);
        sub->kid[0]->v = place;
        sub->kid[1]->v = *meet_arg(in, lane, 1);
        interp_store(in, n->at, &place, meet_run_sub(in, sub));
    }
    meet_give_nothing(in);
}

void interp_tile_inplace(interp *in, inode *target, inode *operation)
{
    const iv *args[TILE_RANK + 2];
    const uint32_t count = target->n - 1u;
    if (count > TILE_RANK)
        interp_refuse(in, target->at, "this assignment to a part of a tile");
    args[0] = interp_eval(in, target->kid[0]);
    for (uint32_t i = 0; i < count; i++)
        args[i + 2] = interp_eval(in, target->kid[i + 1]);
    args[1] = interp_eval(in, operation->kid[1]);
    interp_meet(in, operation, args, count + 2, op_inplace);
}

static bool has_value(interp *in, const inode *n, uint32_t lane, uint32_t position)
{
    return interp_truth(in, n->at, meet_needed(in, n, lane, "has_value", position));
}

/* (tile, indices ..., value, has_value[, atomic]) */
static void scatter(interp *in, inode *n, bool adds)
{
    const itile *t = meet_tile(in, n, 0, "a", 0);
    const uint32_t rank = (uint32_t)t->ndim;
    inode *sub = adds ? meet_pair(in, n, "add") : NULL;
    for (uint32_t lane = 0; lane < in->group->shape.lanes; lane++) {
        if (!has_value(in, n, lane, rank + 2))
            continue;
        const iv place = itile_lane_item(in, n, t, lane, 1, rank);
        const iv *v = meet_needed(in, n, lane, "value", rank + 1);
        if (sub) {
            sub->kid[0]->v = place;
            sub->kid[1]->v = *v;
            v = meet_run_sub(in, sub);
        }
        interp_store(in, n->at, &place, v);
    }
    meet_give_nothing(in);
}

void itile_op_scatter_add(interp *in, inode *n)
{
    scatter(in, n, true);
}

/* Warp leaves open which lane's value an element gets that two of them name. */
void itile_op_scatter_masked(interp *in, inode *n)
{
    scatter(in, n, false);
}

/* dest += src * alpha */
void itile_op_axpy(interp *in, inode *n)
{
    const itile *from = meet_tile(in, n, 0, "src", 1), *to = meet_tile(in, n, 0, "dest", 2);
    inode *sum = meet_pair(in, n, "add");
    struct tile_node *k = itile_node(in, n);
    itile_common_shape(in, n, 0);
    if (!k->product)
        k->product = meet_named_node(in, n, "mul");
    EACH_ITEM(in, itile_elements(to), lane, e)
    {
        const iv place = itile_item(in, to, e);
        k->product->kid[0]->v = itile_item(in, from, e);
        k->product->kid[1]->v = *meet_needed(in, n, lane, "alpha", 0);
        sum->kid[0]->v = place;
        sum->kid[1]->v = *meet_run_sub(in, k->product);
        interp_step(in, n->at);
        itile_put(in, n, &place, meet_run_sub(in, sum));
    }
    meet_give_nothing(in);
}

/* A copy of the matrix a, whose diagonal gets d added. */
void itile_op_diag_add(interp *in, inode *n)
{
    const itile a = *meet_tile(in, n, 0, "a", 0), d = *meet_tile(in, n, 0, "d", 1);
    if (a.ndim != 2 || d.ndim != 1 || a.shape[0] != a.shape[1] || d.shape[0] != a.shape[0] ||
        d.type->elem != a.type->elem)
        interp_refuse(in, n->at, "tile_diag_add of these tiles");
    if (in->dual)
        in->wrong_adjoint = "tile_diag_add"; /* Warp 1.19: MISSINGADJOINT */
    inode *sum = meet_pair(in, n, "add");
    itile *out = itile_make(in, n, a.type->elem, 2, a.shape);
    EACH_ITEM(in, itile_elements(out), lane, e)
    {
        const iv to = itile_item(in, out, e), from = itile_item(in, &a, e);
        itile_put(in, n, &to, &from);
    }
    EACH_ITEM(in, (uint32_t)a.shape[0], lane, e)
    {
        const iv to = itile_item(in, out, e * (uint32_t)a.shape[0] + e);
        sum->kid[0]->v = to;
        sum->kid[1]->v = itile_item(in, &d, e);
        itile_put(in, n, &to, meet_run_sub(in, sum));
    }
    meet_give_tile(in, out);
}

/* where(condition, a, b) of tiles: each lane chooses its own elements. */
static void op_where(interp *in, inode *n)
{
    const itile a = *itile_of(meet_arg(in, 0, 1)), b = *itile_of(meet_arg(in, 0, 2));
    itile_common_shape(in, n, 1);
    const arena_mark mark = arena_save(&in->thread);
    const reducing r = {in, n, NULL, a.type->elem, layout_size(a.type->elem)};
    const uint8_t *first = itile_gathered(in, &a, &r), *second = itile_gathered(in, &b, &r);
    itile *out = itile_make(in, n, r.elem, a.ndim, a.shape);
    EACH_ITEM(in, itile_elements(out), lane, e)
    {
        const uint8_t *from = interp_truth(in, n->at, meet_arg(in, lane, 0)) ? first : second;
        const iv to = itile_item(in, out, e), v = itile_reduced(&r, from + 2 * e * r.size);
        itile_put(in, n, &to, &v);
    }
    arena_rewind(&in->thread, mark);
    meet_give_tile(in, out);
}

const iv *interp_tile_where(interp *in, inode *n, const iv *const *args)
{
    if (((const icallee *)n->aux)->nnames || !interp_is_tile(args[2]))
        interp_refuse(in, n->at, "wp.where of these tiles");
    return interp_meet(in, n, args, 3, op_where);
}

/* ---- numbers by chance ---- */

/* A bound that may be left out, of the type of the elements; literals are converted. */
static const void *bound_of(interp *in, const inode *n, uint32_t lane, const char *name,
                            uint32_t position, const type *t, num *room)
{
    const iv *v = meet_named(in, lane, name, position);
    if (!v || (!v->type && !(v->object && value_is_number(v->object))))
        return NULL;
    if (!v->type || !type_is_scalar(v->type))
        interp_refuse(in, n->at, "random numbers of this range");
    num_store(t->kind, (uint8_t *)room,
              num_cast(t->kind, v->type->kind, num_load(v->type->kind, v->p)));
    return room;
}

/* tile_randf and tile_randi: each lane goes on from the state that its own index and `rng` give. */
void itile_op_random(interp *in, inode *n)
{
    itile *t = itile_make_resolved(in, n);
    uint32_t state = 0, last = UINT32_MAX;
    num range[2];
    EACH_ITEM(in, itile_elements(t), lane, e)
    {
        const void *low = bound_of(in, n, lane, "min", 2, t->type->elem, &range[0]);
        const void *high = bound_of(in, n, lane, "max", 3, t->type->elem, &range[1]);
        const iv *rng = meet_needed(in, n, lane, "rng", 1);
        if (!rng->type || rng->type->kind != TYPE_UINT32 || !low != !high)
            interp_refuse(in, n->at, "random numbers of these arguments");
        if (lane != last) {
            memcpy(&state, rng->p, sizeof state);
            state = random_next(state + lane);
        }
        last = lane;
        if (!random_item(t->type->elem->kind, &state, low, high, itile_item(in, t, e).p))
            interp_fail(in, n->at, "an integer is divided by zero");
    }
    meet_give_tile(in, t);
}

/* ---- stacks ---- */

/* The node's stack, emptied; all of it is zero. */
void itile_op_stack(interp *in, inode *n)
{
    struct tile_node *k = itile_node(in, n);
    const type *t = meet_resolved(in, n);
    if (!k->stack) {
        k->stack = ARENA_NEW(in->a, istack);
        k->stack->data =
            arena_zero(in->a, mem_mul(in->a->m, (size_t)t->rows, layout_size(t->elem)));
    }
    istack *s = k->stack;
    memset(s->data, 0, (size_t)t->rows * layout_size(t->elem));
    s->type = t;
    s->count = 0;
    for (uint32_t lane = 0; lane < in->group->shape.lanes; lane++) {
        inode *own = meet_node(in, lane);
        itile_node(in->group->lanes[lane], own)->stack = s;
        own->v = (iv){.type = t, .p = &own->tile->stack};
    }
}

static istack *stack_of(interp *in, const inode *n, const iv *v)
{
    istack *s;
    if (!v->type || v->type->kind != TYPE_STACK)
        interp_refuse(in, n->at, "this call without a stack");
    memcpy(&s, v->p, sizeof s);
    return s;
}

/* An int32 as the lane's result, or one item of it. */
static void give_slot(interp *in, uint32_t lane, int32_t slot)
{
    meet_give_value(in, lane, &(iv){.type = in->t_int, .p = &slot});
}

/* push(stack, value, has_value) gives the slot; -1: the stack is full, or there is no value. */
void itile_op_stack_push(interp *in, inode *n)
{
    istack *s = stack_of(in, n, meet_needed(in, n, 0, "s", 0));
    const size_t size = layout_size(s->type->elem);
    int64_t count = s->count;
    for (uint32_t lane = 0; lane < in->group->shape.lanes; lane++) {
        const bool pushes = has_value(in, n, lane, 2), fits = pushes && count < s->type->rows;
        if (fits) {
            const iv to = {.type = s->type->elem, .p = s->data + (size_t)count * size};
            const iv *v = meet_needed(in, n, lane, "value", 1);
            if (in->dual && v->t)
                in->wrong_adjoint = "tile_stack_push";
            interp_store(in, n->at, &to, v);
        }
        give_slot(in, lane, fits ? (int32_t)count : -1);
        count += pushes;
    }
    s->count = count < s->type->rows ? (int32_t)count : s->type->rows;
}

/* value, slot = pop(stack): of an empty stack zero and -1 */
void itile_op_stack_pop(interp *in, inode *n)
{
    istack *s = stack_of(in, n, meet_needed(in, n, 0, "s", 0));
    const type *e = s->type->elem, *types[2] = {e, in->t_int};
    const size_t size = layout_size(e);
    uint8_t *zero = interp_zeros(in, size);
    const type *pair = type_tuple(in->c, types, 2);
    for (uint32_t lane = 0; lane < in->group->shape.lanes; lane++) {
        int32_t slot = s->count > 0 ? --s->count : -1;
        const iv items[2] = {{.type = e, .p = slot < 0 ? zero : s->data + (size_t)slot * size},
                             {.type = in->t_int, .p = &slot}};
        meet_give_value(in, lane, &(iv){.type = pair, .p = (void *)(uintptr_t)items});
    }
}

void itile_op_stack_clear(interp *in, inode *n)
{
    stack_of(in, n, meet_needed(in, n, 0, "s", 0))->count = 0;
    meet_give_nothing(in);
}

/* count(stack), by any lane without the others */
const iv *itile_eval_stack_count(interp *in, inode *n)
{
    const iv *args[INTERP_ARGS];
    if (interp_eval_args(in, n, args) != 1)
        interp_refuse(in, n->at, "this tile_stack_count");
    if (!n->slot)
        n->slot = ARENA_NEW(in->a, islot);
    interp_set_int(in, n->slot, stack_of(in, n, args[0])->count);
    return &n->slot->v;
}

/* ---- queries by a whole block ---- */

/* What the block's query finds next: each lane has the same query. -1: nothing more. */
static int32_t find_next(interp *in, const inode *n)
{
    int32_t found = -1, first = -1;
    for (uint32_t lane = 0; lane < in->group->shape.lanes; lane++) {
        const iv *q = meet_needed(in, n, lane, "query", 0);
        if (!q->type || layout_size(q->type) != sizeof(bvh_query))
            interp_refuse(in, n->at, "this query");
        if (bvh_block_next(in->c, q->p, &found) == GEOMETRY_NO_OBJECT)
            interp_fail(in, n->at, "the id names no object that the query needs");
        first = lane ? first : found;
    }
    return first;
}

/* The first element is what the query found, the others are -1, as on Warp's CPU device. A GPU
 * gives one to each lane that it has some for, in an order of its own: reversed launches from the
 * last lane on. */
void itile_op_query_next(interp *in, inode *n)
{
    const int64_t width = in->group->shape.width;
    const uint32_t lanes = in->group->shape.lanes;
    const bool all = in->launch->reversed;
    itile *t = itile_make(in, n, in->t_int, 1, &width);
    for (uint32_t e = 0; e < (uint32_t)width; e++)
        memcpy(itile_item(in, t, e).p, &(int32_t){-1}, sizeof(int32_t));
    for (uint32_t k = 0; k < (all ? lanes : 1); k++) {
        const int32_t found = find_next(in, n);
        if (found < 0)
            break;
        memcpy(itile_item(in, t, all ? lanes - 1 - k : 0).p, &found, sizeof found);
    }
    meet_give_tile(in, t);
}
