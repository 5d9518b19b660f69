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
    ns->number = object_number(c);
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

enum { BASES_DEEP = 20, ORDER_MOST = 64 };

/* Classes in the order in which attributes are looked up, and how many of them are merged. */
typedef struct class_order {
    const py_class *v[ORDER_MOST];
    uint32_t n, at;
} class_order;

static void push_class(class_order *o, const py_class *cls)
{
    if (o->n < ORDER_MOST)
        o->v[o->n++] = cls;
}

/* Stands the class behind the head of a list that is merged? */
static bool is_later(const class_order *lists, uint32_t n, const py_class *cls)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = lists[i].at + 1; k < lists[i].n; k++)
            if (lists[i].v[k] == cls)
                return true;
    return false;
}

/* The order of a class without several bases: itself, then that of its base. */
static void order_of(const py_class *cls, class_order *out)
{
    for (int depth = 0; cls && depth < BASES_DEEP; depth++) {
        for (uint32_t i = 0; i < cls->norder; i++)
            push_class(out, cls->order[i]);
        if (cls->norder)
            return;
        push_class(out, cls);
        const value *base = cls->nbases ? &cls->bases[0] : NULL;
        cls = base && base->kind == VALUE_CLASS ? base->ns->cls : NULL;
    }
}

/* C3, as CPython's mro_implementation: the first head that stands in no other list's tail. */
void class_set_order(ctx *c, py_class *cls)
{
    enum { BASES_MOST = 16 };
    class_order *lists = ARENA_ARRAY(&c->module, class_order, BASES_MOST + 1), all = {.n = 0};
    uint32_t n = 0;
    if (cls->nbases < 2 || cls->nbases > BASES_MOST)
        return;
    memset(lists, 0, (BASES_MOST + 1) * sizeof *lists);
    for (uint32_t i = 0; i < cls->nbases; i++)
        if (cls->bases[i].kind == VALUE_CLASS) {
            order_of(cls->bases[i].ns->cls, &lists[n++]);
            push_class(&lists[BASES_MOST], cls->bases[i].ns->cls);
        }
    lists[n] = lists[BASES_MOST];
    push_class(&all, cls);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i <= n && !more; i++) {
            const py_class *head = lists[i].at < lists[i].n ? lists[i].v[lists[i].at] : NULL;
            if (!head || is_later(lists, n + 1, head))
                continue;
            push_class(&all, head);
            for (uint32_t k = 0; k <= n; k++)
                lists[k].at += lists[k].at < lists[k].n && lists[k].v[lists[k].at] == head;
            more = true;
        }
    }
    const py_class **order = ARENA_ARRAY(&c->module, const py_class *, all.n);
    memcpy(order, all.v, all.n * sizeof *order);
    cls->order = order;
    cls->norder = all.n;
}

/* The class, then its base; where there are several, in the order that class_set_order found. Each
 * class takes a step of fuel. */
static bool class_find_deep(const py_class *cls, const sym *name, value *out, int depth)
{
    WEFT_ASSERT(cls->ns->kind == NS_CLASS);
    const value *own = ns_find(cls->ns, name);
    spend(cls->ns->mod->prog->c, 1);
    if (own) {
        *out = *own;
        return true;
    }
    for (uint32_t i = 1; i < cls->norder; i++) {
        const value *found = ns_find(cls->order[i]->ns, name);
        if (!found)
            continue;
        *out = *found;
        return true;
    }
    for (uint32_t i = 0;
         !cls->norder && i < cls->nbases && depth < BASES_DEEP && cls->ns->mod->prog->fuel; i++)
        if (cls->bases[i].kind == VALUE_CLASS &&
            class_find_deep(cls->bases[i].ns->cls, name, out, depth + 1))
            return true;
    return false;
}

const py_class *class_above(const py_class *cls, uint32_t i)
{
    for (int depth = 0; i && !cls->norder; i--, depth++) {
        if (!cls->nbases || cls->bases[0].kind != VALUE_CLASS || depth > BASES_DEEP)
            return NULL;
        cls = cls->bases[0].ns->cls;
    }
    if (!cls->norder)
        return cls;
    return i < cls->norder ? cls->order[i] : NULL;
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
