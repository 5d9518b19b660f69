/* SPDX-License-Identifier: Apache-2.0 */
/* Exceptions: `raise` and `try`. Only those of raise statements are followed, within one function.
 * Their type is known where the statement names a class of Python's or of the program:
 *
 *     raise KeyError("a")       `except LookupError` takes it, `except ValueError` does not
 *
 * Where it is not known whether a block raises, or whether that is caught, what follows runs in
 * "maybe" mode up to a handler or the end of the function. Where nothing around could catch it, it
 * would end the program, so what follows runs for certain or does not matter. */
#include "sema/sema.h"

enum { MAYBE_MAX = 1000 }; /* beyond it another reason for doubt changes nothing */

/* Python's exceptions and their bases. */
static const char *const exceptions[][2] = {
    {"BaseException", ""},
    {"Exception", "BaseException"},
    {"GeneratorExit", "BaseException"},
    {"KeyboardInterrupt", "BaseException"},
    {"SystemExit", "BaseException"},
    {"ArithmeticError", "Exception"},
    {"AssertionError", "Exception"},
    {"AttributeError", "Exception"},
    {"BufferError", "Exception"},
    {"EOFError", "Exception"},
    {"ImportError", "Exception"},
    {"LookupError", "Exception"},
    {"MemoryError", "Exception"},
    {"NameError", "Exception"},
    {"OSError", "Exception"},
    {"ReferenceError", "Exception"},
    {"RuntimeError", "Exception"},
    {"StopAsyncIteration", "Exception"},
    {"StopIteration", "Exception"},
    {"SyntaxError", "Exception"},
    {"SystemError", "Exception"},
    {"TypeError", "Exception"},
    {"ValueError", "Exception"},
    {"Warning", "Exception"},
    {"FloatingPointError", "ArithmeticError"},
    {"OverflowError", "ArithmeticError"},
    {"ZeroDivisionError", "ArithmeticError"},
    {"ModuleNotFoundError", "ImportError"},
    {"IndexError", "LookupError"},
    {"KeyError", "LookupError"},
    {"FileExistsError", "OSError"},
    {"FileNotFoundError", "OSError"},
    {"PermissionError", "OSError"},
    {"TimeoutError", "OSError"},
    {"NotImplementedError", "RuntimeError"},
    {"RecursionError", "RuntimeError"},
    {"UnicodeError", "ValueError"},
    {"DeprecationWarning", "Warning"},
    {"RuntimeWarning", "Warning"},
    {"UserWarning", "Warning"},
};

/* The base of one of Python's exceptions; NULL: it is none of the table. */
static const char *base_of(const char *name)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (strcmp(exceptions[i][0], name) == 0)
            return exceptions[i][1];
    return NULL;
}

/* The exception that an expression names as a class. */
static exception exception_named(evaluator *e, const node *n)
{
    value v;
    if (!n || n->kind != AST_Name)
        return (exception){0};
    const sym *name = AST(Name, n)->id;
    if (env_lookup(e->env, name, &v))
        return (exception){.cls = v.kind == VALUE_CLASS ? v.ns->cls : NULL};
    return (exception){.name = base_of(name->s) && !env_star(e->env, &v) ? name->s : NULL};
}

/* Is `of` the class, or one of the program's among its bases? */
static bool class_is(const py_class *cls, const py_class *of, int depth)
{
    if (cls->ns == of->ns)
        return true;
    for (uint32_t i = 0; depth < SEMA_CALLS && i < cls->nbases; i++)
        if (cls->bases[i].kind == VALUE_CLASS && class_is(cls->bases[i].ns->cls, of, depth + 1))
            return true;
    return false;
}

/* Does a handler of type `of` take x? 1, 0, or -1 where that is not known. */
static int exception_is(const exception *x, const exception *of)
{
    if (of->name && strcmp(of->name, "BaseException") == 0)
        return 1;
    if (x->cls && of->cls)
        return class_is(x->cls, of->cls, 0) ? 1 : -1;
    if (!x->name || !(of->name || of->cls))
        return -1;
    if (of->cls)
        return 0;
    for (const char *name = x->name; name && *name; name = base_of(name))
        if (strcmp(name, of->name) == 0)
            return 1;
    return 0;
}

int exceptions_have(evaluator *e, const node_list *types, const exception *x)
{
    int any = 0;
    for (uint32_t i = 0; i < types->n && any <= 0; i++) {
        const exception of = exception_named(e, types->v[i]);
        const int one = exception_is(x, &of);
        any = one ? one : any;
    }
    return any;
}

static int handler_takes(evaluator *e, const ast_ExceptHandler *h, const exception *x)
{
    if (!h->type)
        return 1;
    if (h->type->kind == AST_Tuple)
        return exceptions_have(e, &AST(Tuple, h->type)->elts, x);
    const exception of = exception_named(e, h->type);
    return exception_is(x, &of);
}

flow exec_raise(evaluator *e, const node *n)
{
    const node *exc = AST(Raise, n)->exc;
    e->p->last_raise = n;
    e->p->raised = exception_named(e, exc && exc->kind == AST_Call ? AST(Call, exc)->func : exc);
    return FLOW_RAISE;
}

void may_raise(evaluator *e)
{
    if (e->p->maybe.n < MAYBE_MAX)
        maybe_begin(e->p);
}

void settle_doubt(evaluator *e, maybe_mode before)
{
    if (!e->p->doubt)
        e->p->maybe = before;
    else if (e->p->maybe.n > before.n && e->frame) {
        e->frame->has_result = true;
        e->frame->result = unknown("the function may raise an exception");
    }
}

/* Is the statement an import whose module was not found? */
static bool imports_unknown(evaluator *e, const node *n)
{
    const node_list *names = n->kind == AST_Import       ? &AST(Import, n)->names
                             : n->kind == AST_ImportFrom ? &AST(ImportFrom, n)->names
                                                         : NULL;
    for (uint32_t k = 0; names && k < names->n; k++) {
        const ast_alias *a = AST(alias, names->v[k]);
        const sym *bound = a->asname ? a->asname : a->name;
        /* `import a.b` binds a. */
        const char *dot = a->asname || n->kind == AST_ImportFrom ? NULL : strchr(a->name->s, '.');
        if (dot)
            bound = sym_intern(&e->c->syms, a->name->s, (size_t)(dot - a->name->s));
        value v;
        if (!env_lookup(e->env, bound, &v) || v.kind == VALUE_UNKNOWN)
            return true;
    }
    return false;
}

/* The body of a try statement. Behind an import whose module was not found, objects are not sure to
 * change, and the handlers may run: *unfound. Only imports directly in the block count, which is
 * how optional modules are imported. */
static flow exec_body(evaluator *e, const node_list *body, bool *unfound)
{
    program *p = e->p;
    const uint32_t before = p->maybe.since;
    uint32_t since = 0;
    flow f = FLOW_NEXT;
    for (uint32_t i = 0; i < body->n && f == FLOW_NEXT; i++) {
        const node_list one = {.v = body->v + i, .n = 1};
        f = exec_block(e, &one);
        if (!since && imports_unknown(e, body->v[i]))
            p->maybe.since = since = p->objects + 1;
    }
    *unfound = since != 0;
    if (since && p->maybe.since == since)
        p->maybe.since = before;
    return f;
}

/* Every handler may run, in "maybe" mode. What `as` binds is unknown. */
static void exec_handlers(evaluator *e, const node_list *handlers)
{
    static const node_list nothing;
    for (uint32_t i = 0; i < handlers->n; i++) {
        const ast_ExceptHandler *h = AST(ExceptHandler, handlers->v[i]);
        if (h->name)
            bind_name(e, h->name, unknown("an exception has no value at compile time"));
        exec_maybe(e, &h->body, &nothing);
    }
}

/* The body has raised, or has if `unsure`. Is it certain that a handler takes that, and raises
 * nothing itself? */
static bool is_handled(evaluator *e, const node_list *handlers, bool unsure)
{
    program *p = e->p;
    const exception x = unsure ? (exception){0} : p->raised;
    const node *const last = p->last_raise;
    int takes = 0;
    for (uint32_t i = 0; i < handlers->n && takes <= 0; i++) {
        const int one = handler_takes(e, AST(ExceptHandler, handlers->v[i]), &x);
        takes = one ? one : takes;
    }
    p->last_raise = NULL;
    exec_handlers(e, handlers);
    const bool raises = p->last_raise != NULL;
    p->last_raise = last;
    return takes > 0 && !raises;
}

/* The handlers run in three cases: the body raises for certain (FLOW_RAISE), it may raise, or an
 * import in it was not found:
 *
 *     try:
 *         import torch                # found or not, weft does not read it: unknown
 *     except ImportError:
 *         torch = None                # runs in "maybe" mode; torch is None from here on
 *
 * The else block runs only after a body that ended normally. */
static flow exec_handled(evaluator *e, const node_list *body, const node_list *handlers,
                         const node_list *orelse)
{
    static const node_list nothing;
    program *p = e->p;
    const maybe_mode maybe = p->maybe;
    /* A handler may catch a NameError. */
    p->doubt++;
    bool unfound;
    const flow f = exec_body(e, body, &unfound);
    p->doubt--;
    const bool unsure = p->maybe.n > maybe.n;
    if (handlers->n && (unsure || f == FLOW_RAISE)) {
        p->maybe = maybe;
        const bool handled = is_handled(e, handlers, unsure);
        if (f == FLOW_NEXT)
            exec_maybe(e, orelse, &nothing);
        if (!handled)
            may_raise(e);
        return FLOW_NEXT;
    }
    if (f != FLOW_NEXT)
        return f;
    if (unfound)
        exec_handlers(e, handlers);
    return exec_block(e, orelse);
}

/* The finally block runs always, and its own jump wins, as in Python. */
flow exec_try(evaluator *e, const node_list *body, const node_list *handlers,
              const node_list *orelse, const node_list *finalbody)
{
    program *p = e->p;
    const maybe_mode before = p->maybe;
    const flow f = exec_handled(e, body, handlers, orelse);
    const exception raised = p->raised;
    const maybe_mode after = p->maybe;
    p->maybe = before;
    const flow last = exec_block(e, finalbody);
    if (p->maybe.n < after.n)
        p->maybe = after;
    settle_doubt(e, before);
    if (last != FLOW_NEXT)
        return last;
    p->raised = raised;
    return f;
}
