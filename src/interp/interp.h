/* The reference interpreter: runs a kernel's syntax tree over a launch grid, forward, one thread
 * after the other in the order of Warp's CPU device. It knows nothing of lowering and of text. */
#ifndef WEFT_INTERP_INTERP_H
#define WEFT_INTERP_INTERP_H

#include "arith/arith.h"
#include "sema/module.h"

enum { LAUNCH_DIMS = 4 };

typedef struct interp_launch {
    const kernel *kernel;
    const rvalue *args; /* one for each parameter */
    int ndim;
    int64_t dim[LAUNCH_DIMS];
    uint64_t fuel; /* statements and rounds of loops that may be executed; 0: no limit */
} interp_launch;

/* False: the kernel failed, and *error says where and how; arrays may have been changed. */
bool interp_run(ctx *c, const interp_launch *launch, strbuf *error);

#endif
