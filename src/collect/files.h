/* SPDX-License-Identifier: Apache-2.0 */
/* The Python files behind the operands of weft collect. */
#ifndef WEFT_COLLECT_FILES_H
#define WEFT_COLLECT_FILES_H

#include "base/arena.h"
#include "base/str.h"
#include "base/str_map.h"
#include "base/vec.h"
#include "collect/license.h"

/* A Python file, and where it comes from. */
typedef struct collect_file {
    const char *path; /* to read */
    size_t base;      /* bytes of path before what is shown */
    str shown;        /* within its folder or package: provenance.path */
    str package, version, license;
    str repository;     /* its address, or empty */
    str text;           /* read by collect_run, for calls of what other files define; else empty */
    const char *unread; /* without a licence: the file that may hold one, as weft cannot tell */
    str custom;         /* as license_found has it */
    license_found around; /* what holds above the folder or package that was given */
} collect_file;

typedef struct collect_files {
    VEC(collect_file) files;
    str_map known;      /* by their paths, as operands may overlap */
    int error;          /* a licence could not be read: an errno value, */
    const char *failed; /* and of which file */
    bool (*progress)(void *arg, uint64_t done, uint64_t of); /* files so far, of 0; may be NULL */
    void *arg;
} collect_files;

/* Adds the files of a file, a folder, or an installed package of this name, sorted by name. 0, or
 * an errno value; ENOENT: there is neither. `dirs` are searched for packages before those of
 * VIRTUAL_ENV and of the system's python3. */
int files_add(collect_files *l, arena *a, const char *operand, const char *const *dirs,
              size_t ndirs);
/* A path as a set states it, which is the same wherever the folder lies: within the folder or
 * package of `own`; of what lies elsewhere the name. */
str files_shown(const collect_file *own, const char *path);
/* The licence of a file at an absolute path that a kernel of `own` needs: of one that comes with
 * it, as if it had been found itself. */
license_found files_license_of(arena *a, const collect_file *own, const char *path);
/* The folders in which packages are searched: `dirs` and those behind them. */
uint32_t files_site_folders(arena *a, const char *const *dirs, size_t ndirs,
                            const char *const **out);

#endif
