/* SPDX-License-Identifier: Apache-2.0 */
/* `raise` and `try`. Where it is certain that the body raises, and which exception, the handler
 * that takes it runs as in Python:
 *
 *     raise KeyError("a")       `except LookupError` takes it, `except ValueError` does not
 *
 * Where it is not known whether the body raises, or whether that is caught, the rest of the body,
 * the handlers and the else block run in "maybe" mode; so does what follows if the exception may go
 * on to a catcher around (exceptions.c). */
#include "sema/sema.h"

/* What a `raise` statement raises. Without an expression, or with the name that `as` gave, it is
 * what the handler around it has taken. */
static exception raised_by(evaluator *e, const ast_Raise *n)
{
    const node *exc = n->exc;
    if (!exc || (exc->kind == AST_Name && AST(Name, exc)->id == e->p->handled_name))
        return e->p->handled;
    return exception_named(e, exc->kind == AST_Call ? AST(Call, exc)->func : exc);
}

flow exec_raise(evaluator *e, const node *n)
{
    e->p->last_raise = n;
    e->p->raised = raised_by(e, AST(Raise, n));
    raise_exception(e, e->p->raised);
    return FLOW_RAISE;
}

/* The types of one handler: `except:` takes all. */
static void add_types(evaluator *e, const node *of, exception *types, uint32_t *n)
{
    const node_list *all = of && of->kind == AST_Tuple ? &AST(Tuple, of)->elts : NULL;
    if (!of)
        types[(*n)++] = exception_of("BaseException");
    else if (!all)
        types[(*n)++] = exception_named(e, of);
    for (uint32_t i = 0; all && i < all->n; i++)
        types[(*n)++] = exception_named(e, all->v[i]);
}

/* How many types the handler names. */
static uint32_t count_types(const ast_ExceptHandler *h)
{
    return h->type && h->type->kind == AST_Tuple ? AST(Tuple, h->type)->elts.n : 1;
}

/* A `try` whose body has raised, or may have. */
typedef struct handling {
    catcher k;         /* with the types of all handlers, in their order */
    maybe_mode before; /* the body */
    exception x;       /* what is handled */
    bool certain;      /* it was raised */
} handling;

static void open_catcher(evaluator *e, handling *h, const node_list *handlers)
{
    uint32_t n = 0, count = 0;
    for (uint32_t i = 0; i < handlers->n; i++)
        count += count_types(AST(ExceptHandler, handlers->v[i]));
    exception *types = ARENA_ARRAY(&e->c->module, exception, count);
    for (uint32_t i = 0; i < handlers->n; i++)
        add_types(e, AST(ExceptHandler, handlers->v[i])->type, types, &n);
    *h = (handling){.k = {.outer = e->p->catchers, .types = types, .ntypes = n},
                    .before = e->p->maybe};
    e->p->catchers = &h->k;
}

/* A handler; with `certain` it runs for certain. What `as` binds is unknown. */
static flow run_handler(evaluator *e, const ast_ExceptHandler *n, const exception *x, bool certain)
{
    static const node_list nothing;
    program *p = e->p;
    const exception around = p->handled;
    const sym *const name = p->handled_name;
    p->handled = *x;
    p->handled_name = n->name;
    if (n->name)
        bind_name(e, n->name, unknown("an exception has no value at compile time"));
    const flow f = certain ? exec_block(e, &n->body) : exec_maybe(e, &n->body, &nothing);
    p->handled = around;
    p->handled_name = name;
    return f;
}

/* Runs the handlers that may take what was raised. Returns 1 if one takes it for certain, 0 if none
 * does, else -1; *f is how the one ended that ran for certain. */
static int run_handlers(evaluator *e, const handling *h, const node_list *handlers, flow *f)
{
    const exception *types = h->k.types;
    int any = 0;
    for (uint32_t i = 0; i < handlers->n; i++) {
        const ast_ExceptHandler *n = AST(ExceptHandler, handlers->v[i]);
        const int takes = exceptions_have(e, types, count_types(n), &h->x);
        types += count_types(n);
        if (!takes)
            continue;
        const bool certain = h->certain && takes > 0 && !any;
        const flow end = run_handler(e, n, &h->x, certain);
        *f = certain ? end : FLOW_NEXT;
        any = takes;
        if (takes > 0)
            break;
    }
    return any;
}

/* After a body that has raised for certain. */
static flow handle(evaluator *e, const handling *h, const node_list *handlers)
{
    flow f = FLOW_NEXT;
    const int taken = run_handlers(e, h, handlers, &f);
    if (taken <= 0)
        may_raise(e, exception_rest(&h->k, &h->x));
    return f;
}

/* The else block runs only after a body that ended normally. */
static flow exec_handled(evaluator *e, const node_list *body, const node_list *handlers,
                         const node_list *orelse)
{
    static const node_list nothing;
    program *p = e->p;
    handling h;
    open_catcher(e, &h, handlers);
    /* A handler may catch a NameError. */
    p->doubt++;
    const flow f = exec_block(e, body);
    p->doubt--;
    p->catchers = h.k.outer;
    const bool raised = f == FLOW_RAISE && p->raising;
    if (raised && !h.k.is_unsure && !catcher_takes(e, &h.k, &p->raised))
        return f;
    if (!raised && !h.k.is_unsure)
        return f == FLOW_NEXT ? exec_block(e, orelse) : f;
    p->raising = false;
    h.x = !raised ? h.k.x : h.k.is_unsure ? exception_either(&h.k.x, &p->raised) : p->raised;
    h.certain = raised && !h.k.passes;
    p->maybe = h.before;
    if (e->frame && e->frame->since > p->maybe.since)
        p->maybe.since = e->frame->since;
    flow end = FLOW_NEXT;
    if (raised)
        end = handle(e, &h, handlers);
    else {
        run_handlers(e, &h, handlers, &end);
        if (f == FLOW_NEXT)
            exec_maybe(e, orelse, &nothing);
        end = FLOW_NEXT;
        maybe_left(e, f);
    }
    if (h.k.passes)
        maybe_begin(p);
    return end;
}

/* The finally block runs always, and its own jump wins, as in Python. */
flow exec_try(evaluator *e, const node_list *body, const node_list *handlers,
              const node_list *orelse, const node_list *finalbody)
{
    program *p = e->p;
    const maybe_mode before = p->maybe;
    const flow f = handlers->n ? exec_handled(e, body, handlers, orelse) : exec_block(e, body);
    if (!finalbody->n)
        return f;
    const exception raised = p->raised;
    const bool raising = p->raising;
    const maybe_mode after = p->maybe;
    p->maybe = before;
    p->raising = false;
    const flow last = exec_block(e, finalbody);
    if (p->maybe.n < after.n)
        p->maybe = after;
    if (last != FLOW_NEXT)
        return last;
    p->raised = raised;
    p->raising = raising;
    return f;
}
