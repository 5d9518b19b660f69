/* The parts of a run: what each says of itself, what joining them is asked for, and what came of
 * it. */
#ifndef WEFT_CURATE_MERGE_PART_H
#define WEFT_CURATE_MERGE_PART_H

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

#endif
