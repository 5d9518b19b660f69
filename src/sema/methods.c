/* SPDX-License-Identifier: Apache-2.0 */
/* Methods of tuples, lists and dicts; str_methods.c has those of strings. Examples:
 *
 *     names = ["a"];  names.append("b")     names is ["a", "b"]
 *     {"x": 1}.get("y", 0)                  0
 *
 * Names are compared as text, since there are few calls. */
#include "sema/sema.h"

/* Methods that change their container. One that is not evaluated leaves it unknown. */
static const char *const mutators[] = {"append",
                                       "add",
                                       "extend",
                                       "insert",
                                       "pop",
                                       "remove",
                                       "clear",
                                       "sort",
                                       "reverse",
                                       "update",
                                       "setdefault",
                                       "popitem",
                                       "discard",
                                       "difference_update",
                                       "intersection_update",
                                       "symmetric_difference_update",
                                       "__setitem__",
                                       "__delitem__",
                                       "__iadd__",
                                       "__ior__"};

static const char not_evaluated[] = "weft does not evaluate this method";

bool method_changes(const sym *name)
{
    return STR_IS_IN(sym_str(name), mutators);
}

/* Position of the first equal item; unknown if there is none, where list.index raises. */
static value find_item(ctx *c, const value *list, const value *x)
{
    WEFT_ASSERT(list->kind == VALUE_LIST || list->kind == VALUE_TUPLE);
    const value *const items = value_array(list);
    spend(c, value_count(list));
    for (uint32_t i = 0; i < value_count(list); i++)
        if (value_same(&items[i], x))
            return value_int(i);
    return unknown("the item is not in the list");
}

/* The container without the item, or pair, at this place. */
static void remove_at(ctx *c, const value *v, uint32_t at)
{
    const uint32_t width = v->kind == VALUE_DICT ? 2 : 1, n = value_count(v);
    if (v->cells->of && value_array(v)[2 * at].kind == VALUE_STR) {
        namespace_drop(c, v->cells->of, value_array(v)[2 * at].s);
        return;
    }
    WEFT_ASSERT(at < n);
    spend(c, n);
    value *items = ARENA_ARRAY(&c->module, value, (size_t)width * n);
    memcpy(items, value_array(v), (size_t)width * at * sizeof *items);
    memcpy(items + (size_t)width * at, value_array(v) + (size_t)width * (at + 1),
           (size_t)width * (n - at - 1) * sizeof *items);
    container_replace(c, v, items, n - 1);
}

/* The place that an index means, or -1. */
static int64_t place_of(const value *list, const value *index)
{
    if (!value_is_int(index))
        return -1;
    const __int128 n = value_count(list), at = index->i < 0 ? index->i + n : index->i;
    return at >= 0 && at < n ? (int64_t)at : -1;
}

void item_delete(ctx *c, const value *v, const value *key)
{
    int64_t at = -1;
    if (v->kind == VALUE_LIST)
        at = place_of(v, key);
    else if (key->kind != VALUE_UNKNOWN) {
        const value *found = dict_find(c, v, key);
        at = found ? (found - value_array(v)) / 2 : -1;
    }
    if (at >= 0)
        remove_at(c, v, (uint32_t)at);
    else
        container_lose(v, "an item is deleted that weft cannot follow");
}

/* list.pop(i): the item. Without an index the last one. */
static value list_pop(ctx *c, const value *self, const py_call *call)
{
    WEFT_ASSERT(self->kind == VALUE_LIST);
    const value last = value_int(-1), *index = call->nargs ? &call->args[0] : &last;
    const int64_t at = place_of(self, index);
    if (at < 0) {
        if (value_count(self))
            container_lose(self, "the index is not known");
        return unknown("the index is not known");
    }
    const value item = value_array(self)[at];
    remove_at(c, self, (uint32_t)at);
    return item;
}

/* list.remove(x), set.remove(x) and set.discard(x): the first equal item goes. */
static value item_remove(evaluator *e, const value *self, const value *x, bool may_lack)
{
    ctx *c = e->c;
    const value *const items = value_array(self);
    const uint32_t n = value_count(self);
    int equal = 0;
    uint32_t at = 0;
    spend(c, n);
    while (at < n && (equal = value_equal(&items[at], x)) == 0)
        at++;
    if (equal > 0 && value_is_set(self))
        set_remove(c, self, at);
    else if (equal > 0)
        remove_at(c, self, at);
    else if (equal < 0 || !may_lack) {
        container_lose(self, "an item is removed that weft cannot find");
        may_raise_any(e);
    }
    return value_none();
}

/* list.insert(i, x): a place before the beginning or behind the end is that end. */
static value list_insert(ctx *c, const value *self, const value *index, const value *x)
{
    const uint32_t n = value_count(self);
    if (!value_is_int(index)) {
        container_lose(self, "the index is not known");
        return value_none();
    }
    const __int128 from = index->i < 0 ? index->i + (__int128)n : index->i;
    const uint32_t at = from < 0 ? 0 : from > n ? n : (uint32_t)from;
    spend(c, n);
    value *items = ARENA_ARRAY(&c->module, value, (size_t)n + 1);
    for (uint32_t i = 0; i < n; i++)
        items[i < at ? i : i + 1] = value_array(self)[i];
    items[at] = *x;
    container_replace(c, self, items, n + 1);
    return value_none();
}

/* list.reverse(), list.sort(key=f, reverse=True) */
static value list_order(evaluator *e, const value *self, const py_call *call, bool sort)
{
    py_call whole = *call;
    whole.args = self;
    whole.nargs = 1;
    const value made = sort ? call_sorted(e, &whole) : call_reversed(e, &whole);
    if (made.kind == VALUE_LIST)
        container_replace(e->c, self, value_array(&made), value_count(&made));
    else
        container_lose(self, "the order of the items is not known");
    return value_none();
}

/* list.extend(items), and `list += items`. Of a set: those that it does not have. */
void list_extend(ctx *c, const value *self, const value *more)
{
    const value *items;
    uint32_t n;
    if (!value_iterate(c, more, &items, &n)) {
        may_raise_named(c, NULL);
        container_lose(self, more->kind == VALUE_UNKNOWN ? more->why : "the list is not known");
        return;
    }
    if ((uint64_t)value_count(self) + n > SEMA_LOOP) {
        container_lose(self, "the list is too long");
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        if (!value_is_set(self) || find_item(c, self, &items[i]).kind == VALUE_UNKNOWN)
            list_append(c, self, items[i]);
    if (value_is_set(self))
        set_grew(self, more);
}

void dict_update(ctx *c, const value *self, const value *more)
{
    if (more->kind != VALUE_DICT || value_cells_why(more)) {
        may_raise_named(c, NULL);
        container_lose(self, more->kind == VALUE_UNKNOWN ? more->why : "the dict is not known");
        return;
    }
    for (uint32_t i = 0; i < value_count(more); i++)
        dict_set(c, self, value_array(more)[2 * i], value_array(more)[2 * i + 1]);
}

/* Methods of lists; `add` and `update` are those of sets, which are kept as lists. */
static value list_method(evaluator *e, const value *self, const sym *method, const py_call *call)
{
    ctx *c = e->c;
    const char *name = method->s;
    const value *x = call->nargs ? &call->args[0] : NULL;
    const bool is_set = value_is_set(self), has_room = value_count(self) < SEMA_LOOP;
    if (x && has_room && !call->inexact && strcmp(name, is_set ? "add" : "append") == 0) {
        /* find_item gives an unknown value where nothing is equal. */
        if (!is_set || find_item(c, self, x).kind == VALUE_UNKNOWN)
            list_append(c, self, *x);
        if (is_set)
            set_grew(self, NULL);
        return value_none();
    }
    if (x && !call->inexact && strcmp(name, is_set ? "update" : "extend") == 0) {
        for (uint32_t i = 0; i < call->nargs; i++)
            list_extend(c, self, &call->args[i]);
        return value_none();
    }
    if (x && strcmp(name, "index") == 0)
        return find_item(e->c, self, x);
    if (strcmp(name, "pop") == 0 && !is_set && !call->inexact)
        return list_pop(c, self, call);
    const bool discards = is_set && strcmp(name, "discard") == 0;
    if (x && !call->inexact && (discards || strcmp(name, "remove") == 0))
        return item_remove(e, self, x, discards);
    if (value_is_list(self) && !call->inexact && !value_cells_why(self)) {
        if (call->nargs == 2 && strcmp(name, "insert") == 0 && has_room)
            return list_insert(c, self, x, &call->args[1]);
        if (!x && (strcmp(name, "sort") == 0 || strcmp(name, "reverse") == 0))
            return list_order(e, self, call, name[0] == 's');
    }
    if (strcmp(name, "copy") == 0)
        return container_copy(c, self);
    if (strcmp(name, "clear") == 0) {
        container_replace(c, self, NULL, 0);
        return value_none();
    }
    if (method_changes(method))
        container_lose(self, not_evaluated);
    return unknown(not_evaluated);
}

/* d.pop(key), d.pop(key, default) */
static value dict_pop(ctx *c, const value *self, const py_call *call)
{
    const value *x = &call->args[0], *found = dict_find(c, self, x);
    if (x->kind == VALUE_UNKNOWN || (!found && call->nargs < 2)) {
        container_lose(self, "a key is removed that weft does not know");
        return unknown("the key is not in the dict");
    }
    const value item = found ? *found : call->args[1];
    if (found)
        item_delete(c, self, x);
    return item;
}

/* d.update(other, name=x), either of which may be missing. */
static value dict_take(evaluator *e, const value *self, const py_call *call)
{
    if (call->inexact)
        container_lose(self, "the dict is not known");
    if (call->nargs)
        dict_update(e->c, self, &call->args[0]);
    for (uint32_t i = 0; i < call->nkwargs; i++) {
        const value name = {.kind = VALUE_STR, .s = call->names[i]};
        dict_set(e->c, self, name, call->kwargs[i]);
    }
    return value_none();
}

/* Methods of dicts. */
static value dict_method(evaluator *e, const value *self, const sym *method, const py_call *call)
{
    const char *name = method->s;
    const value *x = call->nargs ? &call->args[0] : NULL;
    if (value_cells_why(self) && strcmp(name, "update") != 0) {
        const value lost = unknown(value_cells_why(self));
        if (method_changes(method))
            container_lose(self, lost.why);
        return lost;
    }
    if (strcmp(name, "items") == 0)
        return dict_view(e->c, self, true, true);
    if (strcmp(name, "keys") == 0)
        return dict_view(e->c, self, true, false);
    if (strcmp(name, "values") == 0)
        return dict_view(e->c, self, false, true);
    if (strcmp(name, "copy") == 0)
        return container_copy(e->c, self);
    if (x && strcmp(name, "get") == 0) {
        const value *v = dict_find(e->c, self, x);
        /* An unknown key may be any of them. */
        if (x->kind == VALUE_UNKNOWN)
            return *x;
        return v ? *v : call->nargs > 1 ? call->args[1] : value_none();
    }
    if (x && strcmp(name, "pop") == 0)
        return dict_pop(e->c, self, call);
    if (strcmp(name, "update") == 0)
        return dict_take(e, self, call);
    if (strcmp(name, "clear") == 0) {
        container_replace(e->c, self, NULL, 0);
        return value_none();
    }
    if (x && x->kind != VALUE_UNKNOWN && strcmp(name, "setdefault") == 0) {
        const value *v = dict_find(e->c, self, x);
        /* Python inserts None without a second argument. */
        const value preset = call->nargs > 1 ? call->args[1] : value_none();
        if (v)
            return *v;
        dict_set(e->c, self, *x, preset);
        return preset;
    }
    if (method_changes(method))
        container_lose(self, not_evaluated);
    return unknown(not_evaluated);
}

/* How many positional arguments a method takes; those that are not here, and keywords, are not
 * checked. */
static bool may_fit(const value *self, const sym *name, const py_call *call)
{
    static const struct {
        const char *name;
        uint32_t least, most;
    } methods[] = {{"append", 1, 1}, {"extend", 1, 1},  {"insert", 2, 2},   {"add", 1, 1},
                   {"index", 1, 3},  {"remove", 1, 1},  {"discard", 1, 1},  {"pop", 0, 2},
                   {"get", 1, 2},    {"clear", 0, 0},   {"copy", 0, 0},     {"setdefault", 1, 2},
                   {"keys", 0, 0},   {"values", 0, 0},  {"items", 0, 0},    {"reverse", 0, 0},
                   {"upper", 0, 0},  {"lower", 0, 0},   {"title", 0, 0},    {"startswith", 1, 3},
                   {"join", 1, 1},   {"replace", 2, 3}, {"endswith", 1, 3}, {"capitalize", 0, 0},
                   {"strip", 0, 1},  {"lstrip", 0, 1},  {"rstrip", 0, 1},   {"split", 0, 2}};
    const bool has_key = self->kind == VALUE_DICT && call->nargs;
    if (call->inexact ||
        (has_key && value_has_cells(&call->args[0]) && strcmp(name->s, "update") != 0))
        return false;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(name->s, methods[i].name) == 0)
            return call->nargs + call->nkwargs >= methods[i].least &&
                   call->nargs <= methods[i].most;
    return true;
}

/* Dispatch by kind. Tuples have index alone. */
value call_method(evaluator *e, const value *self, const sym *name, const py_call *call)
{
    if (!may_fit(self, name, call))
        may_raise_any(e);
    switch (self->kind) {
    case VALUE_STR: return str_method(e, self, name->s, call);
    case VALUE_LIST: return list_method(e, self, name, call);
    case VALUE_DICT: return dict_method(e, self, name, call);
    default:
        if (self->kind == VALUE_INT)
            return !call->nargs ? int_bit_length(self) : unknown(not_evaluated);
        if (call->nargs && strcmp(name->s, "index") == 0)
            return find_item(e->c, self, &call->args[0]);
        return unknown(not_evaluated);
    }
}

bool unbound_method(ctx *c, special_id type_id, const sym *name, value *out)
{
    static const char *const methods[][20] = {
        {"append", "extend", "insert", "remove", "pop", "clear", "index", "sort", "reverse", "copy",
         "__setitem__", "__delitem__", "__iadd__", "__init__"},
        {"get", "keys", "values", "items", "pop", "popitem", "clear", "update", "setdefault",
         "copy", "__setitem__", "__delitem__", "__ior__", "__init__"},
        {"add", "discard", "remove", "pop", "clear", "update", "copy", "difference_update",
         "intersection_update", "symmetric_difference_update", "__ior__", "__init__"},
        {"upper", "lower", "strip", "lstrip", "rstrip", "split", "join", "replace", "startswith",
         "endswith", "format", "title", "capitalize"}};
    const int at = type_id == SP_py_list   ? 0
                   : type_id == SP_py_dict ? 1
                   : type_id == SP_py_set  ? 2
                   : type_id == SP_py_str  ? 3
                                           : -1;
    for (size_t i = 0; at >= 0 && i < sizeof methods[0] / sizeof *methods[0]; i++) {
        if (!methods[at][i] || strcmp(methods[at][i], name->s) != 0)
            continue;
        py_func *f = ARENA_NEW(&c->module, py_func);
        f->kind = PY_UNBOUND;
        f->name = name;
        f->self = value_keep(c, value_special(c, type_id));
        *out = (value){.kind = VALUE_PYFUNC, .p = f};
        return true;
    }
    return false;
}

/* list.append(l, x) is l.append(x). */
value call_unbound(evaluator *e, const py_func *f, const py_call *call)
{
    WEFT_ASSERT(f->kind == PY_UNBOUND);
    const value *self = call->nargs ? call->args : NULL;
    if (!self || call->inexact)
        return unknown(not_evaluated);
    const uint32_t id = f->self->n;
    const bool fits = id == SP_py_list   ? value_is_list(self)
                      : id == SP_py_set  ? value_is_set(self)
                      : id == SP_py_dict ? self->kind == VALUE_DICT
                                         : self->kind == VALUE_STR;
    if (value_has_cells(self) && (!fits || strcmp(f->name->s, "__init__") == 0))
        container_lose(self, not_evaluated);
    if (!fits)
        return unknown(not_evaluated);
    py_call rest = *call;
    rest.args++;
    rest.nargs--;
    return call_method(e, self, f->name, &rest);
}
