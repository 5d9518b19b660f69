/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of a run, made by threads in any order and taken in order. Memory is bounded: a thread
 * waits when the piece that it would begin lies too far ahead. */
#ifndef WEFT_MAKE_MAKE_QUEUE_H
#define WEFT_MAKE_MAKE_QUEUE_H

#include "make/maker.h"
#include "store/store_outcome.h"

enum { PIECE_RECORDS = 32 };

/* Some consecutive records: what one thread makes at a time. It is small, so that threads end
 * together and an interrupt is noticed soon, and large enough that the lock is rarely taken. */
typedef struct make_piece {
    mem mem;                        /* of text; each piece has its own, as threads fill them */
    strbuf text;                    /* the records, one after another */
    uint64_t ends[PIECE_RECORDS];   /* where each record ends in text */
    maker_made made[PIECE_RECORDS]; /* structure and attempt of each, for deduplication */
    uint64_t first;                 /* index of the first record */
    uint32_t n;                     /* records */
    bool ready;                     /* whole, and not taken back by the queue yet */
    store_stats stats;              /* of all its records together */
} make_piece;

typedef struct make_queue make_queue;

/* Starts the threads for the indexes [first, end). A piece belongs to one shard: one starts at
 * `first`, and all but the last have `shard_rows`. No structure in `known` is made, unless that is
 * NULL. NULL: memory ran out or no thread could be started. */
make_queue *make_queue_start(const record_options *o, maker_known *known, uint64_t first,
                             uint64_t end, uint64_t shard_rows);
/* Waits for the next piece in order. NULL at the end and after an error, which make_queue_finish
 * returns. It is the caller's until the next call, to change as well. */
make_piece *make_queue_next(make_queue *q);
/* Stops the threads and frees the queue. Returns STATUS_OK or the status of a thread that failed.
 * r->message is then what it says, a copy in a (with a = NULL there is none); r->clock gains the
 * times that all threads took. */
int make_queue_finish(make_queue *q, arena *a, store_outcome *r);

#endif
