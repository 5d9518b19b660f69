/* SPDX-License-Identifier: Apache-2.0 */
/* Methods of strings, tuples, lists and dicts. Examples:
 *
 *     names = ["a"];  names.append("b")     names is ["a", "b"]
 *     {"x": 1}.get("y", 0)                  0
 *     "_".join(["k", "f"]).upper()          "K_F"
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

/* sep.join(items); an item that is no string raises in Python. */
static value str_join(evaluator *e, const value *self, const value *list)
{
    const value *items;
    uint32_t n;
    if (!value_iterate(e->c, list, &items, &n))
        return unknown("the string is not known at compile time");
    strbuf b;
    sb_init(&b, &e->c->mem);
    bool ok = true;
    for (uint32_t i = 0; i < n && ok; i++) {
        if (i)
            sb_str(&b, sym_str(self->s));
        /* An unknown item makes the whole string unknown. */
        ok = items[i].kind == VALUE_STR;
        if (ok)
            sb_str(&b, sym_str(items[i].s));
    }
    value v = ok ? value_str(e->c, b.p ? b.p : "", b.n) : unknown("the string is not known");
    sb_clear(&b);
    return v;
}

/* Every occurrence from the left. An empty `from` changes nothing here; Python inserts `to` between
 * all characters. */
static value str_replace(evaluator *e, const value *self, const sym *from, const sym *to)
{
    strbuf b;
    sb_init(&b, &e->c->mem);
    /* Occurrences do not overlap: the search goes on behind each. */
    for (const char *p = self->s->s; *p;) {
        if (from->len && strncmp(p, from->s, from->len) == 0) {
            sb_str(&b, sym_str(to));
            p += from->len;
        } else {
            sb_char(&b, *p++);
        }
    }
    value v = value_str(e->c, b.p ? b.p : "", b.n);
    sb_clear(&b);
    return v;
}

/* upper() and lower() of ASCII letters; other characters stay, where Python follows Unicode. */
static value str_case(evaluator *e, const value *self, bool upper)
{
    char *s = arena_dup(&e->c->module, self->s->s, self->s->len);
    for (char *p = s; *p; p++) {
        if (upper && *p >= 'a' && *p <= 'z')
            *p = (char)(*p - 'a' + 'A');
        else if (!upper && *p >= 'A' && *p <= 'Z')
            *p = (char)(*p - 'A' + 'a');
    }
    return value_str(e->c, s, self->s->len);
}

/* One replacement field of str.format: "{}", "{0}" or "{name}", with an optional spec. *next is the
 * number of the next "{}". False: the field has another form, or its argument is unknown. */
static bool format_field(evaluator *e, strbuf *out, str field, const py_call *call, uint32_t *next)
{
    const char *colon = memchr(field.p, ':', field.n);
    str name = {field.p, colon ? (size_t)(colon - field.p) : field.n};
    str spec = colon ? (str){colon + 1, field.n - name.n - 1} : (str){"", 0};
    const value *v = NULL;
    if (!name.n) {
        v = *next < call->nargs ? &call->args[*next] : NULL;
        *next += 1;
        /* Python refuses to mix "{}" and "{0}"; here either takes its argument. */
    } else if (name.n == 1 && name.p[0] >= '0' && name.p[0] <= '9') {
        uint32_t i = (uint32_t)(name.p[0] - '0');
        v = i < call->nargs ? &call->args[i] : NULL;
    }
    for (uint32_t i = 0; !v && i < call->nkwargs; i++)
        if (str_eq(sym_str(call->names[i]), name))
            v = &call->kwargs[i];
    return v && v->kind != VALUE_UNKNOWN && format_value(e->c, out, v, spec);
}

/* "{0}_{name}".format(...): doubled braces are literal. */
static value str_format(evaluator *e, const value *self, const py_call *call)
{
    strbuf b;
    sb_init(&b, &e->c->mem);
    uint32_t next = 0;
    bool ok = true;
    for (const char *p = self->s->s; *p && ok; p++) {
        if ((*p == '{' || *p == '}') && p[1] == *p) {
            sb_char(&b, *p++);
        } else if (*p == '{') {
            /* A field within a field ("{:{}}") ends at the first brace, and is refused by the
             * specification. */
            const char *end = strchr(p, '}');
            ok = end && format_field(e, &b, (str){p + 1, (size_t)(end - p) - 1}, call, &next);
            p = end ? end : p;
        } else {
            sb_char(&b, *p);
        }
    }
    value v = ok ? value_str(e->c, b.p ? b.p : "", b.n) : unknown("the string is not known");
    sb_clear(&b);
    return v;
}

/* Strings are immutable, so a method that is not listed leaves only its result unknown. */
static value str_method(evaluator *e, const value *self, const char *name, const py_call *call)
{
    const value *x = call->nargs ? &call->args[0] : NULL;
    bool is_str = x && x->kind == VALUE_STR;
    if (strcmp(name, "format") == 0 && !call->inexact)
        return str_format(e, self, call);
    if (x && strcmp(name, "join") == 0)
        return str_join(e, self, x);
    if (strcmp(name, "upper") == 0 || strcmp(name, "lower") == 0)
        return str_case(e, self, name[0] == 'u');
    if (is_str && strcmp(name, "startswith") == 0)
        return value_bool(strncmp(self->s->s, x->s->s, x->s->len) == 0);
    if (is_str && strcmp(name, "endswith") == 0)
        return value_bool(self->s->len >= x->s->len &&
                          strcmp(self->s->s + self->s->len - x->s->len, x->s->s) == 0);
    if (is_str && call->nargs == 2 && strcmp(name, "replace") == 0 &&
        call->args[1].kind == VALUE_STR)
        return str_replace(e, self, x->s, call->args[1].s);
    return unknown("weft does not evaluate this method");
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
