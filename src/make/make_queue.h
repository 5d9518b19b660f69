/* Pieces of a run, made by threads in any order and taken in order. Memory is bounded: a thread
 * waits when the piece that it would begin lies too far ahead. */
#ifndef WEFT_MAKE_MAKE_QUEUE_H
#define WEFT_MAKE_MAKE_QUEUE_H

#include "make/maker.h"
#include "store/run_result.h"

enum { PIECE_RECORDS = 32 };

/* Some consecutive records. */
typedef struct data_piece {
    mem mem;
    strbuf text;
    uint64_t ends[PIECE_RECORDS];
    data_made made[PIECE_RECORDS];
    uint64_t first;
    uint32_t n;
    bool ready;
    data_stats stats;
} data_piece;

typedef struct data_queue data_queue;

/* Starts the threads for the indexes [first, end). A piece belongs to one shard: one starts at
 * `first`, and all but the last have `shard_rows`. No structure in `known` is made, unless that is
 * NULL. NULL: memory ran out or no thread could be started. */
data_queue *queue_start(const data_options *o, data_known *known, uint64_t first, uint64_t end,
                        uint64_t shard_rows);
/* The next piece, or NULL at the end and after an error. It is the caller's until the next call. */
data_piece *queue_next(data_queue *q);
/* Stops the threads; what went wrong (unless a is NULL), and the times they took, are told through
 * r. */
int queue_finish(data_queue *q, arena *a, data_result *r);

#endif
