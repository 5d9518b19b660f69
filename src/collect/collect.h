/* SPDX-License-Identifier: Apache-2.0 */
/* Real kernels in, verified records out (weft collect): the kernels of folders and packages, each
 * as a record with a source of its own, or listed with the reason why it is none.
 *
 *     weft collect src warp -I SITE -o OUT
 *     OUT/data/train-00000-of-00001.jsonl, OUT/skipped.jsonl, OUT/manifest.json, ... */
#ifndef WEFT_COLLECT_COLLECT_H
#define WEFT_COLLECT_COLLECT_H

#include "collect/collect_kernel.h"
#include "collect/collect_options.h"

typedef struct collect_outcome {
    uint64_t files, kernels, records;
    uint64_t unlicensed; /* files left out for their licence */
    uint64_t unloaded;   /* files that Python cannot load, or that may not be read */
    uint64_t unread;     /* of those left out for it, below a licence file that is not recognised */
    const char *unread_license;          /* the first of those files; NULL: there is none */
    uint64_t custom;                     /* files left out that state a LicenseRef- */
    const char *custom_license;          /* the first: "'a.py' states LicenseRef-Ours"; or NULL */
    uint64_t skipped[COLLECT_SKIPS];     /* kernels, by reason */
    uint64_t status[CHECK_STATUSES + 1]; /* records; the last: not run */
    bool complete;                       /* with resume: the set was there, and nothing was done */
    double seconds;
    const char *message; /* in the arena: what failed */
    bool can_resume;     /* after an interruption: there is something to go on with */
} collect_outcome;

/* A status of base/run_status.h or an errno value. The set appears whole. After an interruption,
 * and where memory runs out, OUT.collecting.journal stays, for a run with `resume`; after other
 * failures nothing is left. */
int collect_run(arena *a, const collect_options *o, collect_outcome *r);
/* The name of a reason. */
const char *collect_skip_name(collect_skip s);

#endif
