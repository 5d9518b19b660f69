/* SPDX-License-Identifier: Apache-2.0 */
/* The set of fingerprints of a run: one thread adds, others look up.
 *
 *     {high, low}   ->   segment high / 2^54, search from low * size / 2^64 on, one by one
 *
 * Fingerprints are hashes already, so their bits are used as they are: the upper ten choose the
 * segment, the lower half the place where the search begins. A segment grows by a quarter at a
 * time: only one of 1024 is copied then, so the memory of the set never doubles, and a run of 10^9
 * samples fits where a plain table would need twice the room while it grows. */
#include "similar/seen.h"

void seen_init(seen *s, mem *m)
{
    *s = (seen){.m = m};
    pthread_rwlock_init(&s->lock, NULL);
}

void seen_clear(seen *s)
{
    for (uint32_t i = 0; i < SEEN_SEGMENTS; i++)
        mem_free(s->m, s->segments[i].v);
    pthread_rwlock_destroy(&s->lock);
}

static seen_segment *segment_of(seen *s, fingerprint f)
{
    WEFT_ASSERT(f.high / (UINT64_MAX / SEEN_SEGMENTS + 1) < SEEN_SEGMENTS);
    return &s->segments[f.high / (UINT64_MAX / SEEN_SEGMENTS + 1)];
}

/* Both halves 0 mark a free place, so the fingerprint 0 is kept as 1. */
static fingerprint stored(fingerprint f)
{
    f.low |= !f.high && !f.low;
    return f;
}

/* The place of f, or the free one where it belongs. The segment must have a free place, else the
 * search would not end. The product maps `low` to 0 .. size - 1 for sizes that are no power of two,
 * and without a division. */
static fingerprint *find(const seen_segment *g, fingerprint f)
{
    WEFT_ASSERT(g->n < g->size);
    uint32_t i = (uint32_t)((unsigned __int128)f.low * g->size >> 64);
    while ((g->v[i].high || g->v[i].low) && !fingerprint_eq(g->v[i], f))
        i = i + 1 < g->size ? i + 1 : 0;
    return &g->v[i];
}

/* An empty segment (size 0) has no storage to search. */
static bool is_in(const seen_segment *g, fingerprint f)
{
    return g->size && fingerprint_eq(*find(g, f), f);
}

bool seen_has(seen *s, fingerprint f)
{
    f = stored(f);
    pthread_rwlock_rdlock(&s->lock);
    const bool has = is_in(segment_of(s, f), f);
    pthread_rwlock_unlock(&s->lock);
    return has;
}

/* Builds the larger segment beside the old one, which readers go on using; the lock is held only to
 * exchange them. Memory may run out, which leaves by longjmp: the lock must not be held then. */
static void grow(seen *s, seen_segment *g)
{
    enum { LEAST = 16 };
    if (g->size > UINT32_MAX / 2)
        mem_fail(s->m);
    seen_segment more = {.n = g->n, .size = g->size + g->size / 4 + LEAST};
    more.v = mem_alloc(s->m, more.size * sizeof *more.v);
    memset(more.v, 0, more.size * sizeof *more.v);
    for (uint32_t i = 0; i < g->size; i++)
        if (g->v[i].high || g->v[i].low)
            *find(&more, g->v[i]) = g->v[i];
    WEFT_ASSERT(more.size > g->size);
    fingerprint *old = g->v;
    pthread_rwlock_wrlock(&s->lock);
    *g = more;
    pthread_rwlock_unlock(&s->lock);
    mem_free(s->m, old);
}

/* Grows at seven eighths: beyond that searches become long. The first look takes no lock, as only
 * this thread writes. */
bool seen_add(seen *s, fingerprint f)
{
    f = stored(f);
    seen_segment *g = segment_of(s, f);
    if (is_in(g, f))
        return false;
    if (g->n >= g->size - g->size / 8)
        grow(s, g);
    WEFT_ASSERT(g->n < g->size);
    pthread_rwlock_wrlock(&s->lock);
    *find(g, f) = f;
    g->n++;
    pthread_rwlock_unlock(&s->lock);
    s->n++;
    return true;
}
