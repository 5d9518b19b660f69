/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the lanes of a block in lockstep from one tile operation to the next.
 *
 *     lane 0 runs to tile_sum and is saved; lane 1 is loaded, runs to tile_sum and is saved; ...
 *     all have met: tile_sum is executed once
 *     lane 0 is loaded and goes on behind tile_sum; ...
 *
 * The variables of a program have one address each, so a lane is saved by copying them: the chunks
 * of memory that hold the variables of the kernel and of functions in which lanes meet, and their
 * flags. There all have to come from the same calls, which are kept once for the block. Between
 * two meetings the lanes run one after another in order, as Warp's CPU blocks do; a text whose
 * result depends on another order has a race.
 *
 * All lanes have to meet at the same operation. A block where some have ended or wait elsewhere
 * would hang on a device, or have no defined result: it cannot be executed. */
#include "base/assert.h"
#include "textvm/vm_tile.h"

/* The lanes of a block. */
struct lane_block {
    tile_block shape;
    size_t size;        /* of what is saved for a lane */
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

/* A part lies in the saved copy at the same place of a word as in memory, so that what is aligned
 * there is aligned here. */
static size_t part_shift(const frame_part *part)
{
    return (uintptr_t)part->at & 7;
}

/* Bytes that a part takes in a saved copy: whole words. */
static size_t part_room(const frame_part *part)
{
    return (part_shift(part) + part->size + 7) & ~(size_t)7;
}

void block_prepare(machine *m)
{
    const textvm *vm = m->vm;
    const uint32_t width = (uint32_t)m->block_dim;
    WEFT_ASSERT(width > 0 && width <= TILE_WIDTH_MAX);
    struct lane_block *b = ARENA_NEW(m->views, struct lane_block);
    b->shape.width = width;
    b->shape.warps = vm->cuda && !m->launch->in_order;
    for (uint32_t i = 0; i < vm->frame.n; i++)
        b->size += part_room(&vm->frame.v[i]);
    b->size += (vm->kernel.nflags + 7u) & ~(size_t)7;
    b->saved = arena_zero(m->views, mem_mul(&vm->c->mem, b->size, width));
    b->met = ARENA_ARRAY(m->views, const ins *, width);
    b->resume = ARENA_ARRAY(m->views, const ins *, width);
    b->calls = ARENA_ARRAY(m->views, call_record, vm->nfunctions + 2);
    b->next = ARENA_ARRAY(m->views, call_record, vm->nfunctions + 2);
    m->block = b;
}

static void lane_save(const machine *m, uint32_t lane)
{
    const textvm *vm = m->vm;
    uint8_t *to = m->block->saved + lane * m->block->size;
    for (uint32_t i = 0; i < vm->frame.n; to += part_room(&vm->frame.v[i++]))
        memcpy(to + part_shift(&vm->frame.v[i]), vm->frame.v[i].at, vm->frame.v[i].size);
    if (vm->kernel.nflags)
        memcpy(to, vm->kernel.flags, vm->kernel.nflags);
}

static void lane_load(const machine *m, uint32_t lane)
{
    const textvm *vm = m->vm;
    const uint8_t *from = m->block->saved + lane * m->block->size;
    for (uint32_t i = 0; i < vm->frame.n; from += part_room(&vm->frame.v[i++]))
        memcpy(vm->frame.v[i].at, from + part_shift(&vm->frame.v[i]), vm->frame.v[i].size);
    if (vm->kernel.nflags)
        memcpy(vm->kernel.flags, from, vm->kernel.nflags);
}

/* An address that is no variable's (of an array's element, of a tile) is the same for all lanes. */
void *lane_at(const machine *m, uint32_t lane, const void *at)
{
    const textvm *vm = m->vm;
    uint8_t *saved = m->block->saved + lane * m->block->size;
    for (uint32_t i = 0; i < vm->frame.n; saved += part_room(&vm->frame.v[i++])) {
        const uintptr_t first = (uintptr_t)vm->frame.v[i].at;
        if ((uintptr_t)at >= first && (uintptr_t)at - first < vm->frame.v[i].size)
            return saved + part_shift(&vm->frame.v[i]) + ((uintptr_t)at - first);
    }
    return (void *)(uintptr_t)at;
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
    return n == b->nnext && memcmp(b->next, m->calls, n * sizeof *b->next) == 0;
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
    if (m->met)
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

bool block_run(machine *m, uint64_t first, uint32_t lanes)
{
    struct lane_block *b = m->block;
    WEFT_ASSERT(lanes > 0 && lanes <= b->shape.width);
    b->shape.lanes = lanes;
    b->first = first;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        vm_thread_start(m, first + lane);
        if (!lane_run(m, lane, m->vm->kernel.code))
            return false;
    }
    const ins *at;
    while ((at = meeting(m)) != NULL) {
        const tile_info *info = at->aux;
        m->index = first;
        m->fuel -= lanes;
        take_calls(b);
        if (!info->run(m, at, info))
            return false;
        for (uint32_t lane = 0; lane < lanes; lane++) {
            lane_load(m, lane);
            m->index = first + lane;
            memcpy(m->calls, b->calls, b->ncalls * sizeof *b->calls);
            m->call = m->calls + b->ncalls;
            if (!lane_run(m, lane, b->resume[lane]))
                return false;
        }
    }
    return m->error->kind == TEXTVM_OK;
}
