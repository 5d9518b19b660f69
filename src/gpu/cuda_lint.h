/* Static checks of CUDA text, without a toolkit: brackets, kernels, their parameters, the use of
 * the thread's index and a guard of bounds. Any text may come: Warp's dialect, programs of their
 * own, hand-written ones. What a macro hides is not seen, and of #if only the first branch is read.
 */
#ifndef WEFT_GPU_CUDA_LINT_H
#define WEFT_GPU_CUDA_LINT_H

#include "base/ctx.h"

/* What a kernel has to look like. */
typedef struct cuda_signature {
    str kernel;
    const str *params; /* their names, in order */
    uint32_t nparams;
} cuda_signature;

/* Adds what is wrong to c->diags; needs: src lives as long as these. `wanted` kernels have to be
 * there and to take these parameters. True: nothing was found. */
bool cuda_lint(ctx *c, const source *src, const cuda_signature *wanted, uint32_t nwanted);
/* Is this a remark that a right program may deserve? */
bool cuda_lint_is_remark(diag_id id);

#endif
