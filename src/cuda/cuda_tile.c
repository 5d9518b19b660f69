/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles that have one element for each thread of the block, which wp.tile(x) makes, and their sums:
 * what kernels use to add up something per block before one atomic addition. Such a tile is a
 * variable of each thread; the sum, a tile of one element, is the same in all threads.
 *
 *     t = wp.tile(v)                      t is v itself
 *     s = wp.tile_sum(t)                  const float s = block_sum(v);
 *     wp.tile_atomic_add(total, s)        if (block_first())
 *                                             atomicAdd(&total[0], s);
 *
 * In the adjoint each thread reads the gradient of total[0] and adds it to that of its own v.
 * A kernel with any other tile has all of them in memory that threads share
 * (cuda_tile_shared.c). */
#include "cuda/cuda_tile.h"

#include "cuda/cuda_operand.h"
#include "cuda/cuda_tile_ops.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unsupported.h"

enum { BLOCK = 256 };

/* Has each thread one element of it? */
static bool is_wide(const type *t)
{
    return t->kind == TYPE_TILE && t->ndim == 1 && t->dims[0] == BLOCK && !t->shared &&
           type_is_scalar(t->elem);
}

bool cuda_is_single_tile(const type *t)
{
    return t->kind == TYPE_TILE && t->ndim == 1 && t->dims[0] == 1;
}

static bool is_single(const type *t)
{
    return cuda_is_single_tile(t) && !t->shared && type_is_scalar(t->elem);
}

const type *cuda_tile_item(const cuda_job *job, const type *t)
{
    if (job->shares_tiles)
        return cuda_is_single_tile(t) ? t->elem : t;
    return is_wide(t) || is_single(t) ? t->elem : t;
}

bool cuda_is_tile_call(str name)
{
    return str_starts(name, "tile") || str_eq(name, STR("untile"));
}

bool cuda_is_simple_tile_call(str name)
{
    static const char *const names[] = {
        "tile",           "untile",   "tile_sum", "tile_add",
        "tile_sub",       "tile_mul", "tile_neg", "tile_mul_elementwise",
        "tile_atomic_add"};
    return STR_IS_IN(name, names);
}

/* The operator on elements that the operation is; NULL: it is none that tiles have here. */
static const char *simple_operator(str name)
{
    return cuda_is_simple_tile_call(name) ? cuda_tile_item_name(name) : NULL;
}

static const type *own_type(const cuda_fn *f, ir_arg a)
{
    return ir_kind(a) == IR_ARG_VAR ? type_strip_ref(f->u->vars.v[ir_index(a)].type) : NULL;
}

/* Is it a call of an operation that needs a tile's type alone, or only adds the tile to memory? Or
 * the adjoint of such a call? */
static bool needs_no_value(const ir_unit *u, const ir_stmt *s)
{
    static const char *const idle[] = {"tile_atomic_add", "tile_sum", "tile_add", "tile_sub",
                                       "tile_neg"};
    return STR_IS_IN(cuda_called_name(u, s), idle);
}

bool cuda_is_needed_tile(const ir_unit *u, uint32_t var)
{
    for (uint32_t i = 0; i < u->stmts.n; i++) {
        const ir_stmt *s = &u->stmts.v[i];
        for (uint32_t k = s->op == IR_CALL ? 1 : 0; k < s->nargs; k++) {
            const ir_arg a = u->args.v[s->args + k];
            if (ir_kind(a) == IR_ARG_VAR && ir_index(a) == var && !needs_no_value(u, s))
                return true;
        }
    }
    return false;
}

bool cuda_is_unused_tile(const ir_unit *u, uint32_t var)
{
    for (uint32_t i = 0; i < u->stmts.n; i++) {
        const ir_stmt *s = &u->stmts.v[i];
        for (uint32_t k = s->op == IR_CALL ? 1 : 0; k < s->nargs; k++) {
            const ir_arg a = u->args.v[s->args + k];
            if (ir_kind(a) == IR_ARG_VAR && ir_index(a) == var && s->op != IR_ADJ_CALL &&
                s->op != IR_ADJ_CALL_LIST)
                return false;
        }
    }
    return true;
}

/* tile_atomic_add(array, offsets, tile): by the block's first thread, where the offsets are inside
 * of the array; they are if they are constants. */
static bool read_atomic(const tile_call *r)
{
    cuda_fn *f = r->f;
    cx *array = cuda_operand_place(f, r->args[0]);
    const uint32_t n = array->type->kind == TYPE_ARRAY ? (uint32_t)array->type->ndim : 0;
    const type *tile = own_type(f, r->args[r->n - 1]);
    if (!n || array->type->array_class != ARRAY_PLAIN || r->n != n + 2 || !tile ||
        !is_single(tile) || array->type->elem != tile->elem || !cuda_is_unused_tile(f->u, r->var))
        return cuda_tile_refuse(r);
    cx *place = cx_new(f, CX_ELEMENT, array->type->elem, n + 1);
    place->args[0] = array;
    for (uint32_t i = 1; i <= n; i++) {
        place->args[i] = cuda_operand_value(f, r->args[i]);
        if (place->args[i]->kind != CX_CONST)
            return cuda_tile_refuse(r);
    }
    f->job->out->meets = true;
    cs *s = cs_put(f, r->out, CS_IF);
    s->e = cuda_tile_builtin(f, STR("block_first"), type_scalar(f->c, TYPE_BOOL), 0);
    cs_put(f, &s->body, CS_CALL)->e =
        cx_atomic(f, CUDA_OP_ATOMIC_ADD, place, cuda_operand_value(f, r->args[r->n - 1]));
    return true;
}

/* The adjoint kernel computes a sum only where its value is needed. */
static bool read_sum(const tile_call *r)
{
    cuda_fn *f = r->f;
    const type *tile = own_type(f, r->args[0]);
    if (r->n != 1 || !tile || !is_wide(tile) || !cuda_tile_has_sum(tile->elem))
        return cuda_tile_refuse(r);
    if (f->reverse && !cuda_is_needed_tile(f->u, r->var))
        return true;
    f->job->out->meets = true;
    cx *e = cuda_tile_builtin(f, STR("block_sum"), r->type, 1);
    e->args[0] = cuda_operand_value(f, r->args[0]);
    cs_set(f, r->out, r->result, e);
    return true;
}

/* An operator on tiles of one kind, element by element. A sum and a number of a thread are not
 * mixed: the number may differ among threads. */
static bool read_operator(const tile_call *r, const char *item)
{
    cuda_fn *f = r->f;
    cx *e = cuda_tile_builtin(f, str_c(item), r->type, r->n);
    for (uint32_t i = 0; i < r->n; i++) {
        const type *t = own_type(f, r->args[i]);
        e->args[i] = cuda_operand_value(f, r->args[i]);
        const bool number = t && type_is_scalar(t);
        const bool alike = t && cuda_tile_item(f->job, t) == r->type && !number;
        if (!alike && !(number && t == r->type &&
                        (is_wide(f->u->vars.v[r->var].type) || e->args[i]->kind == CX_CONST)))
            return cuda_tile_refuse(r);
    }
    cs_set(f, r->out, r->result, e);
    return true;
}

bool cuda_read_tile(const tile_call *r)
{
    cuda_fn *f = r->f;
    if (f->tiles)
        return cuda_read_shared_tile(r);
    if (!r->result || !r->n)
        return cuda_tile_refuse(r);
    const type *out = f->u->vars.v[r->var].type;
    if (str_eq(r->name, STR("tile_atomic_add")))
        return read_atomic(r);
    if (str_eq(r->name, STR("tile_sum")))
        return is_single(out) ? read_sum(r) : cuda_tile_refuse(r);
    const type *in = own_type(f, r->args[0]);
    const bool makes = str_eq(r->name, STR("tile")) && is_wide(out) && in && in == r->type;
    const bool takes = str_eq(r->name, STR("untile")) && in && is_wide(in);
    if (r->n == 1 && (makes || takes)) {
        cs_set(f, r->out, r->result, cuda_operand_value(f, r->args[0]));
        return true;
    }
    const char *item = simple_operator(r->name);
    return item && (is_wide(out) || is_single(out)) ? read_operator(r, item) : cuda_tile_refuse(r);
}

/* The adjoint of an operator is that of the one on elements. */
static bool adjoint_operator(const adj_reader *r)
{
    const char *name = simple_operator(r->name);
    if (!name)
        return false;
    adj_reader item = *r;
    item.name = str_c(name);
    item.op = cuda_op_of(item.name);
    return cuda_adjoint_items(&item);
}

bool cuda_tile_adjoint(const adj_reader *r)
{
    if (r->f->tiles)
        return cuda_shared_tile_adjoint(r);
    static const char *const sums[] = {"tile", "untile", "tile_sum"};
    if (STR_IS_IN(r->name, sums)) {
        cx *from = cuda_wanted(r, r->nadj - 1);
        if (from)
            cuda_accumulate(r, cuda_wanted(r, 0), cuda_value_of(r->f, from), false);
        return true;
    }
    if (str_eq(r->name, STR("tile_atomic_add")))
        return cuda_adjoint_items(r);
    if (adjoint_operator(r))
        return true;
    cuda_unsupported_call(r->f, r->name, true);
    return false;
}
