/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which CPython iterates over a set of integers: that of its hash table. Example:
 *
 *     list({40, 3, 1})     [40, 1, 3]: a table of 8 places has 40 at 0
 *
 * Follows set_add_entry, set_table_resize and set_merge of Objects/setobject.c, CPython 3.11. The
 * hashes of most other objects differ from process to process, so that Python has no one order: in
 * sets of those the order is that of the source. */
#include "sema/sema.h"

enum { LEAST_TABLE = 8, PROBES = 9, SHIFT = 5, MANY = 50000 };

/* places[i] is 1 + the number of the item at place i, or 0. */
typedef struct set_table {
    ctx *c;
    const value *items;
    uint32_t *places;
    uint32_t size, used;
} set_table;

/* hash(int) of a machine with 64 bits. */
static uint64_t hash_of_int(const value *v)
{
    const __int128 modulus = ((__int128)1 << 61) - 1, h = v->i % modulus;
    return (uint64_t)(int64_t)(h == -1 ? -2 : h);
}

static void table_init(set_table *t, ctx *c, const value *items, uint32_t size)
{
    *t = (set_table){.c = c, .items = items, .size = size};
    spend(c, size);
    t->places = arena_zero(&c->module, size * sizeof *t->places);
}

/* The smallest table for more than `least` entries. */
static uint32_t table_size(uint32_t least)
{
    uint32_t size = LEAST_TABLE;
    while (size <= least)
        size *= 2;
    return size;
}

/* Needs: a free place, and no equal item. */
static void table_put(set_table *t, uint32_t item)
{
    const uint64_t mask = t->size - 1;
    uint64_t perturb = hash_of_int(&t->items[item]), at = perturb & mask;
    WEFT_ASSERT(t->used < t->size);
    for (;;) {
        const uint64_t last = at + PROBES <= mask ? at + PROBES : at;
        for (uint64_t i = at; i <= last; i++) {
            if (!t->places[i]) {
                t->places[i] = item + 1;
                t->used++;
                return;
            }
        }
        perturb >>= SHIFT;
        at = (at * 5 + 1 + perturb) & mask;
    }
}

/* Puts the entries of one table into an empty one, in the order of their places. */
static void table_move(set_table *to, const set_table *from)
{
    for (uint32_t i = 0; i < from->size; i++)
        if (from->places[i])
            table_put(to, from->places[i] - 1);
}

/* One after another, the items up to the n-th. */
static void table_add(set_table *t, uint32_t n)
{
    while (t->used < n) {
        table_put(t, t->used);
        if (t->used * (uint64_t)5 < (t->size - 1) * (uint64_t)3)
            continue;
        set_table larger;
        table_init(&larger, t->c, t->items, table_size(t->used > MANY ? t->used * 2 : t->used * 4));
        table_move(&larger, t);
        *t = larger;
    }
}

static set_table table_added(ctx *c, const value *items, uint32_t n)
{
    set_table t;
    table_init(&t, c, items, LEAST_TABLE);
    table_add(&t, n);
    return t;
}

/* May a set of n items have grown beyond its first table? */
static bool may_have_grown(uint32_t n)
{
    return n * (uint64_t)5 >= (LEAST_TABLE - 1) * (uint64_t)3;
}

/* An empty set that gets n items of another one to begin with: set_merge. */
static set_table table_merged(ctx *c, const value *items, uint32_t n)
{
    const set_table other = table_added(c, items, n);
    const uint32_t size = may_have_grown(n) ? table_size(n * 2) : LEAST_TABLE;
    if (size == other.size)
        return other;
    set_table t;
    table_init(&t, c, items, size);
    table_move(&t, &other);
    return t;
}

static value *table_items(const set_table *t)
{
    value *out = ARENA_ARRAY(&t->c->module, value, t->used);
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->size; i++)
        if (t->places[i])
            out[n++] = t->items[t->places[i] - 1];
    return out;
}

static value *added(ctx *c, const value *items, uint32_t n)
{
    const set_table t = table_added(c, items, n);
    return table_items(&t);
}

static bool same_order(const value *a, const value *b, uint32_t n)
{
    uint32_t i = 0;
    while (i < n && a[i].i == b[i].i)
        i++;
    return i == n;
}

/* A literal of more than two constants is merged from a frozenset, which the compiler makes of
 * another one. A loop reads that frozenset itself, and a .pyc file may hold a third one: where
 * those have another order, none is known. The items that were added later follow. */
static value *constants(ctx *c, const value *items, uint32_t first, uint32_t n)
{
    const value *const compiled = added(c, items, first), *const cached = added(c, compiled, first);
    set_table t = table_merged(c, compiled, first);
    if (!same_order(compiled, cached, first) || !same_order(compiled, table_items(&t), first))
        return NULL;
    value *all = ARENA_ARRAY(&c->module, value, n);
    for (uint32_t i = 0; i < n; i++)
        all[i] = i < first ? compiled[i] : items[i];
    t.items = all;
    table_add(&t, n);
    return table_items(&t);
}

static value *merged(ctx *c, const value *items, uint32_t first, uint32_t n)
{
    set_table t = table_merged(c, items, first);
    table_add(&t, n);
    return table_items(&t);
}

static bool is_plain_int(const value *v)
{
    return v->kind == VALUE_INT || v->kind == VALUE_BOOL;
}

bool set_iterate(ctx *c, const value *set, const value **items, uint32_t *n)
{
    WEFT_ASSERT(value_is_set(set));
    *items = value_array(set);
    *n = value_count(set);
    for (uint32_t i = 0; i < *n; i++)
        if (!is_plain_int(&(*items)[i]))
            return true;
    switch (set->cells->order) {
    case SET_PLACED: return true;
    case SET_ADDED: *items = added(c, *items, *n); return true;
    case SET_MERGED: *items = merged(c, *items, set->cells->first, *n); return true;
    case SET_CONSTANT: *items = constants(c, *items, set->cells->first, *n); return *items != NULL;
    case SET_UNORDERED: break;
    }
    return *n < 2;
}

/* Another set that begins with those of `from`. */
void set_merge(const value *set, const value *from)
{
    const set_order order = from->cells->order;
    WEFT_ASSERT(value_is_set(set) && value_is_set(from));
    if (order == SET_ADDED) {
        set->cells->order = SET_MERGED;
        set->cells->first = set->cells->n;
    } else if (order == SET_PLACED || may_have_grown(set->cells->n)) {
        set->cells->order = SET_UNORDERED;
    } else {
        set->cells->order = order;
        set->cells->first = from->cells->first;
    }
}

void set_grew(const value *set, const value *by)
{
    WEFT_ASSERT(value_is_set(set));
    const bool at_once = by && (by->kind == VALUE_DICT || value_is_set(by));
    const bool resized = at_once && may_have_grown(set->cells->n + value_count(by));
    if (set->cells->order == SET_PLACED || resized)
        set->cells->order = SET_UNORDERED;
}

void set_remove(ctx *c, const value *set, uint32_t at)
{
    const value *items;
    uint32_t n;
    const value gone = value_array(set)[at];
    const bool ordered = set_iterate(c, set, &items, &n);
    if (!ordered)
        items = value_array(set);
    value *left = ARENA_ARRAY(&c->module, value, n);
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!value_same(&items[i], &gone))
            left[count++] = items[i];
    container_replace(c, set, left, count);
    set->cells->order = ordered ? SET_PLACED : SET_UNORDERED;
}
