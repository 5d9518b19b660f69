/* SPDX-License-Identifier: Apache-2.0 */
/* What every pass over the syntax tree shares: names of node classes, the children of a node, the
 * depth of a tree. The code is expanded from ast.def, so a pass that treats all nodes alike
 * (source_counts.c in record, check_class.c in check) needs no list of classes.
 *
 * Example: for the BinOp of `a + b`, ast_each_child visits the Name `a`, then the Name `b`; the
 * operator is no node. */
#include "syntax/ast.h"

static const char *const names[] = {
#define NODE(name, group, fields) #name,
#include "base/assert.h"
#include "syntax/ast.def"
#undef NODE
};

const char *node_kind_name(node_kind k)
{
    WEFT_ASSERT(k < AST_COUNT);
    return names[k];
}

/* ---- children ---- */

/* A callback with its first argument, passed down as one value. */
typedef struct visitor {
    void (*visit)(void *arg, const node *child);
    void *arg;
} visitor;

/* A NULL in a list stands for a missing child, such as the key of `**d` in a dict display. */
static void visit_list(const visitor *v, node_list list)
{
    for (uint32_t i = 0; i < list.n; i++)
        if (list.v[i])
            v->visit(v->arg, list.v[i]);
}

/* What each kind of field of ast.def adds to a visit. Only nodes and lists of nodes are children.
 */
#define ID(f)
#define OID(f)
#define N(f) v->visit(v->arg, x->f);
#define ON(f)                                                                                      \
    if (x->f)                                                                                      \
        v->visit(v->arg, x->f);
#define L(f)  visit_list(v, x->f);
#define LO(f) visit_list(v, x->f);
#define LE(f) visit_list(v, x->f);
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
    WEFT_ASSERT(n && n->kind < AST_COUNT);
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

/* ---- names ---- */

const char *ast_dotted(arena *a, const node *n)
{
    if (n->kind == AST_Name)
        return ((const ast_Name *)(const void *)n)->id->s;
    if (n->kind != AST_Attribute)
        return NULL;
    const ast_Attribute *at = (const ast_Attribute *)(const void *)n;
    const char *left = ast_dotted(a, at->value);
    return left ? arena_printf(a, "%s.%s", left, at->attr->s) : NULL;
}

/* ---- depth ---- */

/* A walk that ends at the first branch that is too deep. room: levels that may still lie below. */
typedef struct depth {
    int room;
    bool fits;
} depth;

/* Recurses like the passes whose stack the limit protects, but never deeper than room, so that the
 * measurement itself cannot overflow the stack. */
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

/* For a module each top-level statement is measured by itself, and the first one that is too deep
 * is returned: the error is placed there, not at the file's beginning. */
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
