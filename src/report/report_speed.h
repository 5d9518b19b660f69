/* SPDX-License-Identifier: Apache-2.0 */
/* How fast the samples of a report's set are made: its first ones are made again. */
#ifndef WEFT_REPORT_REPORT_SPEED_H
#define WEFT_REPORT_REPORT_SPEED_H

#include "make/make.h"
#include "report/report_page.h"

typedef struct report_speed {
    str why_not;                 /* why nothing was measured, a sentence; empty: it was */
    record_options o;            /* of the set's command */
    bool excluded;               /* the command has --exclude, whose files are not read here */
    uint64_t samples, bytes, ns; /* what was made, as JSON, and how long it took with the start */
    stage_clock clock;           /* the time of all threads by stage */
} report_speed;

/* Makes samples for about two seconds and fills *speed. Needs o->read_command; manifest: NULL where
 * the set has none. STATUS_OK, also with speed->why_not; STATUS_STOPPED if o->progress returned
 * false; or STATUS_MEMORY. */
int report_measure(arena *a, const report_options *o, const survey *s, const json_value *manifest,
                   report_speed *speed);

#endif
