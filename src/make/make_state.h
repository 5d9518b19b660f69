/* SPDX-License-Identifier: Apache-2.0 */
/* A run in the midst of its work, for the files that share it. */
#ifndef WEFT_MAKE_MAKE_STATE_H
#define WEFT_MAKE_MAKE_STATE_H

#include "base/run_status.h"
#include "make/make.h"
#include "make/make_dedup.h"
#include "store/manifest.h"
#include "store/work_folder.h"

/* A run, and what has to be given back when memory ends it. */
typedef struct make_state {
    arena *a; /* of the caller: messages, paths, the list of shards */
    const record_options *o;
    store_outcome *r;
    work_folder folder;   /* its lock is held, but not on a stream, which has no folder */
    store_writer *writer; /* NULL: not open yet */
    make_queue *queue;    /* while shards are made; else NULL */
    make_dedup *dedup;    /* NULL: equal structures are kept */
    library *library;     /* of kernels with a purpose, for all makers; NULL: not read */
    store_shards shards;  /* by number; those of an earlier run come from its notes */
    store_stats sums;     /* of the shard in work */
    uint32_t unnamed;     /* shards on the disk that the manifest there does not name yet */
    uint64_t done;        /* rows that are written or kept */
    int status;           /* what make_run returns */
} make_state;

/* Shows how far the run is; STATUS_STOPPED if it has to end. */
static inline int make_report(make_state *t)
{
    const make_progress p = {t->done, t->r};
    const record_options *o = t->o;
    return o->progress && !o->progress(o->progress_arg, &p) ? STATUS_STOPPED : STATUS_OK;
}

/* make_companions.c: the files beside the data. 0 or an errno value with r->failed. */
/* The manifest of an unfinished run. */
int make_companions_begin(make_state *t);
/* The same, now that there is one shard more: with very many of them not for each. */
int make_companions_update(make_state *t);
/* All of them, of a run that is complete. */
int make_companions_end(make_state *t);

#endif
