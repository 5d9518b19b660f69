/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of single elements: of what threads put into tiles, and take out of them.
 *
 *     t = wp.tile(x)                    adj_x += adj_t[threadIdx.x];
 *     v = t[i], t in shared memory      atomicAdd(&adj_t[i], adj_v);
 *     v = t[i], t in registers          if (threadIdx.x == i % blockDim.x)
 *                                           adj_t[i] += adj_v; */
#include "cuda/cuda_form.h"
#include "cuda/cuda_operand.h"
#include "cuda/cuda_tile_adjoint.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unsupported.h"

static cx *own_element(const adj_reader *r, const cuda_tile *t)
{
    return cuda_tile_element(r->f, t, (cx *[]){cuda_tile_thread(r->f)});
}

/* wp.tile(x): each thread's number gets the gradient of its own element. */
bool cuda_tile_adj_tile(const adj_reader *r)
{
    cuda_tile *from = cuda_tile_wanted(r, r->nadj - 1);
    cx *to = cuda_wanted(r, 0);
    if (!from || !to)
        return true;
    if (from->ndim != 1 || to->type != from->elem)
        return cuda_tile_adj_refuse(r);
    cuda_tile_meet(r->f, r->out, &(cuda_tile_use){from, false, true}, 1);
    cuda_accumulate(r, to, cuda_tile_load(r->f, own_element(r, from)), false);
    return true;
}

bool cuda_tile_adj_untile(const adj_reader *r)
{
    cuda_tile *to = cuda_tile_wanted(r, 0);
    cx *from = cuda_wanted(r, r->nadj - 1);
    if (!from || !to)
        return true;
    if (to->ndim != 1)
        return cuda_tile_adj_refuse(r);
    cuda_tile_meet(r->f, r->out, &(cuda_tile_use){to, true, true}, 1);
    cs_set(r->f, r->out, own_element(r, to), cuda_value_of(r->f, from))->add = true;
    return true;
}

/* The number of an element in its tile, counted row by row. */
static cx *number_of(cuda_fn *f, const cuda_tile *t, cx *const *at)
{
    cx *e = at[0];
    for (uint32_t d = 1; d < t->ndim; d++) {
        if (t->dims[d] != 1)
            e = cx_call2(f, CUDA_OP_MUL, cuda_int(f), e, cx_number(f, t->dims[d]));
        e = cuda_int_sum(f, e, at[d]);
    }
    return e;
}

/* Is the thread the one that holds the element of a register tile? */
static cx *is_owner(cuda_fn *f, const cuda_tile *t, cx *const *at)
{
    if (cuda_tile_size(t) == 1)
        return cuda_tile_builtin(f, STR("block_first"), type_scalar(f->c, TYPE_BOOL), 0);
    const type *index = type_scalar(f->c, TYPE_UINT32);
    cx *width = cuda_tile_builtin(f, STR("block_width"), index, 0);
    cx *owner =
        cx_call2(f, CUDA_OP_MOD, index, cuda_tile_cast(f, index, number_of(f, t, at)), width);
    cx *e = cx_binary(f, CX_COMPARE, type_scalar(f->c, TYPE_BOOL), cuda_tile_thread(f), owner);
    e->name = STR("==");
    return e;
}

/* What the thread adds to the gradient of a tile of one element, which has to be the same in all
 * threads: they meet when it is needed (meet_parts), for the element may be read in a branch. In a
 * loop the next round may need it before that in the text, so there is no such gradient there. */
static cx *part_of(cuda_fn *f, cuda_tile *single)
{
    if (!single->parts) {
        single->parts = cv_new(f, single->elem, STR("part"));
        f->vars.v[single->parts].adjoint = true;
    }
    single->pending = true;
    return cx_var(f, single->parts);
}

/* The gradients of tiles of one element have what their threads have to add. */
void cuda_tile_meet_parts(const adj_reader *r)
{
    cuda_fn *f = r->f;
    for (uint32_t i = 0; i < r->nadj; i++) {
        cuda_tile *t = cuda_wanted(r, i) ? cuda_tile_of(f, ir_index(r->adj[i])) : NULL;
        t = t ? cuda_tile_below(t)->gradient : NULL; /* which this does not make */
        if (!t || !t->pending)
            continue;
        cx *part = cx_var(f, t->parts);
        cs_set(f, r->out, cx_var(f, t->var), cuda_tile_block_sum(f, part))->add = true;
        cs_set(f, r->out, part, cx_new(f, CX_ZERO, t->elem, 0));
        t->pending = false;
    }
}

/* t[i]: all threads that read the element of a shared tile add to its gradient. Of a tile in
 * registers only the thread does that holds the element. Threads that all do the same for their
 * block may not store what they have read: which of them then finds its gradient depends on their
 * order. */
bool cuda_tile_adj_extract(const adj_reader *r)
{
    cuda_fn *f = r->f;
    cuda_tile *to = cuda_tile_wanted(r, 0);
    cx *from = cuda_wanted(r, r->nadj - 1), *at[CUDA_TILE_DIMS];
    if (!to || !from)
        return true;
    const type *t = type_strip_ref(f->u->vars.v[ir_index(r->args[0])].type);
    cuda_tile *single = cuda_tile_below(to)->kind == CUDA_TILE_SINGLE ? cuda_tile_below(to) : NULL;
    if (r->nargs != to->ndim + 1 || to->elem != from->type ||
        (single && (f->loops || !cuda_tile_has_sum(single->elem))) ||
        (f->job->out->blocks == CUDA_BLOCKS_TILED &&
         cuda_tile_is_stored(f->c, f->u, ir_index(r->adj[r->nadj - 1]))))
        return cuda_tile_adj_refuse(r);
    if (!single)
        cuda_tile_meet(f, r->out, &(cuda_tile_use){to, t->shared ? CUDA_TILE_SUMS : true, false},
                       1);
    for (uint32_t d = 0; d < to->ndim; d++)
        at[d] = cuda_value_at(r, d + 1);
    cs_list *out = r->out;
    if (!t->shared) {
        cs *s = cs_put(f, out, CS_IF);
        s->e = is_owner(f, to, at);
        out = &s->body;
    }
    cx *e = cuda_value_of(f, from);
    if (single)
        cs_set(f, out, part_of(f, single), e)->add = true;
    else if (t->shared)
        cs_put(f, out, CS_CALL)->e =
            cx_atomic(f, CUDA_OP_ATOMIC_ADD, cuda_tile_element(f, to, at), e);
    else
        cs_set(f, out, cuda_tile_element(f, to, at), e)->add = true;
    return true;
}

/* t[i] = x: what the element had to give is x's, and zero from here on. Threads that all do the
 * same for their block would find it in an order of their own. Of t[i] += x and t[i] -= x the
 * gradient stays. */
bool cuda_tile_adj_set(const adj_reader *r)
{
    cuda_fn *f = r->f;
    cuda_tile *to = cuda_tile_wanted(r, 0);
    cx *x = cuda_wanted(r, r->nadj - 1), *at[CUDA_TILE_DIMS];
    const bool clears = str_eq(r->name, STR("tile_set"));
    if (!to || (!x && !clears))
        return true;
    if ((clears && f->job->out->blocks == CUDA_BLOCKS_TILED) || r->nargs != to->ndim + 2 ||
        cuda_tile_below(to)->kind != CUDA_TILE_OWN)
        return cuda_tile_adj_refuse(r);
    cuda_tile_meet(f, r->out, &(cuda_tile_use){to, clears, false}, 1);
    for (uint32_t d = 0; d < to->ndim; d++)
        at[d] = cuda_value_at(r, d + 1);
    cx *e = cuda_tile_element(f, to, at);
    cuda_accumulate(r, x, cuda_tile_load(f, e), str_eq(r->name, STR("tile_sub_inplace")));
    if (clears)
        cs_set(f, r->out, e, cx_new(f, CX_ZERO, to->elem, 0));
    return true;
}
