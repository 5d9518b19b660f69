/* SPDX-License-Identifier: Apache-2.0 */
/* Lists and dicts that grow and change. Items are changed in place, as every name of the object
 * sees in Python; growth is seen by the name it happened through:
 *
 *     a = [1];  b = a
 *     a[0] = 5          b[0] is 5 too
 *     a.append(2)       a is [5, 2]; b is still [5], where Python would show [5, 2]
 *
 * The room behind the items is kept in the `type` of a list or dict, which has no other use there.
 * It is shared by all copies of the value; `used` says which copy may still grow in place. */
#include "sema/sema.h"

/* Storage behind the items: capacity and how much of it some copy of the container uses. */
typedef struct room {
    uint32_t cap, used; /* in values */
} room;

/* Copies n items (pairs of a dict). */
value items_copy(ctx *c, value_kind kind, const value *items, uint32_t n)
{
    size_t count = kind == VALUE_DICT ? 2 * (size_t)n : n;
    spend(c, count);
    value *copy = ARENA_ARRAY(&c->module, value, count);
    if (count)
        memcpy(copy, items, count * sizeof *copy);
    return value_items(kind, copy, n);
}

/* Room for `more` values after the `used` ones; the container with its storage. Storage is extended
 * in place only for the copy that uses all of it, so two copies never write the same slot. Doubling
 * keeps n appends linear. */
static value make_room(ctx *c, const value *v, uint32_t used, uint32_t more)
{
    WEFT_ASSERT(used == 0 || v->items != NULL);
    WEFT_ASSERT(more <= 2);
    room *r = (room *)(uintptr_t)(const void *)v->type;
    value out = *v;
    if (r && r->used == used && r->cap - used >= more) {
        r->used += more;
        return out;
    }
    uint32_t cap = used < 4 ? 8 : used * 2;
    spend(c, used);
    value *items = ARENA_ARRAY(&c->module, value, cap);
    if (used)
        memcpy(items, v->items, used * sizeof *items);
    r = arena_alloc(&c->module, sizeof *r);
    *r = (room){cap, used + more};
    out.items = items;
    out.type = (const type *)(const void *)r;
    return out;
}

/* The list with x at its end. */
value list_append(ctx *c, const value *list, value x)
{
    value r = make_room(c, list, list->n, 1);
    ((value *)(uintptr_t)r.items)[r.n++] = x;
    return r;
}

/* Dicts are pairs in insertion order, searched from the front; long searches count against the
 * fuel, one step for four keys. NULL: no such key. */
const value *dict_find(ctx *c, const value *d, const value *key)
{
    WEFT_ASSERT(d->kind == VALUE_DICT);
    for (uint32_t i = 0; i < d->n; i++) {
        if (value_same(&d->items[2 * i], key)) {
            spend(c, i / 4);
            return &d->items[2 * i + 1];
        }
    }
    spend(c, d->n / 4);
    return NULL;
}

/* The dict with this item. A known key keeps its place, and the change is seen by all copies. */
value dict_set(ctx *c, const value *d, value key, value v)
{
    WEFT_ASSERT(d->kind == VALUE_DICT);
    const value *old = dict_find(c, d, &key);
    if (old) {
        *(value *)(uintptr_t)old = v;
        return *d;
    }
    value r = make_room(c, d, 2 * d->n, 2);
    value *at = (value *)(uintptr_t)r.items + 2 * (size_t)r.n++;
    at[0] = key;
    at[1] = v;
    return r;
}

/* A hash that equal values share: 1, 1.0 and True have one, as value_same says. Kinds without a
 * rule hash by kind alone. */
static uint32_t hash_of(const value *v, int depth)
{
    enum { FNV = 16777619, ITEMS = 8 };
    if (value_is_real(v)) {
        const double x = value_to_double(v);
        uint64_t bits = 0;
        if (x != 0) /* -0.0 equals 0.0 */
            memcpy(&bits, &x, sizeof bits);
        return (uint32_t)(bits >> 32 ^ bits) * FNV;
    }
    uint32_t h = (uint32_t)v->kind;
    if (v->kind == VALUE_STR)
        return (v->s->id + h) * FNV;
    if (v->kind == VALUE_TUPLE && depth < 3)
        for (uint32_t i = 0; i < v->n && i < ITEMS; i++)
            h = (h ^ hash_of(&v->items[i], depth + 1)) * FNV;
    return h;
}

/* The entry of the n entries in `out` whose key equals this one, or n; *slot is where its number
 * belongs in the table of `mask` + 1 slots. Entries are `width` values, the key first. */
static uint32_t find_key(ctx *c, const uint32_t *slots, uint32_t mask, const value *out,
                         uint32_t width, uint32_t n, const value *key, uint32_t *slot)
{
    uint32_t s = hash_of(key, 0) & mask;
    for (; slots[s]; s = (s + 1) & mask) {
        const uint32_t at = slots[s] - 1;
        if (value_same(&out[(size_t)at * width], key))
            return at;
        spend(c, 1);
    }
    *slot = s;
    return n;
}

/* The items of a set (VALUE_LIST) or the pairs of a dict without repetitions, in order of first
 * occurrence: of equal keys the first keeps its place and the last its value, as in Python. Hashed,
 * so time is linear unless many keys have one hash; then the fuel bounds it. */
value items_unique(ctx *c, value_kind kind, const value *items, uint32_t n)
{
    const uint32_t width = kind == VALUE_DICT ? 2 : 1;
    uint32_t mask = 15, count = 0, slot = 0;
    while (mask / 2 < n)
        mask = 2 * mask + 1;
    WEFT_ASSERT(kind == VALUE_DICT || kind == VALUE_LIST);
    spend(c, n);
    uint32_t *slots = arena_zero(&c->module, ((size_t)mask + 1) * sizeof *slots);
    value *out = ARENA_ARRAY(&c->module, value, (size_t)width * n);
    for (uint32_t i = 0; i < n && c->sema->current->fuel; i++) {
        const value *item = &items[(size_t)i * width];
        const uint32_t at = find_key(c, slots, mask, out, width, count, item, &slot);
        if (at == count) {
            slots[slot] = ++count;
            out[(size_t)at * width] = *item;
        }
        if (width == 2)
            out[(size_t)at * 2 + 1] = item[1];
    }
    return value_items(kind, out, count);
}
