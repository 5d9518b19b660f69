/* Making a data set: pairs are generated and compiled by threads, and written in order. */
#ifndef WEFT_MAKE_MAKE_H
#define WEFT_MAKE_MAKE_H

#include "store/store_outcome.h"

/* Pairs done so far, those of an earlier run included. */
typedef struct make_progress {
    uint64_t done;
    const store_outcome *result;
} make_progress;

/* STATUS_OK, another of the above, or an errno value. Strings of *r live in a. */
int make_run(arena *a, const record_options *o, store_outcome *r);

#endif
