/* SPDX-License-Identifier: Apache-2.0 */
/* The files of one run by what they are, not by their names: device and inode. A command adds the
 * files that it reads, and output_open (base/output.h) refuses to replace one of them. Example:
 *
 *     weft compile m.py -o link.py    where link.py leads to m.py, or to a file that m.py imports
 *
 * is refused, since m.py would be lost. */
#ifndef WEFT_BASE_FILE_SET_H
#define WEFT_BASE_FILE_SET_H

#include <sys/stat.h>

#include "base/arena.h"
#include "base/vec.h"

typedef struct file_id {
    dev_t device;
    ino_t inode;
    const char *name; /* of a file in this folder, which need not exist; NULL: the file itself */
} file_id;

typedef struct file_set {
    arena *a;                /* holds table and names */
    file_id *ids;            /* hash table of `room` slots; inode 0: a free one */
    size_t n, room;          /* entries; slots, a power of two */
    VEC(const char *) paths; /* by which files were added, each file once */
} file_set;

void file_set_init(file_set *s, arena *a);
/* Adds the file at `path`, if it is a regular one. s may be NULL: then nothing is recorded. */
void file_set_add(file_set *s, const char *path);
/* Whether the file with this stat was added. s may be NULL: no. */
bool file_set_has(const file_set *s, const struct stat *st);
/* Takes a place for an output: the name in its folder. False: it is taken. */
bool file_set_claim(file_set *s, const char *path);

#endif
