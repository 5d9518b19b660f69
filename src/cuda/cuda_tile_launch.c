/* SPDX-License-Identifier: Apache-2.0 */
/* How a kernel with tiles is launched: what its thread indexes may be. All threads of a block have
 * to reach an operation on tiles together, with the same offsets and numbers; so an index that
 * flows into one, or into a branch around one, is the block's and not the thread's.
 *
 *     i = wp.tid()
 *     t = wp.tile_load(x, shape=64, offset=i * 64)      a block for each i (CUDA_BLOCKS_TILED)
 *
 *     i, lane = wp.tid()
 *     t = wp.tile_load(x, shape=64, offset=i * 64)
 *     y[i, lane] = t[lane]                              and a thread for each lane (LANES)
 *
 *     i = wp.tid()
 *     t = wp.tile_load(x, shape=64, offset=0)
 *     y[i] = t[0] * x[i]                                a thread for each i (COVER)
 *
 * Which indexes flow where is found without regard to the order of statements. */
#include "cuda/cuda_operand.h"
#include "cuda/cuda_tile.h"

/* The state of the search. A set of thread indexes is a mask, the first one bit 0. */
typedef struct flow {
    const ir_unit *u;
    uint8_t *of;      /* by variable: which indexes its value depends on */
    uint8_t *control; /* by depth: what the branches around a statement depend on */
    uint8_t uniform;  /* those that have to be the same in a block */
    bool changed;
    bool in_loop; /* the statement is in a loop */
    bool stores;  /* a thread stores by its index, or may do so */
} flow;

static bool is_tile(const flow *w, uint32_t var)
{
    return type_strip_ref(w->u->vars.v[var].type)->kind == TYPE_TILE;
}

static const ir_arg *args_of(const flow *w, const ir_stmt *s)
{
    return w->u->args.v + s->args;
}

static uint8_t of_var(const flow *w, uint32_t var)
{
    return is_tile(w, var) ? 0 : w->of[var];
}

/* A place depends on what its variable and its indices do. */
static uint8_t of_place(const flow *w, uint32_t place)
{
    const ir_place *p = &w->u->places.v[place];
    uint8_t all = p->kind <= IR_PLACE_ADJ_DEREF ? of_var(w, p->base)
                  : p->kind == IR_PLACE_ITEM    ? 0
                                                : of_place(w, p->base);
    for (uint32_t i = 0; i < p->nindices; i++)
        all |= of_var(w, ir_index(w->u->args.v[p->indices + i]));
    return all;
}

/* The indexes that an operand depends on; a tile's elements are the same for the whole block. */
static uint8_t of_arg(const flow *w, ir_arg a)
{
    if (ir_kind(a) == IR_ARG_PLACE)
        return of_place(w, ir_index(a));
    return ir_kind(a) == IR_ARG_VAR ? of_var(w, ir_index(a)) : 0;
}

static uint8_t of_args(const flow *w, const ir_stmt *s, uint32_t from)
{
    uint8_t all = 0;
    for (uint32_t i = from; i < s->nargs; i++)
        all |= of_arg(w, args_of(w, s)[i]);
    return all;
}

/* Names of operations that take what differs among the threads: values, and indices of elements. */
static bool takes_own(str name)
{
    static const char *const names[] = {
        "tile",    "tile_extract", "tile_from_thread", "tile_add_inplace", "tile_sub_inplace",
        "tile_set"};
    return STR_IS_IN(name, names) || str_starts(name, "tile_scatter");
}

/* t[i] of a tile in shared memory, for which threads do not meet. */
static bool reads_shared(const flow *w, const ir_stmt *s, str name)
{
    return str_eq(name, STR("tile_extract")) && s->nargs > 2 &&
           type_strip_ref(w->u->vars.v[ir_index(args_of(w, s)[2])].type)->shared;
}

static void flow_into(flow *w, ir_arg a, uint8_t mask)
{
    if (ir_kind(a) != IR_ARG_VAR || is_tile(w, ir_index(a)) ||
        type_strip_ref(w->u->vars.v[ir_index(a)].type)->kind == TYPE_ARRAY)
        return;
    uint8_t *of = &w->of[ir_index(a)];
    w->changed |= (*of | mask) != *of;
    *of |= mask;
}

/* A call of wp.tid(): its results are the indexes. */
static bool is_tid(flow *w, const ir_stmt *s, str name)
{
    if (!str_starts(name, "builtin_tid"))
        return false;
    const ir_arg *a = args_of(w, s);
    if (s->op == IR_CALL || s->op == IR_CALL_LIST)
        flow_into(w, a[0], 1);
    else
        for (uint32_t i = 1; i < s->nargs && i <= 4; i++)
            flow_into(w, a[i], (uint8_t)(1u << (i - 1)));
    return true;
}

/* What one statement does, within branches by `control`. */
static void follow(flow *w, const ir_stmt *s, uint8_t control)
{
    const str name = cuda_called_name(w->u, s);
    const ir_arg *a = args_of(w, s);
    if (!s->nargs || is_tid(w, s, name))
        return;
    const bool result = s->op == IR_CALL || s->op == IR_CALL_LIST;
    const uint8_t from = (uint8_t)(of_args(w, s, result) | control);
    if (cuda_is_tile_call(name)) {
        /* In a loop the gradient has barriers, which threads meet round by round. */
        w->uniform |= reads_shared(w, s, name) && !w->in_loop ? 0 : control;
        if (!takes_own(name))
            w->uniform |= of_args(w, s, 1);
        else
            w->stores |= from && !result; /* an element of its own */
    } else if (name.n && !result) {
        const ir_callee *callee = &w->u->callees.v[ir_index(a[0])];
        w->stores |= from != 0;
        /* A function of the program may set any operand, a builtin the first one. */
        for (uint32_t i = 1; i < s->nargs && (callee->func || i == 1); i++)
            flow_into(w, a[i], from);
    } else {
        w->stores |= from && (s->op == IR_SLOT_STORE || s->op == IR_SLOT_SET ||
                              s->op == IR_SLOT_ATOMIC || str_starts(name, "atomic_"));
    }
    flow_into(w, a[0], from);
}

/* The kernel's statements once, with what the branches around them depend on. */
static void follow_all(flow *w)
{
    uint8_t *control = w->control;
    uint32_t depth = 0, loop = 0; /* loop: the depth of the outermost one; 0: in none */
    const ir_list *list = &w->u->forward;
    for (uint32_t i = 0; i < list->n; i++) {
        const ir_stmt *s = &w->u->stmts.v[list->v[i].stmt];
        const bool opens = s->op == IR_IF || s->op == IR_IF_NOT || s->op == IR_START;
        const bool tests = s->op == IR_FOR_TEST || s->op == IR_RANGE_TEST || s->op == IR_WHILE_TEST;
        if (opens) {
            depth++;
            control[depth] = control[depth - 1];
            loop = !loop && s->op == IR_START ? depth : loop;
        }
        w->in_loop = loop > 0;
        if (opens || tests)
            control[depth] |= of_args(w, s, 0);
        else if (s->op == IR_END || s->op == IR_STOP)
            loop = depth-- == loop ? 0 : loop;
        else
            follow(w, s, control[depth]);
        WEFT_ASSERT(depth <= i + 1);
    }
    WEFT_ASSERT(depth == 0);
}

/* The last index is that of a thread: only what is not the block's depends on it. */
static bool has_lanes(const flow *w, int dims)
{
    return dims > 1 && !(w->uniform >> (dims - 1) & 1) && w->stores;
}

cuda_blocks cuda_tile_blocks(ctx *c, const ir_unit *u)
{
    flow w = {.u = u,
              .of = arena_zero(&c->module, u->vars.n + 1),
              .control = arena_zero(&c->module, u->forward.n + 1),
              .changed = true};
    while (w.changed) {
        w.changed = false;
        follow_all(&w);
    }
    if (has_lanes(&w, u->launch_dim))
        return CUDA_BLOCKS_LANES;
    return u->launch_dim == 1 && !w.uniform && w.stores ? CUDA_BLOCKS_COVER : CUDA_BLOCKS_TILED;
}

/* --- what is stored */

static bool reads_any(const flow *w, const ir_stmt *s, bool result)
{
    return of_args(w, s, result) != 0;
}

/* One statement: what reads the variable has it, too. True: it stores it. */
static bool carries(flow *w, const ir_stmt *s)
{
    const str name = cuda_called_name(w->u, s);
    const bool result = s->op == IR_CALL || s->op == IR_CALL_LIST;
    if (!s->nargs || !reads_any(w, s, result) || cuda_is_tile_call(name))
        return false;
    const ir_callee *callee =
        name.n && !result ? &w->u->callees.v[ir_index(args_of(w, s)[0])] : NULL;
    if (s->op == IR_SLOT_STORE || s->op == IR_SLOT_SET || s->op == IR_STORE_REF ||
        (callee &&
         (callee->func || str_eq(name, STR("array_store")) || str_eq(name, STR("store")))))
        return true;
    flow_into(w, args_of(w, s)[callee && s->nargs > 1 ? 1 : 0], 1);
    return false;
}

bool cuda_tile_is_stored(ctx *c, const ir_unit *u, uint32_t var)
{
    flow w = {.u = u, .of = arena_zero(&c->module, u->vars.n + 1), .changed = true};
    w.of[var] = 1;
    while (w.changed) {
        w.changed = false;
        for (uint32_t i = 0; i < u->forward.n; i++)
            if (carries(&w, &u->stmts.v[u->forward.v[i].stmt]))
                return true;
    }
    return false;
}

/* --- which tiles a kernel has */

/* Does it make a tile of vectors, or add one at an offset that is computed? All of the block have
 * to have the same offset. */
static bool is_more_than_simple(const ir_unit *u, const ir_stmt *s, str name)
{
    const ir_arg *a = u->args.v + s->args;
    bool more = str_eq(name, STR("tile")) && s->op == IR_CALL &&
                !type_is_scalar(u->vars.v[ir_index(a[0])].type->elem);
    if (str_eq(name, STR("tile_atomic_add")))
        for (uint32_t i = 3; i + 1 < s->nargs; i++)
            more |= ir_kind(a[i]) != IR_ARG_VAR || !u->vars.v[ir_index(a[i])].constant;
    return more;
}

bool cuda_shares_tiles(const ir_unit *u)
{
    for (uint32_t i = 0; i < u->forward.n; i++) {
        const ir_stmt *s = &u->stmts.v[u->forward.v[i].stmt];
        const str name = cuda_called_name(u, s);
        if (cuda_is_tile_call(name) &&
            (!cuda_is_simple_tile_call(name) || is_more_than_simple(u, s, name)))
            return true;
    }
    return false;
}

int64_t cuda_tile_extent(const ir_unit *u)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < u->vars.n; i++) {
        const type *t = type_strip_ref(u->vars.v[i].type);
        for (int d = 0; t->kind == TYPE_TILE && d < t->ndim; d++)
            most = t->dims[d] > most ? t->dims[d] : most;
    }
    return most;
}
