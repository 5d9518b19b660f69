/* How deep a tree is: passes over the tree recurse, so that parse_module refuses what is too deep.
 */
#include "syntax/parser.h"

static bool fits(const node *n, int room);

static bool list_fits(node_list list, int room)
{
    for (uint32_t i = 0; i < list.n; i++)
        if (list.v[i] && !fits(list.v[i], room))
            return false;
    return true;
}

#define ID(f)
#define OID(f)
#define N(f)  &&fits(x->f, room)
#define ON(f) &&(!x->f || fits(x->f, room))
#define L(f)  &&list_fits(x->f, room)
#define LO(f) &&list_fits(x->f, room)
#define LID(f)
#define OP(f)
#define LOP(f)
#define INT(f)
#define CTX(f)
#define CST(f)
#define OSTR(f)
#define NODE(name, group, fields)                                                                  \
    static bool name##_fits(const ast_##name *x, int room)                                         \
    {                                                                                              \
        (void)x;                                                                                   \
        return room > 0 fields;                                                                    \
    }
#include "syntax/ast.def"
#undef NODE

static bool fits(const node *n, int room)
{
    room--;
    switch ((node_kind)n->kind) {
#define NODE(name, group, fields)                                                                  \
    case AST_##name:                                                                               \
        return name##_fits((const ast_##name *)(const void *)n, room);
#include "syntax/ast.def"
#undef NODE
    case AST_COUNT: break;
    }
    return true;
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
