/* SPDX-License-Identifier: Apache-2.0 */
/* The lanes of a block: fibers that meet at each operation on tiles (interp_tile.h).
 *
 * Between two meetings the lanes run one after another in order. All lanes have to meet at the same
 * place of the source; else the kernel has no defined result on a device, and cannot be executed.
 */
#include "interp/interp_tile.h"

/* Bytes of a lane's stack: the trees that run on it are INTERP_LANE levels deep at most. */
enum {
#if defined(__SANITIZE_ADDRESS__) || !defined(NDEBUG) || defined(WEFT_DEBUG)
    LANE_STACK = 1024 << 10
#else
    LANE_STACK = 256 << 10
#endif
};

const iv *meet_arg(const interp *in, uint32_t lane, uint32_t k)
{
    const meeting *m = &in->group->met[lane];
    WEFT_ASSERT(k < m->count);
    return m->args[k];
}

uint32_t meet_count(const interp *in)
{
    return in->group->met[0].count;
}

inode *meet_node(const interp *in, uint32_t lane)
{
    return in->group->met[lane].n;
}

const iv *interp_meet(interp *in, inode *n, const iv *const *args, uint32_t count, tile_op *op)
{
    if (!in->group)
        interp_refuse(in, n->at, "tiles in a function only");
    in->group->met[in->lane] = (meeting){n, args, count, op};
    fiber_yield(in->group->fibers[in->lane]);
    if (in->lane == 0) {
        const bool before = interp_apart_whole(in, true);
        const uint64_t steps = in->steps;
        op(in, n);
        in->group->once = in->steps - steps;
        interp_apart_whole(in, before);
    }
    return &n->v;
}

/* A lane's fiber: one thread of the launch. */
static void lane_main(void *arg)
{
    interp *in = arg;
    if (!setjmp(in->failure))
        interp_run_thread(in);
}

/* Runs a lane up to its next meeting. Steps are counted for the launch. False: it has ended. */
static bool lane_step(interp *in, uint32_t lane)
{
    struct lane_group *g = in->group;
    interp *own = g->lanes[lane];
    own->steps = in->steps;
    own->pause = in->steps; /* looks for an interrupt, and how far it may go */
    const bool waits = fiber_resume(g->fibers[lane]);
    in->steps = own->steps;
    in->kink |= own->kink;
    in->steep |= own->steep;
    in->negative |= own->negative;
    in->met_gradient |= own->met_gradient;
    if (own->wrong_adjoint)
        in->wrong_adjoint = own->wrong_adjoint;
    if (own->end != INTERP_OK) {
        in->end = own->end;
        in->outside = own->outside;
    }
    if (!waits)
        g->met[lane] = (meeting){0};
    in->waits += waits;
    return waits;
}

/* Have all lanes met at one place? False: all have ended, or they cannot meet. */
static bool all_met(interp *in)
{
    const struct lane_group *g = in->group;
    for (uint32_t lane = 1; lane < g->shape.lanes; lane++) {
        const meeting *a = &g->met[0], *b = &g->met[lane];
        if (!a->n != !b->n || (a->n && (a->n->at != b->n->at || a->op != b->op))) {
            interp *who = g->lanes[b->n ? lane : 0];
            memcpy(in->thread_index, who->thread_index, sizeof in->thread_index);
            interp_refuse(in, g->met[b->n ? lane : 0].n->at,
                          "a tile operation that some threads of a block do not reach");
        }
    }
    return g->met[0].n != NULL;
}

/* Stacks are large, so the context keeps the fibers of all launches. */
static fiber *lane_fiber(const interp *in, uint32_t lane)
{
    const struct lane_group *g = in->group;
    ctx *c = in->c;
    WEFT_ASSERT(lane <= c->lanes.n);
    if (lane < c->lanes.n)
        fiber_restart(c->lanes.v[lane], lane_main, g->lanes[lane]);
    else
        VEC_PUSH(&c->perm, &c->lanes, fiber_new(&c->mem, LANE_STACK, lane_main, g->lanes[lane]));
    return c->lanes.v[lane];
}

/* What lane 0 has done since there were so many steps, for all lanes; but the operation that it
 * executed first was the block's. */
static void take_for_all(interp *in, uint64_t before)
{
    struct lane_group *g = in->group;
    const uint64_t steps = in->steps - before - g->once, others = g->shape.lanes - 1;
    WEFT_ASSERT(g->once <= in->steps - before);
    g->once = 0;
    for (uint32_t lane = 1; lane < g->shape.lanes; lane++)
        g->met[lane] = g->met[0];
    if (in->end != INTERP_OK)
        return;
    in->waits += g->met[0].n ? others : 0;
    interp_spend(in, g->met[0].n ? g->met[0].n->at : NULL, steps * others);
}

/* The lanes begin; then they meet until all have ended or one has failed. */
static void run_block(interp *in)
{
    struct lane_group *g = in->group;
    const uint32_t lanes = g->uniform ? 1 : g->shape.lanes;
    bool going = true;
    for (uint32_t lane = 0; lane < lanes; lane++)
        g->fibers[lane] = lane_fiber(in, lane);
    while (going) {
        const uint64_t before = in->steps;
        for (uint32_t lane = 0; lane < lanes && in->end == INTERP_OK; lane++) {
            lane_step(in, lane);
            interp_end_apart_lane(in);
        }
        if (g->uniform)
            take_for_all(in, before);
        interp_end_apart_meeting(in);
        going = in->end == INTERP_OK && all_met(in);
    }
}

static struct lane_group *make_group(interp *in, uint32_t width)
{
    struct lane_group *g = ARENA_NEW(in->a, struct lane_group);
    g->shape.width = width;
    g->made = arena_zero(in->a, width * sizeof *g->made);
    g->lanes = ARENA_ARRAY(in->a, interp *, width);
    g->fibers = arena_zero(in->a, width * sizeof *g->fibers);
    g->met = arena_zero(in->a, width * sizeof *g->met);
    return g;
}

/* The interpreters of the lanes, made at the first launch that needs them. */
static void make_lanes(interp *in)
{
    const uint32_t width = (uint32_t)(in->launch->block_dim > 0 ? in->launch->block_dim : 1);
    if (width > TILE_WIDTH_MAX)
        interp_fail(in, NULL, "a block has at most %d threads", TILE_WIDTH_MAX);
    if (!in->group || in->group->shape.width != width)
        in->group = make_group(in, width);
    struct lane_group *g = in->group;
    g->uniform = interp_is_uniform(in, width);
    for (uint32_t lane = 0; lane < width; lane++) {
        const uint32_t own = g->uniform ? 0 : lane;
        if (!g->made[own]) {
            g->made[own] = interp_new(in->c, in->launch->kernel);
            g->made[own]->group = g;
            g->made[own]->lane = own;
        }
        g->lanes[lane] = g->made[own];
    }
}

/* The lanes share what the launch has, but not the coordinates of their threads. */
static void begin_lane(interp *in, interp *own, uint64_t index)
{
    const interp_launch *l = in->launch;
    own->launch = l;
    own->error = in->error;
    own->fuel = in->fuel;
    own->dual = in->dual;
    own->apart = in->apart;
    own->kink = own->steep = own->negative = false;
    own->gradient = own->met_gradient = false;
    own->wrong_adjoint = NULL;
    own->end = INTERP_OK;
    own->depth = own->stack = 0;
    own->unit = own->kernel;
    own->result = NULL;
    for (unit *u = own->functions; u; u = u->next)
        u->active = false;
    memcpy(own->args, in->args, in->kernel->code->nparams * sizeof *own->args);
    for (int d = l->ndim; d-- > 0; index /= (uint64_t)l->dim[d])
        own->thread_index[d] = (int64_t)(index % (uint64_t)l->dim[d]);
}

/* Threads in the order of their index are cut into blocks, as on a device. */
void interp_run_blocks(interp *in)
{
    uint64_t size = 1;
    for (int d = 0; d < in->launch->ndim; d++)
        size *= (uint64_t)in->launch->dim[d];
    if (in->kernel->deepest > INTERP_LANE)
        interp_refuse(in, NULL, "tiles in expressions so deep");
    make_lanes(in);
    struct lane_group *g = in->group;
    g->once = 0;
    const uint64_t width = g->shape.width, blocks = (size + width - 1) / width;
    for (uint64_t b = 0; b < blocks && in->end == INTERP_OK; b++) {
        const uint64_t first = (in->launch->reversed ? blocks - 1 - b : b) * width;
        g->shape.lanes = (uint32_t)(size - first < width ? size - first : width);
        for (uint32_t lane = 0; lane < (g->uniform ? 1 : g->shape.lanes); lane++)
            begin_lane(in, g->lanes[lane], first + lane);
        run_block(in);
        interp_end_apart_block(in);
    }
}
