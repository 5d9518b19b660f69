/* Names of node classes, as Python spells them: AST_BinOp is "BinOp". */
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
