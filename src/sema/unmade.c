/* SPDX-License-Identifier: Apache-2.0 */
/* Finds definitions of kernels that no kernel was made of, and runs the functions around them
 * (unmade.h). A function that never runs in Python may be run here: what it makes is what its
 * caller would get. */
#include "sema/unmade.h"

#include "sema/sema.h"

typedef VEC(unmade_kernel) unmade_list;

typedef struct unmade_search {
    evaluator *e;
    unmade_list *found;
    const ast_FunctionDef *around;
    const ast_ClassDef *cls;
} unmade_search;

static bool is_made(const program *p, const ast_FunctionDef *n)
{
    for (uint32_t i = 0; i < p->all.n; i++)
        if (p->all.v[i]->code.def == n)
            return true;
    return false;
}

static void look(void *arg, const node *n)
{
    const unmade_search *s = arg;
    unmade_search inner = *s;
    if (n->kind == AST_ClassDef && !s->around) {
        inner.cls = AST(ClassDef, n);
    } else if (n->kind == AST_FunctionDef) {
        const ast_FunctionDef *f = AST(FunctionDef, n);
        for (uint32_t i = 0; i < f->decorator_list.n; i++)
            if (is_warp_kernel(s->e, f->decorator_list.v[i])) {
                const unmade_kernel k = {f, s->around, s->cls};
                if (!is_made(s->e->p, f))
                    VEC_PUSH(&s->e->c->module, s->found, k);
                return;
            }
        if (!s->around)
            inner.around = f;
    }
    ast_each_child(n, look, &inner);
}

uint32_t program_end(const program *p, bool *spent)
{
    const node *end = p->spent_at ? p->spent_at : p->raised_at;
    *spent = p->spent_at != NULL;
    return end ? end->line : 0;
}

const unmade_kernel *program_unmade(const program *prog, uint32_t *n)
{
    program *p = (program *)(uintptr_t)prog;
    evaluator e = evaluator_for(p->c, &p->main->globals);
    unmade_list found = {0};
    unmade_search s = {.e = &e, .found = &found};
    if (mentions_warp(p->main->src.text))
        ast_each_child(&p->main->tree->base, look, &s);
    *n = found.n;
    return found.v;
}

/* What the module or the class has under the name of the function around. */
static bool named_value(const program *p, const unmade_kernel *k, value *out)
{
    const value *v;
    if (!k->around)
        return false;
    if (k->cls) {
        v = ns_find(&p->main->globals, k->cls->name);
        if (!v || v->kind != VALUE_CLASS || !v->ns->cls ||
            !class_find(v->ns->cls, k->around->name, out))
            return false;
    } else if (!(v = ns_find(&p->main->globals, k->around->name))) {
        return false;
    } else {
        *out = *v;
    }
    return true;
}

/* staticmethod and classmethod: what they hold. */
static value without_descriptor(const value *v)
{
    const py_func *f = v->kind == VALUE_PYFUNC ? v->p : NULL;
    while (f && f->kind != PY_DEF && f->kind != PY_PARTIAL && f->callee &&
           f->callee->kind == VALUE_PYFUNC)
        f = f->callee->p;
    return f ? (value){.kind = VALUE_PYFUNC, .p = f} : *v;
}

static const py_func *function_behind(const value *v, const ast_FunctionDef *def, int depth);

static const py_func *function_in(const namespace *ns, const ast_FunctionDef *def, int depth)
{
    const py_func *found = NULL;
    for (uint32_t i = 0; i < ns->n && !found; i++)
        found = function_behind(&ns->v[i].v, def, depth);
    return found;
}

/* A decorator's wrapper holds the function in its closure, an object in an attribute. */
static const py_func *function_behind(const value *v, const ast_FunctionDef *def, int depth)
{
    enum { LAYERS_MOST = 4 };
    if (v->kind == VALUE_OBJECT && depth < LAYERS_MOST)
        return function_in(v->ns, def, depth + 1);
    const py_func *f = v->kind == VALUE_PYFUNC ? v->p : NULL, *found = NULL;
    if (!f || depth == LAYERS_MOST || (f->kind == PY_DEF && f->def == def))
        return f && f->def == def ? f : NULL;
    if (f->callee)
        found = function_behind(f->callee, def, depth + 1);
    if (f->given)
        for (uint32_t i = 0; i < f->given->nargs && !found; i++)
            found = function_behind(&f->given->args[i], def, depth + 1);
    for (const namespace *ns = f->env; f->kind == PY_DEF && ns && ns->kind == NS_FUNCTION && !found;
         ns = ns->parent)
        found = function_in(ns, def, depth + 1);
    return found;
}

bool is_function_of(const value *v, const ast_FunctionDef *def)
{
    return function_behind(v, def, 0) != NULL;
}

bool program_callee(const program *p, const unmade_kernel *k, kernel_callee *out)
{
    value v;
    if (!named_value(p, k, &v))
        return false;
    out->called = without_descriptor(&v);
    const py_func *f = function_behind(&out->called, k->around, 0);
    if (!f)
        return false;
    out->plain = out->face = (value){.kind = VALUE_PYFUNC, .p = f};
    out->by_position = false;
    const py_func *w = out->called.kind == VALUE_PYFUNC ? out->called.p : NULL;
    if (!w || w->kind != PY_DEF || !w->def || w->def == f->def)
        return true;
    const ast_arguments *a = AST(arguments, w->def->args);
    out->by_position = a->vararg && !a->kwarg;
    if (!a->vararg)
        out->face = out->called;
    return true;
}

bool function_default(const value *v, uint32_t i, value *out)
{
    const py_func *f = v->p;
    const ast_arguments *a = AST(arguments, f->def->args);
    const uint32_t n = a->posonlyargs.n + a->args.n, first = n - a->defaults.n;
    const value *found = NULL;
    if (i < n)
        found = i >= first && f->defaults ? &f->defaults[i - first] : NULL;
    else if (f->kw_defaults && a->kw_defaults.v[i - n])
        found = &f->kw_defaults[i - n];
    if (!found || found->kind == VALUE_UNKNOWN)
        return false;
    *out = *found;
    return true;
}

static bool is_plain(const kernel_callee *c)
{
    const py_func *f = c->called.kind == VALUE_PYFUNC ? c->called.p : NULL, *plain = c->plain.p;
    return f && f->kind == PY_DEF && f->def == plain->def;
}

/* As program_load leaves those that it made. */
static const kernel *const *take_made(program *p, uint32_t first, uint32_t *n)
{
    const kernel **made = ARENA_ARRAY(&p->c->module, const kernel *, p->all.n - first + 1);
    for (warp_module *w = p->warp_modules; w; w = w->next)
        registry_sync(w);
    *n = 0;
    for (uint32_t i = first; i < p->all.n; i++) {
        kernel_take_options(p->all.v[i]);
        if (p->all.v[i]->code.src == &p->main->src)
            made[(*n)++] = p->all.v[i];
    }
    return made;
}

const kernel *const *program_call(const program *prog, const kernel_callee *callee,
                                  const value *args, uint32_t *n)
{
    program *p = (program *)(uintptr_t)prog;
    const py_func *f = callee->face.p;
    const ast_arguments *a = AST(arguments, f->def->args);
    const uint32_t positional = a->posonlyargs.n + a->args.n, first = p->all.n;
    const uint32_t errors = p->c->diags.n;
    const sym **names = ARENA_ARRAY(&p->c->module, const sym *, a->kwonlyargs.n + 1);
    for (uint32_t i = 0; i < a->kwonlyargs.n; i++)
        names[i] = AST(arg, a->kwonlyargs.v[i])->arg;
    const py_call call = {.args = args,
                          .nargs = positional,
                          .names = names,
                          .kwargs = args + positional,
                          .nkwargs = a->kwonlyargs.n};
    evaluator e = evaluator_for(p->c, &p->main->globals);
    p->fuel = SEMA_FUEL;
    if (is_plain(callee)) /* a memo would keep back what it has made before */
        (void)run_function(&e, f, &call);
    else
        (void)call_value(&e, &callee->called, &call);
    p->c->diags.n = errors;
    return take_made(p, first, n);
}

value program_object(const program *prog, const value *cls, const sym *const *names,
                     const value *fields, uint32_t n)
{
    program *p = (program *)(uintptr_t)prog;
    const uint32_t errors = p->c->diags.n;
    const sym **kept = ARENA_ARRAY(&p->c->module, const sym *, n + 1);
    value *given = ARENA_ARRAY(&p->c->module, value, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        kept[i] = names[i];
        given[i] = fields[i];
    }
    const py_call call = {.names = kept, .kwargs = given, .nkwargs = n};
    evaluator e = evaluator_for(p->c, &p->main->globals);
    p->fuel = SEMA_FUEL_LATE;
    const value v = call_value(&e, cls, &call);
    p->c->diags.n = errors;
    return v;
}
