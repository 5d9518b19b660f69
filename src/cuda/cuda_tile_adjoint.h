/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of tiles in shared memory: what cuda_tile_adjoint.c and cuda_tile_adjoint_one.c share.
 * Readers report what has no form, and return false then. */
#ifndef WEFT_CUDA_TILE_ADJOINT_H
#define WEFT_CUDA_TILE_ADJOINT_H

#include "cuda/cuda_tile_ops.h"

/* Reports that the gradient has no form; false. */
bool cuda_tile_adj_refuse(const adj_reader *r);
/* The gradient of adjoint operand i; NULL: nothing is added to it, or it is no tile. */
cuda_tile *cuda_tile_wanted(const adj_reader *r, uint32_t i);
/* The tile whose places a view shows. */
cuda_tile *cuda_tile_below(cuda_tile *t);
/* The value at a place. */
cx *cuda_tile_load(cuda_fn *f, cx *place);
/* What all threads of the block have, added up, in each of them. */
cx *cuda_tile_block_sum(cuda_fn *f, cx *own);

/* cuda_tile_adjoint_one.c */
bool cuda_tile_adj_tile(const adj_reader *r);
bool cuda_tile_adj_untile(const adj_reader *r);
bool cuda_tile_adj_extract(const adj_reader *r);
bool cuda_tile_adj_set(const adj_reader *r);
/* Before an operation's gradient: those of tiles of one element get what their threads have to add.
 */
void cuda_tile_meet_parts(const adj_reader *r);

#endif
