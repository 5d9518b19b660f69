/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that a file may make and weft does not see, as warnings:
 *
 *     @nosuch.kernel          its decorator is not known: module 'nosuch' was not found
 *     def a(...): ...
 *     b = nosuch.make(3)      what 'nosuch.make' makes here is not known
 *     b = found.make(3)       kernel 'k' of found.py is made here, and compiled with neither file
 *     def make(n):            kernel 'c' is made when 'make' is called, and nothing calls it
 *         @wp.kernel
 *         def c(...): ...
 *     for i in range(10**9): ...   kernels after it are not seen
 *     if __name__ == "__main__":
 *         @wp.kernel          kernel 'd' is made by code that weft does not run
 *         def d(...): ...
 *
 * The evaluator notes what it meets (unseen_decorator, unseen_function_ran); the rest is found by a
 * walk over the syntax tree when the module has run. */
#include "sema/sema.h"

/* --- what the evaluator notes ---------------------------------------------------------------- */

static bool has_run(const program *p, const ast_FunctionDef *n)
{
    return str_map_get(&p->ran, (str){(const char *)&n, sizeof n}) != 0;
}

/* The key is a copy: f may be a variable of the caller, which the map outlives. */
void unseen_function_ran(program *p, const py_func *f)
{
    arena *a = &p->c->module;
    if (!f->def || f->env->mod != p->main || has_run(p, f->def))
        return;
    const str key = {arena_dup(a, (const char *)&f->def, sizeof f->def), sizeof f->def};
    str_map_set(a, &p->ran, key, 1);
}

static bool is_lost(const value *v)
{
    return v->kind == VALUE_UNKNOWN && (v->n == UNKNOWN_MODULE || v->n == UNKNOWN_PACKAGE);
}

/* "wp.kernel" of `@wp.kernel(enable_backward=False)`; NULL: the expression has no name. */
static const char *name_of(ctx *c, const node *n)
{
    while (n->kind == AST_Call)
        n = AST(Call, n)->func;
    return ast_dotted(&c->module, n);
}

/* What a decorator or callee stands for at module level; a name that is not there may be imported
 * by the function itself. */
bool is_warp_kernel(const evaluator *e, const node *n)
{
    value v;
    while (n->kind == AST_Call)
        n = AST(Call, n)->func;
    if (n->kind == AST_Name)
        return env_lookup(&e->p->main->globals, AST(Name, n)->id, &v) && v.kind == VALUE_SPECIAL &&
               v.n == SP_kernel;
    if (n->kind != AST_Attribute || strcmp(AST(Attribute, n)->attr->s, "kernel") != 0 ||
        AST(Attribute, n)->value->kind != AST_Name)
        return false;
    const sym *root = AST(Name, AST(Attribute, n)->value)->id;
    if (env_lookup(&e->p->main->globals, root, &v))
        return v.kind == VALUE_WARP && v.s == e->names->s_warp;
    return strcmp(root->s, "wp") == 0 || root == e->names->s_warp;
}

static bool is_named_kernel(ctx *c, const node *decorator)
{
    const char *name = name_of(c, decorator), *dot = name ? strrchr(name, '.') : NULL;
    return name && strcmp(dot ? dot + 1 : name, "kernel") == 0;
}

/* Has a parameter the type of an array, or one that a missing module would know? */
static bool takes_arrays(evaluator *e, const ast_FunctionDef *n)
{
    const node_list *args = &AST(arguments, n->args)->args;
    bool any = false;
    e->p->doubt++; /* an unknown name is no error here */
    for (uint32_t i = 0; i < args->n && !any; i++) {
        const node *annotation = AST(arg, args->v[i])->annotation;
        if (!annotation)
            continue;
        const value v = annotation_value(e, e->env, annotation);
        any = is_lost(&v) || (v.kind == VALUE_TYPE && v.type->kind == TYPE_ARRAY);
    }
    e->p->doubt--;
    return any;
}

void unseen_decorator(evaluator *e, const ast_FunctionDef *n, uint32_t culprit, value v)
{
    WEFT_ASSERT(v.kind == VALUE_UNKNOWN && culprit < n->decorator_list.n);
    bool is_kernel = false;
    if (e->env->mod != e->p->main || !mentions_warp(e->p->main->src.text))
        return;
    for (uint32_t i = 0; i < n->decorator_list.n; i++)
        is_kernel = is_kernel || is_warp_kernel(e, n->decorator_list.v[i]) ||
                    (is_lost(&v) && is_named_kernel(e->c, n->decorator_list.v[i]));
    if (!is_kernel && !(is_lost(&v) && takes_arrays(e, n)))
        return;
    const unseen_def found = {n, n->decorator_list.v[culprit], v};
    VEC_PUSH(&e->c->module, &e->p->unseen, found);
}

/* Imports make kernels, too, which are compiled with the imported file. */
/* Once for each statement: it may stand in a loop. */
void unseen_overload(evaluator *e, const node *at, const kernel *k, value v)
{
    program *p = e->p;
    if (!at || e->env->mod != p->main || k->code.mod != p->main)
        return;
    for (uint32_t i = 0; i < p->overloads.n; i++)
        if (p->overloads.v[i].at == at)
            return;
    VEC_PUSH(&e->c->module, &p->overloads, ((lost_overload){at, k->code.name, v.why}));
}

void unseen_kernel_made(evaluator *e, const py_func *f)
{
    program *p = e->p;
    if (f->env->mod == p->main || p->imports || !p->main_call)
        return;
    const unseen_made made = {p->main_call, f->name, f->env->mod};
    VEC_PUSH(&e->c->module, &p->foreign, made);
}

/* --- the walk over the tree ------------------------------------------------------------------ */

/* What the walk finds: kernels in code that does not run, and calls of what is not known. */
typedef struct findings {
    const node *at; /* the first kernel */
    const char *what, *function;
    uint32_t n;
    bool is_cut_off;      /* a kernel stands behind the end of the fuel */
    const ast_Call *call; /* the first call that is assigned */
    value reason;
    VEC(const char *) reported; /* reasons of calls */
} findings;

/* Where the walk stands. Copied at each function, class and `if`. */
typedef struct search {
    evaluator *e;
    findings *found;
    const char *prefix;   /* of names in the class: "Solver." */
    const char *function; /* that nothing has called; NULL: none is around */
    bool in_main;         /* under if __name__ == "__main__" */
    bool in_function;     /* of any kind */
    bool is_assigned;     /* the statement keeps what is called */
    bool for_kernel;      /* its target has "kernel" in its name */
} search;

static span place(const search *s, const node *n)
{
    return node_span(&s->e->p->main->src, n);
}

static bool is_unrun(const search *s)
{
    return s->function || s->in_main;
}

static void note_cut_off(const search *s, const ast_FunctionDef *n)
{
    const program *p = s->e->p;
    const node *end = p->spent_at ? p->spent_at : p->raised_at;
    bool is_made = !end || n->base.line <= end->line;
    for (uint32_t i = 0; i < p->all.n && !is_made; i++)
        is_made = p->all.v[i]->code.def == n;
    s->found->is_cut_off = s->found->is_cut_off || !is_made;
}

/* A file may have dozens of factories: the first is reported, with the number of the others. */
static void note_unrun(const search *s, const node *at, const char *name)
{
    findings *f = s->found;
    WEFT_ASSERT(is_unrun(s));
    if (f->n++)
        return;
    f->at = at;
    f->what = name ? arena_printf(&s->e->c->module, "kernel '%s'", name) : "a kernel";
    f->function = s->function;
}

static void report_unrun(const search *s)
{
    ctx *c = s->e->c;
    const findings *f = s->found;
    const char *others = f->n > 1
                             ? arena_printf(&c->module, ", nor %s %u other%s of this file",
                                            f->n > 2 ? "are" : "is", f->n - 1, f->n > 2 ? "s" : "")
                             : "";
    if (f->n && f->function)
        diag_error(c, place(s, f->at), DIAG_UNSEEN_IN_FUNCTION, f->what, f->function, others);
    else if (f->n)
        diag_error(c, place(s, f->at), DIAG_UNSEEN_IN_MAIN, f->what, others);
}

/* --- calls of what is not known --------------------------------------------------------------- */

/* Is "kernel" a part of the name, whatever the capitals? */
static bool speaks_of_kernels(const char *name)
{
    static const char word[] = "kernel";
    for (; *name; name++) {
        size_t n = 0;
        while (word[n] && (name[n] | 32) == word[n])
            n++;
        if (!word[n])
            return true;
    }
    return false;
}

static bool speaks_of_making(const char *name)
{
    const char *dot = strrchr(name, '.'), *last = dot ? dot + 1 : name;
    return speaks_of_kernels(last) &&
           (strncmp(last, "make", 4) == 0 || strncmp(last, "create", 6) == 0 ||
            strncmp(last, "build", 5) == 0);
}

static bool launches(const source *src)
{
    static const char word[] = ".launch";
    for (size_t i = 0; i + sizeof word <= src->text.n; i++)
        if (memcmp(src->text.p + i, word, sizeof word - 1) == 0)
            return true;
    return false;
}

static void report_call(const search *s, const ast_Call *n, const value *v)
{
    ctx *c = s->e->c;
    findings *f = s->found;
    for (uint32_t i = 0; i < f->reported.n; i++)
        if (f->reported.v[i] == v->why)
            return;
    VEC_PUSH(&c->module, &f->reported, v->why);
    diag_error(c, place(s, &n->base), DIAG_UNSEEN_CALL, name_of(c, &n->base), v->why);
}

/* nosuch.make(3): reported at once if a name says that kernels are made, else remembered. */
static void visit_lost_call(const search *s, const ast_Call *n)
{
    const char *name = name_of(s->e->c, &n->base);
    const node *root = n->func;
    value v;
    while (root->kind == AST_Attribute || root->kind == AST_Call)
        root = root->kind == AST_Call ? AST(Call, root)->func : AST(Attribute, root)->value;
    if (!name || root->kind != AST_Name ||
        !env_lookup(&s->e->p->main->globals, AST(Name, root)->id, &v) || !is_lost(&v))
        return;
    const bool has_warp = mentions_warp(s->e->p->main->src.text);
    if (has_warp ? s->for_kernel || speaks_of_kernels(name) : speaks_of_making(name)) {
        report_call(s, n, &v);
    } else if (s->is_assigned && launches(&s->e->p->main->src) && !s->found->call) {
        s->found->call = n;
        s->found->reason = v;
    }
}

/* --- the visits ------------------------------------------------------------------------------- */

static void visit(void *arg, const node *n);

static void visit_all(const search *s, const node_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        visit((void *)(uintptr_t)s, list->v[i]);
}

static void visit_function(const search *s, const ast_FunctionDef *n)
{
    search inner = *s;
    for (uint32_t i = 0; i < n->decorator_list.n; i++)
        if (is_warp_kernel(s->e, n->decorator_list.v[i])) {
            if (is_unrun(s))
                note_unrun(s, &n->base, n->name->s);
            else
                note_cut_off(s, n);
            return;
        }
    inner.prefix = "";
    inner.in_function = true;
    if (!s->function && !has_run(s->e->p, n))
        inner.function = arena_printf(&s->e->c->module, "%s%s", s->prefix, n->name->s);
    visit_all(&inner, &n->body);
}

static void visit_class(const search *s, const ast_ClassDef *n)
{
    search inner = *s;
    inner.prefix = arena_printf(&s->e->c->module, "%s%s.", s->prefix, n->name->s);
    visit_all(&inner, &n->body);
}

static bool is_main_test(const search *s, const node *n)
{
    if (n->kind != AST_Compare || AST(Compare, n)->comparators.n != 1)
        return false;
    const node *sides[] = {AST(Compare, n)->left, AST(Compare, n)->comparators.v[0]};
    bool name = false;
    for (int i = 0; i < 2; i++)
        name = name ||
               (sides[i]->kind == AST_Name && AST(Name, sides[i])->id == s->e->names->s___name__);
    return name && AST(Compare, n)->ops.v[0] == OP_Eq;
}

static void visit_if(const search *s, const ast_If *n)
{
    search inner = *s;
    inner.in_main = s->in_main || is_main_test(s, n->test);
    visit_all(&inner, &n->body);
    visit_all(s, &n->orelse);
}

/* wp.kernel(f) in code that does not run. */
static void visit_call(const search *s, const ast_Call *n)
{
    if (is_unrun(s) && n->args.n && is_warp_kernel(s->e, n->func))
        note_unrun(s, &n->base, NULL);
    if (!is_unrun(s) && !s->in_function)
        visit_lost_call(s, n);
    ast_each_child(&n->base, visit, (void *)(uintptr_t)s);
}

/* `target = value`; the target of most is one name. */
static void visit_assign(const search *s, const node *target, const node *given)
{
    search inner = *s;
    const char *name = ast_dotted(&s->e->c->module, target);
    inner.is_assigned = true;
    inner.for_kernel = name && speaks_of_kernels(name);
    visit(&inner, given);
}

static void visit(void *arg, const node *n)
{
    const search *s = arg;
    switch (n->kind) {
    case AST_FunctionDef: visit_function(s, AST(FunctionDef, n)); break;
    case AST_ClassDef: visit_class(s, AST(ClassDef, n)); break;
    case AST_If: visit_if(s, AST(If, n)); break;
    case AST_Assign: visit_assign(s, AST(Assign, n)->targets.v[0], AST(Assign, n)->value); break;
    case AST_AnnAssign:
        if (AST(AnnAssign, n)->value)
            visit_assign(s, AST(AnnAssign, n)->target, AST(AnnAssign, n)->value);
        break;
    case AST_Call: visit_call(s, AST(Call, n)); break;
    default: ast_each_child(n, visit, arg);
    }
}

static void report_decorator(const search *s, const unseen_def *d)
{
    ctx *c = s->e->c;
    const char *decorator = name_of(c, d->decorator), *function = d->def->name->s;
    const span at = place(s, d->decorator);
    if (!decorator)
        decorator = "...";
    if (is_lost(&d->reason))
        diag_error(c, at, DIAG_UNSEEN_DECORATED, function, decorator, d->reason.why);
    else
        diag_error(c, at, DIAG_UNSEEN_WRAPPED, function, decorator, d->reason.why);
}

/* Once for each kernel: a factory may be called in a loop. */
static void report_foreign(const search *s, const unseen_made *made)
{
    const program *p = s->e->p;
    for (const unseen_made *m = p->foreign.v; m < made; m++)
        if (m->name == made->name && m->from == made->from)
            return;
    diag_error(p->c, place(s, &made->call->base), DIAG_UNSEEN_FOREIGN, made->name->s,
               made->from->name->s);
}

static void report_overload(const search *s, const lost_overload *lost)
{
    diag_warning(s->e->c, place(s, lost->at), DIAG_UNSEEN_OVERLOAD, lost->name->s, lost->why);
}

void program_warn_unseen(const program *prog)
{
    program *p = (program *)(uintptr_t)prog;
    evaluator e = evaluator_for(p->c, &p->main->globals);
    findings found = {0};
    const search s = {.e = &e, .found = &found, .prefix = ""};
    warn_of_unrun_names(&e);
    if (p->undefined) /* nothing of the file exists in Python; the error says why */
        return;
    for (uint32_t i = 0; i < p->unseen.n; i++)
        report_decorator(&s, &p->unseen.v[i]);
    for (uint32_t i = 0; i < p->foreign.n; i++)
        report_foreign(&s, &p->foreign.v[i]);
    for (uint32_t i = 0; i < p->overloads.n; i++)
        report_overload(&s, &p->overloads.v[i]);
    visit_all(&s, &p->main->tree->body);
    report_unrun(&s);
    if (found.is_cut_off && p->spent_at)
        diag_error(p->c, place(&s, p->spent_at), DIAG_UNSEEN_FUEL, SEMA_FUEL / 1000000);
    else if (found.is_cut_off)
        diag_error(p->c, place(&s, p->raised_at), DIAG_UNSEEN_RAISE);
    /* Of a file without any kernel, what it makes by a missing module may be all that it has. */
    if (found.call && !p->nkernels && !p->unseen.n && !found.n && !found.reported.n)
        report_call(&s, found.call, &found.reason);
}
