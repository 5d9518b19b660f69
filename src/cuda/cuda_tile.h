/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles in plain CUDA: cuda_tile.c. */
#ifndef WEFT_CUDA_TILE_H
#define WEFT_CUDA_TILE_H

#include "cuda/cuda_adjoint.h"

/* A call of the forward lists. */
typedef struct tile_call {
    cuda_fn *f;
    cs_list *out;
    cx *result;       /* place of the one result, or NULL */
    uint32_t var;     /* its variable */
    const type *type; /* as the text has it: cuda_tile_item */
    str name;         /* "tile_sum" */
    const ir_callee *callee;
    const ir_arg *args;
    uint32_t n;
} tile_call;

/* What a variable of the type is in the text: of a tile with one element for each thread, or with
 * one in all, the element; in shared memory of those with one in all only; any other type stays. */
const type *cuda_tile_item(const cuda_job *job, const type *t);
/* Is it a tile of one element? */
bool cuda_is_single_tile(const type *t);
/* cuda_tile_launch.c: how the kernel is launched whose tiles are in shared memory */
cuda_blocks cuda_tile_blocks(ctx *c, const ir_unit *u);
/* Does the unit store the variable, or what it computes of it without tiles, to an array? */
bool cuda_tile_is_stored(ctx *c, const ir_unit *u, uint32_t var);
/* Has the kernel tiles that are more than one element for each thread? */
bool cuda_shares_tiles(const ir_unit *u);
/* The longest extent of its tiles. */
int64_t cuda_tile_extent(const ir_unit *u);
/* cuda_tile_shared.c: the same as cuda_read_tile where tiles are in shared memory; and does the
 * operation set elements of such a tile? */
bool cuda_read_shared_tile(const tile_call *r);
bool cuda_sets_tile(str name);
/* cuda_tile_adjoint.c: the same of gradients; and before a loop's round: an adjoint becomes zero */
bool cuda_shared_tile_adjoint(const adj_reader *r);
void cuda_tile_clear(const adj_reader *r);
/* cuda_tile_needed.c: finds which tiles the replay has to compute; is the call among what computes
 * them? */
void cuda_tile_find_needed(cuda_fn *f);
bool cuda_tile_is_replayed(const tile_call *r);
/* Does a statement need the variable's value, other than those that only add it to memory? */
bool cuda_is_needed_tile(const ir_unit *u, uint32_t var);
/* Does nothing but adjoints, which do not need its value, refer to the variable? */
bool cuda_is_unused_tile(const ir_unit *u, uint32_t var);
/* Is it a builtin of tiles, by its native name? One of tiles that are a variable of each thread? */
bool cuda_is_tile_call(str name);
bool cuda_is_simple_tile_call(str name);
/* False: it has no form, and an error has been reported. */
bool cuda_read_tile(const tile_call *r);
bool cuda_tile_adjoint(const adj_reader *r);

#endif
