/* SPDX-License-Identifier: Apache-2.0 */
/* What tiles of a block have in common for those that execute them: who owns which element, and the
 * order in which a reduction combines them.
 *
 * Element e of a tile belongs to lane e % width of its block, where `width` is the block's size. A
 * lane does the work of its own elements, with its own values of all operands that are no tiles. A
 * partial block at the end of a launch has fewer lanes; the elements of the others stay as they
 * are.
 *
 *     width 4, 6 elements    lane 0: 0 4    lane 1: 1 5    lane 2: 2    lane 3: 3 */
#ifndef WEFT_ARITH_TILE_H
#define WEFT_ARITH_TILE_H

#include "arith/arith.h"

/* A block that executes an operation. */
typedef struct tile_block {
    uint32_t width; /* threads of a whole block */
    uint32_t lanes; /* those that there are; at most `width` */
    bool warps;     /* reductions go by warps of 32, as on CUDA; else lane by lane, as on the CPU */
} tile_block;

enum { TILE_WIDTH_MAX = 1024, TILE_SIZE_MAX = 1 << 18 };

/* *acc = f(*acc, *x). False: it failed, and the reduction ends. */
typedef bool tile_combine(void *arg, uint8_t *acc, const uint8_t *x);

/* A tile's elements for a reduction: element e is at bytes + e * size. `bytes` is changed. */
typedef struct tile_reduction {
    uint8_t *bytes;
    size_t size;
    uint32_t n;
    tile_combine *combine;
    void *arg;
} tile_reduction;

/* Reduces all elements to the first one in Warp's order (1.19 tile_reduce_impl): each lane its own
 * elements, then the lanes in order, or with warps a tree for each warp of 32 and then the warps in
 * order. False: `combine` failed. Sums of floats depend on this order. */
bool tile_reduce(const tile_block *b, const tile_reduction *r);

/* A matrix of floats in a tile: element (i, j) is i * row + j * column elements from `at`. */
typedef struct tile_matrix {
    type_kind kind;
    uint8_t *at;
    int64_t row, column;
} tile_matrix;

/* c = alpha a b + beta c, or with a beta of 0 alpha a b, of a with rows x inner elements and c with
 * rows x columns. Sums go along `inner` in the type t, fused where Warp's are (1.19 tile_matmul.h
 * scalar_matmul). c must not overlap a or b. */
typedef struct tile_product {
    tile_matrix a, b, c;
    uint32_t rows, inner, columns;
    type_kind t;
    num alpha, beta;
} tile_product;
void tile_matmul(const tile_product *p);

#endif
