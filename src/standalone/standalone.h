/* Programs that stand alone: one kernel as a .cu file with a host that fills its arrays, launches
 * it and compares what comes out with what weft's interpreter computed. It needs nothing but the
 * CUDA runtime, or a C++ compiler and cuda_on_cpu.h. */
#ifndef WEFT_STANDALONE_STANDALONE_H
#define WEFT_STANDALONE_STANDALONE_H

#include "check/check.h"
#include "cuda/cuda.h"
#include "driver/pipeline.h"

enum { STANDALONE_ELEMENTS_MAX = 65536 };

typedef struct standalone_subject {
    const program *program;
    const kernel *kernel;
    const ir_module *ir;
    str launch;            /* "n,m": the promise of the kernel, with `args`; empty: not known */
    const check_arg *args; /* one for each parameter */
    str backward;          /* Warp's backward text, CUDA or CPU; empty: no gradients */
    str forward;           /* its forward text, for what the interpreter cannot execute; or empty */
    const char
        *differs;      /* why Warp's gradient is not the derivative; NULL: it is, or nobody knows */
    str file;          /* of the Python source, for the head: "saxpy.py" */
    str name;          /* of the program's files: NAME.cu, and the programs NAME and NAME_cpu */
    uint32_t elements; /* about how many threads it launches, up to STANDALONE_ELEMENTS_MAX; 0: some
                          280 */
} standalone_subject;

typedef struct standalone_program {
    str cu, makefile;
    str forward_name, backward_name; /* of its kernels */
    const cuda_kernel *kernel;       /* in c->module */
    int launch_dim;
    int64_t launch[LAUNCH_DIMS];
    uint32_t expected;    /* numbers that the program compares; 0: it has nothing to compare with */
    bool backward;        /* has a backward kernel */
    bool hangs;           /* a rounding may send a thread another way: another machine may fail */
    const char *why_none; /* why there is nothing to compare with; or NULL */
    double tolerance;     /* the largest of its comparisons */
} standalone_program;

/* False: the kernel has no form of its own; told in c->diags. Texts live in c->module. Must run
 * inside mem_try. */
bool standalone_make(ctx *c, const standalone_subject *s, standalone_program *out);

#define STANDALONE_SHIM "cuda_on_cpu.h"
/* The text of cuda_on_cpu.h. */
void standalone_put_shim(strbuf *out);

#endif
