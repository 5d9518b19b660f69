/* SPDX-License-Identifier: Apache-2.0 */
/* Lists, sets and dicts, and how they change. As in Python they are objects: all values that stand
 * for one have the same cells.
 *
 *     a = [1];  b = a;  c = list(a)
 *     a.append(2)       a and b are [1, 2], c is [1]
 *
 * A change that may not happen, since a condition around it is unknown, leaves what the container
 * holds unknown. One that was made under that condition changes for certain, as seen from there:
 *
 *     if something_unknown():
 *         a.append(3)                   a and b are not known from here on
 *         d = [];  d.append(4)          d is [4] */
#include "sema/sema.h"

static const char depends[] = "it depends on a condition that weft cannot know";

uint32_t object_number(ctx *c)
{
    program *p = c->sema ? c->sema->current : NULL;
    return p ? ++p->objects : 1;
}

void maybe_begin(program *p)
{
    p->maybe.n++;
    p->maybe.since = p->objects + 1;
}

bool change_is_unsure(const ctx *c, uint32_t number)
{
    const program *p = c->sema ? c->sema->current : NULL;
    return p && number < p->maybe.since;
}

static value new_container(ctx *c, value_kind kind, value *items, uint32_t n, uint32_t cap)
{
    WEFT_ASSERT(kind == VALUE_LIST || kind == VALUE_DICT);
    WEFT_ASSERT(n == 0 || items != NULL);
    value_cells *cells = ARENA_NEW(&c->module, value_cells);
    cells->items = items;
    cells->n = n;
    cells->cap = cap;
    cells->number = object_number(c);
    return (value){.kind = kind, .cells = cells};
}

value value_list(ctx *c, value *items, uint32_t n)
{
    return new_container(c, VALUE_LIST, items, n, n);
}

value value_iterator(ctx *c, value *items, uint32_t n)
{
    const value v = value_list(c, items, n);
    v.cells->is_iterator = true;
    return v;
}

bool value_is_list(const value *v)
{
    return v->kind == VALUE_LIST && !v->cells->is_set && !v->cells->is_iterator &&
           !v->cells->viewed;
}

value value_dict(ctx *c, value *pairs, uint32_t n)
{
    return new_container(c, VALUE_DICT, pairs, n, 2 * n);
}

/* Copies n items (pairs of a dict). */
value items_copy(ctx *c, value_kind kind, const value *items, uint32_t n)
{
    size_t count = kind == VALUE_DICT ? 2 * (size_t)n : n;
    spend(c, count);
    value *copy = ARENA_ARRAY(&c->module, value, count);
    if (count)
        memcpy(copy, items, count * sizeof *copy);
    return kind == VALUE_TUPLE  ? value_items(kind, copy, n)
           : kind == VALUE_DICT ? value_dict(c, copy, n)
                                : value_list(c, copy, n);
}

value container_copy(ctx *c, const value *v)
{
    if (value_cells_why(v))
        return unknown(value_cells_why(v));
    value copy = items_copy(c, v->kind, value_array(v), value_count(v));
    if (value_is_set(v)) {
        copy.cells->is_set = true;
        set_merge(&copy, v);
    }
    return copy;
}

void container_lose(const value *v, const char *why)
{
    WEFT_ASSERT(value_has_cells(v) && why);
    if (v->cells->of)
        namespace_lose(v->cells->of, why);
    v->cells->items = NULL;
    v->cells->n = v->cells->cap = 0;
    v->cells->why = why;
}

/* --- dicts that are the names of an object or module: obj.__dict__, globals() ----------------- */

/* Takes over the names that the scope has now. */
static void read_scope(ctx *c, value_cells *cells)
{
    const namespace *ns = cells->of;
    cells->why = ns->star;
    cells->n = ns->star ? 0 : ns->n;
    if (cells->cap < 2 * cells->n) {
        cells->cap = 2 * cells->n;
        cells->items = ARENA_ARRAY(&c->module, value, cells->cap);
    }
    spend(c, cells->n / 4);
    for (uint32_t i = 0; i < cells->n; i++) {
        cells->items[2 * i] = (value){.kind = VALUE_STR, .s = ns->v[i].name};
        cells->items[2 * i + 1] = ns->v[i].v;
    }
}

value namespace_dict(ctx *c, namespace *ns)
{
    if (!ns->dict) {
        const value made = value_dict(c, NULL, 0);
        ns->dict = made.cells;
        ns->dict->of = ns;
        ns->dict->number = ns->number;
    }
    read_scope(c, ns->dict);
    return (value){.kind = VALUE_DICT, .cells = ns->dict};
}

/* What the dict has now. The pairs are tuples of their own. */
static void read_view(ctx *c, value_cells *view)
{
    value_cells *d = view->viewed;
    if (d->of)
        read_scope(c, d);
    const bool both = view->has_keys && view->has_values;
    value *out = ARENA_ARRAY(&c->module, value, d->n);
    value *pairs = ARENA_ARRAY(&c->module, value, both ? 2 * (size_t)d->n : 0);
    spend(c, d->n);
    if (both && d->n)
        memcpy(pairs, d->items, 2 * (size_t)d->n * sizeof *pairs);
    for (uint32_t i = 0; i < d->n; i++)
        out[i] =
            both ? value_items(VALUE_TUPLE, &pairs[2 * i], 2) : d->items[2 * i + !view->has_keys];
    view->items = out;
    view->n = view->cap = d->n;
    view->why = d->why;
}

value dict_view(ctx *c, const value *d, bool keys, bool values)
{
    WEFT_ASSERT(d->kind == VALUE_DICT && (keys || values));
    const value v = value_list(c, NULL, 0);
    v.cells->viewed = d->cells;
    v.cells->has_keys = keys;
    v.cells->has_values = values;
    return v;
}

value value_now(ctx *c, value v)
{
    if (value_has_cells(&v) && v.cells->viewed)
        read_view(c, v.cells);
    if (!value_has_cells(&v) || !v.cells->of)
        return value_cells_why(&v) ? unknown(v.cells->why) : v;
    read_scope(c, v.cells);
    return v;
}

void namespace_lose(namespace *ns, const char *why)
{
    /* Of a module or class any name may be new, as after an `import *`. */
    for (uint32_t i = 0; ns->kind == NS_OBJECT && i < ns->n; i++)
        ns->v[i].v = unknown(why);
    ns->hides = ns->kind == NS_OBJECT;
    ns->star = ns->star ? ns->star : why;
}

void namespace_put(ctx *c, namespace *ns, const sym *name, value v)
{
    const value *old = ns_find(ns, name);
    value above;
    if (!old && ns->cls && class_find(ns->cls, name, &above))
        old = &above;
    if (old && change_is_unsure(c, ns->number) && !value_identical(old, &v))
        v = unknown(depends);
    ns_set(c, ns, name, v);
}

void namespace_drop(ctx *c, namespace *ns, const sym *name)
{
    value *old = ns_find(ns, name);
    if (old && change_is_unsure(c, ns->number))
        *old = unknown(depends);
    else
        ns_remove(ns, name);
}

static void scope_set(ctx *c, value_cells *cells, const value *key, value v)
{
    if (key->kind == VALUE_STR)
        namespace_put(c, cells->of, key->s, v);
    else
        namespace_lose(cells->of, "a name is assigned that weft does not know");
    read_scope(c, cells);
}

/* --- changes ---------------------------------------------------------------------------------- */

/* Is what the container holds known before and after a change that is made now? If the change is
 * not sure, it is not known from here on. */
static bool may_change(ctx *c, const value *v)
{
    if (!value_cells_why(v) && change_is_unsure(c, v->cells->number))
        container_lose(v, depends);
    return !value_cells_why(v);
}

/* Makes room for `more` values after those that are used. Doubling keeps n appends linear. */
static void make_room(ctx *c, value_cells *cells, uint32_t used, uint32_t more)
{
    if (cells->cap - used >= more)
        return;
    const uint32_t cap = used < 4 ? 8 : used * 2;
    WEFT_ASSERT(used <= cells->cap && cap - used >= more);
    spend(c, used);
    value *items = ARENA_ARRAY(&c->module, value, cap);
    if (used)
        memcpy(items, cells->items, used * sizeof *items);
    cells->items = items;
    cells->cap = cap;
}

void list_append(ctx *c, const value *list, value x)
{
    WEFT_ASSERT(list->kind == VALUE_LIST);
    if (!may_change(c, list))
        return;
    make_room(c, list->cells, list->cells->n, 1);
    list->cells->items[list->cells->n++] = x;
}

void list_set(ctx *c, const value *list, uint32_t at, value x)
{
    WEFT_ASSERT(list->kind == VALUE_LIST && at < list->cells->n);
    value *item = &list->cells->items[at];
    *item = change_is_unsure(c, list->cells->number) && !value_identical(item, &x)
                ? unknown(depends)
                : x;
}

/* The items are copied: they may be those of the container itself. */
void container_replace(ctx *c, const value *v, const value *items, uint32_t n)
{
    const value made = items_copy(c, v->kind, items, n);
    if (v->cells->of) {
        container_lose(v, "weft does not evaluate this change of an object's names");
        return;
    }
    if (!may_change(c, v))
        return;
    v->cells->items = made.cells->items;
    v->cells->n = made.cells->n;
    v->cells->cap = made.cells->cap;
    v->cells->order = SET_ADDED;
}

/* Dicts are pairs in insertion order, searched from the front; long searches count against the
 * fuel, one step for four keys. NULL: no such key. */
const value *dict_find(ctx *c, const value *d, const value *key)
{
    WEFT_ASSERT(d->kind == VALUE_DICT);
    const value_cells *cells = d->cells;
    for (uint32_t i = 0; i < cells->n; i++) {
        if (value_same(&cells->items[2 * i], key)) {
            spend(c, i / 4);
            return &cells->items[2 * i + 1];
        }
    }
    spend(c, cells->n / 4);
    return NULL;
}

/* A known key keeps its place. */
void dict_set(ctx *c, const value *d, value key, value v)
{
    WEFT_ASSERT(d->kind == VALUE_DICT);
    value *old = (value *)(uintptr_t)dict_find(c, d, &key);
    if (d->cells->of) {
        scope_set(c, d->cells, &key, v);
        return;
    }
    if (old) {
        const bool unsure = change_is_unsure(c, d->cells->number) && !value_identical(old, &v);
        *old = unsure ? unknown(depends) : v;
        return;
    }
    if (!may_change(c, d))
        return;
    make_room(c, d->cells, 2 * d->cells->n, 2);
    value *at = d->cells->items + 2 * (size_t)d->cells->n++;
    at[0] = key;
    at[1] = v;
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
    const int64_t length = tuple_length(v);
    uint32_t h = (uint32_t)(length >= 0 ? VALUE_TUPLE : v->kind);
    if (v->kind == VALUE_STR)
        return (v->s->id + h) * FNV;
    for (uint32_t i = 0; depth < 3 && i < length && i < ITEMS; i++) {
        const value *item = tuple_item(v, i);
        h = (h ^ (item ? hash_of(item, depth + 1) : 0)) * FNV;
    }
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
    return new_container(c, kind, out, count, width * n);
}

value set_of(ctx *c, const value *items, uint32_t n)
{
    const value v = items_unique(c, VALUE_LIST, items, n);
    v.cells->is_set = true;
    return v;
}

bool value_is_set(const value *v)
{
    return v->kind == VALUE_LIST && v->cells->is_set;
}
