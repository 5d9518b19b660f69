/* SPDX-License-Identifier: Apache-2.0 */
/* Fourier transforms of a tile's rows, by a function that all threads of the block call; in the
 * adjoint those of the gradient, the other way around.
 *
 *     wp.tile_fft(a)
 *     ->
 *     for (int k = 0; k < 4; ++k) {
 *         block_fft(&a[k][0], 512, -1);
 *     }
 */
#include "cuda/cuda_tile_linear.h"
#include "cuda/cuda_tree.h"

static void put_rows(cuda_fn *f, cs_list *out, cuda_tile *t, bool inverse)
{
    const int64_t n = t->dims[t->ndim - 1], rows = cuda_tile_size(t) / n;
    cuda_tile by_row = *t; /* with one element in each row */
    by_row.dims[t->ndim - 1] = 1;
    cx *row = cx_number(f, 0), *at[CUDA_TILE_DIMS];
    cuda_tile_meet(f, out, &(cuda_tile_use){t, true, false}, 1);
    if (rows > 1)
        out = &cuda_tile_count(f, out, 0, rows, &row)->body;
    for (uint32_t d = 0; d < t->ndim; d++)
        at[d] = rows == 1 || d + 1 == t->ndim ? cx_number(f, 0)
                                              : cuda_tile_index_of(f, &by_row, d, row);
    cx *e = cx_new(f, CX_ATOMIC, t->elem, 3);
    e->name = cuda_op_name(CUDA_OP_BLOCK_FFT);
    e->op = CUDA_OP_BLOCK_FFT;
    e->args[0] = cuda_tile_element(f, t, at);
    e->args[1] = cx_number(f, n);
    e->args[2] = cx_number(f, inverse ? 1 : -1);
    cs_put(f, out, CS_CALL)->e = e;
    f->job->out->meets = true;
}

/* The length of the rows is a power of two, unless blocks have one thread. */
static bool is_transformed(const cuda_tile *t)
{
    const int64_t n = t ? t->dims[t->ndim - 1] : 0;
    return t && t->kind == CUDA_TILE_OWN && n > 1 && !(n & (n - 1));
}

bool cuda_tile_read_fourier(const tile_call *r)
{
    cuda_tile *t = r->n ? cuda_tile_operand(r, r->n - 1) : NULL;
    if (!is_transformed(t))
        return cuda_tile_refuse(r);
    put_rows(r->f, r->out, t, str_eq(r->name, STR("tile_ifft")));
    return true;
}

bool cuda_tile_adjoint_fourier(const adj_reader *r, cuda_tile *gradient)
{
    if (!is_transformed(gradient))
        return false;
    put_rows(r->f, r->out, gradient, str_eq(r->name, STR("tile_fft")));
    return true;
}
