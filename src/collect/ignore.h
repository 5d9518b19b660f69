/* SPDX-License-Identifier: Apache-2.0 */
/* Which files git ignores, by the .gitignore files on the way to them. */
#ifndef WEFT_COLLECT_IGNORE_H
#define WEFT_COLLECT_IGNORE_H

#include "base/arena.h"
#include "base/str.h"

/* The patterns of one .gitignore, and those of the folders above. */
typedef struct ignore_rules {
    const struct ignore_rules *above;
    str text;    /* of the file */
    size_t base; /* bytes of the folder's path, with its last slash */
} ignore_rules;

/* The rules that hold in a folder: `above`, and those of its own .gitignore, if it has one. */
/* *error: an errno value where a file that is there for us cannot be read; else as it was. */
const ignore_rules *ignore_read(arena *a, const char *folder, const ignore_rules *above,
                                int *error);
/* The last pattern that matches decides; those of inner folders come last. */
bool ignore_has(const ignore_rules *r, str path, bool is_folder);

#endif
