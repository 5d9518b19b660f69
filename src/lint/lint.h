/* SPDX-License-Identifier: Apache-2.0 */
/* Static checks of CUDA text without a toolkit, for `weft check`, `weft validate` and the C
 * interface: brackets, kernels, their parameters, the use of the thread's index, a guard of bounds.
 * Any CUDA text may come: Warp's dialect, standalone programs, hand-written files. Example:
 *
 *     __global__ void k(float *x, int n) { x[threadIdx.x] = 0; }
 *     -> nothing in kernel 'k' compares the thread's index with a bound [no-bounds-guard]
 *
 * Macros are not expanded, and of each #if only the first branch that is not "#if 0" is read. */
#ifndef WEFT_LINT_LINT_H
#define WEFT_LINT_LINT_H

#include "base/ctx.h"

/* A parameter that a kernel must have. */
typedef struct lint_param {
    str name, type; /* "const float *", spaced as you like; empty: any */
} lint_param;

/* What a kernel has to look like. */
typedef struct lint_signature {
    str kernel;
    const lint_param *params; /* in order */
    uint32_t nparams;
    bool optional; /* may be missing if another wanted kernel is there */
} lint_signature;

/* Adds findings to c->diags, which refer to src: src must outlive them. Each kernel of `wanted`
 * must be in the text with these parameters. Returns true if there are no findings, warnings
 * included. *kernels, unless it is NULL, becomes the number of kernels; 0 where brackets are
 * broken. */
bool lint_cuda(ctx *c, const source *src, const lint_signature *wanted, uint32_t nwanted,
               uint32_t *kernels);

/* Findings that a correct program may cause are warnings: `weft check` prints them and exits with
 * 0. */
bool lint_is_remark(diag_id id);

#endif
