/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that stand alone: one kernel as a .cu file with a host that fills its arrays, launches
 * it and compares what comes out with what weft's interpreter computed. It needs nothing but the
 * CUDA runtime, or a C++ compiler and cuda_on_cpu.h. An example of its use:
 *
 *     $ weft compile --emit standalone --no-backward --cpu-shim -o programs saxpy.py
 *     $ make -C programs/saxpy cpu && programs/saxpy/saxpy_cpu
 *     saxpy took 0.006 ms
 *     y                        largest error 0 of 6.4e-05 allowed
 *     PASS: largest error 0 */
#ifndef WEFT_STANDALONE_STANDALONE_H
#define WEFT_STANDALONE_STANDALONE_H

#include "check/check.h"
#include "cuda/cuda.h"
#include "driver/pipeline.h"

enum { STANDALONE_ELEMENTS_MAX = 65536 };

/* A kernel to make a program of. All is borrowed until standalone_make returns. */
typedef struct standalone_subject {
    const program *program;
    const kernel *kernel;
    const ir_module *ir;
    str launch;            /* "n,m": the promise of the kernel, with `args`; empty: not known */
    const check_arg *args; /* one for each parameter */
    str backward;          /* Warp's backward text, CUDA or CPU; empty: no gradients */
    str forward;           /* its forward text, for what the interpreter cannot execute; or empty */
    str mutated; /* the same without adjoints of functions, whose mutants judge inputs that nobody
                    promised; or empty */
    const char *differs; /* why Warp's gradient is not the derivative; NULL: it is, or the reason is
                            unknown */
    str file;            /* of the Python source, for the head: "saxpy.py" */
    str name;            /* of the program's files: NAME.cu, and the programs NAME and NAME_cpu */
    uint32_t elements; /* about how many threads it launches, up to STANDALONE_ELEMENTS_MAX; 0: some
                          280 */
} standalone_subject;

/* The program's texts and what the caller prints about it. Lives in c->module. */
typedef struct standalone_program {
    str cu, makefile;
    str forward_name, backward_name; /* of its kernels */
    const cuda_kernel *kernel;       /* in c->module */
    int launch_dim;
    int64_t launch[LAUNCH_DIMS];
    uint32_t expected; /* numbers that the program compares; 0: it has nothing to compare with */
    /* The program has a backward kernel and compares gradients. */
    bool backward;
    bool finite;          /* no NaN or infinity came out but those that the kernel itself writes */
    bool hangs;           /* a rounding may send a thread another way: another machine may fail */
    const char *why_none; /* why there is nothing to compare with; or NULL */
    /* The largest tolerance of its comparisons, relative to what is expected; 0 without floats. */
    double tolerance;
} standalone_program;

/* False: the kernel has no form of its own; c->diags has the reason. Texts live in c->module. Must
 * run inside mem_try. */
bool standalone_make(ctx *c, const standalone_subject *s, standalone_program *out);

#define STANDALONE_SHIM "cuda_on_cpu.h"
/* The text of cuda_on_cpu.h. */
void standalone_put_shim(strbuf *out);

#endif
