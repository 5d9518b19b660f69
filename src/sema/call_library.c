/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of Python's library on known values: functools, itertools, operator, collections. Examples:
 *
 *     functools.reduce(operator.mul, [2, 3, 4])                 24
 *     list(itertools.chain("ab", (1,)))                         ["a", "b", 1]
 *     Pair = namedtuple("Pair", "lo hi", defaults=[1]);  Pair(0)    an object with lo and hi
 *
 * Iterators are lists here, as in call_python.c. Each function is the handler of rows of
 * specials.def. Dataclasses have data_class.c. */
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

static value call_two(evaluator *e, const value *f, value x, value y)
{
    value *args = ARENA_ARRAY(&e->c->module, value, 2);
    args[0] = x;
    args[1] = y;
    const py_call call = {.args = args, .nargs = 2};
    return call_value(e, f, &call);
}

/* functools.reduce(f, items) and reduce(f, items, first). */
value call_reduce(evaluator *e, const py_call *a)
{
    const value *items;
    uint32_t n;
    if (a->nargs < 2 || a->nargs > 3 || !value_iterate(e->c, &a->args[1], &items, &n))
        return failed(a);
    if (a->nargs == 2 && n == 0)
        return unknown("reduce of nothing raises a TypeError");
    value r = a->nargs == 3 ? a->args[2] : items[0];
    for (uint32_t i = a->nargs == 2; i < n; i++)
        r = call_two(e, &a->args[0], r, items[i]);
    return r;
}

/* itertools.chain(...) of sequences. */
value call_chain(evaluator *e, const py_call *a)
{
    value all = value_items(VALUE_TUPLE, NULL, 0);
    for (uint32_t i = 0; i < a->nargs; i++) {
        const value *items;
        uint32_t n;
        if (!value_iterate(e->c, &a->args[i], &items, &n) || all.n + n > SEMA_LOOP)
            return failed(a);
        const value more = value_items(VALUE_TUPLE, items, n);
        all = op_binary(e->c, OP_Add, &all, &more);
    }
    return value_iterator(e->c, (value *)(uintptr_t)all.items, all.n);
}

/* x of `iter(x)`, where evaluating it again changes nothing: a name, or a view of a dict. */
static const node *iterated(evaluator *e, const node *n)
{
    const ast_Call *call = n->kind == AST_Call ? AST(Call, n) : NULL;
    value ignored;
    if (!call || call->func->kind != AST_Name || call->args.n != 1 || call->keywords.n ||
        strcmp(AST(Name, call->func)->id->s, "iter") != 0 ||
        env_lookup(e->env, AST(Name, call->func)->id, &ignored))
        return NULL;
    const node *x = call->args.v[0], *root = x;
    if (x->kind == AST_Call && AST(Call, x)->func->kind == AST_Attribute && !AST(Call, x)->args.n) {
        static const char *const views[] = {"items", "keys", "values"};
        const ast_Attribute *method = AST(Attribute, AST(Call, x)->func);
        root = STR_IS_IN(sym_str(method->attr), views) ? method->value : x;
    }
    while (root->kind == AST_Attribute)
        root = AST(Attribute, root)->value;
    return root->kind == AST_Name ? x : NULL;
}

/* next(x for x in items if ...) and next(iter(items)): the first item. Iterators that have a name
 * may have been read. */
value call_next(evaluator *e, const py_call *a)
{
    const value *items;
    uint32_t n;
    const node *of = a->node && a->node->args.n ? a->node->args.v[0] : NULL;
    const node *inner = of && a->nargs ? iterated(e, of) : NULL;
    if (!of || (of->kind != AST_GeneratorExp && !inner) || !a->nargs)
        return failed(a);
    const value from = inner ? eval_node(e, inner) : a->args[0];
    if (value_has_cells(&from) && inner && from.cells->is_iterator) /* it would be read */
        return failed(a);
    if (!value_iterate(e->c, &from, &items, &n))
        return failed(a);
    if (!n && a->nargs < 2)
        return raises(e->c, "StopIteration", "next() of nothing");
    return n ? items[0] : a->args[1];
}

/* filter(f, items); f None keeps what is true. */
value call_filter(evaluator *e, const py_call *a)
{
    const value *items;
    uint32_t n, kept = 0;
    if (a->nargs != 2 || !value_iterate(e->c, &a->args[1], &items, &n))
        return failed(a);
    spend(e->c, n);
    value *out = ARENA_ARRAY(&e->c->module, value, n);
    for (uint32_t i = 0; i < n; i++) {
        const value v =
            a->args[0].kind == VALUE_NONE ? items[i] : call_one(e, &a->args[0], items[i]);
        const int truth = value_truth(&v);
        if (truth < 0)
            return v.kind == VALUE_UNKNOWN ? v : unknown(not_known);
        if (truth)
            out[kept++] = items[i];
    }
    return value_iterator(e->c, out, kept);
}

/* itertools.combinations(items, k): tuples in the order of the items, none twice. */
value call_combinations(evaluator *e, const py_call *a)
{
    enum { MOST = 8 };
    const value *items, *size = call_get(a, 1, "r");
    uint32_t n, at[MOST];
    if (!a->nargs || !value_iterate(e->c, &a->args[0], &items, &n) || !size ||
        !value_is_int(size) || size->i < 0 || size->i > MOST)
        return failed(a);
    const uint32_t k = (uint32_t)size->i;
    const value all = value_iterator(e->c, NULL, 0);
    for (uint32_t i = 0; i < k; i++)
        at[i] = i;
    for (bool more = k <= n; more;) {
        if (value_count(&all) >= SEMA_LOOP || !e->p->fuel)
            return unknown("there are too many combinations");
        value *row = ARENA_ARRAY(&e->c->module, value, k);
        for (uint32_t i = 0; i < k; i++)
            row[i] = items[at[i]];
        spend(e->c, k + 1);
        list_append(e->c, &all, value_items(VALUE_TUPLE, row, k));
        /* The last index that can rise does, and those behind it follow it closely. */
        uint32_t i = k;
        while (i > 0 && at[i - 1] == n - k + i - 1)
            i--;
        more = i > 0;
        for (uint32_t next = more ? at[i - 1] + 1 : 0; more && i <= k; i++)
            at[i - 1] = next++;
    }
    return all;
}

/* The functions of module operator that are operators, by the row of specials.def. */
static const struct {
    special_id id;
    ast_op op;
    enum { UNARY, BINARY, COMPARE } form;
} operators[] = {
    {SP_op_add, OP_Add, BINARY},
    {SP_op_sub, OP_Sub, BINARY},
    {SP_op_mul, OP_Mult, BINARY},
    {SP_op_truediv, OP_Div, BINARY},
    {SP_op_floordiv, OP_FloorDiv, BINARY},
    {SP_op_mod, OP_Mod, BINARY},
    {SP_op_pow, OP_Pow, BINARY},
    {SP_op_and, OP_BitAnd, BINARY},
    {SP_op_or, OP_BitOr, BINARY},
    {SP_op_xor, OP_BitXor, BINARY},
    {SP_op_lshift, OP_LShift, BINARY},
    {SP_op_rshift, OP_RShift, BINARY},
    {SP_op_neg, OP_USub, UNARY},
    {SP_op_not, OP_Not, UNARY},
    {SP_op_eq, OP_Eq, COMPARE},
    {SP_op_ne, OP_NotEq, COMPARE},
    {SP_op_lt, OP_Lt, COMPARE},
    {SP_op_le, OP_LtE, COMPARE},
    {SP_op_gt, OP_Gt, COMPARE},
    {SP_op_ge, OP_GtE, COMPARE},
};

/* operator.add(x, y) and the like. */
value call_operator(evaluator *e, const py_call *a)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (operators[i].id != a->id)
            continue;
        const uint32_t n = operators[i].form == UNARY ? 1 : 2;
        if (a->nargs != n)
            return failed(a);
        return operators[i].form == UNARY ? op_unary(e->c, operators[i].op, &a->args[0])
               : operators[i].form == BINARY
                   ? op_binary(e->c, operators[i].op, &a->args[0], &a->args[1])
                   : op_compare(e->c, operators[i].op, &a->args[0], &a->args[1]);
    }
    return failed(a);
}

/* The names in "x y", "x, y" or ["x", "y"]. False: they are not known. */
static bool field_names(evaluator *e, const value *v, value *names)
{
    const value *items;
    uint32_t n;
    if (v->kind != VALUE_STR) {
        if ((v->kind != VALUE_TUPLE && v->kind != VALUE_LIST) ||
            !value_iterate(e->c, v, &items, &n))
            return false;
        for (uint32_t i = 0; i < n; i++)
            if (items[i].kind != VALUE_STR)
                return false;
        *names = *v;
        return true;
    }
    *names = value_list(e->c, NULL, 0);
    const char *p = v->s->s;
    while (*p) {
        const size_t gap = strspn(p, " ,\t\n"), n_name = strcspn(p + gap, " ,\t\n");
        if (n_name)
            list_append(e->c, names, value_str(e->c, p + gap, n_name));
        p += gap + n_name;
    }
    return true;
}

/* collections.namedtuple(name, fields, defaults=...): a class as typing.NamedTuple makes one. */
value call_namedtuple(evaluator *e, const py_call *a)
{
    const value *name = call_get(a, 0, "typename"), *given = call_get(a, 1, "field_names");
    const value *presets = call_get(a, UINT32_MAX, "defaults"), *items = NULL;
    value names;
    uint32_t npresets = 0;
    if (!name || name->kind != VALUE_STR || !given || !field_names(e, given, &names))
        return failed(a);
    if (presets && presets->kind != VALUE_NONE && !value_iterate(e->c, presets, &items, &npresets))
        return failed(a);
    if (npresets > value_count(&names))
        return unknown("there are more defaults than fields");
    return named_tuple(e, name->s, &names, items, npresets);
}
