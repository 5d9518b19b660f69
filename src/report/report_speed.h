/* How fast the samples of a report's set are made: its first ones are made again. */
#ifndef WEFT_REPORT_REPORT_SPEED_H
#define WEFT_REPORT_REPORT_SPEED_H

#include "make/make.h"
#include "report/report_page.h"

typedef struct report_speed {
    str why_not; /* nothing was measured; empty: it was */
    record_options o;
    bool excluded; /* there is something that was not kept out */
    uint64_t samples, bytes, ns;
    stage_clock clock;
} report_speed;

/* For about two seconds. STATUS_OK, STATUS_STOPPED or STATUS_MEMORY. */
int report_measure(arena *a, const report_options *o, const survey *s, const json_value *manifest,
                   report_speed *speed);

#endif
