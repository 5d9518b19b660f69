/* SPDX-License-Identifier: Apache-2.0 */
/* A data set as one HTML page that needs no other file: figures and plots counted from the records,
 * what stats.json and manifest.json add to them, and samples. The page depends on the data set
 * alone, unless the options request a measurement of speed. */
#ifndef WEFT_REPORT_REPORT_H
#define WEFT_REPORT_REPORT_H

#include "report/report_page.h"

/* Appends the page to b. STATUS_OK, also when records are damaged; STATUS_STOPPED, STATUS_MEMORY or
 * an errno value, then *message is the path. */
int report_run(arena *a, const report_options *o, survey *s, strbuf *b, const char **message);

#endif
