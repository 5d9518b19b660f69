/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of operations on tiles have in common: cuda_tile_shared.c, cuda_tile_map.c,
 * cuda_tile_view.c, and some of it cuda_tile.c and cuda_tile_adjoint.c. Readers report what has no
 * form, and return false then. */
#ifndef WEFT_CUDA_TILE_OPS_H
#define WEFT_CUDA_TILE_OPS_H

#include "cuda/cuda_tile.h"
#include "cuda/cuda_tile_place.h"

/* Reports that the operation has no form; false. */
bool cuda_tile_refuse(const tile_call *r);
/* The tile that the call makes, and that of operand i; NULL: it is none. */
cuda_tile *cuda_tile_made(const tile_call *r);
cuda_tile *cuda_tile_operand(const tile_call *r, uint32_t i);
/* The type of the result's elements; NULL: it is no tile. */
const type *cuda_tile_made_of(const tile_call *r);
/* Template argument i of the call as an integer. */
int64_t cuda_tile_template(const tile_call *r, uint32_t i);
/* The element at l->at becomes e. */
void cuda_tile_put(const tile_call *r, const cuda_tile_loop *l, const cuda_tile *to, cx *e);

/* cuda_tile_shared.c */
/* Is operand 0 an array with as many dimensions as the tile, and elements of its type? `operands`:
 * how many there are with the offsets. */
bool cuda_tile_fits(const tile_call *r, const cuda_tile *t, uint32_t operands);
/* The tile of indices of tile_load_indexed and its like; NULL: there is none. */
cuda_tile *cuda_tile_indices(const tile_call *r);
/* Before a loop over elements of t, which it sets or reads, and of an array. */
void cuda_tile_meet_array(const tile_call *r, cuda_tile *t, bool writes);
/* The array's element for the tile's element at[], and in *inside whether there is one. */
cx *cuda_tile_array_element(const tile_call *r, const cuda_tile *t, const cuda_tile_loop *l,
                            cx **inside);
/* The list for what stores an element: under the condition that the array has it, and for a tile's
 * only one that it is the first thread. */
cs_list *cuda_tile_guarded(const tile_call *r, const cuda_tile *t, cs_list *out, cx *inside);
bool cuda_tile_has_sum(const type *t);
/* e times operand i, a number; e itself if that is 1. */
cx *cuda_tile_scaled(const tile_call *r, uint32_t i, cx *e);
/* The number as one of this type. */
cx *cuda_tile_cast(cuda_fn *f, const type *t, cx *e);
/* The thread's number in its block. */
cx *cuda_tile_thread(cuda_fn *f);
/* A loop of each thread. */
cs *cuda_tile_count(cuda_fn *f, cs_list *out, int64_t from, int64_t to, cx **counter);

/* cuda_tile_map.c */
/* The operator on elements; NULL: the operation is none. */
const char *cuda_tile_item_name(str name);
/* The instance of the function for the call's last n operands. NULL: there is none. */
const ir_unit *cuda_tile_instance(const tile_call *r, const func *function, uint32_t n);
/* A call of a builtin on elements. */
cx *cuda_tile_builtin(cuda_fn *f, str name, const type *t, uint32_t n);
/* A call of the function that the operand names, a builtin or one of the program. NULL: neither can
 * be called here. */
cx *cuda_tile_function(const tile_call *r, ir_arg function, const type *t, uint32_t n);
/* The name of the one operation that uses the result, which has no name; else empty. */
str cuda_tile_only_user(const tile_call *r);
/* The result's elements are those of m: in memory, or computed later. */
bool cuda_tile_give(const tile_call *r, cuda_tile_map m);
bool cuda_tile_read_operator(const tile_call *r);
bool cuda_tile_read_map(const tile_call *r);
bool cuda_tile_read_astype(const tile_call *r);
bool cuda_tile_read_inplace(const tile_call *r);

/* cuda_tile_view.c */
/* Does an operation of this file make the variable? */
bool cuda_tile_is_view(const ir_unit *u, uint32_t var);
/* The variable that has the elements: that of which it is a view, or itself. */
uint32_t cuda_tile_root(const ir_unit *u, uint32_t var);
/* The tile in whose memory the elements lie. */
const cuda_tile *cuda_tile_array_of(const cuda_tile *t);
bool cuda_tile_read_transpose(const tile_call *r);
bool cuda_tile_read_reshape(const tile_call *r);
bool cuda_tile_read_squeeze(const tile_call *r);
bool cuda_tile_read_broadcast(const tile_call *r);
bool cuda_tile_read_view(const tile_call *r);
bool cuda_tile_read_assign(const tile_call *r);

#endif
