/* SPDX-License-Identifier: Apache-2.0 */
/* Linear algebra, reductions and single elements of tiles in shared memory, for
 * cuda_tile_shared.c. */
#ifndef WEFT_CUDA_TILE_LINEAR_H
#define WEFT_CUDA_TILE_LINEAR_H

#include "cuda/cuda_tile_ops.h"

bool cuda_tile_read_factor(const tile_call *r);
bool cuda_tile_read_solve(const tile_call *r);
/* cuda_tile_fourier.c; the adjoint: false: it has no form */
bool cuda_tile_read_fourier(const tile_call *r);
bool cuda_tile_adjoint_fourier(const adj_reader *r, cuda_tile *gradient);
/* cuda_tile_fold.c */
/* A call of the function that is operand 0 on two elements of the tile that is operand `at`. NULL:
 * it cannot be called here. */
cx *cuda_tile_pair(const tile_call *r, uint32_t at, const type *t);
bool cuda_tile_read_dot(const tile_call *r);
bool cuda_tile_read_position(const tile_call *r);
bool cuda_tile_read_reduce_axis(const tile_call *r);
bool cuda_tile_read_scatter(const tile_call *r);
bool cuda_tile_read_update(const tile_call *r);
bool cuda_tile_read_set(const tile_call *r);
bool cuda_tile_read_diagonal(const tile_call *r);
bool cuda_tile_read_axpy(const tile_call *r);
/* cuda_tile_query.c */
bool cuda_tile_read_query(const tile_call *r);
bool cuda_tile_read_query_next(const tile_call *r);
/* cuda_tile_sort.c */
bool cuda_tile_read_sort(const tile_call *r);
/* cuda_tile_scan.c */
bool cuda_tile_read_scan(const tile_call *r);

#endif
