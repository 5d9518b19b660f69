/* SPDX-License-Identifier: Apache-2.0 */
/* Finds statements without a purpose (compose_idle.h), by walks over a tree of the statements that
 * composed kernels have. */
#include "compose/compose_idle.h"

#include "base/assert.h"

typedef struct idle_walk {
    const ast_FunctionDef *function;
    compose_idle found;
} idle_walk;

static void note(idle_walk *w, const node *at, const char *what, const sym *name)
{
    if (!w->found.what)
        w->found = (compose_idle){what, name, at->line};
}

/* --- names ------------------------------------------------------------------------------------ */

typedef struct uses {
    const sym *name;
    uint32_t loads, stores;
} uses;

static void count_uses(void *arg, const node *n)
{
    uses *u = arg;
    if (n->kind == AST_Name && AST(Name, n)->id == u->name)
        *(AST(Name, n)->ctx == CTX_Store ? &u->stores : &u->loads) += 1;
    /* x += 1 reads x, but for itself alone. */
    ast_each_child(n, count_uses, arg);
}

static uses uses_in(const node *const *v, uint32_t n, const sym *name)
{
    uses u = {name, 0, 0};
    for (uint32_t i = 0; i < n; i++)
        count_uses(&u, v[i]);
    return u;
}

#define USES(list, name) uses_in((const node *const *)(list).v, (list).n, (name))

static void check_stored(void *arg, const node *n)
{
    idle_walk *w = arg;
    if (n->kind == AST_Name && AST(Name, n)->ctx == CTX_Store &&
        !USES(w->function->body, AST(Name, n)->id).loads)
        note(w, n, "nothing reads it", AST(Name, n)->id);
    if (n->kind == AST_For) { /* its counter may only count */
        const ast_For *f = AST(For, n);
        for (uint32_t i = 0; i < f->body.n; i++)
            check_stored(arg, f->body.v[i]);
        return;
    }
    ast_each_child(n, check_stored, arg);
}

/* --- loops ------------------------------------------------------------------------------------ */

typedef struct carry_walk {
    const ast_FunctionDef *function;
    const node_list *body; /* of the loop */
    bool carried, jumps;
} carry_walk;

/* A local that a turn leaves to the next one, or to what comes behind: it is assigned before, and
 * read in the loop, or added to. */
static void find_carried(void *arg, const node *n)
{
    carry_walk *w = arg;
    w->jumps |= n->kind == AST_Break || n->kind == AST_Return;
    if (n->kind == AST_Name && AST(Name, n)->ctx == CTX_Store) {
        const sym *name = AST(Name, n)->id;
        const uses inside = USES(*w->body, name), all = USES(w->function->body, name);
        bool param = false;
        const node_list *args = &AST(arguments, w->function->args)->args;
        for (uint32_t i = 0; i < args->n; i++)
            param |= AST(arg, args->v[i])->arg == name;
        w->carried |= (all.stores > inside.stores || param) && inside.loads;
    }
    if (n->kind == AST_AugAssign)
        w->carried = true;
    ast_each_child(n, find_carried, arg);
}

static carry_walk carried_by(const idle_walk *w, const node_list *body)
{
    carry_walk c = {w->function, body, false, false};
    for (uint32_t i = 0; i < body->n; i++)
        find_carried(&c, body->v[i]);
    return c;
}

static void find_random(void *arg, const node *n)
{
    if (n->kind == AST_Attribute) {
        const str name = sym_str(AST(Attribute, n)->attr);
        *(bool *)arg |= str_starts(name, "rand") || str_starts(name, "sample_");
    }
    ast_each_child(n, find_random, arg);
}

static void check_for(idle_walk *w, const ast_For *f)
{
    const carry_walk c = carried_by(w, &f->body);
    const bool counts =
        f->target->kind == AST_Name && USES(f->body, AST(Name, f->target)->id).loads;
    if (!counts && !c.jumps && !c.carried)
        note(w, &f->base, "each turn does the same", NULL);
    if (!counts && c.carried && !c.jumps) {
        /* total += a[i] in each turn: a product would do. */
        bool other = false, random = false;
        for (uint32_t i = 0; i < f->body.n; i++) {
            other |= f->body.v[i]->kind != AST_AugAssign;
            find_random(&random, f->body.v[i]);
        }
        if (!other && !random)
            note(w, &f->base, "each turn adds the same", NULL);
    }
}

typedef struct change_walk {
    const node_list *body;
    bool changes;
} change_walk;

/* Reads the test of a while loop what the loop changes, or calls it something that goes on? */
static void find_change(void *arg, const node *n)
{
    change_walk *w = arg;
    w->changes |= n->kind == AST_Call;
    if (n->kind == AST_Name)
        w->changes |= USES(*w->body, AST(Name, n)->id).stores > 0;
    ast_each_child(n, find_change, arg);
}

static void check_while(idle_walk *w, const ast_While *s)
{
    change_walk c = {&s->body, false};
    find_change(&c, s->test);
    if (!c.changes && !carried_by(w, &s->body).jumps)
        note(w, &s->base, "its test never changes", NULL);
}

/* --- statements ------------------------------------------------------------------------------- */

/* x = a; x = b: is the first one overwritten before it is read? */
static void check_overwritten(idle_walk *w, const node_list *l, uint32_t at)
{
    const ast_Assign *a = AST(Assign, l->v[at]);
    if (a->targets.v[0]->kind != AST_Name)
        return;
    const sym *name = AST(Name, a->targets.v[0])->id;
    if (a->value->kind == AST_Name && AST(Name, a->value)->id == name)
        note(w, &a->base, "it is assigned to itself", name);
    for (uint32_t i = at + 1; i < l->n; i++) {
        uses u = {name, 0, 0};
        count_uses(&u, l->v[i]);
        if (u.stores && !u.loads && l->v[i]->kind == AST_Assign)
            note(w, &a->base, "it is overwritten before it is read", name);
        if (u.loads || u.stores)
            return;
    }
}

static void check_block(idle_walk *w, const node_list *l);

static void check_statement(idle_walk *w, const node *n)
{
    switch (n->kind) {
    case AST_If:
        if (AST(If, n)->test->kind == AST_Constant)
            note(w, n, "its test is a constant", NULL);
        check_block(w, &AST(If, n)->body);
        check_block(w, &AST(If, n)->orelse);
        break;
    case AST_For:
        check_for(w, AST(For, n));
        check_block(w, &AST(For, n)->body);
        break;
    case AST_While:
        check_while(w, AST(While, n));
        check_block(w, &AST(While, n)->body);
        break;
    case AST_Expr: {
        const node *value = AST(Expr, n)->value;
        const bool docstring = n == w->function->body.v[0] && value->kind == AST_Constant;
        if (value->kind != AST_Call && !docstring)
            note(w, n, "its value is not used", NULL);
        break;
    }
    case AST_Pass: note(w, n, "it does nothing", NULL); break;
    default: break;
    }
}

static void check_block(idle_walk *w, const node_list *l)
{
    for (uint32_t i = 0; i < l->n; i++) {
        const node *n = l->v[i];
        if (i + 1 < l->n &&
            (n->kind == AST_Return || n->kind == AST_Break || n->kind == AST_Continue))
            note(w, l->v[i + 1], "it is never reached", NULL);
        if (n->kind == AST_Assign)
            check_overwritten(w, l, i);
        check_statement(w, n);
    }
}

static void check_function(idle_walk *w, const ast_Module *m, const ast_FunctionDef *f)
{
    const node_list *args = &AST(arguments, f->args)->args;
    w->function = f;
    for (uint32_t i = 0; i < args->n; i++)
        if (!USES(f->body, AST(arg, args->v[i])->arg).loads)
            note(w, args->v[i], "nothing reads the parameter", AST(arg, args->v[i])->arg);
    for (uint32_t i = 0; i < f->body.n; i++)
        check_stored(w, f->body.v[i]);
    check_block(w, &f->body);
    const node *decorator = f->decorator_list.n ? f->decorator_list.v[0] : NULL;
    const bool function = decorator && decorator->kind == AST_Attribute &&
                          str_eq(sym_str(AST(Attribute, decorator)->attr), STR("func"));
    if (function && !USES(m->body, f->name).loads)
        note(w, &f->base, "nothing calls the function", f->name);
}

compose_idle compose_find_idle(const ast_Module *m)
{
    idle_walk w = {NULL, {NULL, NULL, 0}};
    for (uint32_t i = 0; i < m->body.n; i++)
        if (m->body.v[i]->kind == AST_FunctionDef)
            check_function(&w, m, AST(FunctionDef, m->body.v[i]));
    return w.found;
}
