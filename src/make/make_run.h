/* A run in the midst of its work, for the files that share it. */
#ifndef WEFT_MAKE_MAKE_RUN_H
#define WEFT_MAKE_MAKE_RUN_H

#include "make/make_dedup.h"
#include "store/manifest.h"
#include "store/run_folder.h"

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

/* Shows how far the run is; DATA_STOPPED if it has to end. */
int run_report(data_run_state *t);

/* make_companions.c: the files beside the data. 0 or an errno value with r->failed. */
/* The manifest of an unfinished run. */
int companions_begin(data_run_state *t);
/* The same, now that there is one shard more: with very many of them not for each. */
int companions_go_on(data_run_state *t);
/* All of them, of a run that is complete. */
int companions_end(data_run_state *t);

#endif
