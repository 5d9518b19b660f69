/* Maps from text: open addressing with linear probing, at most half full. */
#include "base/str_map.h"

enum { FIRST_SLOTS = 32 };

static uint32_t hash_of(str s)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < s.n; i++)
        h = (h ^ (unsigned char)s.p[i]) * 16777619u;
    return h;
}

/* Where the text stands, or the free slot where it would stand. */
static uint32_t find(const str_map *m, str key)
{
    uint32_t i = hash_of(key) & (m->cap - 1);
    while (m->v[i].key.p && !str_eq(m->v[i].key, key))
        i = (i + 1) & (m->cap - 1);
    return i;
}

/* The old table stays in the arena: doubling keeps the loss below the size of the last one. */
static void grow(arena *a, str_map *m)
{
    const str_map old = *m;
    m->cap = old.cap ? old.cap * 2 : FIRST_SLOTS;
    m->v = arena_zero(a, mem_mul(a->m, m->cap, sizeof *m->v));
    for (uint32_t i = 0; i < old.cap; i++)
        if (old.v[i].key.p)
            m->v[find(m, old.v[i].key)] = old.v[i];
}

/* Frees slot i: entries behind it that are not in their own slots move up. */
static void take_out(str_map *m, uint32_t i)
{
    const uint32_t mask = m->cap - 1;
    for (uint32_t k = (i + 1) & mask; m->v[k].key.p; k = (k + 1) & mask) {
        const uint32_t home = hash_of(m->v[k].key) & mask;
        if (((k - home) & mask) >= ((k - i) & mask)) {
            m->v[i] = m->v[k];
            i = k;
        }
    }
    m->v[i].key.p = NULL;
    m->n--;
}

uint32_t str_map_get(const str_map *m, str key)
{
    const uint32_t i = m->cap ? find(m, key) : 0;
    return m->cap && m->v[i].key.p ? m->v[i].value : 0;
}

uint32_t str_map_set(arena *a, str_map *m, str key, uint32_t value)
{
    if (2 * m->n >= m->cap)
        grow(a, m);
    const uint32_t i = find(m, key);
    const bool known = m->v[i].key.p != NULL;
    const uint32_t before = known ? m->v[i].value : 0;
    if (known && !value) {
        take_out(m, i);
    } else if (value) {
        m->v[i] = (str_entry){{key.n ? key.p : "", key.n}, value};
        m->n += !known;
    }
    return before;
}
