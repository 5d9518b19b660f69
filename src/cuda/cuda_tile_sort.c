/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of a tile sorted together with the elements of another one. Neighbours change places in
 * turn, even and odd ones, which keeps equal keys in their order and needs no more memory:
 *
 *     wp.tile_sort(keys, values)
 *     ->
 *     for (int turn = 0; turn < 64; ++turn) {
 *         for (int e = threadIdx.x; e < 32; e += blockDim.x) {
 *             const int low = 2 * e + turn % 2;
 *             if (low + 1 < 64 && keys[low + 1] < keys[low]) {
 *                 const float key = keys[low];
 *                 keys[low] = keys[low + 1];
 *                 keys[low + 1] = key;
 *                 ... and values
 *             }
 *         }
 *         __syncthreads();
 *     }
 */
#include "cuda/cuda_tile_linear.h"
#include "cuda/cuda_tree.h"

/* Element k, counted row by row. */
static cx *place_at(cuda_fn *f, const cuda_tile *t, cx *k)
{
    cx *at[CUDA_TILE_DIMS];
    for (uint32_t d = 0; d < t->ndim; d++)
        at[d] = t->ndim == 1 ? k : cuda_tile_index_of(f, t, d, k);
    return cuda_tile_element(f, t, at);
}

static cx *value_of(cuda_fn *f, cx *place)
{
    return cx_unary(f, CX_LOAD, place->type, place);
}

static cx *less(cuda_fn *f, cx *a, cx *b)
{
    cx *e = cx_binary(f, CX_COMPARE, type_scalar(f->c, TYPE_BOOL), a, b);
    e->name = STR("<");
    return e;
}

/* Elements low and low + 1 change places. */
static void put_exchange(cuda_fn *f, cs_list *out, const cuda_tile *t, const char *name, cx *low,
                         cx *high)
{
    cx *kept = cuda_tile_new_var(f, out, t->elem, name, value_of(f, place_at(f, t, low)));
    cs_set(f, out, place_at(f, t, low), value_of(f, place_at(f, t, high)));
    cs_set(f, out, place_at(f, t, high), kept);
}

/* One round: pairs of neighbours, from `first` on. */
static void put_round(cuda_fn *f, cs_list *out, const cuda_tile *keys, const cuda_tile *values,
                      cx *round)
{
    const int64_t n = cuda_tile_size(keys);
    cs *loop = cs_put(f, out, CS_FOR);
    loop->var = cv_new(f, cuda_int(f), STR("e"));
    loop->strided = true;
    loop->start = cx_number(f, 0);
    loop->step = cx_number(f, 1);
    loop->stop = cx_number(f, n / 2);
    cx *twice = cx_call2(f, CUDA_OP_MUL, cuda_int(f), cx_number(f, 2), cx_var(f, loop->var));
    cx *odd = cx_call2(f, CUDA_OP_MOD, cuda_int(f), round, cx_number(f, 2));
    cx *low = cuda_tile_new_var(f, &loop->body, cuda_int(f), "low", cuda_int_sum(f, twice, odd));
    cx *high = cuda_int_sum(f, low, cx_number(f, 1));
    cs *s = cs_put(f, &loop->body, CS_IF);
    cx *falls = less(f, value_of(f, place_at(f, keys, high)), value_of(f, place_at(f, keys, low)));
    s->e =
        cx_binary(f, CX_AND, type_scalar(f->c, TYPE_BOOL), less(f, high, cx_number(f, n)), falls);
    put_exchange(f, &s->body, keys, "key", low, high);
    put_exchange(f, &s->body, values, "value", low, high);
}

bool cuda_tile_read_sort(const tile_call *r)
{
    cuda_fn *f = r->f;
    cuda_tile *keys = cuda_tile_operand(r, 0), *values = cuda_tile_operand(r, 1);
    if (r->n != 2 || !keys || !values || keys == values || keys->kind != CUDA_TILE_OWN ||
        values->kind != CUDA_TILE_OWN || !type_is_scalar(keys->elem) ||
        cuda_tile_size(keys) != cuda_tile_size(values))
        return cuda_tile_refuse(r);
    const cuda_tile_use uses[] = {{keys, true, false}, {values, true, false}};
    cuda_tile_meet(f, r->out, uses, 2);
    cx *round;
    cs *rounds = cuda_tile_count(f, r->out, 0, cuda_tile_size(keys), &round);
    f->vars.v[rounds->var].hint = STR("turn");
    put_round(f, &rounds->body, keys, values, round);
    cuda_tile_wait(f, &rounds->body);
    keys->written = keys->read = values->written = values->read = CUDA_TILE_IDLE;
    return true;
}
