/* SPDX-License-Identifier: Apache-2.0 */
/* Joins the parts of a run (generate --shard I/N) into the bytes that one machine would have made
 * (weft merge).
 *
 *     generate --count 100 --shard 1/2, --shard 2/2, merge   ->   generate --count 100
 *
 * Each part is without equal structures in itself. Of samples in several parts that share one, the
 * first by index keeps it, the others go to their next candidates, until nothing moves. A sample's
 * candidate in the whole run is never an earlier one than in its part, because the whole run
 * refuses all that the part refuses; so this ends in the same choice as going by index from the
 * start. */
#ifndef WEFT_CURATE_MERGE_H
#define WEFT_CURATE_MERGE_H

#include "curate/merge_part.h"

/* As make_run; STATUS_REFUSED for a part that is damaged, too. run.failed may be a file that could
 * not be read. */
int merge_run(arena *a, const merge_options *m, merge_result *r);

#endif
