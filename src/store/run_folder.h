/* What a run keeps in DIR/.weft until it is complete: a lock, and for each shard on the disk a note
 * with its size, its SHA-256 and the sums over its records. A shard whose note is there is whole
 * and durable; --resume goes by these notes. */
#ifndef WEFT_STORE_RUN_FOLDER_H
#define WEFT_STORE_RUN_FOLDER_H

#include "store/writer.h"

typedef struct data_folder {
    arena *a;
    const data_options *o;
    data_result *r;
    const char *path; /* DIR/.weft */
    arena scratch;
    int lock;    /* descriptor; -1: not held */
    cJSON *json; /* in work */
} data_folder;

/* Each returns DATA_OK, DATA_REFUSED or an errno value, told in *r. */

/* Makes the folders and takes the lock. */
int folder_enter(data_folder *f, arena *a, const data_options *o, data_result *r);
/* Removes what killed runs left half written. */
int folder_clean(data_folder *f);
/* Gives the lock back. Also if folder_enter failed, or was never called on a zeroed folder. */
void folder_leave(data_folder *f);

int folder_put_note(data_folder *f, uint64_t number, const data_shard *shard, const data_stats *s);
/* A note that is not there, or is no note of ours, leaves SHARD_MISSING. s may be NULL. */
int folder_get_note(data_folder *f, uint64_t number, data_shard *shard, data_stats *s);
int folder_drop_note(data_folder *f, uint64_t number);
/* Removes all notes. */
int folder_drop_notes(data_folder *f);

#endif
