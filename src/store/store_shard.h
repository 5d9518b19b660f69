/* SPDX-License-Identifier: Apache-2.0 */
/* Shards: a run is cut into ranges of a fixed number of rows. With a file or a folder for each
 * record, those of a shard count as one, in the order of their indexes.
 *
 * A shard is the unit in which a run becomes durable: a killed run loses the shard in work, and
 * --resume keeps those before it. Which rows a shard holds follows from the options alone, and so
 * do the names:
 *
 *     60,000 rows   ->   data/train-00000-of-00003.jsonl with 25,000 rows, and so on */
#ifndef WEFT_STORE_STORE_SHARD_H
#define WEFT_STORE_STORE_SHARD_H

#include "base/sha256.h"
#include "record/record_options.h"

typedef enum shard_state {
    SHARD_MISSING,
    SHARD_LISTED, /* an earlier run says that it is there; not read yet */
    SHARD_WHOLE
} shard_state;

/* One shard, or all records of one category: bytes and hash are those of the files as they lie on
 * the disk, packed or not. */
typedef struct store_shard {
    shard_state state;
    uint64_t rows, bytes;
    char sha256[SHA256_HEX];
} store_shard;

/* Rows of a shard; the last one of a run may have fewer. */
uint64_t store_shard_rows(const record_options *o);
/* Shards of a run of so many rows. */
uint64_t store_shard_count(const record_options *o, uint64_t rows);
/* "data/train-00000-of-00007.jsonl": below the folder. */
void store_put_shard_name(strbuf *b, const record_options *o, uint64_t rows, uint64_t number);

/* The same rows, bytes and hash; their states may differ. */
bool shard_is_same(const store_shard *a, const store_shard *b);
/* The hash so far, which may go on. */
void shard_put_hash(store_shard *shard, const sha256 *hash);

#endif
