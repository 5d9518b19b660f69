/* What a folder holds before a run writes to it, and what of it the run can keep. */
#ifndef WEFT_DATA_DATA_RESUME_H
#define WEFT_DATA_DATA_RESUME_H

#include "data/data_dedup.h"
#include "data/data_folder.h"
#include "data/data_manifest.h"
#include "data/data_record.h"

/* A run, and what has to be given back when memory ends it. */
typedef struct data_run_state {
    arena *a;
    const data_options *o;
    data_result *r;
    data_folder folder;
    data_sink *sink;
    data_queue *queue;
    data_dedup *dedup; /* NULL: equal structures are kept */
    data_shards shards;
    data_stats sums;  /* of the shard in work */
    uint32_t unnamed; /* shards on the disk that the manifest there does not name yet */
    uint64_t done;    /* rows */
    int status;
} data_run_state;

/* Decides whether the run may write here. DATA_OK: it makes what t->shards does not have, or
 * nothing at all if r->was_there. DATA_REFUSED with r->message, or an errno value. */
int resume_look(data_run_state *t);
/* Reads a shard that an earlier run told of: SHARD_WHOLE, or SHARD_MISSING after a word to the
 * user. */
int resume_keep(data_run_state *t, uint32_t number);

#endif
