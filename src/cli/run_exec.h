/* One launch of a kernel by the executor that was asked for. */
#ifndef WEFT_CLI_RUN_EXEC_H
#define WEFT_CLI_RUN_EXEC_H

#include "driver/pipeline.h"
#include "interp/interp.h"

/* In the order of --executor's choices. */
typedef enum run_executor {
    RUN_REFERENCE, /* the interpreter of the syntax tree */
    RUN_TEXT,      /* the text machine on the CPU text */
    RUN_TEXT_CUDA  /* the text machine on the CUDA text */
} run_executor;

typedef struct run_launch {
    pipeline *p; /* made with run_devices(executor) */
    compiled_kernel compiled;
    run_executor executor;
    const rvalue *args, *adjoints; /* adjoints NULL: forward only */
    int ndim;
    int64_t dim[LAUNCH_DIMS];
    uint64_t fuel; /* for each pass; 0: no limit */
} run_launch;

/* EMIT_FOR_... of the texts that it executes. The backward pass is always one of text. */
unsigned run_devices(run_executor executor);
/* Forward, then backward if there are adjoints; false after a message. */
bool run_execute(run_launch *l);

#endif
