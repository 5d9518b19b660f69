/* SPDX-License-Identifier: Apache-2.0 */
/* Rewrites of single expressions and statements. */
#ifndef WEFT_CUDA_REWRITE_H
#define WEFT_CUDA_REWRITE_H

#include "cuda/cuda_fn.h"

/* A copy with the operands and the id of e. */
cx *cuda_copy_node(cuda_fn *f, const cx *e);
/* An element without the ends of the slices that its array is a view by. */
cx *cuda_plain_element(cuda_fn *f, cx *e);
/* The number that a call of numbers gives, or e itself. */
cx *cuda_fold_constants(cuda_fn *f, cx *e);
/* Turns a branch that sets one variable in each arm into an assignment. False: it is none. */
bool cuda_to_choice(cuda_fn *f, cs *s);
/* Gives a loop without a condition the one that it breaks by in its first statement. */
void cuda_find_condition(cuda_fn *f, cs *s);

#endif
