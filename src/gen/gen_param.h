/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of the kernel, and dimensions of its arrays and its launch. A dimension is a symbol
 * with a letter. An index is a variable that ranges over it, or is made to fit by a guard, a clamp
 * or a remainder, so no index leaves its array whatever the sizes are:
 *
 *     shape "n,m"  ->  x[i, j] with i below n and j below m; x[wp.min(i + 1, n - 1), j]
 *
 * Why threads do not race: a thread reads ARG_IN anywhere and never writes it; it reads and writes
 * only its own element of ARG_OWN; ARG_ATOMIC arrays are touched by atomics of one kind alone,
 * whose order does not matter. */
#ifndef WEFT_GEN_GEN_PARAM_H
#define WEFT_GEN_GEN_PARAM_H

#include "gen/gen_scope.h"

enum { DIMS_MAX = 12 };

/* A dimension of the launch; of an array, any size up to 2^LOG_DIM; of an array, this size. */
typedef enum dim_kind {
    DIM_LAUNCH, /* as many threads as the caller launches */
    DIM_FREE,   /* any size; promised by a letter */
    DIM_FIXED   /* gdim.size */
} dim_kind;

/* A dimension: one size that several arrays and the launch may share. */
typedef struct gdim {
    uint8_t kind;
    uint8_t size;        /* DIM_FIXED */
    char letter;         /* in shapes */
    str text;            /* how the source says it: "n", "x.shape[1]"; empty: no way yet */
    uint8_t owner, axis; /* an array that has it (argument + 1; 0: none), and where */
} gdim;

/* What the kernel may do with an argument. Scalars come first: mode > ARG_DIM is an array,
 * ARG_STRUCT aside. */
typedef enum arg_mode {
    ARG_SCALAR,
    ARG_DIM, /* an integer that is a dimension */
    ARG_STRUCT,
    ARG_IN,         /* read everywhere */
    ARG_OWN,        /* each thread reads and writes its own element */
    ARG_ATOMIC,     /* atomics only */
    ARG_STRUCTS_IN, /* arrays of structs, read */
    ARG_STRUCTS_OUT /* and written: each thread its own element */
} arg_mode;

/* An argument. The signature is written last, from these. */
typedef struct garg {
    str name;
    gtype t;               /* element type of arrays */
    uint8_t mode, rank;    /* rank: 0 of scalars */
    uint8_t dim[RANK_MAX]; /* arrays: indexes of gen_params.dims; ARG_DIM: which; ARG_STRUCT: the
                              type's index in gen_names.taken */
    uint8_t op; /* ARG_ATOMIC: which atomic; one per array, so that the order of threads is free;
                   ATOMIC_OPS: exchanges. Arrays of structs: which record */
    int8_t mag; /* callers pass |x| <= 2^mag */
} garg;

/* All arguments, and what the body may still add. */
typedef struct gen_params {
    garg args[GEN_ARGS_MAX];
    gdim dims[DIMS_MAX];
    uint32_t nargs, ndims;
    uint8_t launch_dims;
    uint8_t inputs;  /* input arrays wanted */
    uint8_t scalars; /* scalar arguments wanted */
    uint8_t goal;    /* the argument where results go */
} gen_params;

/* Are its elements structs? Then `op` is the number of the struct in gen_defs.records. */
static inline bool is_record_array(const garg *a)
{
    return a->mode == ARG_STRUCTS_IN || a->mode == ARG_STRUCTS_OUT;
}

#endif
