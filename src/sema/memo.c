/* SPDX-License-Identifier: Apache-2.0 */
/* functools.cache and lru_cache: a function that runs once for each list of arguments. Factories of
 * kernels use them, and what they return is then one object, with one name and number:
 *
 *     @lru_cache(maxsize=None)
 *     def make_square(n):
 *         @wp.func
 *         def square(x: float): ...
 *         return square
 *     make_square(2), make_square(3), make_square(2)      square_0, square_1, square_0 */
#include "sema/sema.h"

/* One call and its result. */
typedef struct memo_entry {
    py_call call;
    value result;
    struct memo_entry *next;
} memo_entry;

/* The most recently used call comes first. */
struct py_memo {
    memo_entry *first;
    uint64_t max; /* calls that are remembered */
    bool typed;   /* 1 and 1.0 are two arguments */
};

static bool equal_values(const py_memo *m, const value *a, const value *b, uint32_t n)
{
    uint32_t i = 0;
    while (i < n && (m->typed ? value_identical(&a[i], &b[i]) : value_same(&a[i], &b[i])))
        i++;
    return i == n;
}

/* Does Python take the only argument itself as the key, and not the tuple of it? */
static bool is_key_itself(const py_call *a)
{
    return a->nargs == 1 && !a->nkwargs &&
           (a->args[0].kind == VALUE_INT || a->args[0].kind == VALUE_STR);
}

/* As Python 3.11 functools._make_key: positional and keyword arguments are told apart, and so is
 * the order of keywords. f(1) and f(1.0) are two calls, though f(1, 0) and f(1.0, 0) are one. */
static bool equal_calls(const py_memo *m, const py_call *a, const py_call *b)
{
    if (a->nargs != b->nargs || a->nkwargs != b->nkwargs || is_key_itself(a) != is_key_itself(b))
        return false;
    for (uint32_t i = 0; i < a->nkwargs; i++)
        if (a->names[i] != b->names[i])
            return false;
    return equal_values(m, a->args, b->args, a->nargs) &&
           equal_values(m, a->kwargs, b->kwargs, a->nkwargs);
}

/* The entry of the call, moved to the front; NULL: there is none. */
static memo_entry *find_call(py_memo *m, const py_call *call)
{
    for (memo_entry **at = &m->first; *at; at = &(*at)->next) {
        memo_entry *found = *at;
        if (!equal_calls(m, &found->call, call))
            continue;
        *at = found->next;
        found->next = m->first;
        m->first = found;
        return found;
    }
    return NULL;
}

/* Forgets the call that was used longest ago where there are too many. */
static void add_call(ctx *c, py_memo *m, const py_call *call, value result)
{
    memo_entry *made = ARENA_NEW(&c->module, memo_entry);
    *made = (memo_entry){*call, result, m->first};
    m->first = made;
    memo_entry **at = &m->first;
    for (uint64_t i = 0; *at && i < m->max; i++)
        at = &(*at)->next;
    *at = NULL;
}

/* An unknown result is not kept: the function may have raised, which Python does not remember. */
value memo_call(evaluator *e, const py_func *f, const py_call *call)
{
    WEFT_ASSERT(f->memo && f->kind == PY_DEF);
    const memo_entry *known = call->inexact ? NULL : find_call(f->memo, call);
    if (known)
        return known->result;
    const value result = run_function(e, f, call);
    if (result.kind != VALUE_UNKNOWN && !call->inexact)
        add_call(e->c, f->memo, call, result);
    return result;
}

/* A copy of the function that remembers its calls; anything else as it is. */
static value remember(evaluator *e, value v, uint64_t max, bool typed)
{
    const py_func *f = v.kind == VALUE_PYFUNC ? v.p : NULL;
    if (!f || f->kind != PY_DEF)
        return v;
    py_func *copy = ARENA_NEW(&e->c->module, py_func);
    *copy = *f;
    copy->memo = ARENA_NEW(&e->c->module, py_memo);
    copy->memo->max = max;
    copy->memo->typed = typed;
    return (value){.kind = VALUE_PYFUNC, .p = copy};
}

/* @functools.cache */
value call_cache(evaluator *e, const py_call *a)
{
    return a->nargs == 1 ? remember(e, a->args[0], UINT64_MAX, false) : call_unknown(e, a);
}

/* @lru_cache, or @lru_cache(maxsize=128, typed=False): the latter is called with the function as
 * one more argument, which comes last. */
value call_lru_cache(evaluator *e, const py_call *a)
{
    enum { DEFAULT_MAX = 128 };
    if (!a->nargs || a->args[a->nargs - 1].kind != VALUE_PYFUNC)
        return partial_of(e->c, a->id, a);
    py_call options = *a;
    options.nargs--;
    const value *max = call_get(&options, 0, "maxsize"), *typed = call_get(&options, 1, "typed");
    uint64_t n = UINT64_MAX; /* maxsize=None */
    if (!max)
        n = DEFAULT_MAX;
    else if (value_is_int(max))
        n = max->i > 0 ? (uint64_t)max->i : 0;
    return remember(e, a->args[a->nargs - 1], n, typed && value_truth(typed) == 1);
}
