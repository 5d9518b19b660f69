/* SPDX-License-Identifier: Apache-2.0 */
/* Preparation of calls: what is called is found once.
 *
 *     wp.sin(x)       a builtin                  interp_eval_call, bound to its callee
 *     f(x)            a function of the module   the same
 *     g(x)            g is a parameter           evaluated first, then bound at each call
 *     wp.static(e)    a constant, or an expression of the variables of unrolled loops
 */
#include "interp/interp_internal.h"

/* "sin" of wp.sin or sin; NULL: the callee is no path. */
static const sym *last_name(const node *n)
{
    if (n->kind == AST_Attribute)
        return AST(Attribute, n)->attr;
    return n->kind == AST_Name ? AST(Name, n)->id : NULL;
}

/* Constants that wp.static may refer to: the variables of unrolled loops, and names of integers. */
static bool is_static_local(const islot *s)
{
    return s->unrolled || (s->known && s->known->kind == VALUE_INT);
}

/* wp.static(e): the constant that the front end found, or a node with the variables that e may use
 * as kids and e itself as aux. */
static inode *static_node(prepare *p, const ast_Call *n)
{
    const value *known = code_static(p->code, &n->base);
    if (known)
        return prepare_constant(p, &n->base, known);
    if (n->args.n + n->keywords.n != 1)
        return prepare_refuse(p, &n->base, "this wp.static");
    uint32_t count = 0;
    inode *kids[INTERP_ARGS];
    for (uint32_t i = 0; i < p->slots.n && count < INTERP_ARGS; i++)
        if (is_static_local(p->slots.v[i])) {
            kids[count] = prepare_node(p, &n->base, interp_eval_slot, 0);
            kids[count]->slot = p->slots.v[i];
            kids[count++]->aux = p->names.v[i];
        }
    inode *s = prepare_node(p, &n->base, interp_eval_static, count);
    for (uint32_t i = 0; i < count; i++)
        s->kid[i] = kids[i];
    s->aux = n->args.n ? n->args.v[0] : AST(keyword, n->keywords.v[0])->value;
    return s;
}

/* A starred argument has room for as many items as a call takes. */
static inode *arg_node(prepare *p, const node *n)
{
    if (n->kind != AST_Starred)
        return prepare_expr(p, n);
    inode *star = prepare_node(p, n, interp_eval_star, 1);
    star->kind = NODE_STAR;
    star->kid[0] = prepare_expr(p, AST(Starred, n)->value);
    star->v.p = arena_zero(p->in->a, INTERP_ARGS * sizeof(iv));
    return star;
}

/* type(x), for an x that exists at run time */
static bool is_type_call(const prepare *p, const ast_Call *n)
{
    return n->func->kind == AST_Name && n->args.n == 1 && !n->keywords.n &&
           strcmp(AST(Name, n->func)->id->s, "type") == 0 &&
           !prepare_find(p, AST(Name, n->func)->id);
}

/* A callee of which only the names of its keyword arguments are there yet. */
static icallee *names_of(prepare *p, const ast_Call *n, uint32_t expects)
{
    icallee *callee = ARENA_NEW(p->in->a, icallee);
    callee->expects = expects;
    callee->nnames = n->keywords.n;
    callee->names = ARENA_ARRAY(p->in->a, const sym *, n->keywords.n + 1);
    for (uint32_t i = 0; i < n->keywords.n; i++)
        callee->names[i] = AST(keyword, n->keywords.v[i])->arg;
    return callee;
}

/* Is the callee known at run time only: a variable, the result of a call, a member of a value? */
static bool is_dynamic(prepare *p, const node *f)
{
    value v;
    if (f->kind == AST_Name)
        return prepare_find(p, AST(Name, f)->id) != NULL;
    if (f->kind == AST_Call)
        return true;
    return f->kind == AST_Attribute && !prepare_static(p, AST(Attribute, f)->value, &v) &&
           !builtin_find(p->in->c, AST(Attribute, f)->attr);
}

/* A call whose result is taken apart into `expects` targets; 0: it is one value. */
inode *prepare_call(prepare *p, const ast_Call *n, uint32_t expects)
{
    const node *at = &n->base;
    value v;
    if (n->args.n + n->keywords.n > INTERP_ARGS)
        return prepare_fail(p, at, "too many arguments");
    if (is_type_call(p, n)) {
        inode *t = prepare_node(p, at, interp_eval_type, 1);
        t->kid[0] = prepare_expr(p, n->args.v[0]);
        return t;
    }
    const bool dynamic = is_dynamic(p, n->func);
    const bool known = !dynamic && prepare_static(p, n->func, &v);
    if (known && v.kind == VALUE_SPECIAL && strcmp(v.s->s, "static") == 0)
        return static_node(p, n);
    if (known && v.kind == VALUE_SPECIAL && strcmp(v.s->s, "grad") == 0 && n->args.n == 1) {
        inode *g = prepare_node(p, at, interp_eval_gradient_of, 1);
        g->kid[0] = prepare_expr(p, n->args.v[0]);
        return g;
    }
    inode *call = prepare_node(p, at, interp_eval_call, n->args.n + n->keywords.n);
    for (uint32_t i = 0; i < n->args.n; i++)
        call->kid[i] = arg_node(p, n->args.v[i]);
    for (uint32_t i = 0; i < n->keywords.n; i++)
        call->kid[n->args.n + i] = prepare_expr(p, AST(keyword, n->keywords.v[i])->value);
    icallee *callee = names_of(p, n, expects);
    if (dynamic) {
        inode *d = prepare_node(p, at, interp_eval_call, 2);
        d->kid[0] = prepare_expr(p, n->func);
        d->kid[1] = call;
        d->aux = callee;
        return d;
    }
    const sym *name = last_name(n->func);
    if (!interp_bind_callee(p->in, call, callee, known ? &v : NULL, name))
        return prepare_refuse(p, at, "%s", name ? name->s : "this call");
    return call;
}
