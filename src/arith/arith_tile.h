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

/* *at = the number of the least or greatest element, where `combine` is min or max: f(x, y) is x if
 * that is better, else y. In Warp's order for the CPU (1.19 tile_arg_reduce_impl): each lane finds
 * that of its own elements, then the lanes in order. Which of equal elements it is Warp leaves
 * open. `work` has room for one element. False: `combine` failed. */
bool tile_arg_reduce(const tile_block *b, const tile_reduction *r, uint8_t *work, int32_t *at);

/* What a scan gives for an element: the sum up to it, the sum in front of it, or the least or
 * greatest up to it, where `combine` is min or max. */
typedef enum tile_scanning {
    TILE_SCAN_INCLUSIVE,
    TILE_SCAN_EXCLUSIVE,
    TILE_SCAN_CHOICES
} tile_scanning;

/* Replaces each element by that, in Warp's order: arith_tile_scan.c. A block that is not full
 * leaves out the elements of the lanes it lacks, as on the CPU. `work` has room for 2 * width + 3
 * elements. False: `combine` failed. */
bool tile_scan(const tile_block *b, const tile_reduction *r, tile_scanning kind, uint8_t *work);

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

/* ---- triangular matrices: arith_tile_linear.c ----
 * All are float32, or all float64. What is said of a lower triangular matrix is for an upper one,
 * too, which is given transposed. A vector is a matrix of one column. */

/* A matrix, and tangents of its elements unless tangent.at is NULL. */
typedef struct tile_dual {
    tile_matrix value, tangent;
} tile_dual;

tile_matrix tile_transposed(tile_matrix m);
/* The lower triangular l with l l' = a, both n x n, as Warp 1.19 scalar_cholesky_impl computes it.
 * Of a only the lower triangle is read; l may be a. */
void tile_factorize(const tile_dual *a, const tile_dual *l, uint32_t n);
/* Replaces each column of x by the solution of l z = x, or with `back` of l' z = x, as Warp 1.19
 * scalar_cholesky_forward_substitution and its like. */
void tile_substitute(const tile_dual *l, const tile_dual *x, uint32_t n, uint32_t columns,
                     bool back);
/* Adds to da the adjoint of a, from the factor l and its adjoint dl, which are transposed as da is
 * where `upper`. `work` has room for two matrices. */
void tile_adj_factorize(const tile_matrix *l, const tile_matrix *dl, const tile_matrix *da,
                        uint32_t n, bool upper, uint8_t *work);
/* l x = y, and adjoints. */
typedef struct tile_solution {
    tile_matrix l, x, dl, dx, dy;
} tile_solution;
/* Adds to dl and dy, from dx. `work` has room for x. */
void tile_adj_substitute(const tile_solution *s, uint32_t n, uint32_t columns, uint8_t *work);

/* ---- Fourier transforms: arith_tile_fourier.c ---- */

/* n complex numbers, of float32 or float64. */
typedef struct tile_row {
    type_kind kind;
    uint8_t *at;
    uint32_t n;
} tile_row;
/* Transforms the row, or with `inverse` back but for a division by n. alone: as one thread does it,
 * which takes any n; else it is a power of two. `work` has room for the row. */
void tile_fourier(const tile_row *x, bool inverse, bool alone, uint8_t *work);
/* About how many operations that is. */
uint64_t tile_fourier_steps(uint32_t n);

#endif
