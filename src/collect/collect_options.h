/* SPDX-License-Identifier: Apache-2.0 */
/* What a run of weft collect is asked for. */
#ifndef WEFT_COLLECT_COLLECT_OPTIONS_H
#define WEFT_COLLECT_COLLECT_OPTIONS_H

#include "record/record_options.h"

typedef struct collect_options {
    record_options record; /* devices, no_verify, near, exclude, compress, jobs, output, ... */
    const char *const *paths;
    size_t npaths;
    const char *const *dirs; /* where imports and packages are searched */
    size_t ndirs;
    const char *licenses; /* "mit,apache-2.0": only these; NULL: all that are known */
    bool resume;          /* take what an earlier run of this command has made */
    bool (*progress)(void *arg, uint64_t done, uint64_t of); /* files; false: stop */
    void *arg;
} collect_options;

#endif
