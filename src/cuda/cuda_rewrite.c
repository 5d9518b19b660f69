/* SPDX-License-Identifier: Apache-2.0 */
/* Rewrites of single expressions and statements, for folding (cuda_fold.c). Each gives an equal one
 * that is shorter or that more can be folded into:
 *
 *     x[2:9][i]                                   ->   x[2:][i]
 *     if (c) r = a; else r = b;                   ->   r = c ? a : b;
 *     float(3), 2 * 4                             ->   3.0f, 8
 *     while (true) { if (c) break; ... }          ->   while (!c) { ... } */
#include "cuda/cuda_rewrite.h"

#include "base/assert.h"
#include "cuda/cuda_effect.h"
#include "cuda/cuda_tree.h"

/* A copy that shares the operands: expressions of statements do not change, so that others may
 * share them. It has the id of e. */
cx *cuda_copy_node(cuda_fn *f, const cx *e)
{
    cx *c = cx_new(f, (cx_kind)e->kind, e->type, e->nargs);
    cx **args = c->args;
    *c = *e;
    c->args = args;
    for (uint32_t i = 0; i < e->nargs; i++)
        c->args[i] = e->args[i];
    return c;
}

/* Is it a number below zero, which as an index counts from the end? */
static bool is_negative(const cx *e)
{
    return e->kind == CX_NUMBER ? e->number < 0 : e->kind == CX_CONST && e->k->i < 0;
}

/* Does the index, or a slice's start, count from the end of the dimension? */
static bool asks_for_size(const cx *index)
{
    if (index->kind != CX_SLICE)
        return is_negative(index);
    const cx *start = index->args[0], *step = index->args[2];
    return start ? is_negative(start) : step && is_negative(step);
}

/* The view without the ends of its slices: an element's address does not depend on them. Where an
 * index counts from the end, the inner view keeps its own ends, from which it counts. */
static cx *without_ends(cuda_fn *f, cx *view)
{
    if (view->kind != CX_VIEW)
        return view;
    cx *c = cuda_copy_node(f, view);
    bool sized = false;
    for (uint32_t i = 1; i < c->nargs; i++) {
        sized |= asks_for_size(c->args[i]);
        if (c->args[i]->kind != CX_SLICE || !c->args[i]->args[1])
            continue;
        c->args[i] = cuda_copy_node(f, c->args[i]);
        c->args[i]->args[1] = NULL;
    }
    if (!sized)
        c->args[0] = without_ends(f, c->args[0]);
    return c;
}

/* x[a:b][i]: drops b. Not if an index may be counted from the end: x[a:b][-1] is x[b - 1]. */
cx *cuda_plain_element(cuda_fn *f, cx *e)
{
    WEFT_ASSERT(e->kind == CX_ELEMENT);
    if (f->job->wraps || e->args[0]->kind != CX_VIEW)
        return e;
    for (uint32_t i = 1; i < e->nargs; i++)
        if (is_negative(e->args[i]))
            return e;
    cx *c = cuda_copy_node(f, e);
    c->args[0] = without_ends(f, e->args[0]);
    return c;
}

/* One assignment, marked as of a conditional expression. */
static bool is_only_set(const cs_list *list, uint32_t *var)
{
    return list->n == 1 && list->v[0]->choice && cs_overwrites(list->v[0], var);
}

/* if (c) r = a; else r = b;  ->  r = c ? a : b;  Only assignments marked as of a conditional
 * expression (cs.choice), without side effects: other branches stay as Python has them. "if not c"
 * swaps the arms. */
bool cuda_to_choice(cuda_fn *f, cs *s)
{
    WEFT_ASSERT(s->kind == CS_IF);
    uint32_t a, b;
    if (!is_only_set(&s->body, &a) || !is_only_set(&s->orelse, &b) || a != b)
        return false;
    const cs_list body = s->body, orelse = s->orelse;
    const bool negated = s->e->kind == CX_NOT;
    cx *e = cx_new(f, CX_COND, f->vars.v[a].type, 3);
    e->args[0] = negated ? s->e->args[0] : s->e;
    e->args[1] = (negated ? orelse : body).v[0]->e;
    e->args[2] = (negated ? body : orelse).v[0]->e;
    const unsigned effects = cx_effects(f, e);
    if (effects & (CX_WRITES_MEMORY | CX_WRITES_GRADIENT | CX_PRINTS | CX_WRITES_VARS))
        return false;
    s->to = body.v[0]->to;
    s->id = body.v[0]->id;
    s->kind = CS_SET;
    s->e = e;
    s->body.n = s->orelse.n = 0;
    f->vars.v[a].defs--;
    return true;
}

/* An int32 that is known; larger types are not folded. */
static bool integer_of(const cx *e, int64_t *n)
{
    if (!e->type || e->type->kind != TYPE_INT32)
        return false;
    *n = e->number;
    if (e->kind == CX_NUMBER)
        return true;
    if (e->kind != CX_CONST || !value_is_number(e->k) || value_has_f(e->k))
        return false;
    *n = (int64_t)e->k->i;
    return true;
}

/* Is it a conversion of a float literal to 16 bits? It can be written as a literal of that type,
 * which the printer rounds. */
static bool is_narrow_literal(const cx *e)
{
    if (e->kind != CX_CALL || e->nargs != 1 || !e->type ||
        (e->type->kind != TYPE_FLOAT16 && e->type->kind != TYPE_BFLOAT16))
        return false;
    const cx *a = e->args[0];
    return a->kind == CX_CONST && a->type->kind == TYPE_FLOAT32 && value_is_number(a->k) &&
           (e->op == CUDA_OP_FLOAT16 || e->op == CUDA_OP_BFLOAT16);
}

/* Constant folding of small integers, as unrolled loops leave them behind ("j * 4 + 1" for each
 * step), and of their conversion to float. The limit of 2^20 keeps both exact: sums do not
 * overflow, and floats have 24 bits. */
cx *cuda_fold_constants(cuda_fn *f, cx *e)
{
    int64_t a, b;
    if (is_narrow_literal(e)) {
        cx *c = cx_new(f, CX_CONST, e->type, 0);
        c->k = e->args[0]->k;
        return c;
    }
    if (e->kind != CX_CALL || !e->nargs || !integer_of(e->args[0], &a) || a > 1 << 20 ||
        a < -(1 << 20))
        return e;
    if (e->nargs == 1 && e->type && e->type->kind == TYPE_FLOAT32 &&
        (e->op == CUDA_OP_FLOAT || e->op == CUDA_OP_FLOAT32)) {
        value *k = ARENA_NEW(&f->c->module, value);
        *k = value_float((double)a);
        cx *c = cx_new(f, CX_CONST, e->type, 0);
        c->k = k;
        return c;
    }
    if (e->nargs != 2 || !integer_of(e->args[1], &b) || b > 1 << 20 || b < -(1 << 20))
        return e;
    if (e->op == CUDA_OP_MUL && a * b <= INT32_MAX && a * b >= INT32_MIN)
        return cx_number(f, a * b);
    return e->op == CUDA_OP_ADD   ? cx_number(f, a + b)
           : e->op == CUDA_OP_SUB ? cx_number(f, a - b)
                                  : e;
}

/* while (true) { if (c) break; ... }  ->  while (!c) { ... }  as Python's `while` is lowered. */
void cuda_find_condition(cuda_fn *f, cs *s)
{
    WEFT_ASSERT(s->kind == CS_LOOP);
    const cs *first = s->body.n ? s->body.v[0] : NULL;
    if (!first || first->kind != CS_IF || first->orelse.n || first->body.n != 1 ||
        first->body.v[0]->kind != CS_BREAK)
        return;
    s->e = first->e->kind == CX_NOT ? first->e->args[0]
                                    : cx_unary(f, CX_NOT, first->e->type, first->e);
    memmove(s->body.v, s->body.v + 1, (s->body.n - 1) * sizeof *s->body.v);
    s->body.n--;
}
