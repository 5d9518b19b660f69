/* SPDX-License-Identifier: Apache-2.0 */
/* The records of data sets, one after another in a fixed order, whatever the layout: shards of JSON
 * lines, plain or packed, or a file for each record. Memory is bounded by the longest line, and by
 * the names of the files. */
#ifndef WEFT_STORE_DATASET_READER_H
#define WEFT_STORE_DATASET_READER_H

#include "base/atomic_file.h"
#include "base/json_peek.h"
#include "store/dataset_files.h"

/* Results beside 0 and errno values, which are positive. DATASET_END: there are no more records.
 * DATASET_DAMAGED: a file is not what it should be, and r->message says where and what:
 *
 *     a.jsonl:3: a line longer than 16 MiB
 *     set/manifest.json: no manifest of a data set, or a damaged one */
enum { DATASET_END = -100, DATASET_DAMAGED = -101 };

/* One record as text. The reader only sees to it that it is one JSON object by its first and last
 * character; its parts are the caller's business. */
typedef struct dataset_record {
    const char *file; /* lives as long as the reader's arena */
    uint64_t line;    /* from 1 */
    str text;         /* without its newline, until the next call */
} dataset_record;

typedef struct dataset_reader {
    arena *a;
    dataset_list list; /* of all paths, in their order */
    uint32_t at;       /* the file in work */
    bool open;         /* it is open in `lines` */
    uint64_t line;     /* last line of it that was read, from 1 */
    line_reader lines;
    str begun;           /* what was read of standard input before, with which it begins */
    const char *input;   /* the file that stands for standard input; NULL: it is read itself */
    bool is_empty;       /* after DATASET_DAMAGED: a folder has no records */
    const char *message; /* after a failure: the file, or for DATASET_DAMAGED a sentence; in a */
} dataset_reader;

/* Folders of data sets, shards, files of one record; "-" is standard input. 0, an errno value or
 * DATASET_DAMAGED with r->message. Must run inside mem_try of a->m, as the next ones. */
int dataset_open(dataset_reader *r, arena *a, const char *const *paths, uint32_t n);
/* Is standard input among the files? */
bool dataset_reads_input(const dataset_reader *r);
/* Copies standard input to a temporary file, which is read in its place and may be rewound;
 * messages go on naming "-". To be called before the first record; `to` is open, and stays as long
 * as the reader. 0 or an errno value. */
int dataset_copy_input(dataset_reader *r, atomic_file *to);
/* 0 and a record; DATASET_END, an errno value or DATASET_DAMAGED. After an error the reader is not
 * to be used further: where the next record begins is not known. */
int dataset_next(dataset_reader *r, dataset_record *record);
/* Goes back to the first record; not where standard input itself was read. */
void dataset_rewind(dataset_reader *r);
/* Gives back what is not the arena's; may be called for a reader that is all zeros, and twice. */
void dataset_close(dataset_reader *r);

#endif
