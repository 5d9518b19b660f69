/* SPDX-License-Identifier: Apache-2.0 */
/* Constant tables. A constant of more than four numbers that the text would repeat becomes a
 * variable in front of its first use. As --dump v and --dump k print it, shortened:
 *
 *     for k%5 in range(0, 6, 1) {            TABLE%1 = mat64i(0, 4, 7, ...)
 *         t%6 = component(mat64i(0, 4,       for k%5 in range(0, 6, 1) {
 *             7, ...), k%5, 0)          ->       t%6 = component(TABLE%1, k%5, 0)
 *         u%7 = component(mat64i(0, 4,           u%7 = component(TABLE%1, k%5, 1)
 *             7, ...), k%5, 1)               }
 *     }
 *
 * The reader sees the table once, and each of its numbers counts wherever the table is used.
 *
 * Needs: CUDA_STRUCTURED, and nothing moves afterwards. Keeps: all. Not named: constants that
 * passes have computed, those of up to four numbers, and those that are used once. */
#include "arith/arith.h"
#include "base/assert.h"
#include "cuda/cuda_pass.h"
#include "cuda/cuda_rewrite.h"
#include "cuda/cuda_tree.h"

enum { INLINE_MAX = 4 };

/* The uses of the tables, by variable of the unit. */
typedef struct tables {
    cuda_fn *f;
    uint32_t *uses;
} tables;

/* Is the node a constant that may become a variable? Then *var is the variable. */
static bool is_table(const cuda_fn *f, const cx *e, uint32_t *var)
{
    if (e->kind != CX_CONST || (e->type->kind != TYPE_VEC && e->type->kind != TYPE_MAT) ||
        lane_count(e->type) <= INLINE_MAX || e->var >= f->u->vars.n ||
        f->u->vars.v[e->var].constant != e->k)
        return false;
    *var = e->var;
    return true;
}

static void count_expr(tables *t, const cx *e)
{
    uint32_t var;
    if (!e)
        return;
    if (is_table(t->f, e, &var))
        t->uses[var]++;
    for (uint32_t i = 0; i < e->nargs; i++)
        count_expr(t, e->args[i]);
}

static void count_list(tables *t, const cs_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const cs *s = list->v[i];
        count_expr(t, s->to);
        count_expr(t, s->e);
        count_expr(t, s->start);
        count_expr(t, s->stop);
        count_expr(t, s->step);
        count_list(t, &s->body);
        count_list(t, &s->orelse);
    }
}

/* The expression with variables in place of tables. Expressions are shared, so it is copied as far
 * as something in it is replaced. */
static cx *with_names(const tables *t, cx *e)
{
    uint32_t var;
    if (!e)
        return NULL;
    if (is_table(t->f, e, &var) && t->uses[var] > 1)
        return cx_var(t->f, var);
    cx *c = e;
    for (uint32_t i = 0; i < e->nargs; i++) {
        cx *a = with_names(t, e->args[i]);
        if (a == e->args[i])
            continue;
        if (c == e)
            c = cuda_copy_node(t->f, e);
        c->args[i] = a;
    }
    return c;
}

static void name_in_list(const tables *t, const cs_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        cs *s = list->v[i];
        s->to = with_names(t, s->to);
        s->e = with_names(t, s->e);
        s->start = with_names(t, s->start);
        s->stop = with_names(t, s->stop);
        s->step = with_names(t, s->step);
        name_in_list(t, &s->body);
        name_in_list(t, &s->orelse);
    }
}

/* Puts "table = constant" before the first statement of the function's list that uses it. */
static void define(cuda_fn *f, uint32_t var)
{
    cx *e = cx_new(f, CX_CONST, f->u->vars.v[var].type, 0);
    e->k = f->u->vars.v[var].constant;
    e->var = var;
    cs_list *list = &f->body;
    uint32_t at = 0;
    while (at < list->n && !cs_uses(f, list->v[at], var))
        at++;
    WEFT_ASSERT(at < list->n);
    cs *s = cs_set(f, list, cx_var(f, var), e);
    memmove(list->v + at + 1, list->v + at, (list->n - 1 - at) * sizeof *list->v);
    list->v[at] = s;
}

void cuda_name_tables(cuda_fn *f)
{
    const arena_mark mark = arena_save(&f->c->scratch);
    tables t = {f, arena_zero(&f->c->scratch, (f->u->vars.n + 1) * sizeof *t.uses)};
    count_list(&t, &f->body);
    name_in_list(&t, &f->body);
    for (uint32_t i = 0; i < f->u->vars.n; i++)
        if (t.uses[i] > 1)
            define(f, i);
    arena_rewind(&f->c->scratch, mark);
}
