/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are left out for their licence: how many there are, and why, in words.
 *
 *     "none of --licenses: the first has MIT; that of 2 others is not known: ..." */
#ifndef WEFT_COLLECT_UNLICENSED_H
#define WEFT_COLLECT_UNLICENSED_H

#include "collect/collect_outcome.h"
#include "collect/files.h"

typedef struct unlicensed_files {
    str unwanted;             /* the licence of the first file that --licenses leaves out */
    VEC(const char *) unread; /* licence files that are not recognised */
} unlicensed_files;

/* Why nothing of a file may be taken. */
const char *unlicensed_why(arena *a, const collect_file *file);
/* Counts a file in *r. */
void unlicensed_add(unlicensed_files *u, arena *a, collect_outcome *r, const collect_file *file);
/* After the last file: names the licence files in *r. */
void unlicensed_end(const unlicensed_files *u, arena *a, collect_outcome *r);
/* What the licence of all these files is: not wanted, or not known. */
const char *unlicensed_reason(const unlicensed_files *u, arena *a, const collect_outcome *r);

#endif
