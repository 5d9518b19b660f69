/* The passes over the tree, in the order of cuda_pass.c. */
#ifndef WEFT_CUDA_PASS_H
#define WEFT_CUDA_PASS_H

#include "cuda/cuda_fn.h"

void cuda_simplify(cuda_fn *f); /* the passes that come first */
void cuda_run_passes(cuda_fn *f);

/* cuda_structurize.c: jumps become structure, merges assignments */
void cuda_structurize(cuda_fn *f);
void cuda_split_counters(cuda_fn *f);
/* cuda_live.c: what has no effect goes */
void cuda_prune_adjoints(cuda_fn *f);
void cuda_remove_dead(cuda_fn *f); /* what nobody reads any more goes */
/* cuda_split.c: variables that blocks use on their own become several */
void cuda_split(cuda_fn *f);
/* cuda_zero.c: zeroes of adjoints move to their first use */
void cuda_place_zeroes(cuda_fn *f);
/* cuda_fold.c: temporaries go into the expressions that use them */
void cuda_fold(cuda_fn *f);
/* cuda_sink_sums.c: contributions are added in the branch that makes them */
void cuda_sink_sums(cuda_fn *f);
/* cuda_schedule.c: a variable changes when nobody asks for what it was any more */
void cuda_schedule_updates(cuda_fn *f);
/* cuda_coalesce.c: variables that may share storage and have one name become one */
void cuda_coalesce(cuda_fn *f);
/* cuda_usage.c: which variables and arrays the text names and writes */
void cuda_mark_usage(cuda_fn *f);
/* cuda_declare.c: where each is declared; its name */
void cuda_declare(cuda_fn *f);
/* cuda_index.c: which variables of loops are never negative */
void cuda_mark_counters(cuda_fn *f);

#endif
