/* SPDX-License-Identifier: Apache-2.0 */
/* Scopes: insertion-ordered maps from symbols to values, hashed once they are large. Modules,
 * functions, classes and objects all use them. Order matters: enum members and `import *` follow
 * it.
 *
 *     v      [x: 1] [y: 2] [z: 3]      entries in order of definition
 *     slots  [.. 3 .. 1 .. .. 2 ..]    entry index + 1 by hash; NULL for up to NS_SMALL names */
#include "sema/sema.h"

/* Up to this many names a scope is searched entry by entry. */
enum { NS_SMALL = 12 };

/* An empty scope in the caller's storage. */
void ns_init(namespace *ns, ns_kind kind, const namespace *parent, module *mod, str qual)
{
    memset(ns, 0, sizeof *ns);
    ns->kind = kind;
    ns->parent = parent;
    ns->mod = mod;
    ns->qual = qual;
}

/* A scope in c->module, of the same module as its parent. Without a parent the caller sets `mod`.
 */
namespace *ns_new(ctx *c, ns_kind kind, const namespace *parent, str qual)
{
    namespace *ns = ARENA_NEW(&c->module, namespace);
    ns_init(ns, kind, parent, parent ? parent->mod : NULL, qual);
    return ns;
}

/* Multiplicative hash (Knuth's constant) of the symbol's id. nslots is a power of two. */
static uint32_t slot_of(const namespace *ns, const sym *name)
{
    WEFT_ASSERT(ns->nslots != 0 && (ns->nslots & (ns->nslots - 1)) == 0);
    return name->id * 2654435761u & (ns->nslots - 1);
}

/* Open addressing with linear probing; slots are at least twice the capacity, so one is free. */
static void put_slot(namespace *ns, uint32_t i)
{
    WEFT_ASSERT(i < ns->n && ns->slots != NULL);
    uint32_t s = slot_of(ns, ns->v[i].name);
    while (ns->slots[s])
        s = (s + 1) & (ns->nslots - 1);
    ns->slots[s] = i + 1;
}

/* Makes the table, or a larger one after the entries grew, and enters all names. */
static void rehash(ctx *c, namespace *ns)
{
    if (ns->cap * 2 > ns->nslots) {
        ns->nslots = 32;
        while (ns->nslots < ns->cap * 2)
            ns->nslots *= 2;
        ns->slots = ARENA_ARRAY(&c->module, uint32_t, ns->nslots);
    }
    /* The arena gives memory that is not cleared. */
    memset(ns->slots, 0, ns->nslots * sizeof *ns->slots);
    for (uint32_t i = 0; i < ns->n; i++)
        put_slot(ns, i);
}

/* The pointer is valid until the next name is added. */
static ns_entry *find_entry(const namespace *ns, const sym *name)
{
    if (!ns->slots) {
        for (uint32_t i = 0; i < ns->n; i++)
            if (ns->v[i].name == name)
                return &ns->v[i];
        return NULL;
    }
    for (uint32_t s = slot_of(ns, name); ns->slots[s]; s = (s + 1) & (ns->nslots - 1))
        if (ns->v[ns->slots[s] - 1].name == name)
            return &ns->v[ns->slots[s] - 1];
    return NULL;
}

/* In this scope alone; env_lookup follows the parents. */
value *ns_find(const namespace *ns, const sym *name)
{
    ns_entry *entry = find_entry(ns, name);
    return entry ? &entry->v : NULL;
}

/* A known name keeps its place. When the entries have just grown, all slots are written again,
 * since there must be two of them per entry. */
void ns_set(ctx *c, namespace *ns, const sym *name, value v)
{
    ns_entry *entry = find_entry(ns, name);
    if (entry) {
        entry->v = v;
        return;
    }
    bool grows = ns->n == ns->cap;
    ns_entry fresh = {name, v};
    VEC_PUSH(&c->module, ns, fresh);
    if (ns->slots && !grows)
        put_slot(ns, ns->n - 1);
    else if (ns->n > NS_SMALL)
        rehash(c, ns);
}

/* Keeps the order of the others, so all slots are written again. */
void ns_remove(namespace *ns, const sym *name)
{
    ns_entry *entry = find_entry(ns, name);
    if (!entry)
        return;
    size_t after = (size_t)(ns->v + ns->n - entry) - 1;
    memmove(entry, entry + 1, after * sizeof *entry);
    ns->n--;
    if (!ns->slots)
        return;
    memset(ns->slots, 0, ns->nslots * sizeof *ns->slots);
    for (uint32_t i = 0; i < ns->n; i++)
        put_slot(ns, i);
}

/* Bases in order, depth first. Python's order (C3) differs only where bases share an ancestor. Each
 * class takes a step of fuel, because a lattice of bases has exponentially many paths. */
static bool class_find_deep(const py_class *cls, const sym *name, value *out, int depth)
{
    WEFT_ASSERT(cls->ns->kind == NS_CLASS);
    const value *own = ns_find(cls->ns, name);
    spend(cls->ns->mod->prog->c, 1);
    if (own) {
        *out = *own;
        return true;
    }
    for (uint32_t i = 0; i < cls->nbases && depth < 20 && cls->ns->mod->prog->fuel; i++)
        if (cls->bases[i].kind == VALUE_CLASS &&
            class_find_deep(cls->bases[i].ns->cls, name, out, depth + 1))
            return true;
    return false;
}

/* A name in the class or its bases. The value is not unwrapped: a method is the plain function. */
bool class_find(const py_class *cls, const sym *name, value *out)
{
    return class_find_deep(cls, name, out, 0);
}

/* From the scope outwards to the module. Names of a class body are visible in the body itself, not
 * in functions within it:
 *
 *     class A:
 *         N = 4
 *         M = N + 1          found: the body itself
 *         def f(self): N     not found in A */
bool env_lookup(const namespace *env, const sym *name, value *out)
{
    for (const namespace *ns = env; ns; ns = ns->parent) {
        if (ns->kind == NS_CLASS && ns != env)
            continue;
        const value *v = ns_find(ns, name);
        if (v) {
            *out = *v;
            return true;
        }
    }
    return false;
}

bool env_star(const namespace *env, value *out)
{
    for (const namespace *ns = env; ns; ns = ns->parent)
        if (ns->star) {
            *out = unknown(ns->star);
            out->n = ns->star_kind;
            return true;
        }
    return false;
}
