/* SPDX-License-Identifier: Apache-2.0 */
/* Real kernels in, verified records out (weft collect): the kernels of folders and packages, each
 * as a record with a source of its own, or listed with the reason why it is none.
 *
 *     weft collect src warp -I SITE -o OUT
 *     OUT/data/train-00000-of-00001.jsonl, OUT/skipped.jsonl, OUT/manifest.json, ... */
#ifndef WEFT_COLLECT_COLLECT_H
#define WEFT_COLLECT_COLLECT_H

#include "collect/collect_options.h"
#include "collect/collect_outcome.h"

/* A status of base/run_status.h or an errno value. The set appears whole. After an interruption,
 * and where memory runs out, OUT.collecting.journal stays, for a run with `resume`; after other
 * failures nothing is left. */
int collect_run(arena *a, const collect_options *o, collect_outcome *r);
/* The name of a reason. */
const char *collect_skip_name(collect_skip s);

#endif
