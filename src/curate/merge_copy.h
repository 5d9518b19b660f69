/* SPDX-License-Identifier: Apache-2.0 */
/* The only part of a run, copied. */
#ifndef WEFT_CURATE_MERGE_COPY_H
#define WEFT_CURATE_MERGE_COPY_H

#include "curate/merge_part.h"

/* STATUS_OK, STATUS_STOPPED, STATUS_REFUSED with r->run.message, or an errno value with
 * r->run.failed. What was copied before a failure is removed. */
int merge_copy(arena *a, const merge_options *m, merge_result *r);

#endif
