/* Pieces of a run, made by threads in any order and taken in order. Memory is bounded: a thread
 * waits when the piece that it would begin lies too far ahead. */
#ifndef WEFT_MAKE_MAKE_QUEUE_H
#define WEFT_MAKE_MAKE_QUEUE_H

#include "make/maker.h"
#include "store/store_outcome.h"

enum { PIECE_RECORDS = 32 };

/* Some consecutive records. */
typedef struct make_piece {
    mem mem;
    strbuf text;
    uint64_t ends[PIECE_RECORDS];
    maker_made made[PIECE_RECORDS];
    uint64_t first;
    uint32_t n;
    bool ready;
    store_stats stats;
} make_piece;

typedef struct make_queue make_queue;

/* Starts the threads for the indexes [first, end). A piece belongs to one shard: one starts at
 * `first`, and all but the last have `shard_rows`. No structure in `known` is made, unless that is
 * NULL. NULL: memory ran out or no thread could be started. */
make_queue *make_queue_start(const record_options *o, maker_known *known, uint64_t first,
                             uint64_t end, uint64_t shard_rows);
/* The next piece, or NULL at the end and after an error. It is the caller's until the next call. */
make_piece *make_queue_next(make_queue *q);
/* Stops the threads; what went wrong (unless a is NULL), and the times they took, are told through
 * r. */
int make_queue_finish(make_queue *q, arena *a, store_outcome *r);

#endif
