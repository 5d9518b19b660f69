/* The passes over a function's tree. cuda_pass.c has the table of them, in order. */
#ifndef WEFT_CUDA_PASS_H
#define WEFT_CUDA_PASS_H

#include "cuda/cuda_fn.h"

/* What holds of a tree from some pass on, as no pass takes it back; cuda_verify checks it. */
enum cuda_state {
    CUDA_STRUCTURED = 1,   /* there is no goto and no label */
    CUDA_OWN_COUNTERS = 2, /* a loop's counter is set by its loop alone, and not read behind it */
    CUDA_MARKED = 4,       /* variables that the text names are marked (cv.mentioned) */
    CUDA_DECLARED = 8      /* each variable has a name and one declaration before its uses, and
                              cv.uses and cv.defs count them */
};

/* What a pass does not change; cuda_verify checks it, and always that memory is touched in the same
 * order. */
enum cuda_kept {
    CUDA_KEEPS_VALUES = 1,  /* what writes memory or prints is not left out */
    CUDA_KEEPS_SUMS = 2,    /* and neither is what adds to gradients */
    CUDA_KEEPS_ORIGINS = 4, /* no operand reads what another statement sets than before */
    CUDA_KEEPS_READS = 8    /* and none reads fewer */
};

typedef struct cuda_pass {
    char letter; /* of a dump */
    const char *name;
    void (*run)(cuda_fn *f);
    unsigned needs, gives; /* sets of cuda_state */
    unsigned keeps;        /* set of cuda_kept */
} cuda_pass;

/* Those that come before it is known whether the function's loops may stay loops. */
void cuda_simplify(cuda_fn *f);
/* All others. */
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
void cuda_mark_usage(cuda_fn *f);       /* cuda_usage.c */
void cuda_declare(cuda_fn *f);          /* cuda_declare.c */
void cuda_mark_counters(cuda_fn *f);    /* cuda_index.c */

#endif
