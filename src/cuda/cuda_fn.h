/* A function on its way to plain CUDA C++ (cuda_fn), the program it belongs to (cuda_job), and how
 * other functions call it in the end (cuda_form). */
#ifndef WEFT_CUDA_FN_H
#define WEFT_CUDA_FN_H

#include "base/str_map.h"
#include "cuda/cuda.h"
#include "cuda/cuda_node.h"

typedef struct cuda_job cuda_job;

/* How a function of the program is called in the end. */
typedef struct cuda_form {
    str name, text;
    const ir_unit *u;    /* whose parameters it has; NULL: there is no such function */
    uint32_t ninputs;    /* of them those that the call passes first */
    const cv *params;    /* by parameter */
    const cv *adjoints;  /* by parameter; reverse only */
    const bool *results; /* by result: the (adjoint of the) result is passed */
    VEC(struct cuda_form *) calls;
    cuda_uses uses; /* what the text needs */
    bool used, made;
} cuda_form;

typedef struct cuda_fn {
    ctx *c;
    cuda_job *job;
    const ir_unit *u;
    bool reverse;   /* the text is of its adjoint */
    uint32_t nodes; /* expressions and statements that were made */
    VEC(cv) vars;   /* those of the unit, their adjoints, then others */
    cs_list body;
    cx **named;         /* by variable of the unit: what its label stands for */
    cx **named_adj;     /* and its adjoint's */
    const bool *active; /* by variable of the unit: its adjoint comes to something */
    uint32_t *range;    /* by variable: first of start, stop, step; or CUDA_NO_VAR */
    bool *reversed;     /* by variable: the range runs backward */
    uint8_t *defined;   /* by variable: a definition has been read */
    cuda_form *form;    /* of the function; NULL: the kernel's forward or backward text */
    VEC(cuda_form *) calls;
    uint32_t walks;  /* of cuda_live_walk, so far */
    uint32_t tid[4]; /* kernels: the variables that are the thread's indexes, or CUDA_NO_VAR */
    str_map taken;   /* names of parameters, and those that no variable may have */
    strbuf out;
} cuda_fn;

struct cuda_job {
    ctx *c;
    const ir_module *m;
    const ir_module *rolled; /* without unrolling; NULL: that makes no difference, or cannot be */
    cuda_defs *defs;
    cuda_kernel *out;
    cuda_form *forward, *reverse; /* by function of the module */
    bool *acts;                   /* by function of the module: it stores, prints or asserts */
    VEC(cuda_form *) made;        /* each after those that it calls */
    VEC(const type *) tuples;     /* those that functions take, and the structs for them */
    str_map taken;                /* names at file scope that nothing hides */
    VEC(str) kernels;             /* names of the kernels, which a parameter may hide */
    VEC(cuda_uses) member_uses;   /* by struct: what its members' types need */
    bool failed;
    const code *making; /* the function or kernel in work */
    uint32_t line;
    uint32_t adj_line; /* of the adjoint statement that is read; 0: it is none */
    const char *dump;  /* letters of passes, whose trees go to dump_out; NULL: none */
    strbuf *dump_out;
    bool wraps; /* indices may be negative: they count from the end */
};

#endif
