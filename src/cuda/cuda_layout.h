/* SPDX-License-Identifier: Apache-2.0 */
/* Names of types, and of what arrays and structs consist of. */
#ifndef WEFT_CUDA_LAYOUT_H
#define WEFT_CUDA_LAYOUT_H

#include "cuda/cuda_fn.h"

/* "float", "vec3", "Body": makes the struct and notes the definition if it is the first time. */
str cuda_type_text(cuda_fn *f, const type *t);
str cuda_member_name(cuda_fn *f, const type *t, str field); /* of the field of a struct type */
/* The names of an array's size and stride in a dimension; `array`: the name of its pointer. */
str cuda_size_name(cuda_fn *f, str array, uint32_t dim, uint32_t ndim);
str cuda_stride_name(cuda_fn *f, str array, uint32_t dim, uint32_t ndim);
str cuda_indices_name(cuda_fn *f, str array, uint32_t dim, uint32_t ndim); /* wp.indexedarray */

/* cuda_usage.c */
/* Marks the array's size, or its stride, in the dimension as used by the text, so that it becomes a
 * parameter. */
void cuda_mark_extent(cuda_fn *f, const cx *array, uint32_t dim, bool stride);
/* The same of a wp.indexedarray's list of indices. */
void cuda_mark_indices(cuda_fn *f, const cx *array, uint32_t dim);

#endif
