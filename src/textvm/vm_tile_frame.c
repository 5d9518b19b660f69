/* SPDX-License-Identifier: Apache-2.0 */
/* What of a lane has to be saved while others of its block run: most variables are set and read
 * between two meetings, and others are never set.
 *
 *     var_4 = wp::mul(var_0, var_2);              var_4 stays between two meetings: not saved
 *     var_5 = wp::tile_load<...>(x, var_4);       an operand of a meeting: saved
 *
 * A variable is not saved if all instructions that name it stand in one stretch of code without a
 * tile operation, and no jump from another stretch leads in between them: what reads it there was
 * set there since the last meeting, as nothing is read that may be unset (vm_code.c), but for
 * variables with flags. Words that no instruction names as an operand are saved: storage of views,
 * flags; and what other instructions name, such as those that take a variable's address. A program
 * with tile operations in functions saves all. */
#include "base/assert.h"
#include "textvm/vm_ops.h"
#include "textvm/vm_tile.h"

enum { WORD = 8, NOWHERE = UINT32_MAX };

/* What is known of a variable, or of a word that is none's. */
typedef struct frame_place {
    uint32_t first, last; /* instructions that name it; NOWHERE: none do */
    bool saved, set;      /* set: by an instruction */
} frame_place;

typedef struct search {
    const textvm *vm;
    uint32_t **places; /* by frame part, and by word: the number of a frame_place */
    frame_place *v;
    uint32_t n;
} search;

/* Words of a part; all parts begin at words and end with whole ones. */
static size_t words_of(const frame_part *part)
{
    WEFT_ASSERT(((uintptr_t)part->at & (WORD - 1)) == 0);
    return (part->size + WORD - 1) / WORD;
}

/* The place of an address; NULL: it is not in the frame. */
static frame_place *place_at(const search *s, const void *at)
{
    for (uint32_t i = 0; i < s->vm->frame.n; i++) {
        const frame_part *part = &s->vm->frame.v[i];
        const size_t offset = (size_t)((uintptr_t)at - (uintptr_t)part->at);
        if (offset < part->size)
            return &s->v[s->places[i][offset / WORD]];
    }
    return NULL;
}

/* All words of a part are one place each, and those of a variable one together. */
static void make_places(search *s, arena *a)
{
    const textvm *vm = s->vm;
    size_t words = 0;
    s->places = ARENA_ARRAY(a, uint32_t *, vm->frame.n + 1);
    for (uint32_t i = 0; i < vm->frame.n; i++)
        words += words_of(&vm->frame.v[i]);
    s->v = ARENA_ARRAY(a, frame_place, words + 1);
    for (uint32_t i = 0; i < vm->frame.n; i++) {
        const size_t n = words_of(&vm->frame.v[i]);
        s->places[i] = ARENA_ARRAY(a, uint32_t, n + 1);
        for (size_t k = 0; k < n; k++) {
            s->v[s->n] = (frame_place){.first = NOWHERE};
            s->places[i][k] = s->n++;
        }
    }
    for (uint32_t k = 0; k < vm->variables.n; k++) {
        const frame_part *one = &vm->variables.v[k];
        const frame_place *first = place_at(s, one->at);
        for (size_t at = WORD; first && at < one->size; at += WORD)
            for (uint32_t i = 0; i < vm->frame.n; i++) {
                const size_t offset = (size_t)(one->at + at - vm->frame.v[i].at);
                if (offset < vm->frame.v[i].size)
                    s->places[i][offset / WORD] = (uint32_t)(first - s->v);
            }
    }
}

static void note(const search *s, const void *address, uint32_t at, bool set, bool saved)
{
    frame_place *p = place_at(s, address);
    if (!p)
        return;
    if (p->first == NOWHERE)
        p->first = at;
    p->last = at;
    p->set |= set;
    p->saved |= saved;
}

/* Instructions that set several variables side by side. */
static void note_range(const search *s, const ins *i, uint32_t at)
{
    for (size_t offset = 0; i->run == do_zero && offset < i->size; offset += WORD)
        note(s, (uint8_t *)i->v[0] + offset, at, true, false);
}

/* Parameters and their adjoints are set before a thread begins and read when it has ended. */
static void note_params(const search *s)
{
    const textvm *vm = s->vm;
    for (uint32_t k = 0; k < vm->nparams; k++) {
        const kernel_param *p = &vm->slots[k];
        for (size_t at = 0; at < p->size; at += WORD) {
            note(s, p->val->at + at, 0, p->val->written, p->val->written);
            if (p->adjoint)
                note(s, p->adjoint->at + at, 0, true, true);
        }
    }
}

static void note_code(const search *s)
{
    const textvm *vm = s->vm;
    for (uint32_t at = 0; at < vm->ncode; at++) {
        const ins *i = vm_own(vm, at);
        const bool plain = vm_reads_only(i), meets = i->run == do_tile;
        for (uint32_t k = 0; k < vm_operands_of(i); k++) {
            const bool set = vm_may_write(i, k);
            note(s, i->v[k], at, set, meets ? set : !plain);
        }
        note_range(s, i, at);
        const define *flagged = vm->code[at].run == do_define ? vm->code[at].aux : NULL;
        for (uint32_t k = 0; flagged && k < flagged->n; k++)
            note(s, flagged->vars[k]->at, at, true, true);
    }
}

/* stretch[at]: how many tile operations stand before the instruction. False: one is in a function.
 */
static bool find_stretches(const textvm *vm, uint32_t *stretch)
{
    uint32_t n = 0;
    for (uint32_t at = 0; at < vm->ncode; at++) {
        stretch[at] = n;
        if (vm_own(vm, at)->run != do_tile)
            continue;
        if (vm->code + at < vm->kernel.code)
            return false;
        n++;
    }
    return true;
}

/* Where a jump from another stretch leads in between, what was set before is read behind it. */
static void note_jumps(const search *s, const uint32_t *stretch)
{
    const textvm *vm = s->vm;
    for (uint32_t at = 0; at < vm->ncode; at++) {
        const ins *i = vm_own(vm, at);
        const uint32_t to = vm_is_jump(i) ? (uint32_t)(i->to - vm->code) : at;
        for (uint32_t k = 0; to < vm->ncode && stretch[to] != stretch[at] && k < s->n; k++)
            s->v[k].saved |= s->v[k].first < to && to <= s->v[k].last;
    }
}

static bool is_saved(const frame_place *p, const uint32_t *stretch)
{
    return p->saved || p->first == NOWHERE || (p->set && stretch[p->first] != stretch[p->last]);
}

/* A few words that need not be saved cost less than a part of its own. `begun`: the first part of
 * this piece of memory. */
static void add_word(lane_frame *out, uint32_t begun, uint8_t *word)
{
    enum { GAP = 96 };
    frame_part *last = out->n > begun ? &out->v[out->n - 1] : NULL;
    if (!last || (size_t)(word - last->at) - last->size > GAP)
        out->v[out->n++] = (frame_part){word, WORD};
    else
        last->size = (size_t)(word - last->at) + WORD;
}

void lane_parts(const textvm *vm, arena *a, lane_frame *out)
{
    search s = {.vm = vm};
    uint32_t *stretch = ARENA_ARRAY(a, uint32_t, vm->ncode + 1);
    const bool some = find_stretches(vm, stretch);
    *out = (lane_frame){0};
    make_places(&s, a);
    if (some) {
        note_params(&s);
        note_code(&s);
        note_jumps(&s, stretch);
    }
    out->v = ARENA_ARRAY(a, frame_part, s.n + 1);
    for (uint32_t i = 0; i < vm->frame.n; i++) {
        const frame_part *part = &vm->frame.v[i];
        uint32_t begun = out->n;
        for (size_t k = 0; k < words_of(part); k++)
            if (!some || is_saved(&s.v[s.places[i][k]], stretch))
                add_word(out, begun, part->at + k * WORD);
    }
}
