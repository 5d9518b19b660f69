/* Where records go: a stream, shards of JSON lines, or a file each. */
#ifndef WEFT_DATA_DATA_SINK_H
#define WEFT_DATA_DATA_SINK_H

#include "data/data_queue.h"
#include "data/shard_file.h"

/* A shard, or with files of their own, the files of a category. */
typedef struct data_shard {
    const char *file; /* below the folder */
    uint64_t rows, bytes;
    char sha256[SHA256_HEX];
} data_shard;

uint64_t data_shard_rows(const data_options *o);

typedef struct data_sink data_sink;

/* Needs the folder; rows: how many records will come. NULL after an error, told in *error. Lives in
 * a. */
data_sink *sink_open(arena *a, const data_options *o, uint64_t rows, int *error);
/* DATA_OK, DATA_CLOSED or an errno value. */
int sink_write(data_sink *s, const data_piece *piece);
/* Ends the last shard; with `keep` false, removes it. */
int sink_close(data_sink *s, bool keep);
const data_shard *sink_shards(const data_sink *s, uint32_t *n);
/* Path of the file that holds the first record. */
const char *sink_sample(const data_sink *s);

#endif
