/* Where records go: a stream, shards of JSON lines, or a file each. A run is cut into shards of a
 * fixed number of rows, which are begun, written and ended one at a time. A shard that was ended is
 * whole and on the disk. */
#ifndef WEFT_STORE_WRITER_H
#define WEFT_STORE_WRITER_H

#include "store/run_result.h"
#include "store/shard_file.h"

typedef enum shard_state {
    SHARD_MISSING,
    SHARD_TOLD, /* an earlier run says that it is there; not read yet */
    SHARD_WHOLE
} shard_state;

/* With a file for each record, the files of a shard count as one, in the order of their indexes. */
typedef struct data_shard {
    shard_state state;
    uint64_t rows, bytes;
    char sha256[SHA256_HEX];
} data_shard;

uint64_t data_shard_rows(const data_options *o);
uint64_t data_shard_count(const data_options *o, uint64_t rows);
/* "data/train-00000-of-00007.jsonl": below the folder. */
void shard_put_name(strbuf *b, const data_options *o, uint64_t rows, uint64_t number);

bool shard_is_same(const data_shard *a, const data_shard *b);

/* Some consecutive records, one after another and each ending where `ends` says. */
typedef struct record_batch {
    str text;
    const uint64_t *ends;
    uint64_t first; /* index */
    uint32_t n;
} record_batch;

typedef struct data_sink data_sink;

/* Makes the folders of the data. Lives in a. NULL after an error, which is left in *error. */
data_sink *sink_open(arena *a, const data_options *o, data_result *r, int *error);
/* What is read again is given to hear(arg, record), shard or not. */
void sink_listen(data_sink *s, void (*hear)(void *, str), void *arg);
/* Those below return DATA_OK, DATA_CLOSED or an errno value with r->failed. */
int sink_begin(data_sink *s, uint64_t number);
/* The piece lies within the shard. */
int sink_write(data_sink *s, const record_batch *piece);
int sink_end(data_sink *s, data_shard *shard);
/* Reads the shard `number` instead of writing it: *whole if it is what `told` says. With a file for
 * each record and no `told`, it is whole if its files are there. */
int sink_reread(data_sink *s, uint64_t number, const data_shard *told, bool *whole);
/* With a file for each record: the files of each category so far, in the order of the options. */
const data_shard *sink_categories(data_sink *s);
/* Removes a shard that was not ended. */
void sink_close(data_sink *s);

#endif
