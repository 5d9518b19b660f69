/* SPDX-License-Identifier: Apache-2.0 */
/* The files of certain endings in a folder and below it, in the order of their names: for commands
 * that take folders.
 *
 *     kernels/ with b.cu, a/x.cu, notes.txt   ->   kernels/a/x.cu, kernels/b.cu */
#ifndef WEFT_BASE_FOLDER_WALK_H
#define WEFT_BASE_FOLDER_WALK_H

#include "base/arena.h"

/* The caller's functions; `job` is their first argument. */
typedef struct folder_walk {
    arena *a;                   /* of the paths, which the caller may keep */
    const char *const *endings; /* of the files that are taken; the last one is NULL */
    void (*file)(void *job, const char *path);
    void (*fail)(void *job, const char *path, int error); /* it cannot be read, by errno */
    bool (*stopped)(void *job);                           /* true: the walk ends */
    void *job;
    void (*enter)(void *job); /* before a folder is read; may be NULL */
} folder_walk;

/* Does the path end so? The whole path may be the end. */
bool path_ends_with(const char *path, const char *end);
/* By its ending: JSON lines, packed or not? */
bool path_is_json_lines(const char *path);
/* What is at the path; 0 or an errno value. What is not there is no folder, and no error: it is
 * reported when it is opened. */
int path_is_folder(const char *path, bool *is_folder);
/* Is the path itself a symbolic link? */
bool path_is_link(const char *path);
/* May a walk read it: a file, no pipe or device? True, too, if it cannot be looked at. */
bool path_is_readable_kind(const char *path);
/* Names that begin with a dot, folders behind links, pipes and devices are left out; `folder` may
 * be a link itself. True: there was a file, or `fail` was called. */
bool folder_walk_run(const folder_walk *w, const char *folder);

#endif
