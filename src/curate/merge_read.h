/* SPDX-License-Identifier: Apache-2.0 */
/* The records of the parts of a run, one after another by index: lines of shards, or files and
 * folders of one record each. What has been read to its end is compared with the manifest.
 *
 *     merge_reader_init(&in, a, m, r);
 *     for (index = 0; index < m->o.count; index++)
 *         merge_next(&in, &record);            record.text, record.stated
 *     merge_finish(&in);                       the last shard ends here, too
 *     merge_restart(&in);                      and all of it once more
 *
 * For merge.c, which reads twice, and merge_copy.c. */
#ifndef WEFT_CURATE_MERGE_READ_H
#define WEFT_CURATE_MERGE_READ_H

#include "base/sha256.h"
#include "curate/merge_part.h"
#include "store/line_reader.h"
#include "store/store_format.h"

/* Where reading stands. One of the two groups below is in use, as the format of the run has it. */
typedef struct merge_reader {
    arena *a;
    const merge_options *m;
    merge_result *r;
    bool refused;  /* STATUS_REFUSED is about a part; r->run.message names it */
    uint32_t part; /* index into m->parts */
    /* Formats with shards. */
    line_reader lines;
    sha256 hash;    /* of the open shard, as far as it was read */
    uint32_t shard; /* index into the part's shards */
    uint64_t row;   /* lines taken from it */
    bool open;      /* lines reads a shard */
    /* Formats with a file or a folder for each record. */
    arena record;                      /* memory of the last record */
    store_one one;                     /* the last record */
    uint64_t index;                    /* of the next record */
    sha256 hashes[GEN_CATEGORY_COUNT]; /* of the part's records so far, by category */
    uint64_t rows[GEN_CATEGORY_COUNT]; /* how many these are */
} merge_reader;

/* One record. Both texts last until the next call. */
typedef struct merge_record {
    str text;   /* as it was written, with its newline */
    str stated; /* JSON to look into */
} merge_record;

/* Those below return STATUS_OK, STATUS_REFUSED or an errno value with r->run.failed. */

void merge_reader_init(merge_reader *in, arena *a, const merge_options *m, merge_result *r);
/* The next record, until the next call; there must be one by the manifests. */
int merge_next(merge_reader *in, merge_record *record);
/* Behind the last record. */
int merge_finish(merge_reader *in);
/* Goes back to the first. */
void merge_restart(merge_reader *in);
void merge_reader_clear(merge_reader *in);

/* STATUS_REFUSED with the message "PATH: what". */
int merge_refuse(merge_reader *in, const char *path, const char *what);
/* Gives the error back, with the path for its message. */
int merge_fail(merge_reader *in, const char *path, int error);
/* The part's file or folder of a record of its own; not of JSON lines. In `a`. */
const char *merge_place(arena *a, const record_options *o, const char *folder, uint64_t index);

#endif
