/* SPDX-License-Identifier: Apache-2.0 */
/* What tests tell the stand-in for libcuda, and what it tells them. */
#ifndef WEFT_TESTS_FAKE_CUDA_H
#define WEFT_TESTS_FAKE_CUDA_H

#include <stdbool.h>
#include <stdint.h>

typedef struct fake_cuda {
    int devices, version, init;             /* what it claims; init: what cuInit gives */
    int fail_at, code;                      /* the call that fails, from 1; 0: none; and how */
    bool hangs;                             /* kernels do not end */
    bool sticky;                            /* every call after it fails too */
    int broken, calls;                      /* so far */
    int contexts, modules, events, buffers; /* held */
    int loads, launches;                    /* so far */
    uint64_t threads;                       /* launched */
} fake_cuda;

fake_cuda *fake_cuda_state(void);

#endif
