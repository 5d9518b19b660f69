/* SPDX-License-Identifier: Apache-2.0 */
/* What an operand of `weft check` and `weft ptx` names: a file, the files of certain endings in a
 * folder and below it, or the records of a data set. In the order of their names:
 *
 *     DIR   ->   file DIR/a.cu, file DIR/sub/b.cu
 *     SET   ->   record SET/data/train-00000-of-00001.jsonl:1, record ...:2, ... */
#ifndef WEFT_STORE_OPERAND_WALK_H
#define WEFT_STORE_OPERAND_WALK_H

#include "base/folder_walk.h"
#include "store/dataset_reader.h"

/* The caller's functions and where the walk stands. The functions are called in the order of names;
 * what they find wrong with a file is their own affair and does not end the walk. Set `reader` to
 * zeros before the first operand. */
typedef struct operand_walk {
    arena *a;                   /* of the paths */
    const char *const *endings; /* of the files that are taken from folders; the last one is NULL */
    const char *kinds;          /* what these are: "Python file and no CUDA text" */
    /* `start` is where the part of the path begins that names it below its operand: of DIR/sub/a.cu
     * for the operand DIR it is that of "/sub/a.cu". `weft ptx` names its outputs by it. */
    void (*file)(void *job, const char *path, size_t start);
    void (*record)(void *job, const dataset_record *r);
    str input;       /* the text of standard input, for a call of `file` with "-" */
    bool names_only; /* `file` takes the files of records, too, and nothing is read */
    /* What cannot be read (`io`) or is damaged. */
    void (*fail)(void *job, bool io, const char *sentence);
    bool (*stopped)(void *job); /* true: the walk ends before the next file */
    void (*enter)(void *job);   /* before a folder is read; may be NULL */
    void *job;
    dataset_reader reader;
} operand_walk;

/* Files named as such are taken whatever their names; a folder without a file to take is a data
 * set. "-" is standard input: records if it begins with a brace, else a text of whatever kind.
 * Must run inside mem_try of a->m. */
void operand_walk_one(operand_walk *w, const char *path);
/* After an end by failed memory, too. */
void operand_walk_close(operand_walk *w);

#endif
