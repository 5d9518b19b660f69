/* SPDX-License-Identifier: Apache-2.0 */
/* The number of launch dimensions, from how many names wp.tid() is unpacked into: Warp 1.19
 * Adjoint.get_references (kernel_dim) and resolve_reference_tid_aliases. lower.c calls launch_dim
 * for each kernel; it looks at the syntax tree only. wp.tid may have other names:
 *
 *     t = wp.tid           ->   dimension 2
 *     i, j = t()                CALL_VOID @builtin_tid2d, %0, %1
 *
 * The largest count in the function is the answer, and 1 if there is no call. */
#include "ir/lower.h"

/* A local name, and what an assignment binds to it. `is_tid`: it is another name of wp.tid. */
typedef struct alias {
    const sym *name;
    const node *value;
    bool is_tid;
} alias;

typedef struct tid_search {
    ctx *c;
    const code *code;
    const builtin *tid; /* wp.tid itself */
    VEC(alias) locals;  /* every name that an assignment binds, with what it binds */
    uint32_t dim;       /* the largest so far; 0: no call */
} tid_search;

/* The object that a dotted path names at module level. */
static bool static_object(const tid_search *s, const node *n, value *out)
{
    if (n->kind == AST_Name)
        return env_lookup(s->code->env, AST(Name, n)->id, out);
    value owner;
    return n->kind == AST_Attribute && static_object(s, AST(Attribute, n)->value, &owner) &&
           value_getattr(s->c, &owner, AST(Attribute, n)->attr, out);
}

/* Does f name wp.tid? A local name hides the module's: `tid = 3` makes tid() no call of wp.tid,
 * even after `from warp import tid`. */
static bool is_tid(const tid_search *s, const node *f)
{
    bool local = false;
    for (uint32_t i = 0; f->kind == AST_Name && i < s->locals.n; i++) {
        if (s->locals.v[i].name != AST(Name, f)->id)
            continue;
        if (s->locals.v[i].is_tid)
            return true;
        local = true;
    }
    value v;
    return !local && static_object(s, f, &v) && v.kind == VALUE_BUILTIN && v.p == s->tid;
}

/* Notes what an assignment binds; tuples on both sides are paired item by item. */
static void bind(tid_search *s, const node *target, const node *v)
{
    if (target->kind == AST_Name) {
        VEC_PUSH(&s->c->ir, &s->locals, ((alias){AST(Name, target)->id, v, false}));
        return;
    }
    if (target->kind != AST_Tuple)
        return;
    const node_list *names = &AST(Tuple, target)->elts;
    const node_list *values = v->kind == AST_Tuple ? &AST(Tuple, v)->elts : NULL;
    for (uint32_t i = 0; i < names->n; i++)
        bind(s, names->v[i], values && i < values->n ? values->v[i] : v);
}

static void visit_list(tid_search *s, const node_list *list,
                       void (*fn)(tid_search *, const ast_Assign *));

/* All assignments below n, in nested statements too. */
static void visit(tid_search *s, const node *n, void (*fn)(tid_search *, const ast_Assign *))
{
    switch (n->kind) {
    case AST_Assign: fn(s, AST(Assign, n)); return;
    case AST_If:
        visit_list(s, &AST(If, n)->body, fn);
        visit_list(s, &AST(If, n)->orelse, fn);
        return;
    case AST_For: visit_list(s, &AST(For, n)->body, fn); return;
    case AST_While: visit_list(s, &AST(While, n)->body, fn); return;
    case AST_FunctionDef: visit_list(s, &AST(FunctionDef, n)->body, fn); return;
    default: return;
    }
}

static void visit_list(tid_search *s, const node_list *list,
                       void (*fn)(tid_search *, const ast_Assign *))
{
    for (uint32_t i = 0; i < list->n; i++)
        visit(s, list->v[i], fn);
}

static void note_locals(tid_search *s, const ast_Assign *a)
{
    for (uint32_t i = 0; i < a->targets.n; i++)
        bind(s, a->targets.v[i], a->value);
}

/* Marks names of names until nothing changes: `g = f` may come from `f = wp.tid` anywhere in the
 * function, as Warp's transitive closure does not look at the order of statements. */
static void find_aliases(tid_search *s)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < s->locals.n; i++) {
            alias *a = &s->locals.v[i];
            bool path = a->value->kind == AST_Name || a->value->kind == AST_Attribute;
            if (!a->is_tid && path && is_tid(s, a->value))
                changed = a->is_tid = true;
        }
    }
}

/* `i, j = wp.tid()` is two dimensions. Only the first target of `x = y = wp.tid()` counts. */
static void note_dim(tid_search *s, const ast_Assign *a)
{
    if (a->value->kind != AST_Call || !is_tid(s, AST(Call, a->value)->func))
        return;
    uint32_t dim = a->targets.v[0]->kind == AST_Tuple ? AST(Tuple, a->targets.v[0])->elts.n : 1;
    if (dim > s->dim)
        s->dim = dim;
}

int launch_dim(ctx *c, const code *f)
{
    tid_search s = {.c = c, .code = f, .tid = lower_names_get(c)->b_tid};
    WEFT_ASSERT(s.tid);
    visit_list(&s, &f->def->body, note_locals);
    find_aliases(&s);
    visit_list(&s, &f->def->body, note_dim);
    return s.dim ? (int)s.dim : 1;
}
