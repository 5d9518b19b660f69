/* The only part of a run, copied. */
#ifndef WEFT_DATA_MERGE_COPY_H
#define WEFT_DATA_MERGE_COPY_H

#include "data/merge.h"

/* DATA_OK, DATA_REFUSED with r->message, or an errno value with r->failed. */
int merge_copy(arena *a, const merge_part *p, const char *output, data_result *r);

#endif
