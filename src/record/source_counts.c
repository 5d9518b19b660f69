/* SPDX-License-Identifier: Apache-2.0 */
/* Counts statements, branches and nested loops of a kernel's syntax tree, for metadata.counts.
 *
 *     if a: b = 1      ->   3 statements (if, b = 1, c = 2), 2 branches (if, else), depth 0
 *     else: c = 2 */
#include "record/source_counts.h"

#include <string.h>

typedef struct counter {
    source_counts sum;
    uint32_t loops; /* around what is looked at */
} counter;

static bool is_statement(node_kind k)
{
    static const char *const groups[] = {
#define NODE(name, group, fields) #group,
#include "syntax/ast.def"
#undef NODE
    };
    return strcmp(groups[k], "STMT") == 0;
}

/* "else:", which in the tree is an `orelse` that is no `elif`: that stands below its `if`. */
static bool has_else(const ast_If *n)
{
    return n->orelse.n > 1 || (n->orelse.n == 1 && (n->orelse.v[0]->kind != AST_If ||
                                                    n->orelse.v[0]->col != n->base.col));
}

static void count(void *arg, const node *n)
{
    counter *c = arg;
    const bool loop = n->kind == AST_For || n->kind == AST_While;
    c->sum.statements += is_statement(n->kind);
    if (n->kind == AST_If)
        c->sum.branches += 1 + has_else(AST(If, n));
    c->sum.branches += n->kind == AST_IfExp;
    c->loops += loop;
    if (c->sum.loop_depth < c->loops)
        c->sum.loop_depth = c->loops;
    ast_each_child(n, count, c);
    c->loops -= loop;
}

static bool is_docstring(const node *n)
{
    if (n->kind != AST_Expr || AST(Expr, n)->value->kind != AST_Constant)
        return false;
    return AST(Constant, AST(Expr, n)->value)->value.kind == CONST_STR;
}

source_counts source_counts_of(const ast_FunctionDef *f)
{
    counter c = {.loops = 0};
    for (uint32_t i = 0; i < f->body.n; i++)
        if (i || !is_docstring(f->body.v[i]))
            count(&c, f->body.v[i]);
    return c.sum;
}
