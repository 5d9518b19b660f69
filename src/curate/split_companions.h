/* SPDX-License-Identifier: Apache-2.0 */
/* The files beside the shards of a split: stats.json, README.md (the card) and manifest.json. */
#ifndef WEFT_CURATE_SPLIT_COMPANIONS_H
#define WEFT_CURATE_SPLIT_COMPANIONS_H

#include "base/sha256.h"
#include "base/vec.h"
#include "curate/split_set.h"

/* A row of the manifest's "shards": a file, or all programs of a part. */
typedef struct split_shard {
    const char *file; /* below the folder */
    uint32_t part;
    uint64_t rows, bytes;
    char sha256[SHA256_HEX];
    bool whole; /* on the disk under its name */
} split_shard;

/* In the order in which they were opened; put_manifest sorts them by part. */
typedef struct split_shards {
    VEC(split_shard) list;
    uint32_t open[SPLITS_MAX]; /* which one of the list */
} split_shards;

/* 0, or an errno value and the file that is meant. The manifest comes last. */
int split_put_companions(arena *a, const split_options *o, const split_result *r,
                         const split_shards *shards, const char **path);
/* For a run that failed; files that are not there are fine. */
void split_remove_companions(arena *a, const split_options *o);

#endif
