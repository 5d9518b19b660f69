/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of operations on tiles in shared memory. The gradient of an array is another one, with
 * zeros to begin with; that of a view is the same view of it.
 *
 *     wp.tile_store(y, a * b, offset=i * 64)
 *     ->
 *     for (int e = threadIdx.x; e < 64; e += blockDim.x) {
 *         adj_tile[e] += adj_y[first + e];
 *         adj_y[first + e] = 0.0f;
 *     }
 *     for (int e = threadIdx.x; e < 64; e += blockDim.x) {
 *         adj_a[e] += b[e] * adj_tile[e];
 *         adj_b[e] += a[e] * adj_tile[e];
 *     }
 *
 * The replay computes only tiles that some gradient needs (cuda_tile_needed.c). */
#include "cuda/cuda_tile_adjoint.h"
#include "cuda/cuda_form.h"
#include "cuda/cuda_operand.h"
#include "cuda/cuda_tile_linear.h"
#include "cuda/cuda_tile_ops.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unsupported.h"

bool cuda_tile_adj_refuse(const adj_reader *r)
{
    cuda_unsupported_call(r->f, r->name, true);
    return false;
}

/* The operation as the readers of the forward list take it. */
static tile_call forward_of(const adj_reader *r)
{
    return (tile_call){.f = r->f,
                       .out = r->out,
                       .name = r->name,
                       .callee = r->callee,
                       .args = r->args,
                       .n = r->nargs};
}

/* The gradient of adjoint operand i; NULL: nothing is added to it, or it is no tile. */
cuda_tile *cuda_tile_wanted(const adj_reader *r, uint32_t i)
{
    if (i >= r->nadj || !cuda_wanted(r, i))
        return NULL;
    cuda_tile *t = cuda_tile_of(r->f, ir_index(r->adj[i]));
    return t ? cuda_tile_gradient(r->f, t) : NULL;
}

/* The tile whose places a view shows. */
cuda_tile *cuda_tile_below(cuda_tile *t)
{
    while (t->of)
        t = t->of;
    return t;
}

/* Do several elements of the tile lie in one place? */
static bool repeats(const cuda_tile *t)
{
    uint32_t used = 0, own = 0;
    for (uint32_t d = 0; t->of && t->kind == CUDA_TILE_MAPPED && d < t->of->ndim; d++)
        used += t->from[d] >= 0;
    for (uint32_t d = 0; d < t->ndim; d++)
        own += t->dims[d] > 1;
    return t->of && ((t->kind == CUDA_TILE_MAPPED && used < own) || repeats(t->of));
}

/* Such places are memory, to which threads add one after the other. */
static bool is_shared(cuda_tile *t)
{
    return cuda_tile_below(t)->kind == CUDA_TILE_OWN && repeats(t);
}

/* to[at] += e: atomically where another thread may add there. */
static void add(const adj_reader *r, cs_list *out, cuda_tile *to, cx *const *at, cx *e)
{
    cx *place = cuda_tile_element(r->f, to, at);
    if (is_shared(to))
        cs_put(r->f, out, CS_CALL)->e = cx_atomic(r->f, CUDA_OP_ATOMIC_ADD, place, e);
    else
        cs_set(r->f, out, place, e)->add = true;
}

/* The gradient of a single element that threads share the work for, as it has been spread over a
 * larger tile: each gathers what its own elements give, and block_sum makes of that what is the
 * same in all threads.
 *
 *     float own = 0.0f;
 *     for (int e = threadIdx.x; e < 64; e += blockDim.x) {
 *         own += t[e] * adj_tile[e];
 *     }
 *     adj_s += block_sum(own); */
typedef struct gathering {
    cuda_tile *single; /* NULL: there is nothing to gather */
    uint32_t var;      /* of its gradient */
    cx *own;
} gathering;

/* What all threads of the block have, added up, in each of them. */
cx *cuda_tile_block_sum(cuda_fn *f, cx *own)
{
    cx *sum = cuda_tile_builtin(f, STR("block_sum"), own->type, 1);
    sum->args[0] = own;
    f->job->out->meets = true;
    return sum;
}

/* Before a loop over the elements of `shape` that adds to `to`: until `gathered`, the single
 * element's gradient is the thread's own variable. False: no block adds up such elements. */
static bool gather(const adj_reader *r, cuda_tile *to, const cuda_tile *shape, gathering *g)
{
    cuda_fn *f = r->f;
    cuda_tile *single = to ? cuda_tile_below(to) : NULL;
    *g = (gathering){0};
    if (!single || single->kind != CUDA_TILE_SINGLE || shape->kind == CUDA_TILE_SINGLE)
        return true;
    if (!cuda_tile_has_sum(single->elem))
        return cuda_tile_adj_refuse(r);
    cx *zero = cx_new(f, CX_ZERO, single->elem, 0);
    g->single = single;
    g->var = single->var;
    g->own = cuda_tile_new_var(f, r->out, single->elem, "own", zero);
    single->var = g->own->var;
    return true;
}

static void gathered(const adj_reader *r, const gathering *g)
{
    cuda_fn *f = r->f;
    if (!g->single)
        return;
    g->single->var = g->var;
    cs_set(f, r->out, cx_var(f, g->var), cuda_tile_block_sum(f, g->own))->add = true;
}

/* to += e in the first thread alone. */
static void add_by_first(const adj_reader *r, cx *to, cx *e)
{
    cuda_fn *f = r->f;
    cx *all = cuda_tile_new_var(f, r->out, e->type, "all", e); /* threads meet for a sum */
    cs *s = cs_put(f, r->out, CS_IF);
    s->e = cuda_tile_builtin(f, STR("block_first"), type_scalar(f->c, TYPE_BOOL), 0);
    adj_reader inner = *r;
    inner.out = &s->body;
    cuda_accumulate(&inner, to, all, false);
}

cx *cuda_tile_load(cuda_fn *f, cx *place)
{
    return cx_unary(f, CX_LOAD, place->type, place);
}

/* --- arrays */

static bool is_gradient_of_array(const adj_reader *r, const cuda_tile *t, uint32_t operands)
{
    const tile_call call = forward_of(r);
    return t && cuda_tile_fits(&call, t, operands);
}

static bool adj_load(const adj_reader *r)
{
    cuda_fn *f = r->f;
    cuda_tile *from = cuda_tile_wanted(r, r->nadj - 1);
    if (!from)
        return true;
    if (!is_gradient_of_array(r, from, r->nargs))
        return cuda_tile_adj_refuse(r);
    const tile_call call = forward_of(r);
    cuda_tile_meet_array(&call, from, false);
    const cuda_tile_loop l = cuda_tile_each(f, r->out, from);
    cx *inside, *e = cuda_tile_array_element(&call, from, &l, &inside);
    cs_list *body = cuda_tile_guarded(&call, from, l.body, inside);
    cs_put(f, body, CS_CALL)->e =
        cx_atomic(f, CUDA_OP_ATOMIC_ADD, cuda_gradient_place(f, e), cuda_tile_value(f, from, l.at));
    return true;
}

/* The gradient of what lies in the array goes to the tile's, if that is wanted. With `clears` it is
 * zero from here on: the store was the last to write there. Of a tile with one element all threads
 * read the gradient before the first one clears it. */
static bool adj_write(const adj_reader *r, uint32_t tile, bool clears)
{
    cuda_fn *f = r->f;
    cuda_tile *to = cuda_tile_wanted(r, tile), *shape = cuda_tile_at(f, r->args[r->nargs - 1]);
    if (!shape || !is_gradient_of_array(r, shape, r->nargs - 1))
        return cuda_tile_adj_refuse(r);
    if (cuda_is_integral(shape->elem) || (!to && !clears))
        return true;
    const tile_call call = forward_of(r);
    const bool single = shape->kind == CUDA_TILE_SINGLE;
    cuda_tile *indices = cuda_tile_indices(&call);
    const cuda_tile_use index = {indices, false, shape->ndim == 1};
    if (to)
        cuda_tile_meet_array(&call, to, true);
    else if (indices)
        cuda_tile_meet(f, r->out, &index, 1);
    gathering sum;
    if (!gather(r, to, shape, &sum))
        return false;
    const cuda_tile_loop l = cuda_tile_each(f, r->out, shape);
    cx *inside, *e = cuda_tile_array_element(&call, shape, &l, &inside);
    cx *gradient = cuda_gradient_place(f, e);
    cs *s = cs_put(f, l.body, CS_IF);
    s->e = inside;
    if (to)
        add(r, &s->body, to, l.at, cuda_tile_load(f, gradient));
    if (single && clears)
        cuda_tile_wait(f, r->out);
    if (clears)
        cs_set(f, single ? cuda_tile_guarded(&call, shape, l.body, inside) : &s->body, gradient,
               cx_new(f, CX_ZERO, gradient->type, 0));
    gathered(r, &sum);
    return true;
}

static bool adj_store(const adj_reader *r)
{
    return adj_write(r, r->nadj - 1, true);
}

static bool adj_atomic(const adj_reader *r)
{
    return adj_write(r, r->nadj - 2, false);
}

/* --- element by element */

/* What tiles stand for while the adjoint of an operation on elements is read: their elements. */
typedef struct naming {
    uint32_t var;
    cx *named, *named_adj;
    cx *own; /* a variable that gathers the gradient of the element; or NULL */
} naming;

enum { MOST = 8 };

static bool is_named(const naming *old, uint32_t n, uint32_t var)
{
    while (n--)
        if (old[n].var == var)
            return true;
    return false;
}

static cx *new_sum(cuda_fn *f, cs_list *body, const type *t)
{
    cx *e = cuda_tile_new_var(f, body, t, "gradient", cx_new(f, CX_ZERO, t, 0));
    f->vars.v[e->var].adjoint = true;
    return e;
}

/* With `own` gradients are gathered in variables, which a function can add to. */
static uint32_t name_elements(const adj_reader *r, const ir_arg *args, uint32_t n, bool own,
                              const cuda_tile_loop *l, naming *old, uint32_t done)
{
    cuda_fn *f = r->f;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t var = ir_index(args[i]);
        cuda_tile *t = ir_kind(args[i]) == IR_ARG_VAR || ir_kind(args[i]) == IR_ARG_ADJ
                           ? cuda_tile_of(f, var)
                           : NULL;
        if (!t || done == 2 * MOST || is_named(old, done, var))
            continue;
        old[done] = (naming){var, f->named[var], f->named_adj[var], NULL};
        f->named[var] = cuda_tile_element(f, t, l->at);
        if (f->active[var] && !cuda_is_integral(t->elem) && own)
            f->named_adj[var] = old[done].own = new_sum(f, l->body, t->elem);
        else if (f->active[var] && !cuda_is_integral(t->elem))
            f->named_adj[var] = cuda_tile_element(f, cuda_tile_gradient(f, t), l->at);
        done++;
    }
    return done;
}

/* Sums into a place that several elements share are atomic. */
static bool make_atomic(const adj_reader *r, cs_list *list, const cuda_tile *t)
{
    cuda_fn *f = r->f;
    for (uint32_t i = 0; i < list->n; i++) {
        cs *s = list->v[i];
        if (s->kind != CS_SET || s->to->kind != CX_ELEMENT || s->to->args[0]->var != t->var)
            continue;
        if (!s->add)
            return false;
        cx *e = cx_atomic(f, CUDA_OP_ATOMIC_ADD, s->to, s->e);
        list->v[i] = cs_new(f, CS_CALL);
        list->v[i]->e = e;
    }
    return true;
}

/* The uses of the operands' elements and of their gradients. */
static uint32_t note_uses(const adj_reader *r, bool values, cuda_tile_use *uses)
{
    uint32_t n = 0;
    for (uint32_t i = 0; values && i < r->nargs; i++) {
        cuda_tile *t = cuda_tile_at(r->f, r->args[i]);
        if (t)
            uses[n++] = (cuda_tile_use){t, false, true};
    }
    for (uint32_t i = 0; i < r->nadj; i++) {
        cuda_tile *t = cuda_tile_wanted(r, i);
        if (t)
            uses[n++] = (cuda_tile_use){t, i + 1 < r->nadj, true};
    }
    return n;
}

static bool is_gathered(const gathering *sums, uint32_t n, const cuda_tile *single)
{
    while (n--)
        if (sums[n].single == single)
            return true;
    return false;
}

/* For each element, the adjoint of the operation on elements that r names, or of a call of
 * `function` if that is not NULL. `values`: it reads the operands' elements. */
static bool adj_items(const adj_reader *r, const ir_unit *function, bool values)
{
    cuda_fn *f = r->f;
    cuda_tile_use uses[2 * MOST + 1];
    naming old[2 * MOST];
    if (r->nargs > MOST || r->nadj > MOST)
        return cuda_tile_adj_refuse(r);
    cuda_tile *shape = cuda_tile_wanted(r, r->nadj - 1);
    if (!shape)
        return true;
    cuda_tile_meet(f, r->out, uses, note_uses(r, values, uses));
    gathering sums[MOST];
    uint32_t nsums = 0;
    for (uint32_t i = 0; i + 1 < r->nadj; i++) {
        cuda_tile *t = cuda_tile_wanted(r, i);
        if (t && is_gathered(sums, nsums, cuda_tile_below(t)))
            continue;
        if (!gather(r, t, shape, &sums[nsums]))
            return false;
        nsums += sums[nsums].single != NULL;
    }
    const cuda_tile_loop l = cuda_tile_each(f, r->out, shape);
    uint32_t n = name_elements(r, r->args, r->nargs, function != NULL, &l, old, 0);
    n = name_elements(r, r->adj + r->nadj - 1, 1, false, &l, old, n);
    adj_reader item = *r;
    item.out = l.body;
    if (function)
        cuda_adjoint_user(&item, function);
    else if (!cuda_adjoint_form(&item))
        cuda_adjoint_call(&item);
    while (n--) {
        f->named[old[n].var] = old[n].named;
        f->named_adj[old[n].var] = old[n].named_adj;
        if (old[n].own)
            add(r, l.body, cuda_tile_gradient(f, cuda_tile_of(f, old[n].var)), l.at, old[n].own);
    }
    for (uint32_t i = 0; i + 1 < r->nadj; i++) {
        cuda_tile *t = cuda_tile_wanted(r, i);
        if (t && is_shared(t) && !function && !make_atomic(r, l.body, cuda_tile_below(t)))
            return cuda_tile_adj_refuse(r);
    }
    while (nsums--)
        gathered(r, &sums[nsums]);
    return true;
}

static bool adj_operator(const adj_reader *r)
{
    const char *name = cuda_tile_item_name(r->name);
    if (!name)
        return cuda_tile_adj_refuse(r);
    adj_reader item = *r;
    item.name = str_c(name);
    item.op = cuda_op_of(item.name);
    const bool values = item.op != CUDA_OP_ADD && item.op != CUDA_OP_SUB && item.op != CUDA_OP_NEG;
    return adj_items(&item, NULL, values);
}

/* Operands behind the function. */
static bool adj_map(const adj_reader *r)
{
    adj_reader item = *r;
    if (r->nargs < 2 || !ir_is_callee(r->args[0]))
        return cuda_tile_adj_refuse(r);
    item.callee = cuda_callee(r->f, r->args[0]);
    item.name = item.callee->native.name;
    item.op = cuda_op_called(item.callee);
    item.args++;
    item.nargs--;
    if (ir_is_callee(r->adj[0])) {
        item.adj++;
        item.nadj--;
    }
    const tile_call call = forward_of(&item);
    const ir_unit *u =
        item.callee->func ? cuda_tile_instance(&call, item.callee->func, item.nargs) : NULL;
    if (item.callee->func && !u)
        return cuda_tile_adj_refuse(r);
    return adj_items(&item, u, true);
}

/* adj_b += adj_a, or -=: of a += b, a -= b. */
static bool adj_inplace(const adj_reader *r)
{
    cuda_fn *f = r->f;
    if (r->nargs > 2)
        return cuda_tile_adj_set(r);
    cuda_tile *from = cuda_tile_wanted(r, 0), *to = cuda_tile_wanted(r, 1);
    if (r->nargs != 2 || !cuda_tile_at(f, r->args[1]))
        return cuda_tile_adj_refuse(r);
    if (!from || !to)
        return true;
    const cuda_tile_use uses[] = {{to, true, true}, {from, false, true}};
    cuda_tile_meet(f, r->out, uses, 2);
    gathering sum;
    if (!gather(r, to, from, &sum))
        return false;
    const cuda_tile_loop l = cuda_tile_each(f, r->out, from);
    cx *e = cuda_tile_value(f, from, l.at);
    if (str_eq(r->name, STR("tile_sub_inplace")))
        e = cx_call1(f, CUDA_OP_NEG, e->type, e);
    add(r, l.body, to, l.at, e);
    gathered(r, &sum);
    return true;
}

/* Of the part of a tile that another one was assigned to: its gradient is that one's, and zero from
 * here on. */
static bool adj_assign(const adj_reader *r)
{
    cuda_fn *f = r->f;
    cuda_tile *part = cuda_tile_wanted(r, 0), *to = cuda_tile_wanted(r, 1),
              *from = cuda_tile_at(f, r->args[1]);
    cx *at[CUDA_TILE_DIMS];
    if (!part)
        return true;
    if (!from || r->nargs != 2 + part->ndim || part->ndim != from->ndim ||
        (to && cuda_tile_array_of(to) == cuda_tile_array_of(part)))
        return cuda_tile_adj_refuse(r);
    const cuda_tile_use uses[] = {{part, true, false}, {to, true, true}};
    cuda_tile_meet(f, r->out, uses, to ? 2 : 1);
    gathering sum;
    if (!gather(r, to, from, &sum))
        return false;
    const cuda_tile_loop l = cuda_tile_each(f, r->out, from);
    for (uint32_t d = 0; d < part->ndim; d++)
        at[d] = cuda_int_sum(f, cuda_value_at(r, 2 + d), l.at[d]);
    cx *e = cuda_tile_element(f, part, at);
    if (to)
        add(r, l.body, to, l.at, cuda_tile_load(f, e));
    cs_set(f, l.body, e, cx_new(f, CX_ZERO, e->type, 0));
    gathered(r, &sum);
    return true;
}

/* --- sums and products */

static bool adj_sum(const adj_reader *r)
{
    cuda_fn *f = r->f;
    cuda_tile *to = cuda_tile_wanted(r, 0), *from = cuda_tile_wanted(r, r->nadj - 1);
    if (!to || !from)
        return true;
    cuda_tile_meet(f, r->out, &(cuda_tile_use){to, true, true}, 1);
    gathering sum;
    if (!gather(r, to, to, &sum))
        return false;
    const cuda_tile_loop l = cuda_tile_each(f, r->out, to);
    add(r, l.body, to, l.at, cx_var(f, from->var));
    gathered(r, &sum);
    return true;
}

static bool adj_sum_axis(const adj_reader *r)
{
    cuda_fn *f = r->f;
    cuda_tile *to = cuda_tile_wanted(r, 0), *from = cuda_tile_wanted(r, r->nadj - 1);
    const tile_call call = forward_of(r);
    const uint32_t axis = (uint32_t)cuda_tile_template(&call, 0);
    cx *at[CUDA_TILE_DIMS];
    if (!to || !from)
        return true;
    const cuda_tile_use uses[] = {{to, true, true}, {from, false, false}};
    cuda_tile_meet(f, r->out, uses, 2);
    gathering sum;
    if (!gather(r, to, to, &sum))
        return false;
    const cuda_tile_loop l = cuda_tile_each(f, r->out, to);
    for (uint32_t d = 0, n = 0; d < to->ndim; d++)
        if (d != axis)
            at[n++] = l.at[d];
    add(r, l.body, to, l.at, cuda_tile_value(f, from, at));
    gathered(r, &sum);
    return true;
}

/* to[row][col] += the sum over k of a * b. `left`: to is the gradient of the first factor. */
static bool add_product(const adj_reader *r, cuda_tile *to, cuda_tile *other, cuda_tile *from,
                        bool left)
{
    cuda_fn *f = r->f;
    const cuda_tile_use uses[] = {{to, true, true}, {other, false, false}, {from, false, false}};
    cuda_tile_meet(f, r->out, uses, 3);
    gathering spread;
    if (!gather(r, to, to, &spread))
        return false;
    const cuda_tile_loop l = cuda_tile_each(f, r->out, to);
    cx *k, *sum = cuda_tile_new_var(f, l.body, to->elem, "sum", cx_new(f, CX_ZERO, to->elem, 0));
    cs *loop = cuda_tile_count(f, l.body, 0, from->dims[left ? 1 : 0], &k);
    cx *row = l.at[0], *col = l.at[1];
    cx *a = cuda_tile_value(f, left ? from : other, left ? (cx *[]){row, k} : (cx *[]){k, row});
    cx *b = cuda_tile_value(f, left ? other : from, left ? (cx *[]){col, k} : (cx *[]){k, col});
    a = cuda_tile_cast(f, to->elem, a);
    b = cuda_tile_cast(f, to->elem, b);
    cs_set(f, &loop->body, sum, cx_call2(f, CUDA_OP_MUL, to->elem, a, b))->add = true;
    const tile_call call = forward_of(r);
    add(r, l.body, to, l.at, cuda_tile_scaled(&call, 6, sum));
    gathered(r, &spread);
    return true;
}

/* What was in a tile before a product was added to it has been multiplied by beta. */
static void scale_gradient(const adj_reader *r, cuda_tile *t)
{
    cuda_fn *f = r->f;
    const tile_call call = forward_of(r);
    cx *zero = cx_new(f, CX_ZERO, t->elem, 0);
    if (cuda_tile_scaled(&call, 7, zero) == zero)
        return;
    cuda_tile_meet(f, r->out, &(cuda_tile_use){t, true, true}, 1);
    const cuda_tile_loop l = cuda_tile_each(f, r->out, t);
    cx *e = cuda_tile_element(f, t, l.at);
    cs_set(f, l.body, e, cuda_tile_scaled(&call, 7, cuda_tile_load(f, e)));
}

static bool adj_product(const adj_reader *r)
{
    cuda_fn *f = r->f;
    if (r->nargs != 8 || r->nadj < 8)
        return cuda_tile_adj_refuse(r);
    cuda_tile *a = cuda_tile_at(f, r->args[3]), *b = cuda_tile_at(f, r->args[4]);
    if (!a || !b)
        return cuda_tile_adj_refuse(r);
    /* Of a product that makes its tile the gradient is the last one. */
    cuda_tile *from = cuda_tile_wanted(r, r->nadj > 8 ? 8 : 5), *to_a = cuda_tile_wanted(r, 3),
              *to_b = cuda_tile_wanted(r, 4);
    if (!from)
        return true;
    if ((to_a && !add_product(r, to_a, b, from, true)) ||
        (to_b && !add_product(r, to_b, a, from, false)))
        return false;
    if (str_eq(r->name, STR("tile_matmul_acc")))
        scale_gradient(r, from);
    return true;
}

/* (alpha, src, dest): dest += src * alpha. The gradient of alpha is that of the first thread. */
static bool adj_axpy(const adj_reader *r)
{
    cuda_fn *f = r->f;
    if (r->nargs != 3 || r->nadj != 3)
        return cuda_tile_adj_refuse(r);
    cuda_tile *from = cuda_tile_wanted(r, 2), *to = cuda_tile_wanted(r, 1),
              *src = cuda_tile_at(f, r->args[1]);
    cx *alpha = cuda_wanted(r, 0);
    if (!from || (!to && !alpha))
        return true;
    const type_kind k = (type_kind)from->elem->kind;
    if (!src || src->ndim != from->ndim || (k != TYPE_FLOAT32 && k != TYPE_FLOAT64))
        return cuda_tile_adj_refuse(r);
    cuda_tile_use uses[3] = {{from, false, true}};
    uint32_t n = 1;
    if (to)
        uses[n++] = (cuda_tile_use){to, true, true};
    if (alpha)
        uses[n++] = (cuda_tile_use){src, false, true};
    cuda_tile_meet(f, r->out, uses, n);
    gathering sum;
    if (!gather(r, to, from, &sum))
        return false;
    cx *own =
        alpha ? cuda_tile_new_var(f, r->out, from->elem, "own", cx_new(f, CX_ZERO, from->elem, 0))
              : NULL;
    const cuda_tile_loop l = cuda_tile_each(f, r->out, from);
    if (to)
        add(r, l.body, to, l.at,
            cx_call2(f, CUDA_OP_MUL, from->elem, cuda_tile_value(f, from, l.at),
                     cuda_value_at(r, 0)));
    if (own)
        cs_set(f, l.body, own,
               cx_call2(f, CUDA_OP_MUL, from->elem, cuda_tile_value(f, from, l.at),
                        cuda_tile_value(f, src, l.at)))
            ->add = true;
    gathered(r, &sum);
    if (own)
        add_by_first(r, alpha, from->kind == CUDA_TILE_SINGLE ? own : cuda_tile_block_sum(f, own));
    return true;
}

static bool adj_fourier(const adj_reader *r)
{
    cuda_tile *t = r->nadj ? cuda_tile_wanted(r, r->nadj - 1) : NULL;
    return !t || cuda_tile_adjoint_fourier(r, t) || cuda_tile_adj_refuse(r);
}

static bool adj_nothing(const adj_reader *r)
{
    (void)r;
    return true;
}

static const struct {
    const char *name;
    bool (*read)(const adj_reader *r);
} rows[] = {
    {"tile_load", adj_load},
    {"tile_store", adj_store},
    {"tile_atomic_add", adj_atomic},
    {"tile_load_indexed", adj_load},
    {"tile_store_indexed", adj_store},
    {"tile_atomic_add_indexed", adj_atomic},
    {"tile", cuda_tile_adj_tile},
    {"untile", cuda_tile_adj_untile},
    {"tile_extract", cuda_tile_adj_extract},
    {"tile_set", cuda_tile_adj_set},
    {"tile_zeros", adj_nothing},
    {"tile_ones", adj_nothing},
    {"tile_arange", adj_nothing},
    {"tile_unary_map", adj_map},
    {"tile_binary_map", adj_map},
    {"tile_map", adj_map},
    {"tile_add_inplace", adj_inplace},
    {"tile_sub_inplace", adj_inplace},
    {"tile_assign", adj_assign},
    {"tile_sum", adj_sum},
    {"tile_sum_axis", adj_sum_axis},
    {"tile_matmul", adj_product},
    {"tile_matmul_acc", adj_product},
    {"tile_axpy", adj_axpy},
    {"tile_fft", adj_fourier},
    {"tile_ifft", adj_fourier},
    {"tile_transpose", adj_nothing},
    {"tile_reshape", adj_nothing},
    {"tile_squeeze", adj_nothing},
    {"tile_broadcast", adj_nothing},
    {"tile_view", adj_nothing},
};

bool cuda_shared_tile_adjoint(const adj_reader *r)
{
    if (!str_eq(r->name, STR("tile_extract")))
        cuda_tile_meet_parts(r);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_eq(r->name, str_c(rows[i].name)))
            return rows[i].read(r);
    return adj_operator(r);
}

/* Before a round of a loop that runs backward. The gradient of a view is part of another's. */
void cuda_tile_clear(const adj_reader *r)
{
    cuda_fn *f = r->f;
    const uint32_t var = ir_index(r->adj[0]);
    if (!cuda_wanted(r, 0) || (!f->tiles[var] && cuda_tile_is_view(f->u, var)))
        return;
    cuda_tile *t = cuda_tile_of(f, var);
    if (!t || t->of)
        return;
    t = cuda_tile_gradient(f, t);
    cuda_tile_meet(f, r->out, &(cuda_tile_use){t, true, true}, 1);
    const cuda_tile_loop l = cuda_tile_each(f, r->out, t);
    cs_set(f, l.body, cuda_tile_element(f, t, l.at), cx_new(f, CX_ZERO, t->elem, 0));
}
