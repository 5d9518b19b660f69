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
 * and so are __enter__ and __exit__ of its classes. Others are taken to do nothing. */
#include "sema/sema.h"

/* A `with` statement at its item `at`; the evaluator is that of the statement. */
struct with_run {
    evaluator *e;
    const ast_With *n;
    uint32_t at;
    uint16_t maybe; /* of the statement */
    bool ran;
    flow end; /* of the body */
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
    w->end = run_items(w->e, w->n, w->at + 1);
}

/* A generator yields once. Under a condition that is not known the body is not sure to run. */
bool with_yield(evaluator *e, with_run *w, value v)
{
    program *p = e->p;
    const uint16_t maybe = p->maybe;
    if (w->ran)
        return false;
    p->maybe = (uint16_t)(maybe + w->maybe);
    enter(w, v);
    p->maybe = maybe;
    return true;
}

/* contextlib.contextmanager */
static void run_generator(evaluator *e, with_run *w, const py_func *manager)
{
    const py_func *f = manager->callee->p;
    WEFT_ASSERT(manager->kind == PY_MANAGER && f->kind == PY_DEF);
    if (!manager->given->inexact)
        (void)run_function_with(e, f, manager->given, w);
}

/* An object of a class. */
static void run_object(evaluator *e, with_run *w, const value *v)
{
    value method;
    py_call none = {0};
    if (!value_getattr(e->c, v, e->names->s___enter__, &method) || method.kind != VALUE_PYFUNC)
        return;
    enter(w, call_value(e, &method, &none));
    value *nothing = ARENA_ARRAY(&e->c->module, value, 3);
    for (int i = 0; i < 3; i++)
        nothing[i] = value_none();
    const py_call exit_call = {.args = nothing, .nargs = 3};
    if (value_getattr(e->c, v, e->names->s___exit__, &method))
        (void)call_value(e, &method, &exit_call);
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
    if (!w.ran)
        enter(&w, v.kind == VALUE_UNKNOWN ? v : unknown("weft does not run this context manager"));
    return w.end;
}

flow exec_with(evaluator *e, const ast_With *n)
{
    /* The manager may catch a NameError. */
    e->p->doubt++;
    const flow f = run_items(e, n, 0);
    e->p->doubt--;
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
