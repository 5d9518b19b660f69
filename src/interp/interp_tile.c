/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on tiles, executed by lane 0 for its block (interp_tile.h).
 *
 * Each element is computed by the interpreter's own operations on scalars and composites: a tile
 * operator is an operator node that runs once for each element, tile_map a call node. What differs
 * between releases of Warp, names and shapes of arguments, is the front end's knowledge
 * (interp_resolve). */
#include "interp/interp_tile.h"

bool interp_is_tile(const iv *v)
{
    return v->type && v->type->kind == TYPE_TILE;
}

itile *itile_of(const iv *v)
{
    itile *t;
    WEFT_ASSERT(interp_is_tile(v));
    memcpy(&t, v->p, sizeof t);
    return t;
}

uint32_t itile_elements(const itile *t)
{
    int64_t n = 1;
    for (int d = 0; d < t->ndim; d++)
        n *= t->shape[d];
    return (uint32_t)n;
}

/* Element e in rows, as a value that may be written. */
iv itile_item(const interp *in, const itile *t, uint32_t e)
{
    const size_t size = layout_size(t->type->elem);
    int64_t at = 0;
    for (int d = t->ndim; d-- > 0; e /= (uint32_t)t->shape[d])
        at += (int64_t)(e % (uint32_t)t->shape[d]) * t->stride[d];
    at *= (int64_t)size;
    return (iv){
        t->type->elem, t->data + at,
        in->dual && t->tangent && interp_has_tangent(t->type->elem) ? t->tangent + at : NULL, NULL};
}

/* to = v, of one type; with its tangent. */
void itile_put(interp *in, const inode *n, const iv *to, const iv *v)
{
    if (v->type != to->type)
        interp_refuse(in, n->at, "a tile of %.*s that gets %.*s", (int)to->type->pyname.n,
                      to->type->pyname.p, v->type ? (int)v->type->pyname.n : 7,
                      v->type ? v->type->pyname.p : "nothing");
    memmove(to->p, v->p, layout_size(to->type));
    if (to->t && v->t)
        memmove(to->t, v->t, layout_size(to->type));
    else if (to->t)
        memset(to->t, 0, layout_size(to->type));
}

/* The one type of tiles of these elements and this shape in the group. */
const type *itile_type(interp *in, const type *elem, int ndim, const int64_t *shape)
{
    struct lane_group *g = in->group;
    for (uint32_t i = 0; i < g->ntypes; i++)
        if (g->types[i]->elem == elem && g->types[i]->ndim == ndim &&
            !memcmp(g->types[i]->dims, shape, (size_t)ndim * sizeof *shape))
            return g->types[i];
    if (g->ntypes == g->room) {
        const type **more = ARENA_ARRAY(in->a, const type *, 2 * g->room + 8);
        if (g->ntypes)
            memcpy(more, g->types, g->ntypes * sizeof *more);
        g->types = more;
        g->room = 2 * g->room + 8;
    }
    const tile_layout l = {.shape = shape, .ndim = ndim, .shared = true};
    return g->types[g->ntypes++] = type_tile(in->c, elem, &l);
}

struct tile_node *itile_node(interp *in, inode *n)
{
    if (!n->tile)
        n->tile = ARENA_NEW(in->a, struct tile_node);
    return n->tile;
}

/* Gives the tile to all lanes as the result. */
void meet_give_tile(interp *in, itile *t)
{
    for (uint32_t lane = 0; lane < in->group->shape.lanes; lane++) {
        inode *n = meet_node(in, lane);
        struct tile_node *k = itile_node(in->group->lanes[lane], n);
        k->at = t;
        n->v = (iv){.type = t->type, .p = &k->at};
    }
}

/* A new tile, in the node's storage unless that holds an operand. Its elements are zero. */
itile *itile_make(interp *in, inode *n, const type *elem, int ndim, const int64_t *shape)
{
    struct tile_node *k = itile_node(in, n);
    itile *t = &k->own;
    int64_t size = 1;
    if (ndim < 1 || ndim > TILE_RANK || !type_is_value(elem))
        interp_refuse(in, n->at, "a tile of these elements");
    for (int d = ndim; d-- > 0; size *= shape[d]) {
        if (shape[d] < 1 || shape[d] > TILE_SIZE_MAX)
            interp_refuse(in, n->at, "a tile of this size");
        t->shape[d] = shape[d];
        t->stride[d] = size;
    }
    if (size > TILE_SIZE_MAX)
        interp_refuse(in, n->at, "a tile of this size");
    const size_t bytes = (size_t)size * layout_size(elem);
    if (bytes > k->room) {
        t->data = arena_zero(in->a, bytes);
        t->tangent = arena_zero(in->a, bytes);
        k->room = bytes;
    }
    t->ndim = ndim;
    t->type = itile_type(in, elem, ndim, t->shape);
    memset(t->data, 0, bytes);
    memset(t->tangent, 0, bytes);
    interp_spend(in, n->at, (uint64_t)size);
    return t;
}

/* A lane's result that is no tile. */
void meet_give_value(interp *in, uint32_t lane, const iv *v)
{
    inode *n = meet_node(in, lane);
    interp *own = in->group->lanes[lane];
    if (!n->slot)
        n->slot = ARENA_NEW(own->a, islot);
    interp_keep(own, n->slot, v);
    n->v = n->slot->v;
}

void meet_give_nothing(interp *in)
{
    for (uint32_t lane = 0; lane < in->group->shape.lanes; lane++)
        meet_node(in, lane)->v = (iv){0};
}

/* The argument of this name, or at this position among those without names. NULL: not given. */
const iv *meet_named(const interp *in, uint32_t lane, const char *name, uint32_t position)
{
    const icallee *callee = meet_node(in, lane)->aux;
    const uint32_t count = meet_count(in), plain = count - callee->nnames;
    for (uint32_t i = 0; i < callee->nnames; i++)
        if (strcmp(callee->names[i]->s, name) == 0)
            return meet_arg(in, lane, plain + i);
    return position < plain ? meet_arg(in, lane, position) : NULL;
}

const iv *meet_needed(interp *in, const inode *n, uint32_t lane, const char *name,
                      uint32_t position)
{
    const iv *v = meet_named(in, lane, name, position);
    if (!v || (!v->type && !v->object))
        interp_refuse(in, n->at, "this call without %s", name);
    return v;
}

const iv *meet_array(interp *in, const inode *n, uint32_t lane, const char *name)
{
    const iv *v = meet_needed(in, n, lane, name, 0);
    if (!v->type || v->type->kind != TYPE_ARRAY || v->type->array_class == ARRAY_FIXED)
        interp_refuse(in, n->at, "tiles of this array");
    return v;
}

itile *meet_tile(interp *in, const inode *n, uint32_t lane, const char *name, uint32_t position)
{
    const iv *v = meet_needed(in, n, lane, name, position);
    if (!interp_is_tile(v))
        interp_refuse(in, n->at, "this call without a tile");
    return itile_of(v);
}

/* An integer, or a tuple of them, as numbers. Returns how many. */
int meet_integers(interp *in, const inode *n, const iv *v, int64_t *out)
{
    if (!v->type || v->type->kind != TYPE_TUPLE) {
        out[0] = interp_integer(in, n->at, v);
        return 1;
    }
    const iv *items = v->p;
    if (v->type->nitems > TILE_RANK)
        interp_refuse(in, n->at, "so many dimensions of a tile");
    for (uint32_t i = 0; i < v->type->nitems; i++)
        out[i] = interp_integer(in, n->at, &items[i]);
    return (int)v->type->nitems;
}

/* `offset` of a lane; zeros if it is not given. */
void meet_offsets(interp *in, const inode *n, uint32_t lane, uint32_t position, int ndim,
                  int64_t *out)
{
    const iv *v = meet_named(in, lane, "offset", position);
    memset(out, 0, TILE_RANK * sizeof *out);
    if (v && (v->type || v->object) && !(v->object && v->object->kind == VALUE_NONE) &&
        meet_integers(in, n, v, out) != ndim)
        interp_fail(in, n->at, "the offset has another number of dimensions than the tile");
}

/* The type of tile or stack that the front end gives the call, kept in the node. */
const type *meet_resolved(interp *in, inode *n)
{
    struct tile_node *k = itile_node(in, n);
    if (k->made)
        return k->made;
    const arena_mark mark = arena_save(&in->c->scratch);
    call_plan plan = {0};
    const bool ok = interp_resolve(in, n, in->group->met[0].args, meet_count(in), &plan) &&
                    plan.result == RESULT_VARS && plan.nresults == 1 &&
                    (plan.result_types[0]->kind == TYPE_STACK ||
                     (plan.result_types[0]->kind == TYPE_TILE && plan.result_types[0]->ndim > 0));
    k->made = ok ? plan.result_types[0] : NULL;
    arena_rewind(&in->c->scratch, mark);
    if (!ok)
        interp_refuse(in, n->at, "%s of these arguments", ((const icallee *)n->aux)->name);
    return k->made;
}

itile *itile_make_resolved(interp *in, inode *n)
{
    const type *t = meet_resolved(in, n);
    return itile_make(in, n, t->elem, t->ndim, t->dims);
}

/* The node that computes one element: kids that hold values, in front of the operation. */
static inode *sub_node(interp *in, inode *n, inode_fn *eval, uint32_t kids)
{
    inode *sub = ARENA_NEW(in->a, inode);
    sub->eval = eval;
    sub->at = n->at;
    sub->op = n->op;
    sub->n = (uint16_t)kids;
    sub->kid = ARENA_ARRAY(in->a, inode *, kids + 1);
    for (uint32_t i = 0; i < kids; i++) {
        sub->kid[i] = ARENA_NEW(in->a, inode);
        sub->kid[i]->eval = interp_eval_held;
        sub->kid[i]->at = n->at;
    }
    return sub;
}

/* A call of f, the function that is argument 0: a builtin, a user's, or a type. */
static inode *call_node(interp *in, inode *n, const value *f, uint32_t kids)
{
    inode *sub = sub_node(in, n, NULL, kids);
    icallee *callee = ARENA_NEW(in->a, icallee);
    const sym *name = f && f->kind == VALUE_BUILTIN ? builtin_name(f->p) : NULL;
    if (!f || !interp_bind_callee(in, sub, callee, f, name))
        interp_refuse(in, n->at, "this function on tiles");
    return sub;
}

/* An operator, or a builtin by its native name. */
static inode *named_node(interp *in, inode *n, const char *name, uint32_t kids)
{
    inode *sub = sub_node(in, n, interp_eval_builtin, kids);
    icallee *callee = ARENA_NEW(in->a, icallee);
    callee->name = name;
    callee->builtin = builtin_find(in->c, sym_c(&in->c->syms, name));
    sub->aux = callee;
    if (!callee->builtin)
        interp_refuse(in, n->at, "%s of tiles", name);
    return sub;
}

/* The result for the values in the kids. */
const iv *meet_run_sub(interp *in, inode *sub)
{
    const iv *args[2];
    if (sub->eval)
        return sub->eval(in, sub);
    for (uint32_t i = 0; i < sub->n; i++)
        args[i] = &sub->kid[i]->v;
    return interp_apply(in, sub, args, sub->n);
}

/* Elements of arguments from `first` on, of one lane, into the kids. */
static void load_kids(interp *in, inode *n, inode *sub, uint32_t first, uint32_t lane, uint32_t e)
{
    for (uint32_t i = 0; i < sub->n; i++) {
        const iv *v = meet_arg(in, lane, first + i);
        if (!v->type)
            interp_refuse(in, n->at, "this argument of a tile operation");
        sub->kid[i]->v = interp_is_tile(v) ? itile_item(in, itile_of(v), e) : *v;
    }
}

/* The shape of the result is that of the first tile; all have the same. */
const itile *itile_common_shape(interp *in, const inode *n, uint32_t first)
{
    const itile *like = NULL;
    for (uint32_t i = first; i < meet_count(in); i++) {
        const iv *v = meet_arg(in, 0, i);
        if (!interp_is_tile(v))
            continue;
        const itile *t = itile_of(v);
        if (like && (like->ndim != t->ndim ||
                     memcmp(like->shape, t->shape, (size_t)t->ndim * sizeof *t->shape) != 0))
            interp_fail(in, n->at, "tiles of different shapes");
        like = t;
    }
    if (!like)
        interp_refuse(in, n->at, "this operation without a tile");
    return like;
}

/* result = sub(elements) for each element; results go to memory first, as the result's storage may
 * be an operand's in a loop. */
static void map_items(interp *in, inode *n, inode *sub, uint32_t first)
{
    const itile like = *itile_common_shape(in, n, first);
    const uint32_t count = itile_elements(&like);
    const type *elem = NULL;
    uint8_t *data = NULL, *tangent = NULL;
    const arena_mark mark = arena_save(&in->thread);
    size_t size = 0;
    EACH_ITEM(in, count, lane, e)
    {
        interp_step(in, n->at);
        load_kids(in, n, sub, first, lane, e);
        const iv *r = meet_run_sub(in, sub);
        if (!elem) {
            if (!r->type || !type_is_value(r->type))
                interp_refuse(in, n->at, "a tile of these elements");
            elem = r->type;
            size = layout_size(elem);
            data = arena_zero(&in->thread, count * size);
            tangent = arena_zero(&in->thread, count * size);
        }
        const iv to = {elem, data + e * size,
                       in->dual && interp_has_tangent(elem) ? tangent + e * size : NULL, NULL};
        itile_put(in, n, &to, r);
    }
    itile *t = itile_make(in, n, elem, like.ndim, like.shape);
    memcpy(t->data, data, count * size);
    memcpy(t->tangent, tangent, count * size);
    arena_rewind(&in->thread, mark);
    meet_give_tile(in, t);
}

static inode *kept_sub(interp *in, inode *n, inode *made)
{
    return itile_node(in, n)->sub = made;
}

static void op_operator(interp *in, inode *n)
{
    inode *sub = itile_node(in, n)->sub;
    if (!sub)
        sub = kept_sub(in, n, sub_node(in, n, NULL, meet_count(in)));
    map_items(in, n, sub, 0);
}

inode *itile_operator_node(interp *in, inode *n)
{
    inode *sub = itile_node(in, n)->sub;
    return sub ? sub : kept_sub(in, n, sub_node(in, n, NULL, 2));
}

const iv *interp_tile_operator(interp *in, inode *n, const iv *const *args, uint32_t count)
{
    return interp_meet(in, n, args, count, op_operator);
}

/* tile_map(f, a, ...) */
static void op_map(interp *in, inode *n)
{
    inode *sub = itile_node(in, n)->sub;
    if (meet_count(in) < 2)
        interp_refuse(in, n->at, "tile_map of nothing");
    if (!sub)
        sub = kept_sub(in, n, call_node(in, n, meet_arg(in, 0, 0)->object, meet_count(in) - 1));
    map_items(in, n, sub, 1);
}

/* tile_astype(a, dtype): dtype(x) of each element */
static void op_astype(interp *in, inode *n)
{
    inode *sub = itile_node(in, n)->sub;
    if (!sub)
        sub = kept_sub(in, n, call_node(in, n, meet_needed(in, n, 0, "dtype", 1)->object, 1));
    map_items(in, n, sub, 0);
}

inode *meet_named_node(interp *in, inode *n, const char *name)
{
    return named_node(in, n, name, 2);
}

/* A builtin by name on two elements, made once. */
inode *meet_pair(interp *in, inode *n, const char *name)
{
    inode *sub = itile_node(in, n)->sub;
    return sub ? sub : kept_sub(in, n, named_node(in, n, name, 2));
}

/* The function that is the argument `name`, on so many elements, made once. */
inode *meet_callee(interp *in, inode *n, const char *name, uint32_t position, uint32_t kids)
{
    inode *sub = itile_node(in, n)->sub;
    return sub ? sub
               : kept_sub(in, n,
                          call_node(in, n, meet_needed(in, n, 0, name, position)->object, kids));
}

/* The builtins of tiles that lanes meet at. */
static const struct {
    const char *name;
    tile_op *op;
} ops[] = {
    {"bvh_query_next_tiled", itile_op_query_next},
    {"mesh_query_aabb_next_tiled", itile_op_query_next},
    {"tile", itile_op_tile},
    {"tile_arange", itile_op_arange},
    {"tile_argmax", itile_op_argmax},
    {"tile_argmin", itile_op_argmin},
    {"tile_assign", itile_op_assign},
    {"tile_astype", op_astype},
    {"tile_atomic_add", itile_op_atomic_add},
    {"tile_atomic_add_indexed", itile_op_atomic_add_indexed},
    {"tile_axpy", itile_op_axpy},
    {"tile_broadcast", itile_op_broadcast},
    {"tile_bvh_query_next", itile_op_query_next},
    {"tile_cholesky", itile_op_cholesky},
    {"tile_cholesky_inplace", itile_op_cholesky_inplace},
    {"tile_cholesky_solve", itile_op_cholesky_solve},
    {"tile_cholesky_solve_inplace", itile_op_cholesky_solve_inplace},
    {"tile_diag_add", itile_op_diag_add},
    {"tile_dot", itile_op_dot},
    {"tile_empty", itile_op_zeros},
    {"tile_fft", itile_op_fft},
    {"tile_from_thread", itile_op_from_thread},
    {"tile_full", itile_op_full},
    {"tile_ifft", itile_op_ifft},
    {"tile_load", itile_op_load},
    {"tile_load_indexed", itile_op_load_indexed},
    {"tile_lower_solve", itile_op_lower_solve},
    {"tile_lower_solve_inplace", itile_op_lower_solve_inplace},
    {"tile_map", op_map},
    {"tile_matmul", itile_op_matmul},
    {"tile_max", itile_op_max},
    {"tile_mesh_query_aabb_next", itile_op_query_next},
    {"tile_min", itile_op_min},
    {"tile_ones", itile_op_ones},
    {"tile_randf", itile_op_random},
    {"tile_randi", itile_op_random},
    {"tile_reduce", itile_op_reduce},
    {"tile_reshape", itile_op_reshape},
    {"tile_scan_exclusive", itile_op_scan_exclusive},
    {"tile_scan_inclusive", itile_op_scan},
    {"tile_scan_max_inclusive", itile_op_scan_max},
    {"tile_scan_min_inclusive", itile_op_scan_min},
    {"tile_scatter_add", itile_op_scatter_add},
    {"tile_scatter_masked", itile_op_scatter_masked},
    {"tile_sort", itile_op_sort},
    {"tile_squeeze", itile_op_squeeze},
    {"tile_stack", itile_op_stack},
    {"tile_stack_clear", itile_op_stack_clear},
    {"tile_stack_pop", itile_op_stack_pop},
    {"tile_stack_push", itile_op_stack_push},
    {"tile_store", itile_op_store},
    {"tile_store_indexed", itile_op_store_indexed},
    {"tile_sum", itile_op_sum},
    {"tile_transpose", itile_op_transpose},
    {"tile_upper_solve", itile_op_upper_solve},
    {"tile_upper_solve_inplace", itile_op_upper_solve_inplace},
    {"tile_view", itile_op_view},
    {"tile_zeros", itile_op_zeros},
    {"untile", itile_op_untile},
};

tile_op *interp_tile_op(const char *name)
{
    if (!interp_is_tile_builtin(name))
        return NULL;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (strcmp(name, ops[i].name) == 0)
            return ops[i].op;
    return NULL;
}

static const iv *eval_tile(interp *in, inode *n)
{
    const iv *args[INTERP_ARGS];
    const icallee *callee = n->aux;
    const uint32_t count = interp_eval_args(in, n, args);
    return interp_meet(in, n, args, count, callee->meets);
}

inode_fn *interp_tile_builtin(const char *name)
{
    if (strcmp(name, "tile_extract") == 0)
        return itile_eval_extract;
    if (strcmp(name, "tile_stack_count") == 0)
        return itile_eval_stack_count;
    return interp_tile_op(name) ? eval_tile : NULL;
}
