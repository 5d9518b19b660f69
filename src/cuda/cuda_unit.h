/* SPDX-License-Identifier: Apache-2.0 */
/* A unit of the intermediate form as the beginning of a tree. */
#ifndef WEFT_CUDA_UNIT_H
#define WEFT_CUDA_UNIT_H

#include "cuda/cuda_fn.h"

/* An empty tree for the unit, whose parameters have their names. reverse: for its adjoint. */
cuda_fn *cuda_fn_new(cuda_job *job, const ir_unit *u, bool reverse);
/* Which of the parameters' adjoints are pointers, and which references. */
void cuda_name_adjoints(cuda_fn *f);
/* Reads the unit's adjoint into f->body. Needs: cuda_fn_new with `reverse`. */
void cuda_read_reverse(cuda_fn *f);

#endif
