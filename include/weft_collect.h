/* SPDX-License-Identifier: Apache-2.0 */
/* weft as a library: real kernels collected into a data set. Beside weft.h, whose rules hold here
 * too. */
#ifndef WEFT_COLLECT_H
#define WEFT_COLLECT_H

#include "weft.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_collect_options {
    size_t size;                                      /* sizeof(weft_collect_options) */
    const char *output;                               /* the folder: empty, or not there yet */
    const char *const *include_dirs, *const *exclude; /* dirs: of imports and packages */
    size_t include_dir_count,
        exclude_count; /* exclude, and what follows: as in weft_generate_options */
    /* "mit,apache-2.0": only kernels under these, which SPDX has; NULL: under any known */
    const char *licenses;
    const char *license; /* of the card; NULL: other */
    double near;
    uint64_t shard_rows;
    uint32_t devices, jobs;
    int no_backward, no_verify, compress;
    int messages;      /* conversations about pairs instead of pairs */
    const char *tasks; /* of conversations, and `warp`: as in weft_generate_options */
    const char *warp;
    int resume;   /* go on with a run that was stopped; the same command and files */
    int format;   /* WEFT_JSONL, WEFT_FILES, WEFT_STANDALONE or WEFT_PARQUET */
    int cpu_shim; /* of programs: with cuda_on_cpu.h beside them */
} weft_collect_options;

typedef struct weft_collected {
    size_t size;                /* sizeof(weft_collected) */
    uint64_t files, unlicensed; /* found; of these, left out for their licence */
    uint64_t kernels, records;  /* found; of these, written */
    double seconds;
    weft_count skipped[16],
        proofs[8]; /* kernels that are no record, by reason; records, by status */
    size_t skipped_count, proof_count;
    int complete;      /* with resume: the set was there already */
    uint64_t unloaded; /* files that do not load: a syntax error, or they may not be read */
} weft_collected;

/* `weft collect`: kernels of files, folders and packages as records whose source stands alone. */
WEFT_API weft_status weft_collect(const char *const *paths, size_t count,
                                  const weft_collect_options *options,
                                  const weft_callbacks *callbacks, weft_collected *out);

#ifdef __cplusplus
}
#endif

#endif
