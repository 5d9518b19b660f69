/* SPDX-License-Identifier: Apache-2.0 */
/* What rules do to a call's plan: they set results (rule_gives...), append C++ arguments
 * (rule_pass...) and template arguments (rule_template...), each in the order in which Warp
 * numbers them: a constant argument is a new variable, and its number shows in the text. Example:
 * for wp.clamp(s, 0.0, 1.0) rule_pass_all appends the variable s and two constants, which become
 * var_11 and var_12 before the call is var_13. */
#include "base/assert.h"
#include "builtin/rule.h"

bool rule_gives(rule_call *k, const type *t)
{
    WEFT_ASSERT(k->plan);
    call_plan *p = k->plan;
    p->result = t ? RESULT_VARS : RESULT_VOID;
    p->nresults = t ? 1 : 0;
    if (t) {
        p->result_types = ARENA_ARRAY(&k->c->scratch, const type *, 1);
        p->result_types[0] = t;
    }
    return true;
}

bool rule_gives_all(rule_call *k, const type *const *types, uint32_t n)
{
    WEFT_ASSERT(n <= RESULT_MAX);
    call_plan *p = k->plan;
    p->result = n ? RESULT_VARS : RESULT_VOID;
    p->nresults = n;
    p->result_types = ARENA_ARRAY(&k->c->scratch, const type *, n);
    if (n)
        memcpy(p->result_types, types, n * sizeof *types);
    return true;
}

/* The caller gets the value in place of a call: len(v) is 3. */
bool rule_gives_value(rule_call *k, value v)
{
    native_arg *a = ARENA_NEW(&k->c->scratch, native_arg);
    a->kind = NATIVE_CONST;
    a->constant = v;
    k->plan->result = RESULT_VALUES;
    k->plan->results = a;
    k->plan->nresults = 1;
    return true;
}

/* The result is a variable that exists already. */
bool rule_gives_arg(rule_call *k, const call_arg *var)
{
    WEFT_ASSERT(var->kind == ARG_VAR);
    rule_gives_value(k, (value){0});
    native_arg *a = (native_arg *)(uintptr_t)k->plan->results;
    a->kind = NATIVE_VAR;
    a->arg = *var;
    return true;
}

/* Appends one C++ argument for the caller to fill. The array doubles in scratch memory. */
static native_arg *next_arg(rule_call *k)
{
    WEFT_ASSERT(k->plan->nargs <= k->cap);
    if (k->plan->nargs == k->cap) {
        uint32_t cap = k->cap ? k->cap * 2 : 8;
        native_arg *v = ARENA_ARRAY(&k->c->scratch, native_arg, cap);
        if (k->plan->nargs)
            memcpy(v, k->out, k->plan->nargs * sizeof *v);
        k->out = v;
        k->cap = cap;
        k->plan->args = v;
    }
    return &k->out[k->plan->nargs++];
}

void rule_pass_const(rule_call *k, value v)
{
    native_arg *n = next_arg(k);
    n->kind = NATIVE_CONST;
    n->constant = v;
}

void rule_pass_result(rule_call *k)
{
    WEFT_ASSERT(k->plan->result == RESULT_VARS && k->plan->nresults == 1);
    next_arg(k)->kind = NATIVE_RESULT;
}

void rule_pass_token(rule_call *k, const char *text)
{
    native_arg *n = next_arg(k);
    n->kind = NATIVE_TOKEN;
    n->token = text;
}

void rule_needs_shared(rule_call *k, size_t bytes)
{
    k->plan->shared_bytes = bytes;
}

/* Functions are passed by name. A constant that has a variable type is a new variable; types and
 * tuples are misplaced here, which apply_row reports after the rule has run. */
void rule_pass_arg(rule_call *k, const call_arg *a)
{
    bool is_function = a->kind == ARG_VALUE &&
                       (a->constant->kind == VALUE_BUILTIN || a->constant->kind == VALUE_FUNC);
    if (a->kind == ARG_VARS || (a->kind == ARG_VALUE && !is_function)) {
        /* Types have no variable; strings and numbers do. */
        k->misplaced |= a->kind == ARG_VARS || !value_var_type(k->c, a->constant);
        if (!k->misplaced)
            rule_pass_const(k, *a->constant);
        return;
    }
    native_arg *n = next_arg(k);
    n->kind = a->kind == ARG_VAR ? NATIVE_VAR : NATIVE_FUNC;
    n->arg = *a;
}

void rule_pass_item(rule_call *k, const call_arg *tuple, uint32_t i)
{
    WEFT_ASSERT(tuple->items && i < tuple->n);
    const call_arg *item = &tuple->items[i];
    if (tuple->kind == ARG_VAR && item->constant)
        rule_pass_const(k, *item->constant);
    else
        rule_pass_arg(k, item);
}

/* *args are passed one by one. */
void rule_pass(rule_call *k, uint32_t param)
{
    WEFT_ASSERT(param < k->row->nparams);
    const call_arg *a = k->arg[param];
    if (a && k->row->params[param].kind == PARAM_VARARGS)
        for (uint32_t i = 0; i < a->n; i++)
            rule_pass_arg(k, &a->items[i]);
    else if (a)
        rule_pass_arg(k, a);
}

void rule_pass_ref(rule_call *k, uint32_t param)
{
    WEFT_ASSERT(param < k->row->nparams && k->arg[param]);
    native_arg *n = next_arg(k);
    n->kind = NATIVE_REF;
    n->arg = *k->arg[param];
}

void rule_pass_all(rule_call *k)
{
    for (uint32_t i = 0; i < k->row->nparams; i++)
        rule_pass(k, i);
}

/* Only constants of another scalar type are converted; they become new constants of type t. */
void rule_pass_cast(rule_call *k, const call_arg *a, const type *t)
{
    const value *v = a->kind == ARG_VAR ? a->constant : NULL;
    if (!v || !value_is_number(v) || a->type == t || !type_is_scalar(a->type))
        rule_pass_arg(k, a);
    else
        rule_pass_const(k, value_scalar(t, v));
}

/* Appends a template argument. A tile's extents are the longest list: TYPE_DIMS_MAX of them and
 * some more. A longer list is an error of weft; release builds cut it. */
static void add_template(rule_call *k, value v)
{
    WEFT_ASSERT(k->ntmpl < TEMPLATE_MAX);
    if (k->ntmpl < TEMPLATE_MAX)
        k->tmpl[k->ntmpl++] = v;
}

void rule_template_int(rule_call *k, int64_t x)
{
    add_template(k, value_int(x));
}

void rule_template_type(rule_call *k, const type *t)
{
    add_template(k, value_type(t));
}

/* Numbers become integers; types and bools print by their names. */
void rule_template_value(rule_call *k, const value *v)
{
    const bool as_is = v->kind == VALUE_PYTYPE || v->kind == VALUE_BOOL || v->kind == VALUE_TYPE;
    add_template(k, as_is ? *v : value_int((int64_t)v->i));
}
