/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of Python's builtin functions and types on known values. Examples:
 *
 *     sorted(zip("ba", range(2)))     [("a", 1), ("b", 0)]
 *     int("12") + len([1, 2])         14
 *     dict([("x", 1)], y=2)           {"x": 1, "y": 2}
 *     int("twelve")                   unknown: Python raises ValueError
 *
 * Iterators (zip, map, enumerate, reversed) are lists here that can be read once, and sets are
 * lists. A call that raises in Python is unknown. Functions that make a container
 * count its length against the program's fuel. */
#include <math.h>
#include <stdio.h>

#include "base/decimal.h"
#include "sema/sema.h"

static const char not_known[] = "the function's result is not known at compile time";

/* The failure of a call: the reason of its first unknown argument if there is one. */
static value failed(const py_call *a)
{
    for (uint32_t i = 0; i < a->nargs; i++)
        if (a->args[i].kind == VALUE_UNKNOWN)
            return a->args[i];
    return unknown(not_known);
}

/* int("12"): an optional sign and decimal digits, at most 30 characters so that the number fits 128
 * bits. Spaces and underscores, which Python accepts, are unknown. */
static value parse_int(const sym *s)
{
    __int128 x = 0;
    /* A sign alone is no number. */
    uint32_t i = s->s[0] == '-' || s->s[0] == '+';
    if (s->len == i || s->len > 30)
        return unknown(not_known);
    for (; i < s->len; i++) {
        if (s->s[i] < '0' || s->s[i] > '9')
            return unknown(not_known);
        x = x * 10 + (s->s[i] - '0');
    }
    return value_int(s->s[0] == '-' ? -x : x);
}

/* Does Python take the text for no number, for certain? It takes digits of any script, and nan. */
static bool is_no_number(const char *s)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    s += strspn(s, " +-");
    return !*s || (!strchr("nNiI", *s) && strspn(s, letters) == strlen(s));
}

/* What Python raises a ValueError for, or a number that is written as none is here. */
static value no_number(evaluator *e, const char *type_name, const sym *text)
{
    if (is_no_number(text->s))
        raise_exception(e, exception_of("ValueError"));
    return unknown_text(e->c, "%.10s('%.60s') is no number here", type_name, text->s);
}

/* int(x) truncates toward zero; a base is not evaluated. */
value call_int(evaluator *e, const py_call *a)
{
    const value *x = a->nargs ? &a->args[0] : NULL;
    if (!x)
        return value_int(0);
    if (value_is_int(x))
        return value_int(x->i);
    if (value_has_f(x))
        /* Casting more than 127 bits would be undefined in C; NaN fails the comparison. */
        return fabs(x->f) < 1e38 ? value_int((__int128)x->f) : unknown(not_known);
    if (x->kind != VALUE_STR || a->nargs != 1)
        return failed(a);
    const value v = parse_int(x->s);
    return v.kind == VALUE_UNKNOWN ? no_number(e, "int", x->s) : v;
}

/* float("1e3"): the whole text must be a number, after optional white space. */
static value parse_float(const sym *s)
{
    const char *const start = s->s + strspn(s->s, "\t\n\v\f\r"), *end;
    const double x = decimal_read_double(start, &end);
    return end == start || end != s->s + s->len ? unknown(not_known) : value_float(x);
}

/* float(x) and numpy.float64(x). */
value call_float(evaluator *e, const py_call *a)
{
    const bool numpy = a->id == SP_np_float64;
    if (!a->nargs)
        return value_of_numpy(value_float(0), numpy);
    if (value_is_real(&a->args[0]))
        return value_of_numpy(value_float(value_to_double(&a->args[0])), numpy);
    if (a->args[0].kind != VALUE_STR)
        return failed(a);
    const value v = parse_float(a->args[0].s);
    return v.kind == VALUE_UNKNOWN ? no_number(e, "float", a->args[0].s) : v;
}

/* bool(x), also of containers. */
value call_bool(evaluator *e, const py_call *a)
{
    int truth = a->nargs ? value_truth(&a->args[0]) : 0;
    (void)e;
    return truth < 0 ? failed(a) : value_bool(truth);
}

/* str(x) and repr(x). */
value call_str(evaluator *e, const py_call *a)
{
    strbuf b;
    sb_init(&b, &e->c->mem);
    bool ok = !a->nargs || value_text(&b, e->c, &a->args[0], a->id == SP_repr);
    value v = ok ? value_str(e->c, b.p ? b.p : "", b.n) : failed(a);
    sb_clear(&b);
    return v;
}

/* tuple(x) and list(x): a copy, so that later changes of one do not reach the other. */
value call_sequence(evaluator *e, const py_call *a)
{
    value_kind kind = a->id == SP_py_tuple ? VALUE_TUPLE : VALUE_LIST;
    const value *items = NULL;
    uint32_t n = 0;
    if (a->nargs && !value_iterate(e->c, &a->args[0], &items, &n))
        return failed(a);
    return items_copy(e->c, kind, items, n);
}

/* set(items): a list without repetitions, in order of first occurrence. */
value call_set(evaluator *e, const py_call *a)
{
    const value *items = NULL;
    uint32_t n = 0;
    if (a->nargs && value_is_set(&a->args[0]))
        return container_copy(e->c, &a->args[0]);
    if (a->nargs && !value_iterate(e->c, &a->args[0], &items, &n))
        return failed(a);
    const value made = set_of(e->c, items, n);
    if (a->nargs && a->args[0].kind == VALUE_DICT)
        set_grew(&made, &a->args[0]);
    return made;
}

/* dict(), dict(d), dict(pairs) and keyword arguments. Later values of a key win. */
value call_dict(evaluator *e, const py_call *a)
{
    const value *pairs = NULL;
    uint32_t n = 0, count = 0;
    bool copy = a->nargs && a->args[0].kind == VALUE_DICT && !value_cells_why(&a->args[0]);
    if (a->nargs && !copy && !value_iterate(e->c, &a->args[0], &pairs, &n))
        return failed(a);
    if (copy)
        n = value_count(&a->args[0]);
    value *out = ARENA_ARRAY(&e->c->module, value, 2 * ((size_t)n + a->nkwargs));
    for (uint32_t i = 0; i < n; i++, count++) {
        /* Python accepts any pair, here it has to be a tuple. */
        const value *pair = copy ? &value_array(&a->args[0])[2 * i] : pairs[i].items;
        if (!copy && (pairs[i].kind != VALUE_TUPLE || pairs[i].n != 2))
            return unknown(not_known);
        out[2 * i] = pair[0];
        out[2 * i + 1] = pair[1];
    }
    for (uint32_t i = 0; i < a->nkwargs; i++, count++) {
        out[2 * count] = (value){.kind = VALUE_STR, .s = a->names[i]};
        out[2 * count + 1] = a->kwargs[i];
    }
    return items_unique(e->c, VALUE_DICT, out, count);
}

/* type(x) of numbers and objects. */
value call_type(evaluator *e, const py_call *a)
{
    const value *x = a->nargs == 1 ? &a->args[0] : NULL;
    if (!x)
        return unknown("weft makes no classes by type()");
    switch (x->kind) {
    case VALUE_INT: return value_special(e->c, SP_py_int);
    case VALUE_FLOAT: return value_special(e->c, value_is_numpy(x) ? SP_np_float64 : SP_py_float);
    case VALUE_BOOL: return value_special(e->c, value_is_numpy(x) ? SP_np_bool : SP_py_bool);
    case VALUE_STR: return value_special(e->c, SP_py_str);
    case VALUE_TUPLE: return value_special(e->c, SP_py_tuple);
    case VALUE_LIST: return value_is_list(x) ? value_special(e->c, SP_py_list) : failed(a);
    /* type(wp.float32(1)) is wp.float32 itself. */
    case VALUE_SCALAR:
    case VALUE_COMPOSITE: return value_type(x->type);
    case VALUE_OBJECT:
        if (x->ns->cls)
            return (value){.kind = VALUE_CLASS, .ns = x->ns->cls->ns};
        return failed(a);
    default: return failed(a);
    }
}

value call_object(evaluator *e, const py_call *a)
{
    (void)e;
    (void)a;
    return unknown("a bare object has no value that weft knows");
}

/* range keeps its three numbers; items are made when it is iterated. A step of 0 raises in Python.
 */
value call_range(evaluator *e, const py_call *a)
{
    value *r = ARENA_ARRAY(&e->c->module, value, 3);
    if (a->nargs < 1 || a->nargs > 3)
        return unknown(not_known);
    for (uint32_t i = 0; i < a->nargs; i++)
        if (!value_is_int(&a->args[i]))
            return failed(a);
    r[0] = value_int(a->nargs > 1 ? a->args[0].i : 0);
    r[1] = value_int(a->args[a->nargs > 1].i);
    r[2] = value_int(a->nargs > 2 ? a->args[2].i : 1);
    return r[2].i ? value_items(VALUE_RANGE, r, 3) : unknown(not_known);
}

/* Warp 1.19 type_length, which len() of a variable means in wp.static: rows of a matrix, items of a
 * tuple, the first length of a tile. */
static value type_length(const type *t)
{
    if (type_is_composite(t))
        return value_int(t->rows);
    if (t->kind == TYPE_TUPLE && t->ndim != TYPE_ANY_DIM)
        return value_int(t->nitems);
    if (t->kind == TYPE_TILE && t->ndim > 0)
        return value_int(t->dims[0]);
    return unknown("the type has no length");
}

/* len(x). A range is iterated to count it, within SEMA_LOOP. */
value call_len(evaluator *e, const py_call *a)
{
    const value *x = a->nargs ? &a->args[0] : NULL, *items;
    uint32_t n;
    if (!x)
        return failed(a);
    if (x->kind == VALUE_TYPE)
        return type_length(x->type);
    if (x->kind == VALUE_COMPOSITE)
        return value_int(x->type->rows);
    if (x->kind == VALUE_LIST && x->cells->is_iterator)
        return failed(a);
    if (x->kind == VALUE_DICT && !value_cells_why(x))
        return value_int(value_count(x));
    return value_members(e->c, x, &items, &n) ? value_int(n) : failed(a);
}

/* What items are compared by: themselves, or what the function `key=` gives for each. */
static const value *keys_of(evaluator *e, const py_call *a, const value *items, uint32_t n)
{
    const value *key = call_get(a, UINT32_MAX, "key");
    if (!key || key->kind == VALUE_NONE)
        return items;
    spend(e->c, n);
    value *out = ARENA_ARRAY(&e->c->module, value, n);
    for (uint32_t i = 0; i < n; i++)
        out[i] = call_one(e, key, items[i]);
    return out;
}

/* The items of the first argument, in their order if there are keys, which may be equal. */
static bool compared_items(evaluator *e, const py_call *a, const value **items, uint32_t *n)
{
    return call_get(a, UINT32_MAX, "key") ? value_iterate(e->c, &a->args[0], items, n)
                                          : value_members(e->c, &a->args[0], items, n);
}

/* min and max of arguments or of one iterable. The first of equal items wins, as in Python. */
value call_minmax(evaluator *e, const py_call *a)
{
    const value *items = a->args, *preset = call_get(a, UINT32_MAX, "default");
    uint32_t n = a->nargs, best = 0;
    if (n == 1 && !compared_items(e, a, &items, &n))
        return failed(a);
    if (n == 0)
        return preset && a->nargs ? *preset : failed(a);
    const value *keys = keys_of(e, a, items, n);
    for (uint32_t i = 1; i < n; i++) {
        value less = op_compare(e->c, a->id == SP_min ? OP_Lt : OP_Gt, &keys[i], &keys[best]);
        /* An unknown comparison decides the rest: the reason is the comparison's. */
        int truth = value_truth(&less);
        if (truth < 0)
            return less;
        if (truth)
            best = i;
    }
    return items[best];
}

/* abs(x); of -0.0 too, hence signbit. */
value call_abs(evaluator *e, const py_call *a)
{
    if (!a->nargs || !value_is_real(&a->args[0]))
        return failed(a);
    value v = a->args[0];
    bool negative = value_has_f(&v) ? signbit(v.f) != 0 : v.i < 0;
    return negative ? op_unary(e->c, OP_USub, &v) : op_unary(e->c, OP_UAdd, &v);
}

/* sum(items, start) and math.prod(items). */
value call_sum(evaluator *e, const py_call *a)
{
    const value *items;
    uint32_t n;
    if (!a->nargs || !value_members(e->c, &a->args[0], &items, &n))
        return failed(a);
    bool product = a->id == SP_math_prod;
    /* The empty product is 1. A start of a tuple or list joins sequences, as in Python. */
    value r = a->nargs > 1 ? a->args[1] : value_int(product);
    for (uint32_t i = 0; i < n; i++)
        r = op_binary(e->c, product ? OP_Mult : OP_Add, &r, &items[i]);
    return r;
}

/* any() and all(). An unknown item matters only if no known item decides. */
value call_any(evaluator *e, const py_call *a)
{
    const value *items;
    uint32_t n;
    if (!a->nargs || !value_members(e->c, &a->args[0], &items, &n))
        return failed(a);
    bool all = a->id == SP_all, doubt = false;
    for (uint32_t i = 0; i < n; i++) {
        int truth = value_truth(&items[i]);
        doubt = doubt || truth < 0;
        /* any: the first true item decides; all: the first false one. */
        if (truth == !all)
            return value_bool(!all);
    }
    return doubt ? unknown(not_known) : value_bool(all);
}

/* sorted(items, key=f, reverse=True). Insertion sort, which is stable as Python's is, also in
 * reverse; at most 4096 items, for its time is quadratic. */
value call_sorted(evaluator *e, const py_call *a)
{
    const value *items, *reverse = call_get(a, UINT32_MAX, "reverse");
    const int falls = reverse ? value_truth(reverse) : 0;
    uint32_t n;
    if (!a->nargs || falls < 0 || !compared_items(e, a, &items, &n) || n > 4096)
        return failed(a);
    spend(e->c, n);
    const value *keys = keys_of(e, a, items, n);
    value *out = ARENA_ARRAY(&e->c->module, value, n);
    uint32_t *from = ARENA_ARRAY(&e->c->module, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = i;
        for (; at > 0; at--) {
            value less = op_compare(e->c, falls ? OP_Gt : OP_Lt, &keys[i], &keys[from[at - 1]]);
            int truth = value_truth(&less);
            if (truth < 0)
                return less;
            /* Equal items keep their order. */
            if (!truth)
                break;
            from[at] = from[at - 1];
        }
        from[at] = i;
    }
    for (uint32_t i = 0; i < n; i++)
        out[i] = items[from[i]];
    return value_list(e->c, out, n);
}

/* reversed(x) of any iterable; Python needs a sequence. */
value call_reversed(evaluator *e, const py_call *a)
{
    const value *items;
    uint32_t n;
    if (!a->nargs || value_is_set(&a->args[0]) || !value_iterate(e->c, &a->args[0], &items, &n))
        return failed(a);
    spend(e->c, n);
    value *out = ARENA_ARRAY(&e->c->module, value, n);
    for (uint32_t i = 0; i < n; i++)
        out[i] = items[n - 1 - i];
    return value_iterator(e->c, out, n);
}

static value pair_of(ctx *c, value x, value y)
{
    value *pair = ARENA_ARRAY(&c->module, value, 2);
    pair[0] = x;
    pair[1] = y;
    return value_items(VALUE_TUPLE, pair, 2);
}

/* enumerate(x, start): a list of pairs. */
value call_enumerate(evaluator *e, const py_call *a)
{
    /* The second parameter may be given by either way. */
    const value *items, *start = call_get(a, 1, "start");
    uint32_t n;
    if (!a->nargs || !value_iterate(e->c, &a->args[0], &items, &n) ||
        (start && !value_is_int(start)))
        return failed(a);
    spend(e->c, n);
    value *out = ARENA_ARRAY(&e->c->module, value, n);
    for (uint32_t i = 0; i < n; i++)
        out[i] = pair_of(e->c, value_int((start ? start->i : 0) + i), items[i]);
    return value_iterator(e->c, out, n);
}

/* Arguments of zip and itertools.product. */
enum { MAX_SEQUENCES = 8 };

/* The items of all arguments. False: one is not known, or there are too many. */
static bool iterate_all(evaluator *e, const py_call *a, const value **items, uint32_t *n)
{
    if (a->nargs == 0 || a->nargs > MAX_SEQUENCES)
        return false;
    for (uint32_t i = 0; i < a->nargs; i++)
        if (!value_iterate(e->c, &a->args[i], &items[i], &n[i]))
            return false;
    return true;
}

/* zip(...) ends with the shortest argument. strict= is not evaluated. */
value call_zip(evaluator *e, const py_call *a)
{
    const value *items[MAX_SEQUENCES];
    uint32_t n[MAX_SEQUENCES], shortest = UINT32_MAX;
    if (!iterate_all(e, a, items, n))
        return failed(a);
    for (uint32_t i = 0; i < a->nargs; i++)
        shortest = n[i] < shortest ? n[i] : shortest;
    /* Counted before the memory is taken. */
    spend(e->c, (uint64_t)shortest * a->nargs);
    value *out = ARENA_ARRAY(&e->c->module, value, shortest);
    for (uint32_t i = 0; i < shortest; i++) {
        value *row = ARENA_ARRAY(&e->c->module, value, a->nargs);
        for (uint32_t k = 0; k < a->nargs; k++)
            row[k] = items[k][i];
        out[i] = value_items(VALUE_TUPLE, row, a->nargs);
    }
    return value_iterator(e->c, out, shortest);
}

/* itertools.product of sequences; the last one varies fastest: product("ab", "xy") is ax, ay, bx,
 * by. repeat= is not evaluated. */
value call_product(evaluator *e, const py_call *a)
{
    const value *items[MAX_SEQUENCES];
    uint32_t n[MAX_SEQUENCES];
    uint64_t total = 1;
    if (a->nkwargs || !iterate_all(e, a, items, n))
        return failed(a);
    for (uint32_t i = 0; i < a->nargs; i++)
        total = total > SEMA_LOOP && n[i] ? total : total * n[i]; /* a later length may be 0 */
    if (total > SEMA_LOOP)
        return unknown("the product is too long");
    spend(e->c, total * a->nargs);
    value *out = ARENA_ARRAY(&e->c->module, value, (size_t)total);
    for (uint32_t i = 0; i < total; i++) {
        value *row = ARENA_ARRAY(&e->c->module, value, a->nargs);
        /* i in the mixed base of the lengths; the last digit varies fastest. */
        uint32_t rest = i;
        for (uint32_t k = a->nargs; k-- > 0; rest /= n[k])
            row[k] = items[k][rest % n[k]];
        out[i] = value_items(VALUE_TUPLE, row, a->nargs);
    }
    return value_iterator(e->c, out, (uint32_t)total);
}

/* map(f, items, ...): every call is made now, although Python makes them on demand; a function
 * without side effects gives the same results. */
value call_map(evaluator *e, const py_call *a)
{
    if (a->nargs < 2)
        return failed(a);
    const py_call rest = {.args = a->args + 1, .nargs = a->nargs - 1};
    const value rows = call_zip(e, &rest);
    if (rows.kind == VALUE_UNKNOWN)
        return rows;
    const uint32_t n = value_count(&rows);
    value *out = ARENA_ARRAY(&e->c->module, value, n);
    for (uint32_t i = 0; i < n; i++) {
        const value *row = &value_array(&rows)[i];
        const py_call call = {.args = row->items, .nargs = row->n};
        out[i] = call_value(e, &a->args[0], &call);
    }
    return value_iterator(e->c, out, n);
}

/* round(x, n): the float nearest to the number that has n digits behind the point and is nearest to
 * x, as CPython's double_round finds it. */
static value round_digits(ctx *c, const py_call *a)
{
    const value *x = &a->args[0], *n = &a->args[1];
    const bool is_float = x->kind == VALUE_FLOAT && !value_is_numpy(x);
    if (n->kind != VALUE_INT || n->i < 0 || n->i > 22 || (!is_float && x->kind != VALUE_INT))
        return failed(a);
    if (!is_float)
        return *x;
    if (!(fabs(x->f) < 1e15))
        return unknown(not_known);
    strbuf b;
    char spec[8];
    sb_init(&b, &c->mem);
    const int length = snprintf(spec, sizeof spec, ".%df", (int)n->i);
    value r = unknown(not_known);
    if (format_value(c, &b, x, (str){spec, (size_t)length})) {
        const char *end;
        sb_char(&b, 0);
        r = value_float(decimal_read_double(b.p, &end));
    }
    sb_clear(&b);
    return r;
}

/* round(x) of one argument: nearbyint rounds ties to even, as Python does. */
value call_round(evaluator *e, const py_call *a)
{
    if (a->nargs == 2 && a->args[1].kind != VALUE_NONE)
        return round_digits(e->c, a);
    if (a->nargs < 1 || a->nargs > 2 || !value_is_real(&a->args[0]))
        return failed(a);
    const value *x = &a->args[0];
    if (value_is_int(x))
        return value_int(x->i);
    /* Needs the default rounding mode, which nothing in weft changes. */
    return fabs(x->f) < 1e38 ? value_int((__int128)nearbyint(x->f)) : unknown(not_known);
}

value call_pow(evaluator *e, const py_call *a)
{
    return a->nargs == 2 ? op_binary(e->c, OP_Pow, &a->args[0], &a->args[1]) : failed(a);
}
