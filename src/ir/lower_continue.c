/* SPDX-License-Identifier: Apache-2.0 */
/* `continue` in unrolled loops: Warp 1.19 Adjoint.lower_unrolled_continues. (In loops that stay
 * loops it is a statement of its own: lower_continue in lower_loop.c.) There is no loop to
 * continue, so the syntax tree is rewritten: a flag guards the rest of the iteration.
 *
 *     if c: continue       ->   if c: _wp_continue_0 = False
 *     rest                      if _wp_continue_0: rest
 *
 * The flag is bound to True before each pass (unroll in lower_loop.c), so as a variable it is
 * where(c, False, True): for `if x[j] < 0.0: continue` and `s += x[j]` the first pass is
 *
 *     COMPARE %6, %7, <, %5
 *     IF %6
 *     END
 *     CALL %9, @wp::where, %6, %8, %3        (%8: false, %3: true)
 *     IF %9
 *       CALL %10, @wp::address, %x, %2
 *       CALL %12, @wp::load, %10
 *       CALL %11, @wp::add, %1, %12
 *     END
 *     CALL %13, @wp::where, %9, %11, %1
 *
 * The original tree stays as it is: other instances of the function lower it again. */
#include "ir/lower.h"

static bool uses_name(lower *l, const sym *name)
{
    return scope_find(l, &l->scope, name) != NULL;
}

/* A name of Warp's form that the function does not use. Each try takes a label. */
const sym *continue_flag(lower *l)
{
    for (;;) {
        strbuf b;
        sb_init(&b, &l->c->mem);
        SB_LIT(&b, "_wp_continue_");
        sb_uint(&b, l->labels++);
        str s = finish_text(l, &b);
        const sym *name = sym_intern(&l->c->syms, s.p, s.n);
        if (!uses_name(l, name))
            return name;
    }
}

/* A new node of this kind at the source position of another. */
static void copy_place(node *to, const node *from, node_kind kind)
{
    *to = *from;
    to->kind = (uint8_t)kind;
}

static node *flag_name(lower *l, const node *at, const sym *flag, ast_ctx use)
{
    ast_Name *n = ARENA_NEW(&l->c->ir, ast_Name);
    copy_place(&n->base, at, AST_Name);
    n->base.line = 0; /* Warp's synthetic names carry no line: no source comment */
    n->id = flag;
    n->ctx = (uint8_t)use;
    return &n->base;
}

/* flag = False, at the place of the continue. */
static node *clear_flag(lower *l, const node *at, const sym *flag)
{
    ast_Constant *k = ARENA_NEW(&l->c->ir, ast_Constant);
    k->base.kind = AST_Constant;
    k->value.kind = CONST_FALSE;
    ast_Assign *n = ARENA_NEW(&l->c->ir, ast_Assign);
    copy_place(&n->base, at, AST_Assign);
    n->targets = (node_list){ARENA_ARRAY(&l->c->ir, node *, 1), 1};
    n->targets.v[0] = flag_name(l, at, flag, CTX_Store);
    n->value = &k->base;
    return &n->base;
}

static node *guard(lower *l, const node *at, const sym *flag, node_list tail)
{
    WEFT_ASSERT(tail.n > 0);
    ast_If *n = ARENA_NEW(&l->c->ir, ast_If);
    copy_place(&n->base, at, AST_If);
    n->test = flag_name(l, at, flag, CTX_Load);
    n->body = tail;
    return &n->base;
}

/* Copies the statements up to the first that may continue, and guards those after it. `may`: there
 * was one. */
static node_list rewrite(lower *l, const node *const *v, uint32_t n, const sym *flag, bool *may)
{
    VEC(node *) out = {0};
    arena *a = &l->c->ir;
    *may = false;
    for (uint32_t i = 0; i < n; i++) {
        if (v[i]->kind == AST_Continue) {
            VEC_PUSH(a, &out, clear_flag(l, v[i], flag));
            *may = true;
            break;
        }
        if (v[i]->kind != AST_If) {
            VEC_PUSH(a, &out, (node *)(uintptr_t)v[i]);
            continue;
        }
        bool in_body, in_else, in_tail;
        ast_If *copy = ARENA_NEW(a, ast_If);
        *copy = *AST(If, v[i]);
        copy->body = rewrite(l, (const node *const *)copy->body.v, copy->body.n, flag, &in_body);
        copy->orelse =
            rewrite(l, (const node *const *)copy->orelse.v, copy->orelse.n, flag, &in_else);
        VEC_PUSH(a, &out, &copy->base);
        if (!in_body && !in_else)
            continue;
        *may = true;
        node_list tail = rewrite(l, v + i + 1, n - i - 1, flag, &in_tail);
        if (tail.n)
            VEC_PUSH(a, &out, guard(l, v[i + 1], flag, tail));
        break;
    }
    return (node_list){out.v, out.n};
}

node_list guard_continues(lower *l, const node_list *body, const sym *flag)
{
    bool may;
    return rewrite(l, (const node *const *)body->v, body->n, flag, &may);
}
