/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the lanes of a block in lockstep from one tile operation to the next.
 *
 *     lane 0 runs to tile_sum and is saved; lane 1 is loaded, runs to tile_sum and is saved; ...
 *     all have met: tile_sum is executed once
 *     lane 0 is loaded and goes on behind tile_sum; ...
 *
 * The variables of a program have one address each, so a lane is saved by copying them: those that
 * it needs again (vm_tile_frame.c), and flags. There all have to come from the same calls, which
 * are kept once for the block. Between two meetings the lanes run one after another in order, as
 * Warp's CPU blocks do; a text whose result depends on another order has a race.
 *
 * Where all lanes of a block compute the same (vm_uniform.c), lane 0 runs for all, and nothing is
 * saved: all have its variables.
 *
 * All lanes have to meet at the same operation. A block where some have ended or wait elsewhere
 * would hang on a device, or have no defined result: it cannot be executed. */
#include "base/assert.h"
#include "textvm/vm_tile.h"

/* The lanes of a block. */
struct lane_block {
    tile_block shape;
    bool uniform;       /* lane 0 runs for all */
    lane_frame frame;   /* what is saved for a lane */
    size_t size;        /* its bytes, and those of flags */
    uint8_t *saved;     /* size bytes for each lane */
    const ins **met;    /* by lane: where it waits; NULL: it has ended */
    const ins **resume; /* by lane: where it goes on */
    /* The calls that lead to where the lanes have met, and to where they meet next. */
    call_record *calls, *next;
    uint32_t ncalls, nnext;
    uint64_t first; /* index of lane 0 */
};

static const char apart[] =
    "cannot execute a tile operation that some threads of a block do not reach";

/* The calls that the lanes wait in become those that they go on in. */
static void take_calls(struct lane_block *b)
{
    call_record *calls = b->calls;
    b->calls = b->next;
    b->next = calls;
    b->ncalls = b->nnext;
}

const tile_block *block_shape(const machine *m)
{
    return &m->block->shape;
}

void block_prepare(machine *m)
{
    const textvm *vm = m->vm;
    const uint32_t width = (uint32_t)m->block_dim;
    WEFT_ASSERT(width > 0 && width <= TILE_WIDTH_MAX);
    struct lane_block *b = ARENA_NEW(m->views, struct lane_block);
    b->shape.width = width;
    b->shape.warps = vm->cuda && !m->launch->in_order;
    b->uniform = vm_is_uniform(m);
    if (!b->uniform)
        lane_parts(vm, m->views, &b->frame);
    for (uint32_t i = 0; i < b->frame.n; i++)
        b->size += b->frame.v[i].size;
    b->size += (vm->kernel.nflags + 7u) & ~(size_t)7;
    b->saved = arena_alloc(m->views, mem_mul(&vm->c->mem, b->size, width));
    b->met = ARENA_ARRAY(m->views, const ins *, width);
    b->resume = ARENA_ARRAY(m->views, const ins *, width);
    b->calls = ARENA_ARRAY(m->views, call_record, vm->nfunctions + 2);
    b->next = ARENA_ARRAY(m->views, call_record, vm->nfunctions + 2);
    m->block = b;
}

static void lane_save(const machine *m, uint32_t lane)
{
    const textvm *vm = m->vm;
    const struct lane_block *b = m->block;
    uint8_t *to = b->saved + lane * b->size;
    for (uint32_t i = 0; i < b->frame.n; to += b->frame.v[i++].size)
        memcpy(to, b->frame.v[i].at, b->frame.v[i].size);
    if (vm->kernel.nflags)
        memcpy(to, vm->kernel.flags, vm->kernel.nflags);
}

static void lane_load(const machine *m, uint32_t lane)
{
    const textvm *vm = m->vm;
    const struct lane_block *b = m->block;
    const uint8_t *from = b->saved + lane * b->size;
    for (uint32_t i = 0; i < b->frame.n; from += b->frame.v[i++].size)
        memcpy(b->frame.v[i].at, from, b->frame.v[i].size);
    if (vm->kernel.nflags)
        memcpy(vm->kernel.flags, from, vm->kernel.nflags);
}

/* An address that is not saved (of an array's element, of a tile, of what no lane sets) is the same
 * for all lanes. */
void *lane_at(const machine *m, uint32_t lane, const void *at)
{
    const struct lane_block *b = m->block;
    uint8_t *saved = b->saved + lane * b->size;
    for (uint32_t i = 0; i < b->frame.n; saved += b->frame.v[i++].size) {
        const uintptr_t offset = (uintptr_t)at - (uintptr_t)b->frame.v[i].at;
        if (offset < b->frame.v[i].size)
            return saved + offset;
    }
    return (void *)(uintptr_t)at;
}

bool lane_is_first(const machine *m)
{
    const struct lane_block *b = m->block;
    return m->index == b->first || !b->met[0];
}

bool snippet_run(machine *m, const ins *start)
{
    m->call = m->calls;
    for (const ins *i = start; i;)
        i = i->run(i, m);
    return m->error->kind == TEXTVM_OK;
}

/* Notes the calls in which a lane waits. False: those of the first lane are others. */
static bool same_calls(machine *m, uint32_t lane)
{
    struct lane_block *b = m->block;
    const uint32_t n = m->met ? (uint32_t)(m->call - m->calls) : 0;
    if (lane == 0) {
        b->nnext = n;
        memcpy(b->next, m->calls, n * sizeof *b->next);
    }
    return n == b->nnext && (!n || memcmp(b->next, m->calls, n * sizeof *b->next) == 0);
}

/* Runs one lane until it meets others, and saves it, or until it ends. */
static bool lane_run(machine *m, uint32_t lane, const ins *from)
{
    struct lane_block *b = m->block;
    m->met = m->resume = NULL;
    vm_thread_run(m, from);
    if (m->error->kind == TEXTVM_OK && !same_calls(m, lane)) {
        vm_fault(m, m->met ? m->met : b->met[0], TEXTVM_MISSING, "%s", apart);
        return false;
    }
    b->met[lane] = m->met;
    b->resume[lane] = m->resume;
    if (m->met && !b->uniform)
        lane_save(m, lane);
    m->met = m->resume = NULL;
    return m->error->kind == TEXTVM_OK;
}

/* The operation where all lanes have met. NULL: all have ended, or m->error says that they cannot
 * meet. */
static const ins *meeting(machine *m)
{
    const struct lane_block *b = m->block;
    for (uint32_t lane = 1; lane < b->shape.lanes; lane++)
        if (b->met[lane] != b->met[0]) {
            m->index = b->first + lane;
            vm_fault(m, b->met[b->met[lane] ? lane : 0], TEXTVM_MISSING, "%s", apart);
            return NULL;
        }
    return b->met[0];
}

/* Meet all lanes at once where they go on, in the same calls? Then none has anything to run before,
 * and none has to be loaded. */
static bool meet_again(machine *m)
{
    struct lane_block *b = m->block;
    const ins *at = b->resume[0];
    if (m->fuel < 0 || at->run != do_tile)
        return false;
    for (uint32_t lane = 1; lane < b->shape.lanes; lane++)
        if (b->resume[lane] != at)
            return false;
    for (uint32_t lane = 0; lane < b->shape.lanes; lane++) {
        b->met[lane] = at;
        b->resume[lane] = at + 1;
    }
    b->nnext = b->ncalls;
    memcpy(b->next, b->calls, b->ncalls * sizeof *b->calls);
    return true;
}

/* What lane 0 has done, for all lanes: `left` is the fuel that there was before. */
static bool take_for_all(machine *m, int64_t left)
{
    struct lane_block *b = m->block;
    const uint32_t lanes = b->shape.lanes;
    const int64_t steps = left - m->fuel - m->fuel_rest;
    WEFT_ASSERT(steps >= 0 && !m->kept.n);
    for (uint32_t lane = 1; lane < lanes; lane++) {
        b->met[lane] = b->met[0];
        b->resume[lane] = b->resume[0];
    }
    m->index = b->first + lanes - 1;
    m->fuel -= steps * (lanes - 1);
    if (m->fuel + steps >= 0 || vm_refuel(m) || m->fuel + steps >= 0)
        return true;
    vm_fault(m, b->met[0], TEXTVM_FUEL, "no end after the allowed number of steps");
    return false;
}

/* Runs the lanes from the beginning, or from where they go on. */
static bool run_lanes(machine *m, bool begin)
{
    struct lane_block *b = m->block;
    const uint32_t lanes = b->uniform ? 1 : b->shape.lanes;
    const int64_t left = m->fuel + m->fuel_rest;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        if (begin) {
            vm_thread_start(m, b->first + lane);
        } else {
            if (!b->uniform)
                lane_load(m, lane);
            m->index = b->first + lane;
            if (b->ncalls)
                memcpy(m->calls, b->calls, b->ncalls * sizeof *b->calls);
            m->call = m->calls + b->ncalls;
        }
        if (!lane_run(m, lane, begin ? m->vm->kernel.code : b->resume[lane]))
            return false;
    }
    return !b->uniform || take_for_all(m, left);
}

bool block_run(machine *m, uint64_t first, uint32_t lanes)
{
    struct lane_block *b = m->block;
    WEFT_ASSERT(lanes > 0 && lanes <= b->shape.width);
    b->shape.lanes = lanes;
    b->first = first;
    if (!run_lanes(m, true))
        return false;
    const ins *at;
    while ((at = meeting(m)) != NULL) {
        const tile_info *info = at->aux;
        m->index = first;
        m->fuel -= lanes;
        take_calls(b);
        if (!info->run(m, at, info))
            return false;
        if (!meet_again(m) && !run_lanes(m, false))
            return false;
    }
    return m->error->kind == TEXTVM_OK;
}
