/* Making a data set: pairs are generated and compiled by threads, and written in order. */
#ifndef WEFT_MAKE_MAKE_H
#define WEFT_MAKE_MAKE_H

#include "store/run_result.h"

/* Pairs done so far, those of an earlier run included. */
typedef struct data_progress {
    uint64_t done;
    const data_result *result;
} data_progress;

/* DATA_OK, another of the above, or an errno value. Strings of *r live in a. */
int data_run(arena *a, const data_options *o, data_result *r);

#endif
