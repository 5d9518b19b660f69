/* SPDX-License-Identifier: Apache-2.0 */
/* NVIDIA's runtime compiler, found when it is needed: CUDA text to PTX. No header of CUDA is used;
 * the functions are declared here as NVRTC's documentation has them. Statuses are nvrtcResult: 0 is
 * success. */
#ifndef WEFT_GPU_NVRTC_H
#define WEFT_GPU_NVRTC_H

#include "base/dynlib.h"
#include "base/str.h"
#include "gpu/gpu_find.h"

/* 11.8 is the first that compiles for sm_90. */
enum { NVRTC_LEAST_MAJOR = 11, NVRTC_LEAST_MINOR = 8 };

typedef struct nvrtc_program nvrtc_program;

/* The library and its functions. Only read between nvrtc_open and nvrtc_close, so threads may share
 * one. */
typedef struct nvrtc {
    dynlib lib;
    const char *path; /* as it was loaded */
    int major, minor; /* its version */
    bool cubin; /* it makes machine code (sm_NN): the driver is too old for PTX of its version */
    int (*create)(nvrtc_program **, const char *text, const char *name, int, const char *const *,
                  const char *const *);
    int (*compile)(nvrtc_program *, int n, const char *const *options);
    int (*destroy)(nvrtc_program **);
    int (*log_size)(nvrtc_program *, size_t *);
    int (*log)(nvrtc_program *, char *);
    int (*ptx_size)(nvrtc_program *, size_t *);
    int (*ptx)(nvrtc_program *, char *);
    const char *(*error_text)(int);
    bool ends_at_signals; /* set by callers: a signal ends the work, if there is set_flow */
    int (*cubin_size)(nvrtc_program *, size_t *); /* these five: NULL, if it has none */
    int (*get_cubin)(nvrtc_program *, char *);
    int (*arch_count)(int *);
    int (*archs)(int *);
    int (*set_flow)(nvrtc_program *, int (*stop)(void *, void *), void *);
} nvrtc;

/* Loads the first usable one of: WEFT_NVRTC (a file, or its folder, and then no other; "none": not
 * any), the wheels of `places`, toolkits, the system's loader. With newest > 0, a driver's version
 * (1000 * major + 10 * minor, as CUDA counts), only what that driver takes: PTX up to its version,
 * machine code of its major version. False: *why is one sentence in a. */
bool nvrtc_open(nvrtc *n, arena *a, const gpu_places *places, int newest, const char **why);
void nvrtc_close(nvrtc *n);
/* Does WEFT_NVRTC name a library? */
bool nvrtc_is_named(void);
/* The newest architecture that it compiles for and a device of this one runs (75 for 7.5); 0: none.
 */
int nvrtc_arch_for(const nvrtc *n, arena *a, int device);

/* What came of one compilation. */
typedef struct nvrtc_result {
    bool good;
    bool stopped; /* by a signal, which the caller's thread gets afterwards */
    str ptx;      /* if good; NUL-terminated; machine code, if n->cubin */
    str log;      /* errors and warnings of the compiler; may be empty */
} nvrtc_result;

/* Compiles `text`, called `name` in its messages. The results are in a. May run in many threads. */
nvrtc_result nvrtc_compile(const nvrtc *n, arena *a, const char *text, const char *name,
                           const char *const *options, uint32_t noptions);

#endif
