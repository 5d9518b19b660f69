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
