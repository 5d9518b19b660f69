/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that Warp unrolls, as loops (cuda_reroll.c): the way from a unit of the intermediate form
 * to its text, for functions and kernels. */
#ifndef WEFT_CUDA_REROLL_H
#define WEFT_CUDA_REROLL_H

#include "cuda/cuda_fn.h"

/* NULL: there are none, or they cannot stand as loops */
const ir_module *cuda_lower_rolled(ctx *c, const program *p, const kernel *k, const ir_module *m);
/* Reads the forward or backward tree of a unit, simplifies it, and makes its text: with loops if
 * they mean the same. `prepare`, which may be NULL, comes before reading. */
typedef struct cuda_maker {
    void (*prepare)(cuda_fn *f, void *arg);
    void (*make)(cuda_fn *f, void *arg);
    void *arg;
} cuda_maker;
void cuda_make_unit(cuda_job *job, const ir_unit *u, bool reverse, const cuda_maker *maker);

#endif
