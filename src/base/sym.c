/* SPDX-License-Identifier: Apache-2.0 */
/* The interner (sym.h): a hash table with chains, FNV-1a over names, at most one symbol for each
 * slot on average. Example: the second sym_c(t, "x") returns the pointer of the first, without an
 * allocation. */
#include "base/sym.h"

#include "base/assert.h"

enum { FIRST_SLOTS = 1024 };

void sym_init(interner *t, mem *m)
{
    *t = (interner){.m = m};
    arena_init(&t->text, m);
}

/* FNV-1a: names are short, and the hash is kept in the symbol for comparisons and growth. */
static uint32_t hash_name(const char *s, size_t n)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)s[i]) * 16777619u;
    return h;
}

/* Doubles the table. It is heap memory, not an arena's, since a large module would leave all the
 * smaller tables behind. */
static void grow_slots(interner *t)
{
    uint32_t nslots = t->nslots ? t->nslots * 2 : FIRST_SLOTS;
    const sym **slots = mem_alloc(t->m, sizeof *slots * nslots);
    memset(slots, 0, sizeof *slots * nslots);
    mem_free(t->m, t->slots);
    t->slots = slots;
    t->nslots = nslots;
    /* Refill in order of id: chains stay newest first, as sym_restore needs. */
    for (uint32_t i = 0; i < t->n; i++) {
        sym *s = (sym *)(uintptr_t)t->by_id[i];
        s->next = slots[s->hash & (nslots - 1)];
        slots[s->hash & (nslots - 1)] = s;
    }
}

/* The symbol with this text and hash, or NULL. */
static const sym *find(const interner *t, const char *s, size_t n, uint32_t h)
{
    if (!t->nslots)
        return NULL;
    const sym *e = t->slots[h & (t->nslots - 1)];
    while (e && !(e->hash == h && e->len == n && memcmp(e->s, s, n) == 0))
        e = e->next;
    return e;
}

const sym *sym_find(const interner *t, const char *s, size_t n)
{
    return find(t, s, n, hash_name(s, n));
}

/* New symbols are the heads of their chains, as sym_restore needs. */
const sym *sym_intern(interner *t, const char *s, size_t n)
{
    uint32_t h = hash_name(s, n);
    const sym *known = find(t, s, n, h);
    if (known)
        return known;
    if (n > UINT32_MAX / 2)
        mem_fail(t->m);
    if (t->n == t->cap) {
        uint32_t cap = t->cap ? t->cap * 2 : FIRST_SLOTS;
        t->by_id = mem_resize(t->m, t->by_id, sizeof *t->by_id * cap);
        t->cap = cap;
    }
    if (t->n >= t->nslots)
        grow_slots(t);
    sym *e = arena_alloc(&t->text, sizeof *e + n + 1);
    const sym **slot = &t->slots[h & (t->nslots - 1)];
    e->next = *slot;
    e->hash = h;
    e->id = t->n;
    e->len = (uint32_t)n;
    memcpy(e->s, s, n);
    e->s[n] = 0;
    *slot = e;
    t->by_id[t->n++] = e;
    return e;
}

const sym *sym_c(interner *t, const char *s)
{
    return sym_intern(t, s, strlen(s));
}

sym_mark sym_save(const interner *t)
{
    return (sym_mark){t->n, arena_save(&t->text)};
}

/* Symbols are removed in reverse order of their creation, so each is the head of its chain. */
void sym_restore(interner *t, sym_mark mark)
{
    WEFT_ASSERT(mark.n <= t->n);
    while (t->n > mark.n) {
        const sym *e = t->by_id[--t->n];
        WEFT_ASSERT(t->slots[e->hash & (t->nslots - 1)] == e);
        t->slots[e->hash & (t->nslots - 1)] = e->next;
    }
    arena_rewind(&t->text, mark.text);
}
