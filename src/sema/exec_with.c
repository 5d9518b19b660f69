/* SPDX-License-Identifier: Apache-2.0 */
/* The `with` statement. Context managers that the program itself writes are run:
 *
 *     @contextlib.contextmanager
 *     def tiles_of(n):
 *         settings.tile = n          before the body
 *         yield n                    here the body runs; what `as` binds
 *         settings.tile = 16         after it
 *     with tiles_of(8) as n: ...
 *
 * and so are __enter__ and __exit__ of its classes. Others are taken to do nothing. An exception of
 * the body ends at a manager that takes it: contextlib.suppress, an __exit__ that returns something
 * true, a generator that catches it. Where that is not known, what follows may not run. */
#include "sema/sema.h"

/* A `with` statement at its item `at`; the evaluator is that of the statement. */
struct with_run {
    evaluator *e;
    const ast_With *n;
    uint32_t at;
    maybe_mode maybe; /* of the statement */
    bool ran;
    bool unsure;      /* the body may not run, or may have raised before its end */
    bool pending;     /* the yield has to raise what the body raised */
    int caught;       /* does the manager take the exception of the body? -1: not known */
    flow end;         /* of the body */
    exception raised; /* by the body */
};

static flow run_items(evaluator *e, const ast_With *n, uint32_t at);

/* Binds what `as` names, then runs what is left of the statement. */
static void enter(with_run *w, value v)
{
    const ast_withitem *item = AST(withitem, w->n->items.v[w->at]);
    WEFT_ASSERT(!w->ran);
    w->ran = true;
    if (item->optional_vars)
        assign_to(w->e, item->optional_vars, v);
    program *p = w->e->p;
    const maybe_mode maybe = p->maybe;
    w->end = run_items(w->e, w->n, w->at + 1);
    w->raised = p->raised;
    w->unsure = p->maybe.n > maybe.n;
    p->maybe = maybe;
}

/* A generator yields once. Under a condition that is not known the body is not sure to run. */
bool with_yield(evaluator *e, with_run *w, value v)
{
    program *p = e->p;
    const maybe_mode maybe = p->maybe;
    if (w->ran)
        return false;
    p->maybe.n = (uint16_t)(maybe.n + w->maybe.n);
    enter(w, v);
    p->maybe = maybe;
    if (w->unsure)
        may_raise(e);
    w->unsure = w->unsure || maybe.n;
    w->pending = w->end == FLOW_RAISE;
    return true;
}

bool with_raises(with_run *w)
{
    const bool raises = w->pending;
    w->pending = false;
    if (raises)
        w->e->p->raised = w->raised;
    return raises;
}

void with_ended(with_run *w, flow end)
{
    w->caught = w->e->p->maybe.n ? -1 : end != FLOW_RAISE;
}

/* contextlib.contextmanager */
static void run_generator(evaluator *e, with_run *w, const py_func *manager)
{
    const py_func *f = manager->callee->p;
    WEFT_ASSERT(manager->kind == PY_MANAGER && f->kind == PY_DEF);
    if (!manager->given->inexact)
        (void)run_function_with(e, f, manager->given, w);
}

/* What __exit__ is called with: the type, the exception and the traceback, of which only that they
 * are there is known. */
static const value *exit_arguments(evaluator *e, const with_run *w)
{
    ctx *c = e->c;
    value *given = ARENA_ARRAY(&c->module, value, 3);
    py_class *cls = ARENA_NEW(&c->module, py_class);
    *cls = (py_class){.name = e->names->s___exit__, .partly_known = true, .is_any = true};
    cls->ns = ns_new(c, NS_CLASS, e->env, STR(""));
    cls->ns->cls = cls;
    for (int i = 0; i < 3; i++)
        given[i] = w->unsure              ? unknown("the body may raise an exception")
                   : w->end == FLOW_RAISE ? new_object(c, cls)
                                          : value_none();
    return given;
}

/* An object of a class. */
static void run_object(evaluator *e, with_run *w, const value *v)
{
    value method;
    py_call none = {0};
    if (!value_getattr(e->c, v, e->names->s___enter__, &method) || method.kind != VALUE_PYFUNC)
        return;
    enter(w, call_value(e, &method, &none));
    const py_call exit_call = {.args = exit_arguments(e, w), .nargs = 3};
    if (!value_getattr(e->c, v, e->names->s___exit__, &method))
        return;
    const value r = call_value(e, &method, &exit_call);
    w->caught = value_truth(&r);
    e->p->raised = w->raised;
}

/* Does contextlib.suppress(KeyError, ...) take what the body raised? */
static int suppresses(evaluator *e, const node *manager, const exception *x)
{
    if (manager->kind != AST_Call)
        return -1;
    const value made_by = eval_node(e, AST(Call, manager)->func);
    if (made_by.kind != VALUE_SPECIAL || made_by.n != SP_suppress)
        return -1;
    return exceptions_have(e, &AST(Call, manager)->args, x);
}

/* How the statement ends at a manager. */
static flow leave(evaluator *e, const with_run *w)
{
    const bool raised = w->end == FLOW_RAISE;
    if (!w->unsure && (!raised || w->caught >= 0))
        return raised && w->caught ? FLOW_NEXT : w->end;
    may_raise(e);
    return raised ? FLOW_NEXT : w->end;
}

/* Item `at`, those behind it, and the body. */
static flow run_items(evaluator *e, const ast_With *n, uint32_t at)
{
    if (at == n->items.n)
        return exec_block(e, &n->body);
    const ast_withitem *item = AST(withitem, n->items.v[at]);
    value v = eval_node(e, item->context_expr);
    with_run w = {.e = e, .n = n, .at = at, .maybe = e->p->maybe};
    const py_func *f = v.kind == VALUE_PYFUNC ? v.p : NULL;
    if (f && f->kind == PY_MANAGER)
        run_generator(e, &w, f);
    else if (v.kind == VALUE_OBJECT)
        run_object(e, &w, &v);
    if (!w.ran) {
        enter(&w, v.kind == VALUE_UNKNOWN ? v : unknown("weft does not run this context manager"));
        w.caught = -1;
    }
    if (v.kind == VALUE_SPECIAL && v.n == SP_suppress)
        w.caught = suppresses(e, item->context_expr, &w.raised);
    return leave(e, &w);
}

flow exec_with(evaluator *e, const ast_With *n)
{
    /* The manager may catch a NameError. */
    e->p->doubt++;
    const maybe_mode before = e->p->maybe;
    const flow f = run_items(e, n, 0);
    e->p->doubt--;
    settle_doubt(e, before);
    return f;
}

/* @contextlib.contextmanager: a copy of the function whose calls make managers. */
value call_contextmanager(evaluator *e, const py_call *a)
{
    const py_func *f = a->nargs == 1 && a->args[0].kind == VALUE_PYFUNC ? a->args[0].p : NULL;
    if (!f || f->kind != PY_DEF || !f->def)
        return call_unknown(e, a);
    py_func *copy = ARENA_NEW(&e->c->module, py_func);
    *copy = *f;
    copy->makes_manager = true;
    return (value){.kind = VALUE_PYFUNC, .p = copy};
}

value new_manager(ctx *c, const py_func *f, const py_call *call)
{
    WEFT_ASSERT(f->makes_manager);
    py_func *m = ARENA_NEW(&c->module, py_func);
    py_call *given = ARENA_NEW(&c->module, py_call);
    *given = *call;
    m->kind = PY_MANAGER;
    m->callee = value_keep(c, (value){.kind = VALUE_PYFUNC, .p = f});
    m->given = given;
    return (value){.kind = VALUE_PYFUNC, .p = m};
}

/* contextlib.suppress: the statement reads which exceptions it takes. */
value call_suppress(evaluator *e, const py_call *a)
{
    (void)a;
    return value_special(e->c, SP_suppress);
}
