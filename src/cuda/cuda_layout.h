/* Names of types, and of what arrays and structs consist of. */
#ifndef WEFT_CUDA_LAYOUT_H
#define WEFT_CUDA_LAYOUT_H

#include "cuda/cuda_fn.h"

str cuda_type_text(cuda_fn *f, const type *t);
str cuda_member_name(cuda_fn *f, const type *t, str field); /* of the field of a struct type */
str cuda_size_name(cuda_fn *f, str array, uint32_t dim, uint32_t ndim);
str cuda_stride_name(cuda_fn *f, str array, uint32_t dim, uint32_t ndim);

/* cuda_usage.c */
/* Its size, or its stride, in the dimension. */
void cuda_mark_extent(cuda_fn *f, const cx *array, uint32_t dim, bool stride);

#endif
