/* SPDX-License-Identifier: Apache-2.0 */
/* A split, or what deduplication left, of a set of programs: OUTPUT/SPLIT/ID_CATEGORY/. */
#ifndef WEFT_CURATE_SPLIT_BUNDLE_H
#define WEFT_CURATE_SPLIT_BUNDLE_H

#include "base/sha256.h"
#include "curate/split_set.h"
#include "store/dataset_files.h"

/* Sums over the programs copied so far, for the manifest. */
typedef struct split_bundles {
    sha256 hash[SPLITS_MAX]; /* of what was written, by part */
    uint64_t bytes[SPLITS_MAX];
    const char *last; /* name of the folder that was written last */
} split_bundles;

void split_bundles_init(split_bundles *s);
/* Copies a program. 0; an errno value about *path; or STATUS_BROKEN with *path and a sentence.
 * Paths are in a. */
int split_bundles_put(split_bundles *s, arena *a, const split_options *o, uint32_t part,
                      const char *folder, const char **path, const char **why);
/* Writes the header for programs without CUDA (cuda_on_cpu.h), where the first set has it; then
 * brings all files to the disk. 0, or an errno value about *path. */
int split_bundles_end(arena *a, const split_options *o, const char **path);
/* Removes the copies of the programs in the list. */
void split_bundles_undo(arena *a, const split_options *o, const dataset_list *list);

#endif
