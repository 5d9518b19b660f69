/* SPDX-License-Identifier: Apache-2.0 */
/* Exceptions that are raised while a module is evaluated, and what takes them. Each `try` with
 * handlers, and each `with` whose manager may take an exception, is a catcher while its body runs:
 *
 *     try:
 *         v = int("x")        ValueError is raised for certain: the rest of the body does not run
 *         v = read()          any exception, maybe: the rest of the body runs in "maybe" mode
 *     except ValueError:
 *         v = 0               runs for certain after the first, in "maybe" mode after the second
 *
 * What is raised for certain is pending (program.raising) until a catcher takes it: expressions are
 * unknown, assignments have no effect and blocks end with FLOW_RAISE meanwhile. An exception that
 * nothing around takes ends the program, so that it does not matter what is computed then: it is
 * forgotten. */
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

/* The same of an exception of the table or another name of one. */
static const char *known_name(const char *name)
{
    static const char *const others[] = {"IOError", "EnvironmentError", "WindowsError"};
    if (STR_IS_IN(str_c(name), others))
        return "OSError";
    return base_of(name) ? name : NULL;
}

bool is_exception(const sym *name)
{
    return known_name(name->s) != NULL;
}

exception exception_of(const char *name)
{
    WEFT_ASSERT(base_of(name));
    return (exception){.name = name};
}

/* The exception that an expression names as a class; neither name nor class: it is not known. */
exception exception_named(evaluator *e, const node *n)
{
    value v;
    if (n && n->kind == AST_Attribute) {
        catcher *const around = e->p->catchers;
        e->p->catchers = NULL;
        v = eval_node(e, n);
        e->p->catchers = around;
        return (exception){.cls = v.kind == VALUE_CLASS ? v.ns->cls : NULL};
    }
    if (!n || n->kind != AST_Name)
        return (exception){0};
    const sym *name = AST(Name, n)->id;
    if (env_lookup(e->env, name, &v))
        return (exception){.cls = v.kind == VALUE_CLASS ? v.ns->cls : NULL};
    return (exception){.name = env_star(e->env, &v) ? NULL : known_name(name->s)};
}

/* Is a named exception `of` or below it? */
static bool name_is(const char *name, const char *of)
{
    for (; name && *name; name = base_of(name))
        if (strcmp(name, of) == 0)
            return true;
    return false;
}

/* Is the class `of`, or a class below it? -1: a base is not known. */
static int class_is(evaluator *e, const py_class *cls, const exception *of, int depth)
{
    if (of->cls && cls->ns == of->cls->ns)
        return 1;
    int any = 0;
    const node_list *bases = cls->def ? &cls->def->bases : NULL;
    for (uint32_t i = 0; i < cls->nbases && any <= 0; i++) {
        int one = -1;
        if (cls->bases[i].kind == VALUE_CLASS && depth < SEMA_CALLS)
            one = class_is(e, cls->bases[i].ns->cls, of, depth + 1);
        else if (cls->bases[i].kind == VALUE_UNKNOWN && bases && i < bases->n) {
            evaluator outside = *e;
            outside.env = (namespace *)(uintptr_t)cls->ns->parent;
            const exception base = exception_named(&outside, bases->v[i]);
            if (base.name)
                one = of->name ? name_is(base.name, of->name) : 0;
        }
        any = one ? one : any;
    }
    return any;
}

/* Does a handler of type `of` take x? 1, 0, or -1 where that is not known. */
static int exception_is(evaluator *e, const exception *x, const exception *of)
{
    if (of->name && strcmp(of->name, "BaseException") == 0)
        return 1;
    if (!of->name && !of->cls)
        return -1;
    if (x->cls)
        return class_is(e, x->cls, of, 0);
    if (!x->name)
        return -1;
    return of->cls ? 0 : name_is(x->name, of->name);
}

int exceptions_have(evaluator *e, const exception *types, uint32_t n, const exception *x)
{
    int any = 0;
    for (uint32_t i = 0; i < n && any <= 0; i++) {
        const int one = exception_is(e, x, &types[i]);
        any = one ? one : any;
    }
    return any;
}

static bool same_exception(const exception *a, const exception *b)
{
    if (a->cls || b->cls)
        return a->cls == b->cls;
    return a->name && b->name && strcmp(a->name, b->name) == 0;
}

exception exception_either(const exception *a, const exception *b)
{
    return same_exception(a, b) ? *a : (exception){0};
}

static bool is_any(const exception *x)
{
    return !x->name && !x->cls;
}

int catcher_takes(evaluator *e, const catcher *k, const exception *x)
{
    return exceptions_have(e, k->types, k->ntypes, x);
}

static bool takes_exception(const catcher *k)
{
    for (uint32_t i = 0; i < k->ntypes; i++)
        if (k->types[i].name && strcmp(k->types[i].name, "Exception") == 0)
            return true;
    return false;
}

exception exception_rest(const catcher *k, const exception *x)
{
    return is_any(x) && takes_exception(k) ? exception_of("SystemExit") : *x;
}

/* The catcher from which x goes on to no other: the outermost that may take it. NULL: none may. */
static catcher *last_catcher(evaluator *e, exception x)
{
    catcher *last = NULL;
    for (catcher *k = e->p->catchers; k; k = k->outer) {
        const int takes = catcher_takes(e, k, &x);
        if (takes)
            last = k;
        if (takes > 0)
            break;
        if (takes)
            x = exception_rest(k, &x);
    }
    return last;
}

/* Notes in the catchers up to the last one that x may come to them, or pass them. */
static void note_exception(evaluator *e, exception x, const catcher *last)
{
    for (catcher *k = e->p->catchers; k; k = k->outer) {
        const bool takes = catcher_takes(e, k, &x) != 0;
        if (takes) {
            k->x = k->is_unsure ? exception_either(&k->x, &x) : x;
            k->is_unsure = true;
        }
        if (k == last)
            return;
        k->passes = true;
        if (takes)
            x = exception_rest(k, &x);
    }
}

void raise_exception(evaluator *e, exception x)
{
    program *p = e->p;
    if (p->raising || !p->catchers || !last_catcher(e, x))
        return;
    p->raising = true;
    p->raised = x;
}

void may_raise(evaluator *e, exception x)
{
    program *p = e->p;
    const catcher *last = p->raising || !p->catchers ? NULL : last_catcher(e, x);
    if (!last)
        return;
    note_exception(e, x, last);
    if (p->maybe.n < MAYBE_MAX)
        maybe_begin(p);
}

void may_raise_any(evaluator *e)
{
    may_raise(e, (exception){0});
}

void branch_ended(evaluator *e)
{
    program *p = e->p;
    if (!p->raising)
        return;
    p->raising = false;
    may_raise(e, p->raised);
}

/* The program that is being evaluated, if something around could take an exception. */
static program *catching_program(const ctx *c)
{
    program *p = c->sema ? c->sema->current : NULL;
    return p && p->catchers ? p : NULL;
}

value raises(ctx *c, const char *name, const char *why)
{
    program *p = catching_program(c);
    if (p) {
        evaluator e = {.c = c, .p = p, .names = c->sema, .env = &p->modules->globals};
        raise_exception(&e, exception_of(name));
    }
    return unknown(why);
}

void may_raise_named(ctx *c, const char *name)
{
    program *p = catching_program(c);
    if (p) {
        evaluator e = {.c = c, .p = p, .names = c->sema, .env = &p->modules->globals};
        may_raise(&e, name ? exception_of(name) : (exception){0});
    }
}
