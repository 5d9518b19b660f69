/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of matrices as places. */
#ifndef WEFT_CUDA_ROW_H
#define WEFT_CUDA_ROW_H

#include "cuda/cuda_builtin.h"
#include "cuda/cuda_fn.h"

/* Is the place a row of a matrix? */
bool cuda_is_row(const cx *e);
/* Appends what sets the row to the value (how '='), or adds ('+') or subtracts it ('-'). */
void cuda_set_row(cuda_fn *f, cs_list *out, const cx *row, cx *value, char how);
/* Appends the atomic operation on each lane; old values are not kept. */
void cuda_atomic_row(cuda_fn *f, cs_list *out, const cx *row, cx *value, cuda_op op);

#endif
