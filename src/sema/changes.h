/* SPDX-License-Identifier: Apache-2.0 */
/* Containers and scopes as objects that names share: making, changing and copying them. A change
 * that may not happen leaves what changes unknown; containers.c has the rule. */
#ifndef WEFT_SEMA_CHANGES_H
#define WEFT_SEMA_CHANGES_H

#include "sema/module.h"

/* Whether the statement being executed may not run in Python. */
typedef struct maybe_mode {
    /* Above 0: a condition around it, in the function that runs, is unknown (exec.c, bind_name). */
    uint16_t n;
    /* Objects below this number were made before that condition, or one around a call: changes of
     * them are not sure (containers.c). */
    uint32_t since;
} maybe_mode;

void maybe_begin(program *p); /* what is executed from here on may not run */
/* The number of an object that is made now: from 1, in order. */
uint32_t object_number(ctx *c);
/* May a change that is made now not happen in Python, as seen from where the object was made? */
bool change_is_unsure(const ctx *c, uint32_t number);
/* A new list of n items, or dict of n pairs, which takes over the array (of c->module). */
value value_list(ctx *c, value *items, uint32_t n);
value value_dict(ctx *c, value *pairs, uint32_t n);
/* A list that stands for an iterator. */
value value_iterator(ctx *c, value *items, uint32_t n);
/* d.items(), d.keys() or d.values(): what value_now makes of it. */
value dict_view(ctx *c, const value *d, bool keys, bool values);
/* Is it a list of Python, and no set, iterator or view? */
bool value_is_list(const value *v);
/* Changes in place, which every name of the container sees. */
void list_append(ctx *c, const value *list, value x);
void list_set(ctx *c, const value *list, uint32_t at, value x); /* needs: at is below its length */
void dict_set(ctx *c, const value *d, value key, value v);
/* It holds a copy of these items or pairs instead. */
void container_replace(ctx *c, const value *v, const value *items, uint32_t n);
/* What it holds is not known from here on. */
void container_lose(const value *v, const char *why);
/* The live dict of a scope's names; v as it is now, if it is such a dict or a view of one, and
 * unknown if it is another container that is. */
value namespace_dict(ctx *c, namespace *ns);
value value_now(ctx *c, value v);
/* A name of an object, class or module changes, which may not be sure; any name does. */
void namespace_put(ctx *c, namespace *ns, const sym *name, value v);
void namespace_drop(ctx *c, namespace *ns, const sym *name);
void namespace_lose(namespace *ns, const char *why);
/* Another list, dict, set or tuple of the same items. */
value container_copy(ctx *c, const value *v);
const value *dict_find(ctx *c, const value *d, const value *key); /* NULL: no such key */
value items_copy(ctx *c, value_kind kind, const value *items, uint32_t n);
value items_unique(ctx *c, value_kind kind, const value *items, uint32_t n);
/* A set: a list that is marked, so that it is not taken for one where that matters (==). */
value set_of(ctx *c, const value *items, uint32_t n);
bool value_is_set(const value *v);
/* set_order.c: the items of a set in the order in which Python iterates over them; false if that
 * is not known. Items other than integers stand as in the source. */
bool set_iterate(ctx *c, const value *set, const value **items, uint32_t *n);
/* The item at this place of the list goes. */
void set_remove(ctx *c, const value *set, uint32_t at);
/* A new set was made of all of `from`. */
void set_merge(const value *set, const value *from);
/* Items were added, one after another or, where `by` is a set or dict, at once. */
void set_grew(const value *set, const value *by);

#endif
