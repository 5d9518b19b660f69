/* SPDX-License-Identifier: Apache-2.0 */
/* One launch of a kernel: forward, and backward if there are adjoints, by one of three executors.
 * For weft_run_file, `weft validate --device cuda` and launches on a device, which compare with it.
 */
#ifndef WEFT_LAUNCH_LAUNCH_EXEC_H
#define WEFT_LAUNCH_LAUNCH_EXEC_H

#include "driver/pipeline.h"
#include "interp/interp.h"

typedef enum launch_executor {
    LAUNCH_REFERENCE, /* the interpreter of the syntax tree */
    LAUNCH_TEXT,      /* the text machine on the CPU text */
    LAUNCH_TEXT_CUDA  /* the text machine on the CUDA text */
} launch_executor;

typedef struct launch_job {
    pipeline *p; /* made with launch_devices(executor) */
    compiled_kernel compiled;
    launch_executor executor;
    const rvalue *args, *adjoints; /* one for each parameter; adjoints NULL: forward only */
    int ndim;
    int64_t dim[LAUNCH_DIMS];
    uint64_t fuel;          /* for each pass; 0: no limit */
    const char *error;      /* what went wrong, in the module's arena */
    bool out_of_fuel;       /* error is about spent fuel: more of it may help */
    ctx_progress *progress; /* of the threads of all passes; NULL: nobody asks */
    void *progress_arg;
    bool is_second; /* the backward pass is in work */
} launch_job;

/* EMIT_FOR_... of the texts that it executes. The backward pass is always one of text. */
unsigned launch_devices(launch_executor executor);
/* Forward, then backward if there are adjoints. Arrays are written in place, values are not. False:
 * l->error says why; arrays are then in any state. */
bool launch_execute(launch_job *l);
/* The kernel of this name, or with NULL of any, if it is the only one; else NULL. *n: how many
 * there are. */
const kernel *launch_find_kernel(const program *prog, const char *name, uint32_t *n);

#endif
