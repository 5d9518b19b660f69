/* Static checks of CUDA text, without a toolkit: brackets, kernels, their parameters, the use of
 * the thread's index and a guard of bounds. Any text may come: Warp's dialect, programs of their
 * own, hand-written ones. What a macro hides is not seen, and of #if only the first branch is read
 * that is not "#if 0".
 */
#ifndef WEFT_GPU_CUDA_LINT_H
#define WEFT_GPU_CUDA_LINT_H

#include "base/ctx.h"

typedef struct cuda_lint_param {
    str name, type; /* "const float *", spaced as you like; empty: any */
} cuda_lint_param;

/* What a kernel has to look like. */
typedef struct cuda_signature {
    str kernel;
    const cuda_lint_param *params; /* in order */
    uint32_t nparams;
    bool optional; /* it need not be there, if another one is */
} cuda_signature;

/* Adds what is wrong to c->diags; needs: src lives as long as these. `wanted` kernels have to be
 * there and to take these parameters. True: nothing was found. */
bool cuda_lint(ctx *c, const source *src, const cuda_signature *wanted, uint32_t nwanted);
/* Is this a remark that a right program may deserve? */
bool cuda_lint_is_remark(diag_id id);

#endif
