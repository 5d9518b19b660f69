/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a plain Python function at compile time: binds the arguments as Python does, then runs the
 * body. It exists for factories that return kernels and functions:
 *
 *     def make_kernel(n):
 *         @wp.kernel
 *         def scale(a: wp.array[float]):      key: make_kernel__locals__scale
 *             i = wp.tid()
 *             a[i] = a[i] * float(n)
 *         return scale
 *     k = make_kernel(4)                      in k, n is the constant 4
 *
 * The scope of the call stays alive as the closure of the kernel. Recursion and work are bounded
 * (SEMA_CALLS, SEMA_DEPTH, fuel). */
#include "sema/sema.h"

/* The keyword argument of this name, or NULL. */
static const value *keyword(const py_call *call, const sym *name)
{
    for (uint32_t i = 0; i < call->nkwargs; i++)
        if (call->names[i] == name)
            return &call->kwargs[i];
    return NULL;
}

/* Parameter i of the positional ones; positional-only parameters come first. */
static const ast_arg *positional(const ast_arguments *a, uint32_t i)
{
    WEFT_ASSERT(i < a->posonlyargs.n + a->args.n);
    return i < a->posonlyargs.n ? AST(arg, a->posonlyargs.v[i])
                                : AST(arg, a->args.v[i - a->posonlyargs.n]);
}

/* Does a parameter take this keyword? Those that none takes go to **kwargs. */
static bool is_parameter(const ast_arguments *a, const sym *name)
{
    uint32_t n = a->posonlyargs.n + a->args.n;
    for (uint32_t i = 0; i < n; i++)
        if (positional(a, i)->arg == name)
            return true;
    for (uint32_t i = 0; i < a->kwonlyargs.n; i++)
        if (AST(arg, a->kwonlyargs.v[i])->arg == name)
            return true;
    return false;
}

/* *args and **kwargs: what no other parameter takes. Of an inexact call both are unknown. */
static void bind_rest(ctx *c, namespace *ns, const ast_arguments *a, const py_call *call)
{
    WEFT_ASSERT(ns->kind == NS_FUNCTION);
    uint32_t n = a->posonlyargs.n + a->args.n;
    if (a->vararg) {
        uint32_t extra = call->nargs > n ? call->nargs - n : 0;
        value rest = value_items(VALUE_TUPLE, extra ? call->args + n : NULL, extra);
        ns_set(c, ns, AST(arg, a->vararg)->arg, call->inexact ? call->unpacked : rest);
    }
    if (!a->kwarg)
        return;
    value *items = ARENA_ARRAY(&c->module, value, 2 * (size_t)call->nkwargs);
    uint32_t count = 0;
    for (uint32_t i = 0; i < call->nkwargs; i++) {
        if (is_parameter(a, call->names[i]))
            continue;
        items[2 * count] = (value){.kind = VALUE_STR, .s = call->names[i]};
        items[2 * count++ + 1] = call->kwargs[i];
    }
    value rest = value_dict(c, items, count);
    ns_set(c, ns, AST(arg, a->kwarg)->arg, call->inexact ? call->unpacked : rest);
}

/* The TypeError of a call whose arguments do not fit. */
static void no_argument(ctx *c, const py_call *call)
{
    if (call->inexact)
        may_raise_named(c, "TypeError");
    else
        (void)raises(c, "TypeError", "the arguments do not fit");
}

/* A missing argument is an unknown value. If the number of arguments is not known (inexact),
 * defaults are not used either, since the call may have given the argument. An example:
 *
 *     def make(n, *rest, scale=2, **more): ...
 *     make(1, 2, 3, scale=4, x=5)      n = 1, rest = (2, 3), scale = 4, more = {"x": 5}
 *
 * Too many arguments are ignored, where nothing takes the TypeError. */
static void bind_arguments(ctx *c, namespace *ns, const py_func *f, const ast_arguments *a,
                           const py_call *call)
{
    WEFT_ASSERT(a->defaults.n <= a->posonlyargs.n + a->args.n);
    uint32_t n = a->posonlyargs.n + a->args.n, first_default = n - a->defaults.n;
    value missing = call->inexact ? call->unpacked : unknown("an argument is missing");
    for (uint32_t i = 0; i < n; i++) {
        const sym *name = positional(a, i)->arg;
        const value *given = i < call->nargs ? &call->args[i] : keyword(call, name);
        if (!given && !call->inexact && i >= first_default && f->defaults)
            given = &f->defaults[i - first_default];
        if (!given)
            no_argument(c, call);
        ns_set(c, ns, name, given ? *given : missing);
    }
    for (uint32_t i = 0; i < a->kwonlyargs.n; i++) {
        const sym *name = AST(arg, a->kwonlyargs.v[i])->arg;
        const value *given = keyword(call, name);
        if (!given && f->kw_defaults && a->kw_defaults.v[i])
            given = &f->kw_defaults[i];
        if (!given)
            no_argument(c, call);
        ns_set(c, ns, name, given ? *given : missing);
    }
    bool fits = a->vararg || call->nargs <= n;
    for (uint32_t i = 0; i < call->nkwargs && !a->kwarg; i++)
        fits = fits && is_parameter(a, call->names[i]);
    if (!fits || call->inexact)
        no_argument(c, call);
    bind_rest(c, ns, a, call);
}

/* "outer__" + "f" + "__locals__": the qualified name of what f defines. A name that grew too long
 * in deep recursion is not extended; such a chain ends at SEMA_CALLS. */
static str locals_prefix(ctx *c, const namespace *env, const sym *name)
{
    str key = qualified_key(c, env, name);
    if (key.n > SEMA_NAME_MAX)
        return key;
    char *p = arena_alloc(&c->module, key.n + 10);
    memcpy(p, key.p, key.n);
    memcpy(p + key.n, "__locals__", 10);
    return (str){p, key.n + 10};
}

/* A function that falls off its end returns None. */
static void run_body(evaluator *e, const node_list *body)
{
    frame *f = e->frame;
    const flow end = exec_block(e, body);
    if (!f->has_result)
        f->result = end == FLOW_RAISE ? unknown("the function raises an exception") : value_none();
    if (f->with)
        with_ended(f->with, end);
}

/* Binds the arguments in a new scope and runs the body there. The body is run for certain even if
 * the call stands in a "maybe" branch, so that mode is off inside; changes of what was made before
 * that branch stay in doubt. The result is unknown if the
 * function is a generator, or if it raises before any return.
 *
 * The limits: SEMA_CALLS bounds recursion, SEMA_DEPTH the nesting of all kinds, and fuel the work;
 * a call beyond them is unknown and leaves the program as it is. */
value run_function_with(evaluator *e, const py_func *f, const py_call *call, with_run *w)
{
    WEFT_ASSERT((f->def != NULL) != (f->lambda != NULL));
    program *p = e->p;
    if (p->calls >= SEMA_CALLS || p->depth >= SEMA_DEPTH || !p->fuel) {
        may_raise_any(e);
        return unknown("calls are nested too deeply");
    }
    if (f->env->mod->is_stub) {
        may_raise_any(e);
        return unknown("a stub has no code");
    }
    const node *args = f->def ? f->def->args : f->lambda->args;
    namespace *ns = ns_new(e->c, NS_FUNCTION, f->env, locals_prefix(e->c, f->env, f->name));
    bind_arguments(e->c, ns, f, AST(arguments, args), call);
    frame fr = {.with = w};
    evaluator inner = {.c = e->c, .p = p, .names = e->names, .env = ns, .frame = &fr};
    const maybe_mode maybe = p->maybe;
    const uint16_t doubt = p->doubt;
    const bool left = p->left;
    p->maybe.n = 0;
    unseen_function_ran(p, f);
    p->calls++;
    if (f->lambda)
        fr.result = eval_node(&inner, f->lambda->body);
    else
        run_body(&inner, &f->def->body);
    p->calls--;
    const bool in_doubt = p->maybe.n > 0;
    p->maybe = maybe;
    p->doubt = doubt;
    p->left = left;
    if (fr.has_result) /* it may have ended before */
        branch_ended(e);
    /* A catcher around the call may take what was raised. */
    if (in_doubt && p->catchers)
        maybe_begin(p);
    if (fr.is_generator)
        may_raise_any(e);
    return fr.is_generator ? unknown("weft runs no generators") : fr.result;
}

void check_arguments(evaluator *e, const py_func *f, const py_call *call)
{
    const node *args = f->def ? f->def->args : f->lambda->args;
    namespace *ns = ns_new(e->c, NS_FUNCTION, f->env, (str){"", 0});
    bind_arguments(e->c, ns, f, AST(arguments, args), call);
}

value run_function(evaluator *e, const py_func *f, const py_call *call)
{
    return run_function_with(e, f, call, NULL);
}
