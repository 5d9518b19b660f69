/* SPDX-License-Identifier: Apache-2.0 */
/* Methods of tuples, lists and dicts; str_methods.c has those of strings. Examples:
 *
 *     names = ["a"];  names.append("b")     names is ["a", "b"]
 *     {"x": 1}.get("y", 0)                  0
 *
 * A method that changes its object gives the new object back in `changed`; the caller
 * (eval_method_call) stores it where the old one was named. Names are compared as text, since there
 * are few calls. */
#include "sema/sema.h"

/* A copy without item `at`. */
static value list_without(ctx *c, const value *list, uint32_t at)
{
    WEFT_ASSERT(at < list->n);
    spend(c, list->n);
    value *items = ARENA_ARRAY(&c->module, value, list->n);
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->n; i++)
        if (i != at)
            items[n++] = list->items[i];
    return value_items(VALUE_LIST, items, n);
}

/* Position of the first equal item; unknown if there is none, where list.index raises. */
static value find_item(ctx *c, const value *list, const value *x)
{
    WEFT_ASSERT(list->kind == VALUE_LIST || list->kind == VALUE_TUPLE);
    spend(c, list->n);
    for (uint32_t i = 0; i < list->n; i++)
        if (value_same(&list->items[i], x))
            return value_int(i);
    return unknown("the item is not in the list");
}

/* list.pop(i): the item, and the list without it in *changed. Without an index the last one. */
static value list_pop(ctx *c, const value *self, const py_call *call, value *changed)
{
    WEFT_ASSERT(self->kind == VALUE_LIST);
    __int128 at = call->nargs ? call->args[0].i : -1;
    if (call->nargs && !value_is_int(&call->args[0]))
        return unknown("the index is not known");
    if (at < 0)
        at += self->n;
    if (at < 0 || at >= self->n)
        return unknown("the index is out of range");
    *changed = list_without(c, self, (uint32_t)at);
    return self->items[at];
}

/* Methods of lists; `add` is that of sets, which are kept as lists. The object after the call goes
 * to *changed:
 *
 *     append, add, extend, pop, clear      a new list
 *     index, copy                          none: the list is as it was
 *     any other (sort, insert, ...)        unknown, since it may change the list */
static value list_method(evaluator *e, const value *self, const char *name, const py_call *call,
                         value *changed)
{
    ctx *c = e->c;
    const value *x = call->nargs ? &call->args[0] : NULL;
    if (x && self->n < SEMA_LOOP && strcmp(name, "append") == 0) {
        *changed = list_append(c, self, *x);
        return value_none();
    }
    if (x && strcmp(name, "add") == 0) {
        value at = find_item(c, self, x);
        /* find_item gives an unknown value where nothing is equal. */
        if (at.kind == VALUE_UNKNOWN && self->n < SEMA_LOOP)
            *changed = list_append(c, self, *x);
        return value_none();
    }
    if (x && strcmp(name, "extend") == 0) {
        const value *items;
        uint32_t n;
        *changed = x->kind == VALUE_UNKNOWN ? *x : unknown("the list is not known");
        if (value_iterate(c, x, &items, &n)) {
            value other = value_items(VALUE_LIST, items, n), list = *self;
            /* A set is a list by now, and so is what it is extended by. */
            list.kind = VALUE_LIST;
            *changed = op_binary(c, OP_Add, &list, &other);
        }
        return value_none();
    }
    if (x && strcmp(name, "index") == 0)
        return find_item(e->c, self, x);
    if (strcmp(name, "pop") == 0)
        return list_pop(c, self, call, changed);
    if (strcmp(name, "copy") == 0)
        return items_copy(c, VALUE_LIST, self->items, self->n);
    if (strcmp(name, "clear") == 0)
        *changed = value_items(VALUE_LIST, NULL, 0);
    else
        *changed = unknown("weft does not evaluate this method");
    return unknown("weft does not evaluate this method");
}

/* items(), keys() or values() as a list; pairs share storage with the dict. */
static value dict_list(ctx *c, const value *d, bool keys, bool values)
{
    WEFT_ASSERT(d->kind == VALUE_DICT && (keys || values));
    value *out = ARENA_ARRAY(&c->module, value, d->n);
    for (uint32_t i = 0; i < d->n; i++)
        out[i] = keys && values ? value_items(VALUE_TUPLE, &d->items[2 * i], 2)
                                : d->items[2 * i + !keys];
    return value_items(VALUE_LIST, out, d->n);
}

/* Methods of dicts. One that is not listed here (pop, clear) may change the dict, so it becomes
 * unknown. */
static value dict_method(evaluator *e, const value *self, const char *name, const py_call *call,
                         value *changed)
{
    const value *x = call->nargs ? &call->args[0] : NULL;
    if (strcmp(name, "items") == 0)
        return dict_list(e->c, self, true, true);
    if (strcmp(name, "keys") == 0)
        return dict_list(e->c, self, true, false);
    if (strcmp(name, "values") == 0)
        return dict_list(e->c, self, false, true);
    if (strcmp(name, "copy") == 0)
        return items_copy(e->c, VALUE_DICT, self->items, self->n);
    if (x && strcmp(name, "get") == 0) {
        const value *v = dict_find(e->c, self, x);
        /* An unknown key may be any of them. */
        if (x->kind == VALUE_UNKNOWN)
            return *x;
        return v ? *v : call->nargs > 1 ? call->args[1] : value_none();
    }
    if (x && strcmp(name, "update") == 0) {
        *changed = x->kind == VALUE_DICT ? op_binary(e->c, OP_BitOr, self, x)
                                         : unknown("the dict is not known");
        return value_none();
    }
    if (x && strcmp(name, "setdefault") == 0) {
        const value *v = dict_find(e->c, self, x);
        /* Python inserts None without a second argument. */
        value preset = call->nargs > 1 ? call->args[1] : value_none();
        if (!v)
            *changed = dict_set(e->c, self, *x, preset);
        return v ? *v : preset;
    }
    *changed = unknown("weft does not evaluate this method");
    return *changed;
}

/* Dispatch by kind. Tuples have index alone. */
value call_method(evaluator *e, const value *self, const sym *name, const py_call *call,
                  value *changed)
{
    WEFT_ASSERT(changed != NULL);
    switch (self->kind) {
    case VALUE_STR: return str_method(e, self, name->s, call);
    case VALUE_LIST: return list_method(e, self, name->s, call, changed);
    case VALUE_DICT: return dict_method(e, self, name->s, call, changed);
    default:
        if (call->nargs && strcmp(name->s, "index") == 0)
            return find_item(e->c, self, &call->args[0]);
        return unknown("weft does not evaluate this method");
    }
}
