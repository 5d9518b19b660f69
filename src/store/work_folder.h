/* SPDX-License-Identifier: Apache-2.0 */
/* What a run keeps in DIR/.weft until it is complete: a lock, and for each shard on the disk a note
 * with its size, its SHA-256 and the sums over its records. A shard whose note is there is whole
 * and durable; --resume goes by these notes. */
#ifndef WEFT_STORE_WORK_FOLDER_H
#define WEFT_STORE_WORK_FOLDER_H

#include "store/writer.h"

typedef struct work_folder {
    arena *a;
    const record_options *o;
    store_outcome *r;
    const char *path; /* DIR/.weft; NULL: work_folder_enter was never called */
    arena scratch;    /* of one call: paths and the text of a note */
    int lock;         /* descriptor; -1: not held */
} work_folder;

/* Each returns STATUS_OK, STATUS_REFUSED with r->message, or an errno value with r->failed. */

/* Makes the folders and takes the lock. */
int work_folder_enter(work_folder *f, arena *a, const record_options *o, store_outcome *r);
/* Removes what killed runs left half written. */
int work_folder_clean(work_folder *f);
/* Gives the lock back. Also if work_folder_enter failed, or was never called on a zeroed folder. */
void work_folder_leave(work_folder *f);

/* Writes the note of a shard that is durable; the note is durable when this returns. */
int work_folder_put_note(work_folder *f, uint64_t number, const store_shard *shard,
                         const store_stats *s);
/* A note that is not there, or is no note of ours, leaves SHARD_MISSING. s may be NULL. */
int work_folder_get_note(work_folder *f, uint64_t number, store_shard *shard, store_stats *s);
/* Removes a note; one that is not there is fine. */
int work_folder_drop_note(work_folder *f, uint64_t number);
/* Removes all notes. */
int work_folder_drop_notes(work_folder *f);

#endif
