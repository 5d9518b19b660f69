/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a run, and the options and the result of joining them (merge.h). */
#ifndef WEFT_CURATE_MERGE_PART_H
#define WEFT_CURATE_MERGE_PART_H

#include "base/sha256.h"
#include "base/vec.h"
#include "make/make.h"
#include "store/stats.h"

/* A row of a manifest's "shards", which for a run with --compress zstd is
 *
 *     {"file": "data/train-00000-of-00006.jsonl.zst", "rows": 7, "bytes": 8170,
 *      "sha256": "923815270d99ff8b..."}
 *
 * `bytes` is not read: a file of another size has another hash. In formats without shards a row is
 * a category: all its records. */
typedef struct merge_shard {
    const char *file, *path; /* as the manifest has it; with the part's folder */
    uint64_t rows;
    char sha256[SHA256_HEX]; /* of the file as it is packed, or of the category's records */
} merge_shard;

/* One operand of `weft merge`: the folder that `weft generate --shard 2/3` made, say. */
typedef struct merge_part {
    const char *folder, *command; /* the operand; the command that made it */
    uint64_t first, rows;         /* the part has the indexes [first, first + rows) */
    uint32_t part, parts;         /* it is the part-th of `parts`, from 1 */
    VEC(merge_shard) shards;      /* in the order of the records */
    store_stats sums;             /* only if there are several parts */
} merge_part;

/* Reads the manifest and the sums of a part; all in a. STATUS_OK, or with a message that names the
 * folder: STATUS_REFUSED, or an errno value. */
int merge_look(arena *a, const char *folder, merge_part *out, const char **message);

/* What merge_run joins. The caller has checked that the parts are of one run: the same command but
 * for --shard, each part once, indexes without a gap (api/weft_merge.c). */
typedef struct merge_options {
    record_options o;  /* of the whole run */
    merge_part *parts; /* in order, none missing */
    uint32_t nparts;
    uint64_t memory; /* bytes for sorting, at most */
} merge_options;

typedef struct merge_result {
    store_outcome run;
    uint64_t moved, rounds; /* samples made anew, and how often all were compared */
    bool taken;             /* STATUS_REFUSED is about the folder to write to, not about a part */
} merge_result;

#endif
