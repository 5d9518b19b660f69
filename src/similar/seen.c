/* The set of fingerprints of a run, which one thread fills and others ask.
 *
 * The upper bits of a fingerprint choose a segment, its lower half the place where the search
 * begins. A segment grows by a quarter at a time: only one of 1024 is copied then, so memory never
 * doubles. */
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
    return &s->segments[f.high / (UINT64_MAX / SEEN_SEGMENTS + 1)];
}

/* Neither half 0 says that a place is free. */
static fingerprint stored(fingerprint f)
{
    f.low |= !f.high && !f.low;
    return f;
}

/* The place of f, or the free one where it belongs. The segment must have a free place. */
static fingerprint *find(const seen_segment *g, fingerprint f)
{
    WEFT_ASSERT(g->n < g->size);
    uint32_t i = (uint32_t)((unsigned __int128)f.low * g->size >> 64);
    while ((g->v[i].high || g->v[i].low) && !fingerprint_eq(g->v[i], f))
        i = i + 1 < g->size ? i + 1 : 0;
    return &g->v[i];
}

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

/* Memory may run out here: nobody must be locked out then. */
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

/* Grows at seven eighths: beyond that searches become long. */
bool seen_add(seen *s, fingerprint f)
{
    f = stored(f);
    seen_segment *g = segment_of(s, f);
    if (is_in(g, f)) /* nobody else writes */
        return false;
    if (g->n >= g->size - g->size / 8)
        grow(s, g);
    pthread_rwlock_wrlock(&s->lock);
    *find(g, f) = f;
    g->n++;
    pthread_rwlock_unlock(&s->lock);
    s->n++;
    return true;
}
