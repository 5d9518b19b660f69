/* SPDX-License-Identifier: Apache-2.0 */
/* A function on its way to plain CUDA C++ (cuda_fn), the program it belongs to (cuda_job), and how
 * other functions call it when it is finished (cuda_form). One cuda_job makes one kernel; each
 * function of the program, and each adjoint, is a cuda_fn from the reading of its list to the end
 * of its text. All of it lives in c->module, apart from the strbufs. */
#ifndef WEFT_CUDA_FN_H
#define WEFT_CUDA_FN_H

#include "base/str_map.h"
#include "cuda/cuda.h"
#include "cuda/cuda_node.h"

typedef struct cuda_job cuda_job;

/* A function of the program, or its adjoint, when its text is final. There is one for each function
 * of the module from cuda_make_functions on; before its text is made, only the name and
 * ninputs are set. */
typedef struct cuda_form {
    str name;            /* in the text: "weight", "adj_weight" */
    str text;            /* of the definition; empty: there is none */
    const ir_unit *u;    /* whose parameters it has; NULL: there is no such function */
    uint32_t ninputs;    /* of them those that the call passes first */
    const cv *params;    /* by parameter: `mentioned`, and of arrays which sizes, are passed */
    const cv *adjoints;  /* the same of its adjoint; reverse only */
    const bool *results; /* by result: the (adjoint of the) result is passed */
    VEC(struct cuda_form *) calls; /* by the text */
    cuda_uses uses;                /* definitions that the text needs */
    bool made;                     /* need_form has been here, whether there is a text or not */
    bool used;                     /* the program has it: a kernel calls it, or what one calls */
} cuda_form;

/* A function while its tree is read, rewritten and printed. */
typedef struct cuda_fn {
    ctx *c;
    cuda_job *job;
    const ir_unit *u;   /* its lists; of an adjoint those of the function */
    bool reverse;       /* the text is of its adjoint */
    uint32_t loops;     /* around the statement that is read */
    uint32_t nodes;     /* expressions and statements that were made: the last id */
    VEC(cv) vars;       /* n of the unit, their n adjoints, results, adjoints of results, others */
    cs_list body;       /* the tree */
    cx **named;         /* reading, by variable of the unit: the node for it; NULL: not met yet */
    cx **named_adj;     /* the same of its adjoint */
    const bool *active; /* reverse, by variable of the unit: its adjoint may be other than zero */
    uint32_t *range;    /* by variable: of a range, the first of its three variables for start, stop
                           and step; or CUDA_NO_VAR */
    bool *reversed;     /* by variable: the range runs backward */
    uint8_t *defined;   /* by variable: a definition has been read */
    cuda_form *form;    /* of the function; NULL: the kernel's forward or backward text */
    VEC(cuda_form *) calls; /* functions that the text calls, as they are printed */
    uint32_t walks;         /* of cuda_live_walk, so far */
    uint32_t tid[4]; /* kernels: the variables that are the thread's indexes, or CUDA_NO_VAR */
    str_map taken;   /* names of parameters, and those that no variable may have */
    struct cuda_tile **tiles; /* by variable of the unit: cuda_tile_place.h; NULL: no tiles */
    bool *needed_tiles;       /* reverse, the same: the replay computes the tile */
    strbuf out;
} cuda_fn;

/* The making of one kernel, forward and backward, with its functions. */
struct cuda_job {
    ctx *c;
    const ir_module *m;      /* the lowered program; loops of constant ranges are unrolled */
    const ir_module *rolled; /* without unrolling; NULL: that makes no difference, or cannot be */
    cuda_defs *defs;         /* definitions of types and functions that texts use */
    cuda_kernel *out;        /* the result */
    cuda_form *forward, *reverse; /* by function of the module */
    bool *acts;                   /* by function of the module: it stores, prints or asserts */
    VEC(cuda_form *) made;        /* each after those that it calls */
    VEC(const type *) tuples;     /* those that functions take, and the structs for them */
    str_map taken;                /* names at file scope that nothing hides */
    VEC(str) kernels;             /* names of the kernels, which a parameter may hide */
    VEC(cuda_uses) member_uses;   /* by struct: what its members' types need */
    bool failed;                  /* an error was reported: what follows is not printed */
    const code *making;           /* the function or kernel in work, for DIAG_TOO_MUCH_WORK */
    uint32_t line;                /* of the source, for new nodes and for errors; 0: none */
    uint32_t adj_line;            /* of the adjoint statement that is read; 0: it is none */
    const char *dump;             /* letters of passes, whose trees go to dump_out; NULL: none */
    strbuf *dump_out;
    bool wraps;        /* indices may be negative: they count from the end */
    bool shares_tiles; /* tiles are in shared memory (cuda_tile_launch.c) */
};

#endif
