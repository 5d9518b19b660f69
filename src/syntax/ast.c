/* What every pass over the tree shares: names of classes, the children of a node, the depth of a
 * tree. All of it is expanded from ast.def. */
#include "syntax/ast.h"

static const char *const names[] = {
#define NODE(name, group, fields) #name,
#include "syntax/ast.def"
#undef NODE
};

const char *node_kind_name(node_kind k)
{
    return names[k];
}

/* ---- children ---- */

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
#undef ID
#undef OID
#undef N
#undef ON
#undef L
#undef LO
#undef LID
#undef OP
#undef LOP
#undef INT
#undef CTX
#undef CST
#undef OSTR

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

/* ---- depth ---- */

typedef struct depth {
    int room;
    bool fits;
} depth;

static void fit(void *arg, const node *n)
{
    depth *d = arg;
    if (d->room <= 1)
        d->fits = false;
    if (!d->fits)
        return;
    d->room--;
    ast_each_child(n, fit, d);
    d->room++;
}

static bool fits(const node *n, int room)
{
    depth d = {room, true};
    fit(&d, n);
    return d.fits;
}

const node *ast_too_deep(const node *tree)
{
    if (tree->kind != AST_Module)
        return fits(tree, AST_MAX_DEPTH) ? NULL : tree;
    node_list body = ((const ast_Module *)(const void *)tree)->body;
    for (uint32_t i = 0; i < body.n; i++)
        if (!fits(body.v[i], AST_MAX_DEPTH - 1))
            return body.v[i];
    return NULL;
}
