/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of tiles that are no plain sums, and single elements that threads change:
 *
 *     s = wp.tile_dot(a, b)                      each thread adds up all products for itself
 *     r = wp.tile_reduce(f, a, axis=1)           each sum by one thread
 *     wp.tile_scatter_add(t, k, x, x > 0.0)      if (x > 0.0f) atomicAdd(&t[k], x);
 *     t[k] += x                                  atomicAdd(&t[k], x);
 *     c = wp.tile_diag_add(a, d)                 a copy, then its diagonal */
#include "cuda/cuda_operand.h"
#include "cuda/cuda_tile_linear.h"
#include "cuda/cuda_tree.h"

/* Element k of the tile, counted row by row. */
static cx *value_at(cuda_fn *f, const cuda_tile *t, cx *k)
{
    cx *at[CUDA_TILE_DIMS];
    for (uint32_t d = 0; d < t->ndim; d++)
        at[d] = t->ndim == 1 ? k : cuda_tile_index_of(f, t, d, k);
    return cuda_tile_value(f, t, at);
}

/* result = a[0] * b[0] + a[1] * b[1] + ... */
bool cuda_tile_read_dot(const tile_call *r)
{
    cuda_fn *f = r->f;
    const cuda_tile *to = cuda_tile_made(r);
    cuda_tile *a = r->n == 2 ? cuda_tile_operand(r, 0) : NULL,
              *b = r->n == 2 ? cuda_tile_operand(r, 1) : NULL;
    if (!to || !a || !b || to->kind != CUDA_TILE_SINGLE || a->elem != b->elem ||
        a->elem != to->elem || !type_is_scalar(to->elem))
        return cuda_tile_refuse(r);
    const cuda_tile_use uses[] = {{a, false, false}, {b, false, false}};
    cx *k;
    cuda_tile_meet(f, r->out, uses, 2);
    cs_set(f, r->out, r->result, cx_new(f, CX_ZERO, to->elem, 0));
    cs *loop = cuda_tile_count(f, r->out, 0, cuda_tile_size(a), &k);
    cx *product = cx_call2(f, CUDA_OP_MUL, to->elem, value_at(f, a, k), value_at(f, b, k));
    cs_set(f, &loop->body, r->result, product)->add = true;
    return true;
}

/* The number of the least or greatest element; of equal ones the first. */
bool cuda_tile_read_position(const tile_call *r)
{
    cuda_fn *f = r->f;
    const cuda_tile *to = cuda_tile_made(r);
    cuda_tile *t = r->n == 1 ? cuda_tile_operand(r, 0) : NULL;
    const bool least = str_eq(r->name, STR("tile_argmin"));
    if (!to || !t || to->kind != CUDA_TILE_SINGLE || !type_is_scalar(t->elem))
        return cuda_tile_refuse(r);
    cx *k, *first[CUDA_TILE_DIMS];
    for (uint32_t d = 0; d < t->ndim; d++)
        first[d] = cx_number(f, 0);
    cuda_tile_meet(f, r->out, &(cuda_tile_use){t, false, false}, 1);
    cs_set(f, r->out, r->result, cx_new(f, CX_ZERO, to->elem, 0));
    cx *best = cuda_tile_new_var(f, r->out, t->elem, least ? "least" : "most",
                                 cuda_tile_value(f, t, first));
    if (cuda_tile_size(t) == 1)
        return true;
    cs *loop = cuda_tile_count(f, r->out, 1, cuda_tile_size(t), &k);
    cx *better = cx_binary(f, CX_COMPARE, type_scalar(f->c, TYPE_BOOL), value_at(f, t, k), best);
    better->name = least ? STR("<") : STR(">");
    cs *s = cs_put(f, &loop->body, CS_IF);
    s->e = better;
    cs_set(f, &s->body, best, value_at(f, t, k));
    cs_set(f, &s->body, r->result, k);
    return true;
}

/* A constant operand; -1: it is none. */
static int64_t constant_of(const tile_call *r, uint32_t i)
{
    const ir_arg a = r->args[i];
    const value *k = ir_kind(a) == IR_ARG_VAR ? r->f->u->vars.v[ir_index(a)].constant : NULL;
    return k && value_is_number(k) && !value_has_f(k) ? (int64_t)k->i : -1;
}

cx *cuda_tile_pair(const tile_call *r, uint32_t at, const type *t)
{
    const ir_arg both[2] = {r->args[at], r->args[at]};
    tile_call pair = *r;
    pair.args = both;
    pair.n = 2;
    cx *e = cuda_tile_function(&pair, r->args[0], t, 2);
    return e && (e->kind == CX_CALL || e->kind == CX_USER) ? e : NULL;
}

/* (function, tile, axis, ...) */
bool cuda_tile_read_reduce_axis(const tile_call *r)
{
    cuda_fn *f = r->f;
    cuda_tile *to = cuda_tile_made(r), *t = r->n > 2 ? cuda_tile_operand(r, 1) : NULL;
    const int64_t axis = r->n > 2 ? constant_of(r, 2) : -1;
    cx *e = t ? cuda_tile_pair(r, 1, t->elem) : NULL, *at[CUDA_TILE_DIMS], *k;
    if (!to || !e || t->ndim < 2 || to->ndim + 1 != t->ndim || axis < 0 ||
        axis >= (int64_t)t->ndim || to->elem != t->elem)
        return cuda_tile_refuse(r);
    const cuda_tile_use uses[] = {{to, true, true}, {t, false, false}};
    cuda_tile_meet(f, r->out, uses, 2);
    const cuda_tile_loop l = cuda_tile_each(f, r->out, to);
    for (uint32_t d = 0, from = 0; d < t->ndim; d++)
        at[d] = d == (uint32_t)axis ? cx_number(f, 0) : l.at[from++];
    cx *all = cuda_tile_new_var(f, l.body, to->elem, "folded", cuda_tile_value(f, t, at));
    if (t->dims[axis] > 1) {
        cs *loop = cuda_tile_count(f, l.body, 1, t->dims[axis], &k);
        at[axis] = k;
        e->args[0] = all;
        e->args[1] = cuda_tile_value(f, t, at);
        cs_set(f, &loop->body, all, e);
    }
    cuda_tile_put(r, &l, to, all);
    return true;
}

/* The place of the element at the operands from 1 on; NULL: the tile has no memory. */
static cx *place_of(const tile_call *r, cuda_tile *t)
{
    cx *at[CUDA_TILE_DIMS];
    if (!t || t->kind != CUDA_TILE_OWN || r->n < 2 + t->ndim)
        return NULL;
    for (uint32_t d = 0; d < t->ndim; d++)
        at[d] = cuda_operand_value(r->f, r->args[1 + d]);
    cuda_tile_meet(r->f, r->out, &(cuda_tile_use){t, true, false}, 1);
    return cuda_tile_element(r->f, t, at);
}

static void add_atomic(const tile_call *r, cs_list *out, cx *place, cx *e)
{
    cs_put(r->f, out, CS_CALL)->e = cx_atomic(r->f, CUDA_OP_ATOMIC_ADD, place, e);
}

/* (tile, indices, value, has_value) */
bool cuda_tile_read_scatter(const tile_call *r)
{
    cuda_fn *f = r->f;
    cuda_tile *t = r->n ? cuda_tile_operand(r, 0) : NULL;
    if (!t || r->n != 3 + t->ndim || !type_is_scalar(t->elem))
        return cuda_tile_refuse(r);
    cx *place = place_of(r, t);
    if (!place)
        return cuda_tile_refuse(r);
    cs *s = cs_put(f, r->out, CS_IF);
    s->e = cuda_operand_value(f, r->args[2 + t->ndim]);
    cx *e = cuda_operand_value(f, r->args[1 + t->ndim]);
    if (str_eq(r->name, STR("tile_scatter_add")))
        add_atomic(r, &s->body, place, e);
    else
        cs_set(f, &s->body, place, e);
    return true;
}

/* (tile, indices, value) of t[i] += v and t[i] -= v */
bool cuda_tile_read_update(const tile_call *r)
{
    cuda_fn *f = r->f;
    cuda_tile *t = cuda_tile_operand(r, 0);
    cx *place = t && r->n == 2 + t->ndim && type_is_scalar(t->elem) ? place_of(r, t) : NULL;
    if (!place)
        return cuda_tile_refuse(r);
    cx *e = cuda_operand_value(f, r->args[1 + t->ndim]);
    if (str_eq(r->name, STR("tile_sub_inplace")))
        e = cx_call1(f, CUDA_OP_NEG, t->elem, e);
    add_atomic(r, r->out, place, e);
    return true;
}

/* (tile, indices, value) of t[i] = v, each thread its own element. */
bool cuda_tile_read_set(const tile_call *r)
{
    cuda_fn *f = r->f;
    cuda_tile *t = r->n ? cuda_tile_operand(r, 0) : NULL;
    cx *place = t && r->n == 2 + t->ndim ? place_of(r, t) : NULL;
    if (!place)
        return cuda_tile_refuse(r);
    cs_set(f, r->out, place, cuda_operand_value(f, r->args[1 + t->ndim]));
    return true;
}

/* (alpha, src, dest): dest += src * alpha */
bool cuda_tile_read_axpy(const tile_call *r)
{
    cuda_fn *f = r->f;
    cuda_tile *from = cuda_tile_operand(r, 1), *to = cuda_tile_operand(r, 2);
    if (r->n != 3 || !from || !to || to->kind == CUDA_TILE_COMPUTED ||
        cuda_tile_size(from) != cuda_tile_size(to))
        return cuda_tile_refuse(r);
    cx *alpha = cuda_operand_value(f, r->args[0]);
    const cuda_tile_use uses[] = {{to, true, true}, {from, false, true}};
    cuda_tile_meet(f, r->out, uses, 2);
    const cuda_tile_loop l = cuda_tile_each(f, r->out, to);
    cx *e = cx_call2(f, CUDA_OP_MUL, to->elem, cuda_tile_value(f, from, l.at), alpha);
    cs_set(f, l.body, cuda_tile_element(f, to, l.at), e)->add = true;
    return true;
}

/* c = a, with d added to the diagonal; the last operand is c. */
bool cuda_tile_read_diagonal(const tile_call *r)
{
    cuda_fn *f = r->f;
    cuda_tile *a = r->n == 3 ? cuda_tile_operand(r, 0) : NULL,
              *d = r->n == 3 ? cuda_tile_operand(r, 1) : NULL,
              *to = r->n == 3 ? cuda_tile_operand(r, 2) : NULL;
    if (!a || !d || !to || to->kind != CUDA_TILE_OWN || a->ndim != 2 || d->ndim != 1)
        return cuda_tile_refuse(r);
    const cuda_tile_use copy[] = {{to, true, true}, {a, false, true}};
    cuda_tile_meet(f, r->out, copy, 2);
    const cuda_tile_loop l = cuda_tile_each(f, r->out, to);
    cs_set(f, l.body, cuda_tile_element(f, to, l.at), cuda_tile_value(f, a, l.at));
    const cuda_tile_use sum[] = {{to, true, false}, {d, false, true}};
    cuda_tile_meet(f, r->out, sum, 2);
    const cuda_tile_loop k = cuda_tile_each(f, r->out, d);
    cx *both[2] = {k.at[0], k.at[0]};
    cs_set(f, k.body, cuda_tile_element(f, to, both), cuda_tile_value(f, d, k.at))->add = true;
    return true;
}
