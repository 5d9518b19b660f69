/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays as text: pointers, sizes and strides, and the indices of elements. The texts live in
 * c->module. */
#ifndef WEFT_CUDA_ARRAY_H
#define WEFT_CUDA_ARRAY_H

#include "cuda/cuda_fn.h"

/* An element as an lvalue: "x[i * x_stride + j]". */
cuda_expr cuda_element_text(cuda_fn *f, const cx *e);
/* The address of the array's first element, which binds like a sum. */
str cuda_pointer_text(cuda_fn *f, const cx *array);
str cuda_size_text(cuda_fn *f, const cx *array, uint32_t dim);
str cuda_stride_text(cuda_fn *f, const cx *array, uint32_t dim); /* "1" if it is cuda_is_dense */
/* The list of a wp.indexedarray's dimension. */
str cuda_indices_text(cuda_fn *f, const cx *array, uint32_t dim);
/* Do neighbours in the dimension lie side by side in memory? */
bool cuda_is_dense(const cx *array, uint32_t dim);
/* A struct's members for an array: pointer, sizes, strides. */
void cuda_put_array(cuda_fn *f, strbuf *b, const cx *array);

/* cuda_index.c */
/* The index of dimension `dim` of the array as text, counted from the front, for an operator that
 * binds like `least`. */
str cuda_index_text(cuda_fn *f, const cx *array, uint32_t dim, const cx *index, cuda_prec least);
/* The index of a tile's element, without the choice that counts from the end if that is not needed.
 */
const cx *cuda_tile_index(const cuda_fn *f, const cx *e);
/* The same as cuda_index_text of a component. */
str cuda_component_text(cuda_fn *f, const cx *index, int length);

#endif
