/* SPDX-License-Identifier: Apache-2.0 */
/* Makes types, each once (hash-consing), so that equal types are one pointer. Example:
 *
 *     type_vec(c, f32, 3) == type_vec(c, f32, 3)     one type, made by the first call
 *
 * There are two tables. A type that mentions a struct of the module lives in c->module and is
 * forgotten with it; every other type lives as long as the context. So a process that compiles a
 * million modules keeps only the few hundred types that have no struct in them.
 *
 * Types are numbered densely in order of creation. Numbers of module types are given again after
 * types_reset: permanent types that a module creates push the end up (perm_end), so that no number
 * is ever held by two living types. */
#include "types/type.h"

#include "base/assert.h"
#include "types/type_table.h"

enum { FIRST_SLOTS = 256 }; /* of a table, a power of two */

/* One step of a multiplicative hash: 2^64 divided by the golden ratio spreads all bits. */
static uint32_t mix(uint32_t h, uint64_t x)
{
    uint64_t y = (h ^ x) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(y ^ (y >> 32));
}

/* Over the same members that same_type compares. Parts count by number instead of address, so that
 * the order of the table does not depend on where memory lies. */
static uint32_t hash_type(const type *t)
{
    uint32_t h =
        mix(t->kind, (uint64_t)t->array_class | (uint64_t)t->known << 8 | (uint64_t)t->shared << 9 |
                         (uint64_t)t->owner << 10 | (uint64_t)t->colmajor << 11);
    h = mix(h, (uint64_t)(uint32_t)t->rows << 32 | (uint32_t)t->cols);
    h = mix(h, (uint64_t)(uint32_t)t->ndim << 32 | (t->elem ? t->elem->id : 0));
    h = mix(h, (uintptr_t)t->st ^ (uintptr_t)t->native);
    for (uint32_t i = 0; i < t->nitems; i++)
        h = mix(h, t->items[i]->id);
    for (uint32_t i = 0; i < t->ndims; i++)
        h = mix(h, (uint64_t)t->dims[i]);
    return h;
}

/* Parts are types, which are unique, so pointers compare. */
static bool same_type(const type *a, const type *b)
{
    return a->kind == b->kind && a->array_class == b->array_class && a->known == b->known &&
           a->shared == b->shared && a->owner == b->owner && a->colmajor == b->colmajor &&
           a->rows == b->rows && a->cols == b->cols && a->ndim == b->ndim && a->elem == b->elem &&
           a->st == b->st && a->native == b->native && a->nitems == b->nitems &&
           a->ndims == b->ndims &&
           (!a->nitems || !memcmp(a->items, b->items, a->nitems * sizeof *a->items)) &&
           (!a->ndims || !memcmp(a->dims, b->dims, a->ndims * sizeof *a->dims));
}

/* Linear probing. Needs: a free slot, which type_intern keeps by growing at half full. */
static void put(type_set *s, const type *t)
{
    WEFT_ASSERT(s->n < s->nslots && (s->nslots & (s->nslots - 1)) == 0);
    uint32_t i = hash_type(t) & (s->nslots - 1);
    while (s->slots[i])
        i = (i + 1) & (s->nslots - 1);
    s->slots[i] = t;
}

/* The old slots stay in the arena: together they take less room than the new ones. */
static void grow(arena *a, type_set *s)
{
    type_set old = *s;
    s->nslots = old.nslots ? old.nslots * 2 : FIRST_SLOTS;
    s->slots = arena_zero(a, mem_mul(a->m, s->nslots, sizeof *s->slots));
    for (uint32_t i = 0; i < old.nslots; i++)
        if (old.slots[i])
            put(s, old.slots[i]);
}

/* The type equal to *key, or NULL. */
static const type *find(const type_set *s, const type *key)
{
    if (!s->nslots)
        return NULL;
    uint32_t i = hash_type(key) & (s->nslots - 1);
    while (s->slots[i] && !same_type(s->slots[i], key))
        i = (i + 1) & (s->nslots - 1);
    return s->slots[i];
}

/* What mentions a struct or a pattern in a part mentions it as a whole. */
static void inherit(type *t, const type *part)
{
    t->in_module |= part->in_module;
    t->generic |= part->generic;
}

/* Sets in_module and generic, which follow from the parts. */
static void derive(type *t)
{
    t->in_module = t->kind == TYPE_STRUCT || (t->kind == TYPE_NATIVE && t->native->external);
    t->generic = t->kind >= TYPE_ANY || t->rows == TYPE_ANY_DIM || t->cols == TYPE_ANY_DIM ||
                 t->ndim == TYPE_ANY_DIM;
    if (t->elem)
        inherit(t, t->elem);
    for (uint32_t i = 0; i < t->nitems; i++)
        inherit(t, t->items[i]);
}

/* A copy of *key in its arena, with a number and names. Needs: in_module and generic are set. */
static type *make(ctx *c, const type *key)
{
    WEFT_ASSERT(key->in_module || !key->elem || !key->elem->in_module);
    arena *a = key->in_module ? &c->module : &c->perm;
    type *t = ARENA_NEW(a, type);
    *t = *key;
    if (t->nitems) {
        const type **items = ARENA_ARRAY(a, const type *, t->nitems);
        memcpy(items, key->items, t->nitems * sizeof *items);
        t->items = items;
    }
    if (t->ndims) {
        int64_t *dims = ARENA_ARRAY(a, int64_t, t->ndims);
        memcpy(dims, key->dims, t->ndims * sizeof *dims);
        t->dims = dims;
    }
    t->id = c->types->next_id++;
    if (!t->in_module)
        c->types->perm_end = t->id + 1;
    type_set_names(c, a, t);
    return t;
}

static const type *make_in(ctx *c, const type *key, type_set *set)
{
    const type *t = make(c, key);
    if (set->n * 2 >= set->nslots)
        grow(key->in_module ? &c->module : &c->perm, set);
    put(set, t);
    set->n++;
    return t;
}

/* A type that mentions a struct is looked for among the module's types only. */
const type *type_intern(ctx *c, const type *key)
{
    type k = *key;
    derive(&k);
    type_set *set = k.in_module ? &c->types->module : &c->types->perm;
    const type *known = find(set, &k);
    return known ? known : make_in(c, &k, set);
}

/* Does the kind need more than itself to be a type? The others have one type each, in `basic`. */
static bool has_parameters(type_kind k)
{
    return (k >= TYPE_VEC && k <= TYPE_SLICE) || k == TYPE_NATIVE || k == TYPE_TILE ||
           k == TYPE_STACK;
}

void types_init(ctx *c)
{
    c->types = ARENA_NEW(&c->perm, type_table);
    for (type_kind k = TYPE_BOOL; k < TYPE_KIND_COUNT; k++)
        if (!has_parameters(k))
            c->types->basic[k] = type_intern(c, &(type){.kind = (uint8_t)k});
    types_name_all(c);
}

void types_reset(ctx *c)
{
    c->types->module = (type_set){0};
    c->types->next_id = c->types->perm_end;
}

const type *type_scalar(const ctx *c, type_kind k)
{
    WEFT_ASSERT(k < TYPE_KIND_COUNT &&
                c->types->basic[k]); /* a kind with parameters is no scalar */
    return c->types->basic[k];
}

const type *type_vec(ctx *c, const type *elem, int rows)
{
    WEFT_ASSERT(rows >= TYPE_ANY_DIM);
    return type_intern(c, &(type){.kind = TYPE_VEC, .elem = elem, .rows = rows});
}

const type *type_mat(ctx *c, const type *elem, int rows, int cols)
{
    WEFT_ASSERT(rows >= TYPE_ANY_DIM && cols >= TYPE_ANY_DIM);
    return type_intern(c, &(type){.kind = TYPE_MAT, .elem = elem, .rows = rows, .cols = cols});
}

const type *type_quat(ctx *c, const type *elem)
{
    return type_intern(c, &(type){.kind = TYPE_QUAT, .elem = elem, .rows = 4});
}

const type *type_transform(ctx *c, const type *elem)
{
    return type_intern(c, &(type){.kind = TYPE_TRANSFORM, .elem = elem, .rows = 7});
}

/* The mark that Python's name is kept stands in cols, which these kinds do not use otherwise. */
const type *type_named_float(ctx *c, const type *t)
{
    if (t->elem->kind != TYPE_FLOAT32 || (t->kind != TYPE_QUAT && t->kind != TYPE_TRANSFORM))
        return t;
    type key = {.kind = t->kind, .elem = t->elem, .rows = t->rows, .cols = 1};
    return type_intern(c, &key);
}

const type *type_external(ctx *c, const native_def *d)
{
    WEFT_ASSERT(d->external != NULL);
    return type_intern(c, &(type){.kind = TYPE_NATIVE, .native = d});
}

bool type_has_external(const type *t)
{
    t = type_strip_ref(t);
    while (t->kind == TYPE_ARRAY)
        t = t->elem;
    return t->kind == TYPE_NATIVE && t->native->external;
}

const type *type_struct(ctx *c, const struct_def *st)
{
    WEFT_ASSERT(st && st->name);
    return type_intern(c, &(type){.kind = TYPE_STRUCT, .st = st});
}

const type *type_array(ctx *c, array_class cls, const type *elem, int ndim)
{
    WEFT_ASSERT(elem && cls <= ARRAY_FIXED && ndim >= TYPE_ANY_DIM);
    return type_intern(
        c, &(type){.kind = TYPE_ARRAY, .array_class = (uint8_t)cls, .elem = elem, .ndim = ndim});
}

const type *type_fixed_array(ctx *c, const type *elem, int ndim, int size)
{
    WEFT_ASSERT(elem && size >= 0);
    return type_intern(c, &(type){.kind = TYPE_ARRAY,
                                  .array_class = ARRAY_FIXED,
                                  .elem = elem,
                                  .ndim = ndim,
                                  .rows = size});
}

const type *type_ref(ctx *c, const type *target)
{
    WEFT_ASSERT(target && target->kind != TYPE_REF);
    return type_intern(c, &(type){.kind = TYPE_REF, .elem = target});
}

/* As with type_named_float, cols marks that Python's name is kept. */
const type *type_ref_named(ctx *c, const type *target)
{
    return type_intern(c, &(type){.kind = TYPE_REF, .elem = target, .cols = 1});
}

const type *type_slice(ctx *c, const int64_t bounds[3])
{
    type key = {.kind = TYPE_SLICE, .known = bounds != NULL, .dims = bounds};
    key.ndims = bounds ? 3 : 0;
    return type_intern(c, &key);
}

const type *type_tuple(ctx *c, const type *const *items, uint32_t n)
{
    return type_intern(c, &(type){.kind = TYPE_TUPLE, .items = items, .nitems = n});
}

const type *type_tuple_named(ctx *c, const type *const *items, uint32_t n, int python)
{
    return type_intern(c, &(type){.kind = TYPE_TUPLE, .items = items, .nitems = n, .cols = python});
}

const type *type_tuple_of(ctx *c, const type *item)
{
    return type_intern(
        c, &(type){.kind = TYPE_TUPLE, .items = &item, .nitems = 1, .ndim = TYPE_ANY_DIM});
}

/* Not interned: two tiles of one layout are two types, because type_tile_share changes one. */
const type *type_tile(ctx *c, const type *elem, const tile_layout *l)
{
    int64_t dims[2 * TYPE_DIMS_MAX];
    type key = {.kind = TYPE_TILE, .elem = elem, .ndim = TYPE_ANY_DIM};
    if (!l)
        return type_intern(c, &key);
    WEFT_ASSERT(l->ndim >= 0 && l->ndim <= TYPE_DIMS_MAX);
    key.ndim = l->ndim;
    key.shared = l->shared;
    key.colmajor = l->colmajor;
    key.owner = !l->alias;
    key.dims = dims;
    key.ndims = 2 * (uint32_t)l->ndim;
    key.in_module = true;
    int64_t step = 1; /* from the dimension that varies fastest outwards */
    for (int i = 0; i < l->ndim; i++) {
        int d = l->colmajor ? i : l->ndim - 1 - i;
        dims[d] = l->shape[d];
        dims[l->ndim + d] = l->strides ? l->strides[d] : step;
        step *= l->shape[d];
    }
    return make(c, &key);
}

/* The one place where a type changes after it was made; its C++ name changes with it. Views of a
 * tile are shared from the start. */
void type_tile_share(ctx *c, const type *t)
{
    WEFT_ASSERT(t->kind == TYPE_TILE && t->in_module);
    type *own = (type *)(uintptr_t)t;
    if (own->shared || own->ndim < 0)
        return;
    own->shared = true;
    type_set_names(c, &c->module, own);
}

int64_t type_tile_size(const type *t)
{
    WEFT_ASSERT(t->kind == TYPE_TILE && t->ndim >= 0);
    int64_t n = 1;
    for (int i = 0; i < t->ndim; i++)
        n *= t->dims[i];
    return n;
}

const type *type_stack(ctx *c, const type *elem, int capacity)
{
    WEFT_ASSERT(elem && capacity > 0);
    return type_intern(c, &(type){.kind = TYPE_STACK, .elem = elem, .rows = capacity});
}

/* Structs cannot hold themselves, so this ends. */
bool type_has_array(const type *t)
{
    if (t->kind == TYPE_ARRAY)
        return true;
    for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->st->nfields; i++)
        if (type_has_array(t->st->fields[i].type))
            return true;
    return false;
}

static uint32_t field_slot(const struct_def *st, const sym *name)
{
    uint32_t at = name->hash & st->mask;
    while (st->index[at] && st->fields[st->index[at] - 1].name != name)
        at = (at + 1) & st->mask;
    return at;
}

uint32_t struct_find_field(const struct_def *st, const sym *name)
{
    if (st->mask) {
        const uint32_t place = st->index[field_slot(st, name)];
        return place ? place - 1 : st->nfields;
    }
    uint32_t i = 0;
    while (i < st->nfields && st->fields[i].name != name)
        i++;
    return i;
}

struct_field *struct_add_field(struct_def *st, const sym *name, const type *t)
{
    const uint32_t i = struct_find_field(st, name);
    struct_field *fields = (struct_field *)(uintptr_t)st->fields;
    fields[i] = (struct_field){.name = name, .type = t};
    if (i < st->nfields)
        return &fields[i];
    st->nfields++;
    WEFT_ASSERT(!st->mask || 2 * st->nfields <= st->mask + 1);
    if (st->mask)
        st->index[field_slot(st, name)] = st->nfields;
    return &fields[i];
}
