/* SPDX-License-Identifier: Apache-2.0 */
/* Executes the code of a regular expression by backtracking: what a choice leaves for later, and
 * what a slot held before, goes to a stack. */
#include "sema/regex.h"
#include "sema/regex_code.h"

enum { STACK_MAX = 100000, LOOKS_MAX = 10 };

/* Where to go on: or, with slot >= 0, what to put back there. */
typedef struct undo {
    uint32_t pc;
    int slot;
    int64_t at;
} undo;

typedef struct runner {
    const regex *r;
    arena *a;
    str text;
    size_t start; /* of the match */
    bool whole, advance;
    uint64_t *steps;
    int64_t *slots;
    uint32_t looks;
    bool spent;
} runner;

static bool is_word(const runner *x, int64_t at)
{
    if (at < 0 || (size_t)at >= x->text.n)
        return false;
    const char c = x->text.p[at];
    return ascii_is_letter(c) || ascii_is_digit(c) || c == '_';
}

static bool holds(const runner *x, int what, size_t at)
{
    const size_t n = x->text.n;
    const bool lines = (x->r->flags & REGEX_MULTILINE) != 0;
    const int64_t here = (int64_t)at;
    switch (what) {
    case '^': return at == 0 || (lines && x->text.p[at - 1] == '\n');
    case '$':
        return at == n || (at + 1 == n && x->text.p[at] == '\n') ||
               (lines && x->text.p[at] == '\n');
    case 'A': return at == 0;
    case 'Z': return at == n;
    case 'b': return is_word(x, here - 1) != is_word(x, here);
    default: return is_word(x, here - 1) == is_word(x, here);
    }
}

static char fold(const runner *x, size_t at)
{
    const char c = x->text.p[at];
    return x->r->flags & REGEX_IGNORE_CASE ? ascii_lower(c) : c;
}

/* The length of the group's text if it stands here; -1: it does not. */
static int64_t same_again(const runner *x, int group, size_t at)
{
    const int64_t from = x->slots[2 * group], to = x->slots[2 * group + 1];
    if (from < 0 || to < from || (uint64_t)(to - from) > x->text.n - at)
        return -1;
    for (int64_t i = 0; i < to - from; i++)
        if (fold(x, (size_t)(from + i)) != fold(x, at + (size_t)i))
            return -1;
    return to - from;
}

static bool run(runner *x, uint32_t pc, size_t at, size_t *end);

static bool may_end(const runner *x, const regex_inst *i, size_t at)
{
    return !i->x || ((!x->whole || at == x->text.n) && (!x->advance || at != x->start));
}

typedef VEC(undo) undo_list;

/* What groups matched in code that had to match stays, and can be undone; else nothing of it. */
static void settle_slots(runner *x, undo_list *stack, const int64_t *before, bool stays)
{
    for (uint32_t i = 0; i < x->r->nslots; i++) {
        if (x->slots[i] == before[i])
            continue;
        if (stays)
            VEC_PUSH(x->a, stack, ((undo){.slot = (int)i, .at = before[i]}));
        else
            x->slots[i] = before[i];
    }
}

/* Room for n more, so that pushing them takes no memory. */
static void reserve(runner *x, undo_list *stack, uint32_t n)
{
    while (stack->cap - stack->n < n)
        stack->v = vec_grow(x->a, stack->v, sizeof *stack->v, stack->n, &stack->cap);
}

static bool look(runner *x, undo_list *stack, const regex_inst *i, uint32_t pc, size_t at)
{
    size_t ignored;
    if ((size_t)i->y > at)
        return i->inverted;
    if (++x->looks > LOOKS_MAX) {
        x->spent = true;
        return false;
    }
    reserve(x, stack, x->r->nslots);
    const arena_mark mark = arena_save(x->a);
    int64_t *before = ARENA_ARRAY(x->a, int64_t, x->r->nslots);
    memcpy(before, x->slots, x->r->nslots * sizeof *before);
    const bool found = run(x, pc + 1, at - (size_t)i->y, &ignored);
    settle_slots(x, stack, before, found && !i->inverted);
    arena_rewind(x->a, mark);
    x->looks--;
    return found != i->inverted;
}

static void keep_slot(runner *x, undo_list *stack, uint32_t slot, size_t at)
{
    VEC_PUSH(x->a, stack, ((undo){.slot = (int)slot, .at = x->slots[slot]}));
    x->slots[slot] = (int64_t)at;
}

/* One instruction at *at; false: it fails. *pc becomes the next one. */
static bool step(runner *x, undo_list *stack, uint32_t *pc, size_t *at)
{
    const regex_inst *i = &x->r->code[*pc];
    const uint32_t loops = 2 * x->r->ngroups;
    const bool more = *at < x->text.n;
    int64_t n;
    int go = 1;
    switch (i->op) {
    case REGEX_SET:
        if (!more || !regex_set_has(&i->set, (unsigned char)x->text.p[*at]))
            return false;
        ++*at;
        break;
    case REGEX_ANY:
        if (!more || (!i->x && x->text.p[*at] == '\n'))
            return false;
        ++*at;
        break;
    case REGEX_SPLIT:
        VEC_PUSH(x->a, stack, ((undo){(uint32_t)((int64_t)*pc + i->y), -1, (int64_t)*at}));
        go = i->x;
        break;
    case REGEX_JUMP: go = i->x; break;
    case REGEX_SAVE: keep_slot(x, stack, (uint32_t)i->x, *at); break;
    case REGEX_MARK: keep_slot(x, stack, loops + (uint32_t)i->x, *at); break;
    case REGEX_ADVANCE: go = x->slots[loops + (uint32_t)i->x] == (int64_t)*at ? 2 : 1; break;
    case REGEX_ASSERT:
        if (!holds(x, i->x, *at))
            return false;
        break;
    case REGEX_LOOK:
        if (!look(x, stack, i, *pc, *at))
            return false;
        go = i->x;
        break;
    case REGEX_BACK:
        if ((n = same_again(x, i->x, *at)) < 0)
            return false;
        *at += (size_t)n;
        break;
    case REGEX_MATCH: return may_end(x, i, *at);
    }
    *pc = (uint32_t)((int64_t)*pc + go);
    return true;
}

/* Back to the last choice; false: there is none left. */
static bool go_back(runner *x, undo_list *stack, uint32_t *pc, size_t *at)
{
    while (stack->n) {
        const undo u = stack->v[--stack->n];
        if (u.slot < 0) {
            *pc = u.pc;
            *at = (size_t)u.at;
            return true;
        }
        x->slots[u.slot] = u.at;
    }
    return false;
}

static bool run(runner *x, uint32_t pc, size_t at, size_t *end)
{
    undo_list stack = {0};
    for (;;) {
        if (!*x->steps || stack.n > STACK_MAX)
            x->spent = true;
        if (x->spent)
            return false;
        --*x->steps;
        const bool ends = x->r->code[pc].op == REGEX_MATCH;
        if (!step(x, &stack, &pc, &at)) {
            if (!go_back(x, &stack, &pc, &at))
                return false;
        } else if (ends) {
            *end = at;
            return true;
        }
    }
}

regex_result regex_match_at(const regex *r, arena *a, str text, size_t from, bool whole,
                            bool advance, uint64_t *steps, regex_match *out)
{
    const arena_mark mark = arena_save(a);
    runner x = {.r = r,
                .a = a,
                .text = text,
                .start = from,
                .whole = whole,
                .advance = advance,
                .steps = steps,
                .slots = ARENA_ARRAY(a, int64_t, r->nslots)};
    size_t end = from;
    for (uint32_t i = 0; i < r->nslots; i++)
        x.slots[i] = -1;
    const bool found = run(&x, 0, from, &end);
    x.slots[0] = (int64_t)from;
    x.slots[1] = (int64_t)end;
    for (uint32_t i = 0; i < 2 * r->ngroups; i++)
        out->span[i] = x.slots[i];
    arena_rewind(a, mark);
    return x.spent ? REGEX_SPENT : found ? REGEX_YES : REGEX_NO;
}

regex_result regex_search(const regex *r, arena *a, str text, size_t from, bool advance,
                          uint64_t *steps, regex_match *out)
{
    regex_result found = REGEX_NO;
    for (size_t at = from; at <= text.n && found == REGEX_NO; at++)
        found = regex_match_at(r, a, text, at, false, advance && at == from, steps, out);
    return found;
}
