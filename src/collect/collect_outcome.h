/* SPDX-License-Identifier: Apache-2.0 */
/* What became of a run of weft collect. */
#ifndef WEFT_COLLECT_COLLECT_OUTCOME_H
#define WEFT_COLLECT_COLLECT_OUTCOME_H

#include "collect/collect_kernel.h"

typedef struct collect_outcome {
    uint64_t files, kernels, records;
    uint64_t unlicensed; /* files left out for their licence */
    uint64_t unloaded;   /* files that Python cannot load, or that may not be read */
    uint64_t unread;     /* of those left out for it, below a licence file that is not recognised */
    /* "the texts of 'a/LICENSE' and 'b/LICENSE' are"; valid if there are any */
    const char *unread_licenses;
    uint64_t unwanted;                   /* of those left out, with a licence that is known */
    uint64_t custom;                     /* files left out that state a LicenseRef-, say */
    const char *custom_license;          /* the first: "'a.py' states LicenseRef-Ours"; or NULL */
    uint64_t skipped[COLLECT_SKIPS];     /* kernels, by reason */
    uint64_t status[CHECK_STATUSES + 1]; /* records; the last: not run */
    bool complete;                       /* with resume: the set was there, and nothing was done */
    double seconds;
    const char *message; /* in the arena: what failed */
    bool can_resume;     /* after an interruption: there is something to go on with */
} collect_outcome;

#endif
