/* Rows of matrices as places. */
#ifndef WEFT_CUDA_ROW_H
#define WEFT_CUDA_ROW_H

#include "cuda/cuda_builtin.h"
#include "cuda/cuda_fn.h"

bool cuda_is_row(const cx *e);
/* how: '=', '+' or '-' */
void cuda_set_row(cuda_fn *f, cs_list *out, const cx *row, cx *value, char how);
void cuda_atomic_row(cuda_fn *f, cs_list *out, const cx *row, cx *value, cuda_op op);

#endif
