/* Calls a function for each node directly below a node, in the order of its fields. An example: for
 * `a + b` the visitor sees the Name a, then the Name b. The code is expanded from ast.def, so that
 * a pass which treats all nodes alike needs no list of kinds. */
#include "syntax/ast.h"

typedef struct visitor {
    void (*visit)(void *arg, const node *child);
    void *arg;
} visitor;

static void visit_list(const visitor *v, node_list list)
{
    for (uint32_t i = 0; i < list.n; i++)
        if (list.v[i])
            v->visit(v->arg, list.v[i]);
}

#define ID(f)
#define OID(f)
#define N(f) v->visit(v->arg, x->f);
#define ON(f)                                                                                      \
    if (x->f)                                                                                      \
        v->visit(v->arg, x->f);
#define L(f)  visit_list(v, x->f);
#define LO(f) visit_list(v, x->f);
#define LID(f)
#define OP(f)
#define LOP(f)
#define INT(f)
#define CTX(f)
#define CST(f)
#define OSTR(f)
#define NODE(name, group, fields)                                                                  \
    static void below_##name(const visitor *v, const ast_##name *x)                                \
    {                                                                                              \
        (void)v;                                                                                   \
        (void)x;                                                                                   \
        fields                                                                                     \
    }
#include "syntax/ast.def"
#undef NODE

void ast_each_child(const node *n, void (*visit)(void *arg, const node *child), void *arg)
{
    const visitor v = {visit, arg};
    switch ((node_kind)n->kind) {
#define NODE(name, group, fields)                                                                  \
    case AST_##name:                                                                               \
        below_##name(&v, (const ast_##name *)(const void *)n);                                     \
        return;
#include "syntax/ast.def"
#undef NODE
    case AST_COUNT: return;
    }
}
