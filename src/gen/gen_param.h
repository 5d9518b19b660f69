/* Arguments of the kernel and dimensions of its arrays. A dimension is a symbol; an index is a
 * variable that ranges over it, or is made to fit by a guard, a clamp or a remainder. Threads write
 * to their own element or atomically, and an array that is written is never read elsewhere. */
#ifndef WEFT_GEN_GEN_PARAM_H
#define WEFT_GEN_GEN_PARAM_H

#include "gen/gen_scope.h"

enum { DIMS_MAX = 12 };

typedef enum dim_kind { DIM_LAUNCH, DIM_FREE, DIM_FIXED } dim_kind;

typedef struct gdim {
    uint8_t kind;
    uint8_t size;        /* DIM_FIXED */
    char letter;         /* in shapes */
    str text;            /* how the source says it: "n", "x.shape[1]"; empty: no way yet */
    uint8_t owner, axis; /* an array that has it (argument + 1; 0: none), and where */
} gdim;

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

typedef struct garg {
    str name;
    gtype t; /* element type of arrays */
    uint8_t mode, rank, dim[RANK_MAX];
    uint8_t op; /* ARG_ATOMIC: which atomic; one per array, so that the order of threads is free;
                   ATOMIC_OPS: exchanges. Arrays of structs: which record */
    int8_t mag;
} garg;

typedef struct gen_params {
    garg args[GEN_ARGS_MAX];
    gdim dims[DIMS_MAX];
    uint32_t nargs, ndims;
    uint8_t launch_dims;
    uint8_t inputs;  /* input arrays wanted */
    uint8_t scalars; /* scalar arguments wanted */
    uint8_t goal;    /* the argument where results go */
} gen_params;

static inline bool is_record_array(const garg *a)
{
    return a->mode == ARG_STRUCTS_IN || a->mode == ARG_STRUCTS_OUT;
}

#endif
