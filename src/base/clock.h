/* SPDX-License-Identifier: Apache-2.0 */
/* How long work takes.
 *
 *     const double start = clock_seconds();
 *     ...
 *     r->seconds = clock_seconds() - start; */
#ifndef WEFT_BASE_CLOCK_H
#define WEFT_BASE_CLOCK_H

#include <time.h>

/* Since some moment in the past: no change of the time of day moves this clock. */
static inline double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
