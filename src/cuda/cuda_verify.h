/* SPDX-License-Identifier: Apache-2.0 */
/* Is a tree what the passes before promise? */
#ifndef WEFT_CUDA_VERIFY_H
#define WEFT_CUDA_VERIFY_H

#include "cuda/cuda_fn.h"
#include "cuda/cuda_pass.h"

/* What is wrong, and where; what.n == 0: nothing. The text lies in c->module. */
typedef struct cuda_fault {
    const cs *at; /* NULL: the function as a whole */
    str what;
} cuda_fault;

/* Looks at one tree: the shape of statements and expressions, types, bounds of variables, jumps,
 * and what the state promises (cuda_state). */
cuda_fault cuda_check_tree(cuda_fn *f, unsigned state);

/* The same and, with `before`, whether the pass kept what it must; faults are printed with the
 * tree, and the program aborts. For debug builds. */
typedef struct cuda_flow cuda_flow;
void cuda_verify(cuda_fn *f, const cuda_pass *pass, unsigned state, const cuda_flow *before,
                 const cuda_flow *after);

#endif
