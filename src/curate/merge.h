/* Joining the parts of a run (--shard I/N) into the bytes that one machine would have made. Each
 * part is without equal structures in itself. Of samples in several parts that share one, the first
 * by index keeps it, the others go to their next candidates, until nothing moves: a sample's
 * candidate in the whole run is never an earlier one than in its part, so that this ends in the
 * same choice as going by index from the start. */
#ifndef WEFT_CURATE_MERGE_H
#define WEFT_CURATE_MERGE_H

#include "base/sha256.h"
#include "base/vec.h"
#include "make/make.h"
#include "store/stats.h"

typedef struct merge_shard {
    const char *file, *path; /* as the manifest has it; with the folder */
    uint64_t rows;
    char sha256[SHA256_HEX];
} merge_shard;

typedef struct merge_part {
    const char *folder, *command;
    uint64_t first, rows;
    uint32_t part, parts;
    VEC(merge_shard) shards;
    store_stats sums;
} merge_part;

/* Reads what a part says of itself; all in a. STATUS_OK, or a message that names the folder:
 * STATUS_REFUSED, or an errno value. */
int merge_look(arena *a, const char *folder, merge_part *out, const char **message);

typedef struct merge_options {
    record_options o;  /* of the whole run */
    merge_part *parts; /* in order, none missing */
    uint32_t nparts;
    uint64_t memory; /* bytes for sorting */
} merge_options;

typedef struct merge_result {
    store_outcome run;
    uint64_t moved, rounds; /* samples made anew, and how often all were compared */
    bool taken;             /* refused was the folder to write to, and no part */
} merge_result;

/* As make_run; STATUS_REFUSED for a part that is damaged, too. run.failed may be a file that could
 * not be read. */
int merge_run(arena *a, const merge_options *m, merge_result *r);

#endif
