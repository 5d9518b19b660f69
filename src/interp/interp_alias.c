/* SPDX-License-Identifier: Apache-2.0 */
/* Names that share storage.
 *
 *     a, b = b, x[i]      in Warp copies nothing: a becomes another name of b's variable, and b a
 *                         name of the array's element
 *     for ...:            a dynamic loop writes back what its body has bound, one name after the
 *         a, b = b, a     other; so both end with the same value
 *
 * The sharing lasts until an `if` merges the names of its branches or a loop writes back. Where it
 * could be seen (interp_shares), a function is prepared with the statements of this file: each
 * assignment has storage of its own, and names are bound to storage. Other functions, nearly all,
 * assign to their slots directly. Warp 1.19 Adjoint.emit_Assign, emit_If,
 * materialize_redefinitions.
 */
#include "interp/interp_internal.h"

/* What a tuple assignment binds without a copy. */
static bool may_share(const node *n)
{
    return n->kind == AST_Name || n->kind == AST_Subscript || n->kind == AST_Attribute;
}

static bool shares(const node *n);

/* Statements within branches and loops count, too. */
bool interp_shares(const node_list *body)
{
    for (uint32_t i = 0; i < body->n; i++)
        if (shares(body->v[i]))
            return true;
    return false;
}

/* Whether a tuple display is assigned to a tuple of names, with an item that may be shared,
 * anywhere in the statement. Only then can sharing be seen: an assignment of one name copies. */
static bool shares(const node *n)
{
    switch (n->kind) {
    case AST_If: return interp_shares(&AST(If, n)->body) || interp_shares(&AST(If, n)->orelse);
    case AST_For: return interp_shares(&AST(For, n)->body);
    case AST_While: return interp_shares(&AST(While, n)->body);
    case AST_FunctionDef: return interp_shares(&AST(FunctionDef, n)->body);
    case AST_Assign: {
        const node *target = AST(Assign, n)->targets.v[0], *rhs = AST(Assign, n)->value;
        if (target->kind != AST_Tuple || rhs->kind != AST_Tuple)
            return false;
        for (uint32_t i = 0; i < AST(Tuple, rhs)->elts.n; i++)
            if (may_share(AST(Tuple, rhs)->elts.v[i]))
                return true;
        return false;
    }
    default: return false;
    }
}

/* The name gets storage with a copy of v. */
static void bind_copy(interp *in, islot *name, islot *storage, const iv *v)
{
    interp_keep(in, storage, v);
    name->v = storage->v;
    name->home = storage;
}

/* name = value, in a function that shares. The name leaves the storage that it may share with
 * others, and their value stays. */
flow interp_exec_bind(interp *in, istmt *s)
{
    const iv *v = interp_eval(in, s->value);
    if (!v->type && !v->object)
        interp_fail(in, s->at, "a value is wanted here");
    bind_copy(in, s->slot, &s->own[0], v);
    return FLOW_NEXT;
}

/* Is it a reference in Warp's sense: an array's element or a struct's field? */
static bool is_reference(interp *in, inode *n)
{
    if (n->kind != NODE_INDEX && n->kind != NODE_ATTRIBUTE)
        return false;
    const iv *base = interp_eval(in, n->kid[0]);
    if (n->kind == NODE_ATTRIBUTE)
        return base->type && base->type->kind == TYPE_STRUCT;
    return base->type && base->type->kind == TYPE_ARRAY;
}

/* Binds each name to what the source at its place stands for: the storage of a variable, an element
 * of an array, or a copy of any other value. All sources are evaluated before the first name
 * changes: a, b = b, a. `home` is NULL for an element, which no slot stores. */
static void bind_items(interp *in, istmt *s, inode *const *from)
{
    WEFT_ASSERT(s->nslots <= INTERP_ARGS);
    iv bound[INTERP_ARGS];
    islot *home[INTERP_ARGS];
    for (uint32_t i = 0; i < s->nslots; i++) {
        inode *n = from[i];
        home[i] = NULL;
        if (n->kind == NODE_SLOT) {
            bound[i] = interp_place(in, n);
            home[i] = n->slot->home ? n->slot->home : n->slot;
        } else if (is_reference(in, n)) {
            bound[i] = *interp_eval(in, n);
        } else {
            interp_keep(in, &s->own[i], interp_eval(in, n));
            bound[i] = s->own[i].v;
            home[i] = &s->own[i];
        }
    }
    for (uint32_t i = 0; i < s->nslots; i++) {
        s->slots[i]->v = bound[i];
        s->slots[i]->home = home[i];
    }
}

/* Without s->slot the value is a tuple display whose items are bound one by one. With it the value
 * is a call's result, or a display in an unrolled loop, and is copied. */
flow interp_exec_bind_items(interp *in, istmt *s)
{
    if (!s->slot) {
        bind_items(in, s, s->value->kid);
        return FLOW_NEXT;
    }
    const iv *v = interp_eval(in, s->value);
    if (!v->type || v->type->kind != TYPE_TUPLE || v->type->nitems != s->nslots)
        interp_fail(in, s->at, "cannot take this value apart into %u targets", s->nslots);
    interp_keep(in, s->slot, v);
    const iv *items = s->slot->v.p;
    for (uint32_t i = 0; i < s->nslots; i++)
        bind_copy(in, s->slots[i], &s->own[i], &items[i]);
    return FLOW_NEXT;
}

/* An `if`: executes it, then gives the names that its branches bind storage of their own, as in
 * Warp, where the merge of both branches makes a new variable of each. A branch that ends in break,
 * continue or return reaches no merge. */
flow interp_exec_merge(interp *in, istmt *s)
{
    const flow f = interp_exec_if(in, s);
    for (uint32_t i = 0; f == FLOW_NEXT && i < s->nslots; i++)
        if (s->slots[i]->v.type)
            bind_copy(
                in, s->slots[i], &s->own[i],
                &(iv){.type = s->slots[i]->v.type, .p = s->slots[i]->v.p, .t = s->slots[i]->v.t});
    return f;
}

/* Remembers in s->entry the value and the storage of each name that the body binds, as they are
 * when the loop begins: the variables that interp_write_back writes to. */
void interp_enter_loop(istmt *s)
{
    islot *entry = s->entry;
    for (uint32_t i = 0; i < s->nslots; i++) {
        entry[i].v = s->slots[i]->v;
        entry[i].home = s->slots[i]->home ? s->slots[i]->home : s->slots[i];
    }
}

/* After a round: writes what the body has bound to the variables that the loop began with, one name
 * after the other. A write changes what a later name may share, which is Warp's behaviour:
 *
 *     a, b = b, a     a's variable gets b's value; b's variable then gets the new value of a's
 *
 * A name without a value at the loop's begin, or one that the body left alone, is skipped. */
void interp_write_back(interp *in, istmt *s)
{
    islot *entry = s->entry;
    WEFT_ASSERT(entry && s->slots);
    for (uint32_t i = 0; i < s->nslots; i++) {
        islot *name = s->slots[i], *storage = entry[i].home;
        if (!entry[i].v.type || !name->v.type || name->v.p == entry[i].v.p)
            continue;
        if (storage->own == entry[i].v.p && storage->kept == name->v.type)
            interp_keep(in, storage, &name->v);
        else
            interp_store(in, s->at, &entry[i].v, &name->v);
        if (storage->own == entry[i].v.p)
            entry[i].v = storage->v;
        name->v = entry[i].v;
        name->home = storage;
    }
}
