/* The number of launch dimensions, from how many names wp.tid() is unpacked into: Warp 1.19
 * Adjoint.get_references (kernel_dim). */
#include "ir/lower.h"

typedef struct tid_search {
    ctx *c;
    const code *code;
    const builtin *tid;
    uint32_t dim;
} tid_search;

static bool is_tid(const tid_search *s, const node *f)
{
    value v;
    if (f->kind == AST_Name)
        return env_lookup(s->code->env, AST(Name, f)->id, &v) && v.kind == VALUE_BUILTIN &&
               v.p == s->tid;
    if (f->kind != AST_Attribute || AST(Attribute, f)->value->kind != AST_Name)
        return false;
    value owner;
    return env_lookup(s->code->env, AST(Name, AST(Attribute, f)->value)->id, &owner) &&
           value_getattr(s->c, &owner, AST(Attribute, f)->attr, &v) && v.kind == VALUE_BUILTIN &&
           v.p == s->tid;
}

static void search_list(tid_search *s, const node_list *list);

static void search(tid_search *s, const node *n)
{
    switch (n->kind) {
    case AST_Assign: {
        const ast_Assign *a = AST(Assign, n);
        if (a->value->kind != AST_Call || !is_tid(s, AST(Call, a->value)->func))
            return;
        uint32_t dim = a->targets.v[0]->kind == AST_Tuple ? AST(Tuple, a->targets.v[0])->elts.n : 1;
        if (dim > s->dim)
            s->dim = dim;
        return;
    }
    case AST_If:
        search_list(s, &AST(If, n)->body);
        search_list(s, &AST(If, n)->orelse);
        return;
    case AST_For: search_list(s, &AST(For, n)->body); return;
    case AST_While: search_list(s, &AST(While, n)->body); return;
    default: return;
    }
}

static void search_list(tid_search *s, const node_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        search(s, list->v[i]);
}

int launch_dim(ctx *c, const code *f)
{
    tid_search s = {c, f, lower_names_get(c)->b_tid, 0};
    search_list(&s, &f->def->body);
    return s.dim ? (int)s.dim : 1;
}
