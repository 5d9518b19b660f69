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
 * and so are __enter__ and __exit__ of its classes. Others are taken to change nothing. An
 * exception of the body ends at a manager that takes it: contextlib.suppress, an __exit__ that
 * returns something true, a generator that catches it, maybe one that weft does not run. Where that
 * is not known, what follows may not run. */
#include "sema/sema.h"

/* A `with` statement at its item `at`; the evaluator is that of the statement. */
struct with_run {
    evaluator *e;
    const ast_With *n;
    uint32_t at;
    maybe_mode maybe; /* of the statement */
    bool ran;
    bool is_generator;
    bool catches; /* the manager itself may take exceptions: */
    catcher k;
    bool raising;     /* a catcher around the body takes what it raised */
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
    if (p->raising) { /* by what `as` names */
        w->end = FLOW_RAISE;
        w->raised = p->raised;
        return;
    }
    w->k.outer = p->catchers;
    if (w->catches)
        p->catchers = &w->k;
    w->end = run_items(w->e, w->n, w->at + 1);
    p->catchers = w->k.outer;
    w->raised = p->raised;
    w->raising = p->raising;
    p->raising = false;
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
        maybe_begin(p);
    w->unsure = w->unsure || maybe.n;
    w->pending = w->end == FLOW_RAISE && !w->raising;
    if (w->raising)
        raise_exception(e, w->raised);
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

/* Is there a return statement of a value below the node that may be true? */
static void find_true_return(void *arg, const node *n)
{
    bool *found = arg;
    const node *v = n->kind == AST_Return ? AST(Return, n)->value : NULL;
    if (n->kind == AST_FunctionDef || n->kind == AST_Lambda)
        return;
    if (v && v->kind != AST_Constant)
        *found = true;
    if (v && v->kind == AST_Constant)
        *found = *found || (AST(Constant, v)->value.kind != CONST_NONE &&
                            AST(Constant, v)->value.kind != CONST_FALSE);
    ast_each_child(n, find_true_return, arg);
}

/* May the method __exit__ of an object return something true? */
static bool exit_may_be_true(evaluator *e, const value *v)
{
    value method;
    if (!value_getattr(e->c, v, e->names->s___exit__, &method))
        return v->ns->cls != NULL;
    const py_func *f = method.kind == VALUE_PYFUNC ? method.p : NULL;
    if (f && f->kind == PY_METHOD && f->callee->kind == VALUE_PYFUNC)
        f = f->callee->p;
    bool found = !f || !f->def;
    for (uint32_t i = 0; !found && i < f->def->body.n; i++)
        find_true_return(&found, f->def->body.v[i]);
    return found;
}

/* Is the manager one of Warp's or Python's that take no exception: wp.ScopedTimer(...), open(...),
 * a lock? */
static bool takes_nothing(evaluator *e, const node *manager)
{
    static const char *const names[] = {"open",
                                        "Lock",
                                        "RLock",
                                        "Condition",
                                        "Semaphore",
                                        "catch_warnings",
                                        "TemporaryDirectory",
                                        "NamedTemporaryFile",
                                        "nullcontext"};
    if (manager->kind != AST_Call)
        return false;
    const node *f = AST(Call, manager)->func;
    if (f->kind == AST_Name)
        return STR_IS_IN(sym_str(AST(Name, f)->id), names);
    if (f->kind != AST_Attribute)
        return false;
    const value of = eval_node(e, AST(Attribute, f)->value);
    return of.kind == VALUE_WARP || STR_IS_IN(sym_str(AST(Attribute, f)->attr), names);
}

/* Makes the manager v of the item a catcher, if it may take exceptions. The function of a generator
 * has its own `try`. */
static void open_manager(evaluator *e, with_run *w, const node *manager, const value *v)
{
    static const exception any;
    const bool is_call = manager->kind == AST_Call;
    w->k.types = &any;
    w->k.ntypes = 1;
    if (v->kind == VALUE_SPECIAL && v->n == SP_suppress) {
        const node_list *args = is_call ? &AST(Call, manager)->args : NULL;
        exception *types = ARENA_ARRAY(&e->c->module, exception, args ? args->n : 0);
        for (uint32_t i = 0; args && i < args->n; i++)
            types[i] = exception_named(e, args->v[i]);
        w->catches = true;
        if (args)
            w->k.types = types;
        if (args)
            w->k.ntypes = args->n;
    } else if (v->kind == VALUE_OBJECT)
        w->catches = exit_may_be_true(e, v);
    else
        w->catches = !w->is_generator && !takes_nothing(e, manager);
}

/* How the statement ends at a manager that has ended. */
static flow leave(evaluator *e, const with_run *w)
{
    program *p = e->p;
    const bool raised = w->end == FLOW_RAISE;
    if (p->raising || (raised && !w->raising && w->caught <= 0))
        return FLOW_RAISE;
    /* A generator's doubt has ended with it, or goes on. */
    if (!w->is_generator && w->unsure && (w->k.passes || !w->catches))
        maybe_begin(p);
    if (!raised && w->unsure && (w->catches || w->is_generator)) {
        maybe_left(e, w->end);
        return FLOW_NEXT;
    }
    if (!raised)
        return w->end;
    if (w->caught == 1)
        return FLOW_NEXT;
    if (w->caught < 0 || w->unsure) {
        may_raise(e, w->raised);
        return FLOW_NEXT;
    }
    raise_exception(e, w->raised);
    return FLOW_RAISE;
}

/* Item `at`, those behind it, and the body. */
static flow run_items(evaluator *e, const ast_With *n, uint32_t at)
{
    if (at == n->items.n)
        return exec_block(e, &n->body);
    const ast_withitem *item = AST(withitem, n->items.v[at]);
    value v = eval_node(e, item->context_expr);
    if (e->p->raising)
        return FLOW_RAISE;
    with_run w = {.e = e, .n = n, .at = at, .maybe = e->p->maybe};
    const py_func *f = v.kind == VALUE_PYFUNC ? v.p : NULL;
    w.is_generator = f && f->kind == PY_MANAGER;
    open_manager(e, &w, item->context_expr, &v);
    if (w.is_generator)
        run_generator(e, &w, f);
    else if (v.kind == VALUE_OBJECT)
        run_object(e, &w, &v);
    if (!w.ran && e->p->raising)
        return FLOW_RAISE;
    if (!w.ran && !takes_nothing(e, item->context_expr) && v.kind != VALUE_SPECIAL)
        may_raise_any(e);
    if (!w.ran) {
        enter(&w, v.kind == VALUE_UNKNOWN ? v : unknown("weft does not run this context manager"));
        w.caught = w.catches ? catcher_takes(e, &w.k, &w.raised) : 0;
    }
    return leave(e, &w);
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

/* contextlib.suppress: the statement reads which exceptions it takes. */
value call_suppress(evaluator *e, const py_call *a)
{
    (void)a;
    return value_special(e->c, SP_suppress);
}
