/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of a run to its caller, by weft_callbacks: how far it is, how it ended, and what was
 * made, in figures. For weft_generate and weft_merge. */
#ifndef WEFT_API_RUN_REPORT_H
#define WEFT_API_RUN_REPORT_H

#include "api/callbacks.h"
#include "make/make.h"

/* The receiver of the reports, and the options of the run that they are about. */
typedef struct run_reporter {
    const weft_callbacks *c;
    const record_options *o;
} run_reporter;

/* For record_options; arg is a run_reporter. */
bool run_report_progress(void *arg, const make_progress *p);
void run_report_note(void *arg, const char *text);
/* The status of a run that ended with `end`, after a message if it did not end well. */
weft_status run_report_end(const run_reporter *t, const store_outcome *r, int end);
/* What was made, in figures, to `made`. */
void run_report_made(const run_reporter *t, arena *a, store_outcome *r, uint64_t moved,
                     void (*made)(void *arg, const weft_generated *made));
/* What points to a bug in weft, as a message, where there are no figures that hold it. */
void run_report_suspects(const run_reporter *t, const store_outcome *r);

#endif
