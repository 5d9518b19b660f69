/* SPDX-License-Identifier: Apache-2.0 */
/* Linear algebra on tiles in shared memory, for cuda_tile_shared.c. */
#ifndef WEFT_CUDA_TILE_LINEAR_H
#define WEFT_CUDA_TILE_LINEAR_H

#include "cuda/cuda_tile_ops.h"

bool cuda_tile_read_factor(const tile_call *r);
bool cuda_tile_read_solve(const tile_call *r);
/* cuda_tile_fourier.c; the adjoint: false: it has no form */
bool cuda_tile_read_fourier(const tile_call *r);
bool cuda_tile_adjoint_fourier(const adj_reader *r, cuda_tile *gradient);
/* cuda_tile_scan.c */
bool cuda_tile_read_scan(const tile_call *r);

#endif
