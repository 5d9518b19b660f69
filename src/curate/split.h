/* SPDX-License-Identifier: Apache-2.0 */
/* Divides a data set for training (weft split), or writes a set without its duplicates (weft
 * dedup). Each record goes where the hash of its family says. So no family is in two splits, and no
 * record moves when the set grows or comes in another order.
 *
 *     weft split --ratios 80,20 SET -o OUT
 *     60 records written to OUT in 0.04 s; no family is in two splits */
#ifndef WEFT_CURATE_SPLIT_H
#define WEFT_CURATE_SPLIT_H

#include "curate/split_set.h"

/* STATUS_OK; STATUS_BROKEN, STATUS_REFUSED or an errno value, with a message; STATUS_STOPPED or
 * STATUS_MEMORY. After a failure nothing of it is left. */
int split_run(arena *a, const split_options *o, split_result *r);
/* STATUS_REFUSED with a message if the output folder holds anything, or an errno value: for what
 * works long before it calls split_run. */
int split_check_output(arena *a, const char *folder, const char **message);

#endif
