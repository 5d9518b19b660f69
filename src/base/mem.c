/* SPDX-License-Identifier: Apache-2.0 */
/* Heap blocks with a header that links them to their owner (mem.h), so that all can be freed at
 * once:
 *
 *     mem.blocks -> [header | 65,552 bytes] <-> [header | 40 bytes] <-> ...
 *
 * A header is 32 bytes. Most memory is chunks of arenas, so there are few blocks. */
#include "base/mem.h"

#include "base/assert.h"
#include "base/fault.h"

#include <stdlib.h>

/* The header in front of each payload. */
struct mem_block {
    mem_block *next, *prev;
    size_t size;
    size_t pad; /* keeps the payload aligned to 16 */
};

_Static_assert(sizeof(mem_block) % 16 == 0, "payload alignment");

void mem_init(mem *m)
{
    *m = (mem){0};
}

void mem_clear(mem *m)
{
    /* `next` is read before its block is freed. */
    for (mem_block *b = m->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    m->blocks = NULL;
    m->used = 0;
}

/* Without a guard nobody can report the failure: that is a fault of the caller. */
_Noreturn void mem_fail(mem *m)
{
    if (!m->guard)
        abort();
    longjmp(*m->guard, 1);
}

size_t mem_mul(mem *m, size_t a, size_t b)
{
    size_t r;
    if (__builtin_mul_overflow(a, b, &r))
        mem_fail(m);
    return r;
}

/* Makes b the newest block. */
static void link_block(mem *m, mem_block *b)
{
    b->prev = NULL;
    b->next = m->blocks;
    if (m->blocks)
        m->blocks->prev = b;
    m->blocks = b;
}

/* All reasons to refuse an allocation of n bytes in place of `old` before malloc is called. An
 * interrupt is one, so that a long stage ends at its next allocation. */
static bool may_hold(mem *m, size_t old, size_t n)
{
    WEFT_ASSERT(m->used >= old);
    if (fault_is_due(FAULT_ALLOCATION))
        return false;
    if (m->fail_at && --m->fail_at == 0)
        return false;
    /* Room for the header cannot overflow below this. */
    if (n > SIZE_MAX / 2 || mem_stopped(m))
        return false;
    m->over_limit = m->limit && m->used - old + n > m->limit;
    return !m->over_limit;
}

void *mem_alloc(mem *m, size_t n)
{
    WEFT_ASSERT(m);
    mem_block *b = may_hold(m, 0, n) ? malloc(sizeof *b + n) : NULL;
    if (!b)
        mem_fail(m);
    b->size = n;
    m->used += n;
    link_block(m, b);
    return b + 1;
}

/* realloc may move the block: its neighbours in the list are set anew. */
void *mem_resize(mem *m, void *p, size_t n)
{
    if (!p)
        return mem_alloc(m, n);
    mem_block *old = (mem_block *)p - 1;
    /* Read before realloc, which may free the old block. */
    size_t old_size = old->size;
    mem_block *b = may_hold(m, old_size, n) ? realloc(old, sizeof *b + n) : NULL;
    if (!b)
        mem_fail(m);
    b->size = n;
    m->used += n - old_size;
    if (b->prev)
        b->prev->next = b;
    else
        m->blocks = b;
    if (b->next)
        b->next->prev = b;
    return b + 1;
}

void mem_free(mem *m, void *p)
{
    if (!p)
        return;
    mem_block *b = (mem_block *)p - 1;
    WEFT_ASSERT(m->used >= b->size);
    m->used -= b->size;
    if (b->prev)
        b->prev->next = b->next;
    else
        m->blocks = b->next;
    if (b->next)
        b->next->prev = b->prev;
    free(b);
}

/* The outer guard is restored on both ways out, so calls nest. */
bool mem_try(mem *m, void (*fn)(void *), void *arg)
{
    jmp_buf here;
    jmp_buf *outer = m->guard;
    if (setjmp(here)) {
        m->guard = outer;
        return false;
    }
    m->guard = &here;
    fn(arg);
    m->guard = outer;
    return true;
}

/* calloc checks the multiplication. */
void *heap_zeroed(size_t n, size_t size)
{
    return fault_is_due(FAULT_ALLOCATION) ? NULL : calloc(n, size);
}

void heap_free(void *p)
{
    free(p);
}
