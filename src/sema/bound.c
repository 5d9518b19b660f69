/* SPDX-License-Identifier: Apache-2.0 */
/* Which names a file binds, anywhere and in any way: by assignment, def, class, import, as a
 * parameter, as an attribute of something. Whoever reports that nothing defines a name asks here
 * first, for the evaluator follows neither exceptions nor what code does that it does not run.
 *
 *     import warp as wp         wp: a name of the module warp
 *     for i in range(n): ...    i
 *     wp.fast = wp.sin          fast
 *     setattr(wp, "slow", f)    slow */
#include "sema/sema.h"

/* Numbers in program.bound: how a name is bound, and whether it was reported. */
enum {
    BOUND = 1,           /* by anything but `import warp` */
    BOUND_WARP = 2,      /* by `import warp`, and thus to that module */
    BOUND_ATTRIBUTE = 4, /* as an attribute of some object, or asked for by hasattr */
    REPORTED = 8
};

static void gather_as(evaluator *e, str name, uint32_t how)
{
    str_map *bound = &e->p->bound;
    str_map_set(&e->c->module, bound, name, how | str_map_get(bound, name));
}

static void gather_sym(evaluator *e, const sym *name)
{
    if (name)
        gather_as(e, sym_str(name), BOUND);
}

static void gather_all(evaluator *e, const sym_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        gather_sym(e, list->v[i]);
}

/* `import a.b` binds a. */
static void gather_import(evaluator *e, const ast_Import *n)
{
    for (uint32_t i = 0; i < n->names.n; i++) {
        const ast_alias *a = AST(alias, n->names.v[i]);
        const str root = {a->name->s, strcspn(a->name->s, ".")};
        const bool is_warp = str_eq(root, STR("warp")) && (!a->asname || a->name->len == root.n);
        gather_as(e, a->asname ? sym_str(a->asname) : root, is_warp ? BOUND_WARP : BOUND);
    }
}

static void gather_import_from(evaluator *e, const ast_ImportFrom *n)
{
    for (uint32_t i = 0; i < n->names.n; i++) {
        const ast_alias *a = AST(alias, n->names.v[i]);
        gather_sym(e, a->asname ? a->asname : a->name);
    }
}

/* Functions by which a file may bind any name. */
static bool binds_any(const sym *name)
{
    static const char *const names[] = {"globals", "exec", "vars", "locals"};
    return STR_IS_IN(sym_str(name), names);
}

/* A loaded name binds nothing, but may be one of those functions. */
static void gather_name(evaluator *e, const ast_Name *n)
{
    if (n->ctx != CTX_Load)
        gather_sym(e, n->id);
    else if (binds_any(n->id))
        e->p->binds_any = true;
}

/* setattr(wp, "name", ...) binds the name; a file with hasattr(wp, "name") can do without it. */
static void gather_call(evaluator *e, const ast_Call *n)
{
    const sym *f = n->func->kind == AST_Name ? AST(Name, n->func)->id : NULL;
    if (!f || n->args.n < 2 || n->args.v[1]->kind != AST_Constant)
        return;
    const constant *k = &AST(Constant, n->args.v[1])->value;
    const bool with_default = strcmp(f->s, "getattr") == 0 && n->args.n > 2;
    if (k->kind == CONST_STR &&
        (with_default || strcmp(f->s, "setattr") == 0 || strcmp(f->s, "hasattr") == 0))
        gather_as(e, k->text, BOUND | BOUND_ATTRIBUTE);
}

/* An object's own attributes, `self.tid = ...`, are no module's. */
static void gather_attribute(evaluator *e, const ast_Attribute *n)
{
    if (n->ctx == CTX_Load)
        return;
    gather_sym(e, n->attr);
    if (n->value->kind != AST_Name || strcmp(AST(Name, n->value)->id->s, "self") != 0)
        gather_as(e, sym_str(n->attr), BOUND_ATTRIBUTE);
}

/* Adds what the node and all below it bind. */
static void gather_node(void *arg, const node *n)
{
    evaluator *e = arg;
    switch (n->kind) {
    case AST_Name: gather_name(e, AST(Name, n)); break;
    case AST_Attribute: gather_attribute(e, AST(Attribute, n)); break;
    case AST_Call: gather_call(e, AST(Call, n)); break;
    case AST_FunctionDef: gather_sym(e, AST(FunctionDef, n)->name); break;
    case AST_AsyncFunctionDef: gather_sym(e, AST(AsyncFunctionDef, n)->name); break;
    case AST_ClassDef: gather_sym(e, AST(ClassDef, n)->name); break;
    case AST_arg: gather_sym(e, AST(arg, n)->arg); break;
    case AST_Import: gather_import(e, AST(Import, n)); break;
    case AST_ImportFrom: gather_import_from(e, AST(ImportFrom, n)); break;
    case AST_ExceptHandler: gather_sym(e, AST(ExceptHandler, n)->name); break;
    case AST_MatchAs: gather_sym(e, AST(MatchAs, n)->name); break;
    case AST_MatchStar: gather_sym(e, AST(MatchStar, n)->name); break;
    case AST_MatchMapping: gather_sym(e, AST(MatchMapping, n)->rest); break;
    case AST_Global: gather_all(e, &AST(Global, n)->names); break;
    case AST_Nonlocal: gather_all(e, &AST(Nonlocal, n)->names); break;
    default: break;
    }
    ast_each_child(n, gather_node, e);
}

bool mentions_warp(str t)
{
    for (size_t i = 0; i + 3 <= t.n; i++)
        if (memcmp(t.p + i, "wp.", 3) == 0 || (i + 4 <= t.n && memcmp(t.p + i, "warp", 4) == 0))
            return true;
    return false;
}

/* What binds the name. The file's names are gathered once, at the first question: most files have
 * no name that anything is reported of. */
static uint32_t bound_how(evaluator *e, str name)
{
    program *p = e->p;
    if (!p->bound_is_set) {
        p->bound_is_set = true;
        p->has_warp = mentions_warp(p->main->src.text);
        gather_node(e, &p->main->tree->base);
    }
    return str_map_get(&p->bound, name);
}

bool is_news(evaluator *e, const sym *name)
{
    return !bound_how(e, sym_str(name)) && !e->p->binds_any;
}

bool is_new_attribute(evaluator *e, const sym *name)
{
    return !(bound_how(e, sym_str(name)) & (BOUND_ATTRIBUTE | REPORTED)) && !e->p->binds_any;
}

bool is_name_of_warp(evaluator *e, const sym *name)
{
    return (bound_how(e, sym_str(name)) & ~(uint32_t)BOUND_ATTRIBUTE) == BOUND_WARP &&
           !e->p->binds_any;
}

bool is_reported(evaluator *e, const sym *name)
{
    return bound_how(e, sym_str(name)) & REPORTED;
}

void mark_reported(evaluator *e, const sym *name)
{
    bound_how(e, sym_str(name));
    gather_as(e, sym_str(name), REPORTED);
}
