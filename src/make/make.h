/* SPDX-License-Identifier: Apache-2.0 */
/* Making a data set: pairs are generated and compiled by threads, and written in order. For
 * `weft generate`, for `weft merge`, which copies the records of parts, and for the measurement of
 * speed in a report. */
#ifndef WEFT_MAKE_MAKE_H
#define WEFT_MAKE_MAKE_H

#include "store/store_outcome.h"

/* Pairs done so far, those of an earlier run included. */
typedef struct make_progress {
    uint64_t done;
    const store_outcome *result;
} make_progress;

/* Makes what the options describe. STATUS_OK, another status of base/run_status.h with r->message,
 * or an errno value with r->failed. Strings of *r live in a. */
int make_run(arena *a, const record_options *o, store_outcome *r);

#endif
