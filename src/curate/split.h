/* A data set divided for training: each record goes where the hash of its family says. So no family
 * crosses a border, and no record moves when the set grows or comes in another order. */
#ifndef WEFT_CURATE_SPLIT_H
#define WEFT_CURATE_SPLIT_H

#include "curate/split_set.h"

/* STATUS_OK; STATUS_BROKEN, STATUS_REFUSED or an errno value, with a message; STATUS_STOPPED or
 * STATUS_MEMORY. After a failure nothing of it is left. */
int split_run(arena *a, const split_options *o, split_result *r);

#endif
