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
    const ir_arg *args;
    uint32_t n;
} tile_call;

/* What a variable of the type is in the text: of a tile with one element for each thread, or with
 * one in all, the element; any other type stays. */
const type *cuda_tile_item(const type *t);
/* Is it a builtin of tiles, by its native name? */
bool cuda_is_tile_call(str name);
/* False: it has no form, and an error has been reported. */
bool cuda_read_tile(const tile_call *r);
bool cuda_tile_adjoint(const adj_reader *r);

#endif
