/* SPDX-License-Identifier: Apache-2.0 */
/* Linear algebra on tiles in shared memory, for cuda_tile_shared.c. */
#ifndef WEFT_CUDA_TILE_LINEAR_H
#define WEFT_CUDA_TILE_LINEAR_H

#include "cuda/cuda_tile_ops.h"

bool cuda_tile_read_factor(const tile_call *r);
bool cuda_tile_read_solve(const tile_call *r);

#endif
