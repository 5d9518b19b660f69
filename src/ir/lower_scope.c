/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a function: Warp 1.19 Adjoint.symbols, a map in order of insertion, as Python's dict
 * is. The order matters: Warp merges names after a branch in it, which decides the numbers of
 * variables. All lowering files read and bind names here.
 *
 *     s = 2.0     ->   scope_set(l, "s", %6, NULL)
 *     f = sq      ->   scope_set(l, "f", NO_VAR, the function)
 *
 * Up to FEW names are searched one by one; more have a hash table. Branches copy scopes (Warp's
 * symbols.copy()), so their memory is used again: a function with thousands of names and branches
 * takes no more than its nesting needs. */
#include "ir/lower.h"

enum { FEW = 16 };

/* The slot of the table that holds the name, or the free one where it belongs: linear probing. Ends
 * because at most half of the slots are taken. */
static uint32_t slot_of(const scope *s, const sym *name)
{
    WEFT_ASSERT(s->mask && 2 * s->n <= s->mask + 1);
    uint32_t at = name->hash & s->mask;
    while (s->index[at] && s->v[s->index[at] - 1].name != name)
        at = (at + 1) & s->mask;
    return at;
}

/* Fills the table, of at least twice as many slots as the scope has room for names. The size is a
 * power of two, so that `mask` can cut a hash. */
static void make_index(lower *l, scope *s)
{
    uint32_t size = 4 * FEW;
    while (size < 2 * s->cap)
        size *= 2;
    if (s->index_cap < size) {
        s->index = ARENA_ARRAY(&l->c->ir, uint32_t, size);
        s->index_cap = size;
    }
    ctx_spend(l->c, size);
    memset(s->index, 0, size * sizeof *s->index);
    s->mask = size - 1;
    for (uint32_t i = 0; i < s->n; i++)
        s->index[slot_of(s, s->v[i].name)] = i + 1;
}

binding *scope_find(lower *l, scope *s, const sym *name)
{
    if (s->n <= FEW) {
        for (uint32_t i = 0; i < s->n; i++)
            if (s->v[i].name == name)
                return &s->v[i];
        return NULL;
    }
    if (!s->mask)
        make_index(l, s);
    const uint32_t place = s->index[slot_of(s, name)];
    return place ? &s->v[place - 1] : NULL;
}

/* Binds the name in the current scope. A variable keeps the first name that it is bound to
 * (ir_var.name). A name that is new goes into the table while that stays half empty; else
 * the next look-up makes a larger one. */
void scope_set(lower *l, const sym *name, uint32_t var, const value *v)
{
    if (var != NO_VAR && !l->u->vars.v[var].name)
        l->u->vars.v[var].name = name;
    scope *s = &l->scope;
    binding *b = scope_find(l, s, name);
    if (b) {
        b->var = var;
        b->value = v;
        return;
    }
    VEC_PUSH(&l->c->ir, s, ((binding){name, var, v}));
    if (s->mask && 2 * s->n <= s->mask)
        s->index[slot_of(s, name)] = s->n;
    else
        s->mask = 0;
}

/* The names behind it move up, so the table is made again by the next look-up. */
void scope_remove(lower *l, const sym *name)
{
    scope *s = &l->scope;
    binding *b = scope_find(l, s, name);
    if (!b)
        return;
    uint32_t after = s->n - (uint32_t)(b - s->v) - 1;
    WEFT_ASSERT(after < s->n);
    memmove(b, b + 1, after * sizeof *b);
    s->n--;
    s->mask = 0;
}

/* A copy with room for at least eight more names, in the memory of a freed copy where there is one.
 * The table is not copied: the first look-up makes it, if the names are many. */
scope scope_copy(lower *l, const scope *s)
{
    scope copy = {0};
    if (l->free_scopes.n)
        copy = l->free_scopes.v[--l->free_scopes.n];
    if (copy.cap < s->n + 8) {
        copy.cap = s->n + s->n / 2 + 8;
        copy.v = ARENA_ARRAY(&l->c->ir, binding, copy.cap);
    }
    ctx_spend(l->c, s->n);
    copy.n = s->n;
    copy.mask = 0;
    if (s->n)
        memcpy(copy.v, s->v, s->n * sizeof *s->v);
    WEFT_ASSERT(copy.cap > copy.n);
    return copy;
}

/* The scope's memory waits for the next copy; the scope itself is empty then. */
void scope_free(lower *l, scope *s)
{
    VEC_PUSH(&l->c->ir, &l->free_scopes, *s);
    *s = (scope){0};
}

/* Sets hold the names of one statement, which are few. */
bool sym_set_has(const sym_set *s, const sym *name)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->v[i] == name)
            return true;
    return false;
}

void sym_set_add(lower *l, sym_set *s, const sym *name)
{
    if (!sym_set_has(s, name))
        VEC_PUSH(&l->c->ir, s, name);
}
