/* SPDX-License-Identifier: Apache-2.0 */
/* Misspelled names in code that weft does not run, or that may not run in Python, as warnings:
 *
 *     def make(n):
 *         @wp.kernal                  warp has no attribute 'kernal'; did you mean 'kernel'?
 *         def k(...): ...
 *         @wq.kernel                  name 'wq' is not defined; did you mean 'wp'?
 *         def l(...): ...
 *     if __name__ == "__main__":
 *         wp.lanch(k, dim=8)          warp has no attribute 'lanch'; did you mean 'launch'?
 *         import warp.optm            warp has no such module; did you mean 'warp.optim'?
 *
 * undefined.c reports what runs for certain, as errors, when it runs. The walk here follows it,
 * over the tree of the main file. It leaves out what a program may use to ask for a name: the body
 * of a `try` with handlers, an `if` about versions or hasattr, a `with` that expects an exception.
 */
#include "builtin/builtin.h"
#include "sema/sema.h"

static void visit(void *arg, const node *n);

static void visit_all(evaluator *e, const node_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (list->v[i])
            visit(e, list->v[i]);
}

static span place(const evaluator *e, const node *n)
{
    return node_span(&e->p->main->src, n);
}

/* --- names ------------------------------------------------------------------------------------ */

/* Kernels have builtins that Python's module lacks; releases differ in theirs. */
static bool is_in_warp(const evaluator *e, const sym *name)
{
    const value warp = {.kind = VALUE_WARP, .s = e->names->s_warp};
    value v;
    return name->s[0] == '_' || warp_name_side(name) != WARP_NOWHERE || warp_python_home(name) ||
           builtin_find(e->c, name) || builtin_since(e->c, name) != WARP_ANY ||
           value_getattr(e->c, &warp, name, &v);
}

/* A name that resembles none of Warp's may be one of another release, or of an extension: of
 * those, only decorators are reported. */
static void warn_of_attribute(evaluator *e, const node *at, const sym *name, bool is_decorator)
{
    if (is_in_warp(e, name))
        return;
    const char *advice = warp_advice(name), *near = advice ? NULL : warp_similar(e->c, name);
    if (!near && !advice && !is_decorator)
        return;
    if (advice)
        diag_warning(e->c, place(e, at), DIAG_ADVISED_ATTRIBUTE, name->s, advice);
    else if (near)
        diag_warning(e->c, place(e, at), DIAG_MISSPELLED_ATTRIBUTE, name->s, near);
    else
        diag_warning(e->c, place(e, at), DIAG_NO_WARP_ATTRIBUTE, name->s);
    mark_reported(e, name);
}

static void check_attribute(evaluator *e, const ast_Attribute *n, bool is_decorator)
{
    if (n->ctx == CTX_Load && n->value->kind == AST_Name &&
        is_name_of_warp(e, AST(Name, n->value)->id) && is_news(e, n->attr))
        warn_of_attribute(e, &n->base, n->attr, is_decorator);
}

/* Names other than warp's are checked in decorators alone, whose kernels would be missing without a
 * word. */
static void visit_decorator(evaluator *e, const node *n)
{
    const node *made = n->kind == AST_Call ? AST(Call, n)->func : n, *root = made;
    while (root->kind == AST_Attribute)
        root = AST(Attribute, root)->value;
    if (root->kind == AST_Name)
        warn_undefined(e, AST(Name, root));
    if (made->kind == AST_Attribute)
        check_attribute(e, AST(Attribute, made), true);
    visit(e, n);
}

static void visit_decorators(evaluator *e, const node_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        visit_decorator(e, list->v[i]);
}

/* --- imports ---------------------------------------------------------------------------------- */

static void visit_import(evaluator *e, const ast_Import *n)
{
    for (uint32_t i = 0; i < n->names.n; i++)
        report_no_warp_module(e, n->names.v[i], AST(alias, n->names.v[i])->name, true);
}

static void visit_import_from(evaluator *e, const ast_ImportFrom *n)
{
    if (n->level || !n->module)
        return;
    report_no_warp_module(e, &n->base, n->module, true);
    for (uint32_t i = 0; i < n->names.n && n->module == e->names->s_warp; i++) {
        const ast_alias *a = AST(alias, n->names.v[i]);
        if (strcmp(a->name->s, "*") != 0 && !is_reported(e, a->name))
            warn_of_attribute(e, &a->base, a->name, false);
    }
}

/* --- what guards names ------------------------------------------------------------------------ */

static void look_for_guard(void *arg, const node *n)
{
    bool *found = arg;
    const sym *name = n->kind == AST_Name        ? AST(Name, n)->id
                      : n->kind == AST_Attribute ? AST(Attribute, n)->attr
                                                 : NULL;
    if (name && (strstr(name->s, "version") || strstr(name->s, "VERSION") ||
                 strcmp(name->s, "hasattr") == 0 || strcmp(name->s, "TYPE_CHECKING") == 0))
        *found = true;
    ast_each_child(n, look_for_guard, arg);
}

static bool is_guard(const node *test)
{
    bool found = false;
    look_for_guard(&found, test);
    return found;
}

/* pytest.raises(...), self.assertRaises(...), contextlib.suppress(...) */
static bool expects_exception(const node_list *items)
{
    for (uint32_t i = 0; i < items->n; i++) {
        const node *f = AST(withitem, items->v[i])->context_expr;
        f = f->kind == AST_Call ? AST(Call, f)->func : f;
        const sym *name = f->kind == AST_Attribute ? AST(Attribute, f)->attr
                          : f->kind == AST_Name    ? AST(Name, f)->id
                                                   : NULL;
        if (name && (strstr(name->s, "aises") || strcmp(name->s, "suppress") == 0))
            return true;
    }
    return false;
}

static void visit_try(evaluator *e, const ast_Try *n)
{
    if (!n->handlers.n)
        visit_all(e, &n->body);
    visit_all(e, &n->handlers);
    visit_all(e, &n->orelse);
    visit_all(e, &n->finalbody);
}

/* --- the walk --------------------------------------------------------------------------------- */

/* The lowering reports what is wrong in the body of a kernel that is compiled. A generic kernel
 * without instance is not. */
static bool is_compiled(const program *p, const ast_FunctionDef *n)
{
    for (uint32_t i = 0; i < p->all.n; i++)
        if (p->all.v[i]->code.def == n && !p->all.v[i]->code.generic)
            return true;
    return false;
}

static void visit_function(evaluator *e, const ast_FunctionDef *n)
{
    visit_decorators(e, &n->decorator_list);
    if (is_compiled(e->p, n))
        return;
    visit(e, n->args);
    visit_all(e, &n->body);
}

static void visit(void *arg, const node *n)
{
    evaluator *e = arg;
    switch (n->kind) {
    case AST_FunctionDef: visit_function(e, AST(FunctionDef, n)); break;
    case AST_Attribute:
        check_attribute(e, AST(Attribute, n), false);
        visit(e, AST(Attribute, n)->value);
        break;
    case AST_Import: visit_import(e, AST(Import, n)); break;
    case AST_ImportFrom: visit_import_from(e, AST(ImportFrom, n)); break;
    case AST_Try: visit_try(e, AST(Try, n)); break;
    case AST_If:
        if (!is_guard(AST(If, n)->test))
            ast_each_child(n, visit, e);
        break;
    case AST_IfExp:
        if (!is_guard(AST(IfExp, n)->test))
            ast_each_child(n, visit, e);
        break;
    case AST_With:
        if (!expects_exception(&AST(With, n)->items))
            ast_each_child(n, visit, e);
        break;
    default: ast_each_child(n, visit, e);
    }
}

void warn_of_unrun_names(evaluator *e)
{
    WEFT_ASSERT(e->p->main->tree);
    if (mentions_warp(e->p->main->src.text))
        visit_all(e, &e->p->main->tree->body);
}
