/* SPDX-License-Identifier: Apache-2.0 */
/* Binds arguments to a row's parameters, as Python's inspect.Signature.bind does it, and reads
 * types and constants of bound arguments for rules. Example:
 *
 *     row  randi(state: uint32, low: int, high: int)      call  randi(s, high=9, low=2)
 *     arg[0] = s, arg[1] = 2, arg[2] = 9
 *
 * k->arg[i] is NULL where parameter i is absent. What is not the caller's (defaults, the type that
 * a constructor is called by, the list behind *args) is made in k->own[i]. */
#include "base/assert.h"
#include "builtin/rule.h"

/* A tuple of variables has the type of a tuple of their types. */
const type *rule_arg_type(ctx *c, const call_arg *a)
{
    WEFT_ASSERT(a->kind <= ARG_VARS);
    if (a->kind == ARG_VAR)
        return type_strip_ref(a->type);
    if (a->kind == ARG_VARS) {
        arena_mark mark = arena_save(&c->scratch);
        const type **items = ARENA_ARRAY(&c->scratch, const type *, a->n);
        for (uint32_t i = 0; i < a->n; i++)
            items[i] = rule_arg_type(c, &a->items[i]);
        const type *t = type_tuple(c, items, a->n);
        arena_rewind(&c->scratch, mark);
        return t;
    }
    const value *v = a->constant;
    switch (v->kind) {
    case VALUE_TYPE: return v->type;
    case VALUE_PYTYPE: return type_by_name(c, v->s);
    case VALUE_BUILTIN:
    case VALUE_FUNC: return type_scalar(c, TYPE_FUNCTION);
    /* A constant tuple, (2, 3), is a tuple of int32. */
    case VALUE_TUPLE:
    case VALUE_LIST: {
        const uint32_t n = value_count(v);
        const value *const parts = value_array(v);
        const type **items = ARENA_ARRAY(&c->scratch, const type *, n);
        for (uint32_t i = 0; i < n; i++)
            items[i] = rule_arg_type(c, &(call_arg){.kind = ARG_VALUE, .constant = &parts[i]});
        return type_tuple(c, items, n);
    }
    default: return value_var_type(c, v);
    }
}

const type *rule_type(const rule_call *k, uint32_t param)
{
    WEFT_ASSERT(param < k->row->nparams);
    const call_arg *a = k->arg[param];
    return a ? rule_arg_type(k->c, a) : NULL;
}

const value *rule_arg_value(const call_arg *a)
{
    return a && a->kind != ARG_VARS ? a->constant : NULL;
}

/* param may be nparams, which rule_param returns for "none". */
const value *rule_value(const rule_call *k, uint32_t param)
{
    return param < k->row->nparams ? rule_arg_value(k->arg[param]) : NULL;
}

/* Python's int and float are int32 and float32 here. */
const type *rule_value_type(const rule_call *k, const value *v)
{
    if (v && v->kind == VALUE_TYPE)
        return v->type;
    return v && v->kind == VALUE_PYTYPE ? type_by_name(k->c, v->s) : NULL;
}

/* By a scan: rows have few parameters. */
uint32_t rule_param(const rule_call *k, const char *name)
{
    uint32_t i = 0;
    while (i < k->row->nparams && strcmp(k->row->params[i].name->s, name) != 0)
        i++;
    return i;
}

/* At most one parameter of a row is *args. */
const call_arg *rule_varargs(const rule_call *k, uint32_t *n)
{
    for (uint32_t i = 0; i < k->row->nparams; i++)
        if (k->row->params[i].kind == PARAM_VARARGS && k->arg[i]) {
            *n = k->arg[i]->n;
            return k->arg[i]->items;
        }
    *n = 0;
    return NULL;
}

/* An integer constant that 64 bits hold. */
static bool value_to_int(const value *v, int64_t *out)
{
    if (!v || !value_is_number(v) || value_has_f(v) || v->i > INT64_MAX || v->i < INT64_MIN)
        return false;
    *out = (int64_t)v->i;
    return true;
}

/* The three ways to write a shape: a tuple of variables with constants, a constant tuple, one
 * number. */
bool rule_ints(const call_arg *a, int64_t *out, uint32_t max, uint32_t *n)
{
    const value *v = rule_arg_value(a);
    *n = 1;
    if (a->items) {
        *n = a->n;
        bool ok = *n <= max;
        for (uint32_t i = 0; ok && i < *n; i++)
            ok = value_to_int(rule_arg_value(&a->items[i]), &out[i]);
        return ok;
    }
    if (v && (v->kind == VALUE_TUPLE || v->kind == VALUE_LIST)) {
        *n = value_count(v);
        bool ok = *n <= max;
        for (uint32_t i = 0; ok && i < *n; i++)
            ok = value_to_int(&value_array(v)[i], &out[i]);
        return ok;
    }
    return value_to_int(v, out);
}

/* Binds the positional arguments; those beyond the last parameter need *args, which takes all the
 * rest. False: there are too many. */
static bool bind_positional(rule_call *k)
{
    const call_request *r = k->r;
    for (uint32_t i = 0; i < r->nargs; i++) {
        if (i >= k->row->nparams || k->row->params[i].kind == PARAM_KEYWORD)
            return false;
        if (k->row->params[i].kind == PARAM_VARARGS) {
            k->own[i] = (call_arg){.kind = ARG_VARS, .items = &r->args[i], .n = r->nargs - i};
            k->arg[i] = &k->own[i];
            return true;
        }
        k->arg[i] = &r->args[i];
    }
    return true;
}

/* Positional arguments, then those by name, then a check that every parameter without default is
 * bound. */
bool rule_bind(rule_call *k)
{
    const builtin_row *row = k->row;
    WEFT_ASSERT(row->nparams <= PARAM_MAX);
    memset(k->arg, 0, row->nparams * sizeof *k->arg);
    k->fresh = 0;
    if (!bind_positional(k))
        return false;
    for (uint32_t j = 0; j < k->r->nkwargs; j++) {
        uint32_t i = 0;
        while (i < row->nparams && row->params[i].name != k->r->kwargs[j].name)
            i++;
        if (i == row->nparams || k->arg[i] || row->params[i].kind == PARAM_VARARGS)
            return false;
        k->arg[i] = &k->r->kwargs[j].arg;
    }
    for (uint32_t i = 0; i < row->nparams; i++)
        if (!k->arg[i] && row->params[i].default_value.kind == VALUE_UNKNOWN &&
            row->params[i].kind != PARAM_VARARGS)
            return false;
    return true;
}

/* Does what the user wrote, a, equal what the constructor's type says, v? wp.vec3(length=3) is
 * allowed. */
static bool same_value(const call_arg *a, const value *v)
{
    if (v->kind == VALUE_TYPE) {
        const value *w = rule_arg_value(a);
        return w && w->kind == VALUE_TYPE && w->type == v->type;
    }
    /* length or shape: one or two integers. */
    int64_t given[2];
    uint32_t n, want = v->kind == VALUE_TUPLE ? v->n : 1;
    if (!rule_ints(a, given, 2, &n) || n != want)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (given[i] != (int64_t)(v->kind == VALUE_TUPLE ? v->items[i].i : v->i))
            return false;
    return true;
}

/* Binds parameter i to what the constructed type says, unless the caller says the same. A row
 * without such a parameter has i == nparams. */
static bool bind_type_arg(rule_call *k, uint32_t i, value v)
{
    WEFT_ASSERT(i <= k->row->nparams);
    if (i == k->row->nparams)
        return true;
    if (k->arg[i])
        return same_value(k->arg[i], &v) ||
               REFUSE(k, DIAG_EXTRA_TYPE_ARG, k->row->params[i].name->s);
    value *copy = ARENA_NEW(&k->c->scratch, value);
    *copy = v;
    k->own[i] = (call_arg){.kind = ARG_VALUE, .constant = copy};
    k->arg[i] = &k->own[i];
    k->fresh |= 1u << i;
    return true;
}

/* Binds length or shape, and dtype, of the type that is constructed (Warp 1.19 _wp_type_args_):
 * wp.mat22d(...) calls "matrix" with shape=(2, 2), dtype=float64. */
static bool bind_type_args(rule_call *k)
{
    WEFT_ASSERT(k->r->constructs);
    const type *t = k->r->constructs;
    if (t->kind == TYPE_VEC && !bind_type_arg(k, k->row->size_at, value_int(t->rows)))
        return false;
    if (t->kind == TYPE_MAT) {
        value *shape = ARENA_ARRAY(&k->c->scratch, value, 2);
        shape[0] = value_int(t->rows);
        shape[1] = value_int(t->cols);
        value v = {.kind = VALUE_TUPLE, .n = 2, .items = shape};
        if (!bind_type_arg(k, k->row->size_at, v))
            return false;
    }
    /* Quaternions and transformations have dtype alone. */
    return bind_type_arg(k, k->row->dtype_at, value_type(t->elem));
}

/* A default of None leaves the parameter absent. */
bool rule_bind_rest(rule_call *k)
{
    if (k->r->constructs && type_is_composite(k->r->constructs) && !bind_type_args(k))
        return false;
    for (uint32_t i = 0; i < k->row->nparams; i++) {
        const value *v = &k->row->params[i].default_value;
        if (k->arg[i] || v->kind == VALUE_UNKNOWN || v->kind == VALUE_NONE)
            continue;
        k->own[i] = (call_arg){.kind = ARG_VALUE, .constant = v};
        k->arg[i] = &k->own[i];
        k->fresh |= 1u << i;
    }
    return true;
}
