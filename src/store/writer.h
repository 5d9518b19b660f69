/* SPDX-License-Identifier: Apache-2.0 */
/* Where records go: a stream, shards of JSON lines, or a file each. A run is cut into shards of a
 * fixed number of rows, which are begun, written and ended one at a time. A shard that was ended is
 * whole and on the disk. */
#ifndef WEFT_STORE_WRITER_H
#define WEFT_STORE_WRITER_H

#include "store/shard_file.h"
#include "store/store_outcome.h"
#include "store/store_shard.h"

/* Some consecutive records, one after another and each ending where `ends` says: record i is the
 * text from ends[i - 1] (0 for the first) up to ends[i]. */
typedef struct record_batch {
    str text;
    const uint64_t *ends;
    uint64_t first; /* index */
    uint32_t n;
} record_batch;

typedef struct store_writer store_writer;

/* Makes the folders of the data. Lives in a. NULL after an error, which is left in *error. */
store_writer *writer_open(arena *a, const record_options *o, store_outcome *r, int *error);
/* Sets the function that writer_reread calls with each record that it reads. */
void writer_on_reread(store_writer *s, void (*on_line)(void *, str), void *arg);
/* Those below return STATUS_OK, STATUS_CLOSED or an errno value with r->failed. */
/* Begins the shard `number`, after the one before was ended or read again. */
int writer_begin(store_writer *s, uint64_t number);
/* Appends records. They lie within the shard that was begun, and follow those before. */
int writer_write(store_writer *s, const record_batch *piece);
/* Ends the shard: it is durable when this returns. *shard gets its rows, size and hash. */
int writer_end(store_writer *s, store_shard *shard);
/* Reads the shard `number` instead of writing it: *whole if it is what `stated` says. With a file
 * for each record and no `stated`, it is whole if its files are there. */
int writer_reread(store_writer *s, uint64_t number, const store_shard *stated, bool *whole);
/* With a file for each record: the files of each category so far, in the order of the options. */
const store_shard *writer_categories(store_writer *s);
/* Removes a shard that was not ended. */
void writer_close(store_writer *s);

#endif
