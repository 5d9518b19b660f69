/* SPDX-License-Identifier: Apache-2.0 */
/* Maps from text (str_map.h): open addressing with linear probing, at most half full. Removal
 * moves entries up instead of leaving marks, so a lookup always ends at the first free slot.
 * Example: keys with home slots 3, 3, 4 stand in slots 3, 4, 5; without the first they stand in 3
 * and 4. */
#include "base/str_map.h"

#include "base/assert.h"

enum { FIRST_SLOTS = 32 };

static uint32_t hash_of(str s)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < s.n; i++)
        h = (h ^ (unsigned char)s.p[i]) * 16777619u;
    return h;
}

/* The slot of the text, or the free slot where it would stand. */
static uint32_t find(const str_map *m, str key)
{
    WEFT_ASSERT(m->cap && (m->cap & (m->cap - 1)) == 0 && m->n < m->cap);
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

/* Frees slot i. An entry behind it moves up if its home is not behind the hole: its distance from
 * home is at least its distance from the hole. */
static void take_out(str_map *m, uint32_t i)
{
    WEFT_ASSERT(m->n > 0);
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

/* An empty key gets a pointer of its own, since a NULL marks free slots. */
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
