/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by key: rows in the order in which keys first came, and a hash table of row numbers.
 *
 *     "loop", "map", "loop"   ->   {loop, 2}, {map, 1}
 *
 * The order of rows never comes from the hash, so that reports of the same records are the same. A
 * slot holds the number of a row and not its key, so that the rows can be sorted at the end: only
 * the slots are filled again then. */
#include "report/tally.h"

#include <stdlib.h>
#include <xxhash.h>

/* The key's slot, or the empty one where it belongs: linear probing. At least half of the slots are
 * empty, so the search ends. */
static uint32_t *slot_of(const tally *t, str key)
{
    uint32_t at = (uint32_t)XXH3_64bits(key.p, key.n) & (t->nslots - 1);
    WEFT_ASSERT(t->rows.n < t->nslots && !(t->nslots & (t->nslots - 1)));
    while (t->slots[at] && !str_eq(t->rows.v[t->slots[at] - 1].key, key))
        at = (at + 1) & (t->nslots - 1);
    return &t->slots[at];
}

/* Enters all rows anew, after the slots have grown or the rows have been sorted. */
static void fill_slots(tally *t)
{
    memset(t->slots, 0, t->nslots * sizeof *t->slots);
    for (uint32_t i = 0; i < t->rows.n; i++)
        *slot_of(t, t->rows.v[i].key) = i + 1;
}

/* Doubles the slots. The old ones stay in the arena: together they are smaller than the new
 * ones. */
static void grow(arena *a, tally *t)
{
    t->nslots = t->nslots ? 2 * t->nslots : 32;
    t->slots = ARENA_ARRAY(a, uint32_t, t->nslots);
    fill_slots(t);
}

/* The key's first TALLY_KEY_BYTES bytes, or fewer so that no UTF-8 character is cut in two. */
static str cut(str key)
{
    if (key.n <= TALLY_KEY_BYTES)
        return key;
    size_t n = TALLY_KEY_BYTES;
    while (n && ((unsigned char)key.p[n] & 0xc0) == 0x80)
        n--;
    WEFT_ASSERT(n <= TALLY_KEY_BYTES);
    return (str){key.p, n};
}

/* With TALLY_KEYS keys the table is full, and further keys are counted as "others": a damaged set
 * may have any number of them. */
void tally_add(arena *a, tally *t, str key, uint64_t bytes)
{
    key = cut(key);
    if (2 * t->rows.n >= t->nslots)
        grow(a, t);
    uint32_t *slot = slot_of(t, key);
    if (!*slot && t->rows.n == TALLY_KEYS) {
        t->others++;
        return;
    }
    if (!*slot) {
        const tally_row row = {.key = {arena_dup(a, key.p, key.n), key.n}};
        VEC_PUSH(a, &t->rows, row);
        *slot = t->rows.n;
    }
    tally_row *row = &t->rows.v[*slot - 1];
    WEFT_ASSERT(*slot >= 1 && *slot <= t->rows.n);
    row->n++;
    row->bytes += bytes;
}

void tally_add_number(arena *a, tally *t, uint64_t key, uint64_t bytes)
{
    char digits[20], *p = digits + sizeof digits;
    do
        *--p = (char)('0' + (char)(key % 10));
    while (key /= 10);
    tally_add(a, t, (str){p, (size_t)(digits + sizeof digits - p)}, bytes);
}

uint64_t tally_sum(const tally *t)
{
    uint64_t n = t->others;
    for (uint32_t i = 0; i < t->rows.n; i++)
        n += t->rows.v[i].n;
    return n;
}

uint64_t tally_of(const tally *t, str key)
{
    const uint32_t row = t->nslots ? *slot_of(t, key) : 0;
    return row ? t->rows.v[row - 1].n : 0;
}

static bool is_number(str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
    return s.n > 0;
}

/* Numbers first, by value: of numbers without leading zeros the longer is the larger. Keys differ,
 * so the order is total and qsort's result does not depend on its algorithm. */
static int by_key(const void *pa, const void *pb)
{
    const tally_row *a = pa, *b = pb;
    const bool number = is_number(a->key);
    if (number != is_number(b->key))
        return number ? -1 : 1;
    if (number && a->key.n != b->key.n)
        return a->key.n < b->key.n ? -1 : 1;
    const size_t n = a->key.n < b->key.n ? a->key.n : b->key.n;
    const int order = n ? memcmp(a->key.p, b->key.p, n) : 0;
    return order ? order : (a->key.n > b->key.n) - (a->key.n < b->key.n);
}

static int by_count(const void *pa, const void *pb)
{
    const tally_row *a = pa, *b = pb;
    return a->n != b->n ? (a->n < b->n ? 1 : -1) : by_key(pa, pb);
}

/* The slots hold numbers of rows, which sorting changes. */
static void sort(tally *t, int (*order)(const void *, const void *))
{
    if (!t->rows.n)
        return;
    qsort(t->rows.v, t->rows.n, sizeof *t->rows.v, order);
    fill_slots(t);
}

void tally_sort_keys(tally *t)
{
    sort(t, by_key);
}

void tally_sort_counts(tally *t)
{
    sort(t, by_count);
}
