/* SPDX-License-Identifier: Apache-2.0 */
/* The Python files behind the operands of weft collect. */
#ifndef WEFT_COLLECT_FILES_H
#define WEFT_COLLECT_FILES_H

#include "base/vec.h"
#include "collect/collect_kernel.h"

typedef struct collect_files {
    VEC(collect_file) files;
    bool (*progress)(void *arg, uint64_t done, uint64_t of); /* files so far, of 0; may be NULL */
    void *arg;
} collect_files;

/* Adds the files of a file, a folder, or an installed package of this name, sorted by name. 0, or
 * an errno value; ENOENT: there is neither. `dirs` are searched for packages before those of
 * VIRTUAL_ENV and of the system's python3. */
int files_add(collect_files *l, arena *a, const char *operand, const char *const *dirs,
              size_t ndirs);
/* The folders in which packages are searched: `dirs` and those behind them. */
uint32_t files_site_folders(arena *a, const char *const *dirs, size_t ndirs,
                            const char *const **out);

#endif
