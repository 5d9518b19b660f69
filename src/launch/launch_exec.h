/* One launch of a kernel by the executor that was asked for. */
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
    const rvalue *args, *adjoints; /* adjoints NULL: forward only */
    int ndim;
    int64_t dim[LAUNCH_DIMS];
    uint64_t fuel;     /* for each pass; 0: no limit */
    const char *error; /* what went wrong, in the module's arena */
    bool out_of_fuel;
} launch_job;

/* EMIT_FOR_... of the texts that it executes. The backward pass is always one of text. */
unsigned launch_devices(launch_executor executor);
/* Forward, then backward if there are adjoints. False: told in l->error. */
bool launch_execute(launch_job *l);
/* The kernel of this name, or with NULL the only one there is; else NULL. *n: how many there are.
 */
const kernel *launch_find_kernel(const program *prog, const char *name, uint32_t *n);

#endif
