/* SPDX-License-Identifier: Apache-2.0 */
/* The passes over a function's tree, from the tree as it was read to one that can be printed.
 * cuda_pass.c lists them in order. */
#ifndef WEFT_CUDA_PASS_H
#define WEFT_CUDA_PASS_H

#include "cuda/cuda_fn.h"

/* Properties of a tree. A pass establishes them and no later pass undoes them; cuda_verify checks
 * them. */
enum cuda_state {
    CUDA_STRUCTURED = 1,   /* there are no gotos and no labels */
    CUDA_OWN_COUNTERS = 2, /* only its loop sets a counter, and nothing reads it after the loop */
    CUDA_MARKED = 4,       /* cv.mentioned is set for the variables that the text names */
    CUDA_DECLARED = 8      /* each variable has a name and one declaration before its uses, and
                              cv.uses and cv.defs count them */
};

/* What a pass keeps. cuda_verify checks it, and for every pass that memory is accessed in the same
 * order. */
enum cuda_kept {
    CUDA_KEEPS_VALUES = 1,  /* no write to memory and no print is dropped */
    CUDA_KEEPS_SUMS = 2,    /* no addition to a gradient is dropped */
    CUDA_KEEPS_ORIGINS = 4, /* each operand reads definitions that it read before */
    CUDA_KEEPS_READS = 8    /* and all of them */
};

typedef struct cuda_pass {
    char letter; /* selects the pass in cuda_dump_passes */
    const char *name;
    void (*run)(cuda_fn *f);
    unsigned needs, gives; /* sets of cuda_state */
    unsigned keeps;        /* set of cuda_kept */
} cuda_pass;

/* Runs the first passes, whose result decides whether the function's loops can stay loops
 * (cuda_kernel.c). */
void cuda_simplify(cuda_fn *f);
/* Runs the other passes. Needs: cuda_simplify has run. */
void cuda_run_passes(cuda_fn *f);

/* cuda_structurize.c */
void cuda_structurize(cuda_fn *f);
void cuda_split_counters(cuda_fn *f);
/* cuda_live.c */
void cuda_prune_adjoints(cuda_fn *f);
void cuda_remove_dead(cuda_fn *f);
void cuda_split(cuda_fn *f);            /* cuda_split.c */
void cuda_place_zeroes(cuda_fn *f);     /* cuda_zero.c */
void cuda_fold(cuda_fn *f);             /* cuda_fold.c */
void cuda_sink_sums(cuda_fn *f);        /* cuda_branch.c */
void cuda_schedule_updates(cuda_fn *f); /* cuda_schedule.c */
void cuda_coalesce(cuda_fn *f);         /* cuda_coalesce.c */
void cuda_name_tables(cuda_fn *f);      /* cuda_table.c */
void cuda_mark_usage(cuda_fn *f);       /* cuda_usage.c */
void cuda_declare(cuda_fn *f);          /* cuda_declare.c */
void cuda_mark_counters(cuda_fn *f);    /* cuda_index.c */

#endif
