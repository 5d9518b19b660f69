/* SPDX-License-Identifier: Apache-2.0 */
/* A file that appears whole, durably, or not at all. It is written under a temporary name in its
 * folder, synced, renamed, and then the folder is synced:
 *
 *     out/part-0.jsonl   ->   out/.part-0.jsonl.part   ->   out/part-0.jsonl
 *
 * A reader never sees half a file, and a run that was cut off leaves the old one. */
#ifndef WEFT_BASE_ATOMIC_FILE_H
#define WEFT_BASE_ATOMIC_FILE_H

#include "base/arena.h"
#include "base/str.h"

typedef struct atomic_file {
    int fd, error;           /* -1: closed; errno of the first failure, or 0 */
    const char *path, *temp; /* the final and the temporary name; temp is in the arena given */
} atomic_file;

/* These functions return 0 or an errno value; after a failure the later calls return it too. The
 * temporary name is ".NAME.part", for folders that one process alone writes to: what an earlier
 * run left there is overwritten. `path` must outlive f. */
int atomic_file_open(atomic_file *f, arena *a, const char *path);
/* The same in a new file, where a program of the earlier run may still write to the old one. */
int atomic_file_renew(atomic_file *f, arena *a, const char *path);
/* The same under a temporary name that no file has (".weft-PID-N.part"), for any folder. */
int atomic_file_create(atomic_file *f, arena *a, const char *path);
/* Appends text to the temporary file. */
int atomic_file_write(atomic_file *f, str text);
/* Gives the file its name; `durable`: survives a power cut from here on. */
int atomic_file_commit(atomic_file *f, bool durable);
/* Removes what was written; after commit it does nothing. */
void atomic_file_discard(atomic_file *f);

/* Opens, writes and commits a file, under the temporary name of atomic_file_open. */
int atomic_file_put(arena *a, const char *path, str text, bool durable);
/* mkdir -p, durably; 0 or errno. */
int make_folders(arena *a, const char *path);
/* Writes all of text to a descriptor; 0 or errno. */
int write_fully(int fd, str text);
/* The same for what may be a pipe or a terminal: EINTR if m->waiting ends the wait for the reader.
 */
int write_until(int fd, str text, const mem *m);

#endif
