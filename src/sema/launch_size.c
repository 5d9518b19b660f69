/* SPDX-License-Identifier: Apache-2.0 */
/* The block sizes that a file itself states for its launches. Kernels with tiles may be right with
 * those and wrong with Warp's 256:
 *
 *     THREADS = 32
 *     def run(x, block_dim=64):                          64
 *         wp.launch_tiled(k, [8], [x], block_dim=THREADS)     32
 *         block_dim = 2 * THREADS                        64
 *
 * Which kernel a call launches is not looked at, since it may be a parameter; and Warp compiles the
 * whole module for a launch's block size. */
#include "sema/sema.h"

enum { MOST_THREADS = 1024 }; /* of a block */

typedef struct search {
    ctx *c;
    const module *m;
    uint32_t *sizes, n;
} search;

static bool is_block_dim(const sym *name)
{
    return name && strcmp(name->s, "block_dim") == 0;
}

/* Each size once, in the order of the source. */
static void add(search *s, const node *expr)
{
    const value v = eval_expr(s->c, &s->m->globals, NULL, 0, expr);
    if (!value_is_int(&v) || v.i < 1 || v.i > MOST_THREADS)
        return;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->sizes[i] == (uint32_t)v.i)
            return;
    if (s->n < LAUNCH_SIZES_MAX)
        s->sizes[s->n++] = (uint32_t)v.i;
}

/* Defaults belong to the last parameters; of those by keyword each has one or NULL. */
static void visit_parameters(search *s, const ast_arguments *a)
{
    const uint32_t n = a->args.n, first = n - (a->defaults.n < n ? a->defaults.n : n);
    for (uint32_t i = first; i < n; i++)
        if (is_block_dim(AST(arg, a->args.v[i])->arg))
            add(s, a->defaults.v[a->defaults.n - n + i]);
    for (uint32_t i = 0; i < a->kwonlyargs.n; i++)
        if (is_block_dim(AST(arg, a->kwonlyargs.v[i])->arg) && a->kw_defaults.v[i])
            add(s, a->kw_defaults.v[i]);
}

static void visit_assign(search *s, const ast_Assign *n)
{
    for (uint32_t i = 0; i < n->targets.n; i++)
        if (n->targets.v[i]->kind == AST_Name && is_block_dim(AST(Name, n->targets.v[i])->id))
            add(s, n->value);
}

static void visit(void *arg, const node *n)
{
    search *s = arg;
    if (n->kind == AST_keyword && is_block_dim(AST(keyword, n)->arg))
        add(s, AST(keyword, n)->value);
    else if (n->kind == AST_arguments)
        visit_parameters(s, AST(arguments, n));
    else if (n->kind == AST_Assign)
        visit_assign(s, AST(Assign, n));
    ast_each_child(n, visit, s);
}

uint32_t program_launch_sizes(const program *p, uint32_t sizes[LAUNCH_SIZES_MAX])
{
    WEFT_ASSERT(p->main->tree);
    search s = {.c = p->c, .m = p->main, .sizes = sizes};
    for (uint32_t i = 0; i < p->main->tree->body.n; i++)
        visit(&s, p->main->tree->body.v[i]);
    return s.n;
}
