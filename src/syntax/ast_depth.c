/* How deep a tree is. Passes over the tree recurse, so parse_module refuses a tree of more than
 * AST_MAX_DEPTH levels; deep ones come from long chains such as `a + a + a + ...`. */
#include "syntax/parser.h"

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
