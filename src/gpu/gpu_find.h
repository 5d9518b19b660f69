/* SPDX-License-Identifier: Apache-2.0 */
/* Where parts of CUDA, and of an installed warp-lang, are on this machine: Python's site-packages,
 * toolkits, PATH. Nothing is executed for it and nothing is needed; what is not there is NULL. */
#ifndef WEFT_GPU_GPU_FIND_H
#define WEFT_GPU_GPU_FIND_H

#include "base/vec.h"

/* Folders to look in, each list in the order of the search. */
typedef struct gpu_places {
    VEC(const char *) site;    /* site-packages folders, nearest first */
    VEC(const char *) toolkit; /* roots of CUDA toolkits: CUDA_HOME, CUDA_PATH, the usual one */
} gpu_places;

/* `named` folders come first: site-packages that the user names. Then that of VIRTUAL_ENV, of the
 * python3 on PATH, and the user's own. Everything lives in a. */
void gpu_places_find(gpu_places *p, arena *a, const char *const *named, uint32_t n);
/* Warp's native headers: the folder that holds builtin.h, below one of the site-packages. */
const char *gpu_find_warp(const gpu_places *p, arena *a);
/* The version of warp-lang that such a folder of headers belongs to, or NULL. */
const char *gpu_warp_version(arena *a, const char *headers);
/* A folder of CUDA's own headers (cuda_fp16.h and the like), of a toolkit or a wheel. */
const char *gpu_find_headers(const gpu_places *p, arena *a);
/* The version of CUDA that such a folder belongs to ("13.0"), or NULL. */
const char *gpu_headers_version(arena *a, const char *headers);
/* A program on PATH, or in a toolkit's bin. */
const char *gpu_find_program(const gpu_places *p, arena *a, const char *name);

#endif
