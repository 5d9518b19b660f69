/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels as plain CUDA C++: functions over pointers, sizes and small structs, without Warp's
 * headers. The text is made from the intermediate form, forward and backward, so it means what
 * Warp's text means. Of
 *
 *     @wp.kernel
 *     def saxpy(x: wp.array(dtype=float), y: wp.array(dtype=float), a: float):
 *         i = wp.tid()
 *         y[i] = a * x[i] + y[i]
 *
 * cuda_kernel.forward is
 *
 *     __global__ void saxpy(const float *x, float *y, float a, int n)
 *     {
 *         const int i = blockIdx.x * blockDim.x + threadIdx.x;
 *         if (i >= n) return;
 *
 *         y[i] = a * x[i] + y[i];
 *     }
 *
 * Stages, each with its files: the module's lists are read into trees (cuda_read.c,
 * cuda_adjoint.c), passes rewrite the trees (cuda_pass.c lists them), and the trees are printed
 * (cuda_print.c) with the definitions that they use (src/cudarule). All results live in c->module.
 * For src/standalone, which adds a host, and src/launch, which compiles and runs the kernel. */
#ifndef WEFT_CUDA_CUDA_H
#define WEFT_CUDA_CUDA_H

#include "cudarule/cudarule_text.h"
#include "ir/ir.h"

/* What a parameter of a kernel, or a member of a struct, is to a host that fills it. */
typedef enum cuda_param_kind {
    CUDA_PARAM_LAUNCH,      /* int: launch size of dimension `dim` */
    CUDA_PARAM_POINTER,     /* T *: the elements of an array */
    CUDA_PARAM_SIZE,        /* int: the array's size in dimension `dim` */
    CUDA_PARAM_STRIDE,      /* int: elements from one index of dimension `dim` to the next; the last
                               dimension has none, it is 1 */
    CUDA_PARAM_INDICES,     /* const int *: wp.indexedarray's list for dimension `dim`, or null */
    CUDA_PARAM_VALUE,       /* a scalar, vector or struct by value */
    CUDA_PARAM_ADJ_POINTER, /* T *: the gradients of the array's elements */
    CUDA_PARAM_ADJ_VALUE /* a struct with arrays: its copy whose pointers are those of gradients */
} cuda_param_kind;

/* One parameter of a kernel, or one member of a struct, in the order of the text. */
typedef struct cuda_param {
    cuda_param_kind kind;
    uint32_t arg; /* which parameter of the Python kernel, or which field of the Python struct */
    uint32_t dim; /* LAUNCH, SIZE, STRIDE, INDICES: 0 is the outermost */
    const type *type; /* of the value; of an array's elements; NULL: int */
    str type_text;    /* "const float *", "int", "vec3", "Particle": as it stands before the name */
    str item;         /* pointers: the type of what they point to, "float" */
    str name;
    bool is_const; /* pointers: nothing is written through it */
} cuda_param;

/* A Python struct. A field that is an array becomes a pointer, its sizes and its strides; every
 * other field is a VALUE. */
typedef struct cuda_struct {
    const struct_def *def;
    str name;
    const cuda_param *members;
    uint32_t nmembers;
} cuda_struct;

/* How a launch's threads are divided into blocks. */
typedef enum cuda_blocks {
    CUDA_BLOCKS_COVER, /* blocks of any size cover the launch */
    CUDA_BLOCKS_TILED, /* one block for each index, as wp.launch_tiled has them */
    CUDA_BLOCKS_LANES  /* one for each index without the last, which is the thread within it */
} cuda_blocks;

/* A kernel's text in parts. A program has them in this order: definitions, functions, kernels. */
typedef struct cuda_kernel {
    str definitions;       /* types, their operators, small device functions; may be empty */
    str functions;         /* structs and device functions of the program; may be empty */
    str forward, backward; /* backward: empty if the caller or the kernel does without */
    str forward_name, backward_name;
    VEC(cuda_param) forward_params, backward_params;
    VEC(const cuda_struct *) structs; /* inner ones first */
    int launch_dim;   /* 1..4. Up to 3: the last dimension is the grid's x, the one before it y, the
                         first of three z; 4: all are counted along x */
    unsigned externs; /* 1 << cuda_extern: names of headers that the text has */
    unsigned objects; /* CUDA_OBJECT_... of cudarule_object.h: what uint64 parameters point to */
    bool asserts;     /* needs assert.h */
    bool meets;       /* threads of a block wait for each other */
    cuda_blocks blocks;
    int64_t tile_extent; /* the longest of all tiles; 0: there are none in shared memory */
} cuda_kernel;

/* The text of the kernel, and with `backward` that of its adjoint, if the kernel has one. p is the
 * program that has k. NULL after errors, which are in c->diags: what has no plain CUDA form is an
 * error at its line (DIAG_NO_STANDALONE), too much work one at the kernel (DIAG_TOO_MUCH_WORK). */
const cuda_kernel *cuda_kernel_make(ctx *c, const program *p, const kernel *k, bool backward);
/* The same where some index may be counted from an array's end, as Warp does with negative ones:
 * each index that may be negative is checked. */
const cuda_kernel *cuda_kernel_make_wrapping(ctx *c, const program *p, const kernel *k,
                                             bool backward);
/* Types, device functions and the forward kernel, as they stand in a program; empty, without
 * diagnostics, where the kernel has no form. lowered: what lower_kernel gives for k; NULL: it is
 * not there yet. */
str cuda_plain_source(ctx *c, const program *p, const kernel *k, const ir_module *lowered);
/* Letter i of cuda_dump_passes, and in *name its pass, in the order in which they run; some run
 * twice and have their letter twice. 0: there are no more. */
char cuda_pass_letter(uint32_t i, const char **name);
/* Appends the trees of the kernel's functions, forward and, with `backward`, reverse, after each
 * pass whose letter is among those. False after errors, which are in c->diags. */
bool cuda_dump_passes(ctx *c, const program *p, const kernel *k, bool backward, const char *letters,
                      strbuf *out);
/* Has the kernel's text the name? */
static inline bool cuda_kernel_uses(const cuda_kernel *k, cuda_extern x)
{
    return k->externs >> x & 1;
}
/* Definitions of the macros of math.h that the kernel's text uses: NVRTC has no such header. */
void cuda_put_rtc_macros(strbuf *b, const cuda_kernel *k);

/* The docstring of a function or kernel, without white space around it; empty: it has none. */
str cuda_docstring(const code *c);
/* Appends the text's lines as comments, each behind `indent`, without what compilers warn of. */
void cuda_put_comment(strbuf *b, str text, const char *indent);

#endif
