/* SPDX-License-Identifier: Apache-2.0 */
/* Live range splitting. A variable that several blocks use, each setting it before it reads it,
 * becomes one variable for each block. Each can then be declared in its block. Where both branches
 * assign Python's variable t, coalescing has joined them (--dump c, then v):
 *
 *     if >(load(element(x%0, i%2)), 0.0) {
 *         t%9 = mul(load(element(x%0, i%2)), 2.0)          t%36 = mul(...)
 *         element(y%1, i%2) = t%9                     ->   element(y%1, i%2) = t%36
 *     } else {
 *         t%9 = mul(load(element(x%0, i%2)), 3.0)          t%9 = mul(...)
 *         element(y%1, i%2) = add(t%9, 1.0)                element(y%1, i%2) = add(t%9, 1.0)
 *     }
 *
 * so that the text has `const float t` in each branch.
 *
 * Needs: CUDA_OWN_COUNTERS. Keeps: every statement and its place. Not done for parameters, results,
 * and variables that a statement of the enclosing list uses itself. A loop that counts with the
 * variable is renamed as a whole. */
#include "cuda/cuda_live.h"
#include "cuda/cuda_pass.h"
#include "cuda/cuda_tree.h"

/* Does the statement itself set all of the variable without reading it? */
static bool sets(const cs *s, uint32_t var)
{
    uint32_t to;
    return !cs_reads_var(s, var) && ((cs_overwrites(s, &to) && to == var) ||
                                     (s->kind == CS_CALL && !s->updates && cs_gives(s, var)));
}

/* Is the statement a loop that counts with the variable? */
static bool counts(const cs *s, uint32_t var)
{
    return s->kind == CS_FOR && s->var == var;
}

/* Is the variable set before it is read on every path through the list? */
static bool begins_anew(const cuda_fn *f, const cs_list *list, uint32_t var)
{
    ctx_spend(f->c, list->n);
    for (uint32_t i = 0; i < list->n; i++) {
        const cs *s = list->v[i];
        if (sets(s, var))
            return true;
        if (counts(s, var) ? cs_reads_var(s, var) : cs_uses_itself(s, var))
            return false;
        if (!counts(s, var) && (!begins_anew(f, &s->body, var) || !begins_anew(f, &s->orelse, var)))
            return false;
    }
    return true;
}

/* A new variable with the properties of var. */
static uint32_t another(cuda_fn *f, uint32_t var)
{
    WEFT_ASSERT(var < f->vars.n);
    cv v = f->vars.v[var];
    v.same = f->vars.n;
    VEC_PUSH(&f->c->module, &f->vars, v);
    return v.same;
}

/* Block k of a list's compound statements: a loop that counts with the variable is one as a whole.
 */
typedef struct part {
    cs *s;
    cs_list *list; /* NULL: the whole statement */
} part;

/* The next block from number *k on that uses the variable. Number 2 * i is the body of statement i,
 * 2 * i + 1 its else branch. */
static bool next_part(const cuda_fn *f, const cs_list *list, uint32_t *k, uint32_t var, part *out)
{
    for (; *k < 2 * list->n; ++*k) {
        cs *s = list->v[*k / 2];
        const bool whole = counts(s, var);
        cs_list *inner = *k & 1 ? &s->orelse : &s->body;
        if (whole ? *k & 1 : !cs_list_uses(f, inner, var))
            continue;
        *out = (part){s, whole ? NULL : inner};
        ++*k;
        return true;
    }
    return false;
}

/* Gives each block of the list its own variable, and goes on within the blocks. The last block
 * keeps the old one. */
static void split(cuda_fn *f, cs_list *list, uint32_t var)
{
    part p;
    uint32_t parts = 0;
    ctx_spend(f->c, list->n);
    for (uint32_t i = 0; i < list->n; i++)
        if (!counts(list->v[i], var) && cs_uses_itself(list->v[i], var))
            return;
    for (uint32_t k = 0; next_part(f, list, &k, var, &p); parts++)
        if (p.list && !begins_anew(f, p.list, var))
            return;
    for (uint32_t k = 0; next_part(f, list, &k, var, &p); parts--) {
        const uint32_t own = parts > 1 ? another(f, var) : var;
        if (own != var && p.list)
            cs_list_rename(f, p.list, var, own);
        else if (own != var)
            cs_rename(f, p.s, var, own);
        if (p.list)
            split(f, p.list, own);
    }
}

static void mark(void *arg, uint32_t var)
{
    ((bool *)arg)[var] = true;
}

/* By variable: does a statement of the list use it itself, other than as its counter? Such
 * variables stay whole. */
static const bool *used_outside(cuda_fn *f, const cs_list *list)
{
    bool *used = arena_zero(&f->c->module, f->vars.n + 1);
    for (uint32_t i = 0; i < list->n; i++) {
        const cs *s = list->v[i];
        const bool own = s->kind == CS_FOR && used[s->var];
        cs_reads(s, mark, used);
        cs_writes(s, mark, used);
        if (s->kind == CS_FOR)
            used[s->var] = own;
    }
    return used;
}

void cuda_split(cuda_fn *f)
{
    cuda_count(f);
    const bool *used = used_outside(f, &f->body);
    for (uint32_t i = 0, n = f->vars.n; i < n; i++) {
        const cv *v = &f->vars.v[i];
        if (!used[i] && v->defs > 1 && !v->param && !v->out && cv_root(f, i) == i)
            split(f, &f->body, i);
    }
}
