/* SPDX-License-Identifier: Apache-2.0 */
/* A merge in the midst of its work, for the files that share it: merge.c, and merge_near.c, which
 * decides which samples move where near ones are refused. */
#ifndef WEFT_CURATE_MERGE_STATE_H
#define WEFT_CURATE_MERGE_STATE_H

#include "base/extsort.h"
#include "curate/merge_read.h"
#include "make/make_queue.h"
#include "make/maker.h"

/* A sample that has left the candidate of its part, and the number of the candidate it went to. */
typedef struct merge_move {
    uint64_t index, attempt;
} merge_move;

typedef struct merger {
    arena *a;
    const merge_options *m;
    merge_result *r;
    const char *path;       /* where files without a name are made */
    record_options planned; /* m->o with a plan for its samples; valid with has_maker */
    maker maker;
    bool has_maker; /* maker, planned and text are initialized */
    strbuf text;    /* the record made last; in the maker's memory */
    /* Sums of the whole run, kept up to date as samples move; those of one candidate. */
    store_stats sums, single;
    VEC(merge_move) moves; /* every move in order of time; after order_moves one for each index */
    /* Samples that lost their structure; where they went, for the next comparison. `extra` is the
     * attempt. */
    VEC(sort_item) displaced, next;
    extsort sort;
    item_file holders, settled; /* of each structure, sorted: who has it; the list being written */
    bool sorts;                 /* sort is initialized */
    struct near_merge *near;    /* of merge_near.c; NULL: near ones are kept */
    merge_reader in;
    uint64_t move; /* moves whose sample has been given out */
    int status;
} merger;

/* An argument of merge_run_maker: one sample to make. */
typedef struct making {
    merger *g;
    sort_item item; /* the candidate that is left; afterwards the next one */
    int status;
} making;

/* Reports that `done` samples have been read; STATUS_STOPPED: the caller wants to stop. */
int merge_report(merger *g, uint64_t done);
/* What a record states of itself: structure, index and attempt. A status. */
int merge_read_item(merger *g, const merge_record *record, uint64_t index, sort_item *item);
/* Calls `make` with the maker, which is made for the first sample that moves: parts of which none
 * does need none. */
int merge_run_maker(merger *g, making *t, void (*make)(void *));
/* For it: a candidate that a part has must be good here, too. A status. */
int merge_no_such_record(merger *g);
/* merge_near.c: which samples move, into g->moves, and the sums of the run. A status. */
int merge_settle_near(merger *g);
void merge_near_clear(merger *g);

#endif
