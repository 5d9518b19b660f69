/* The passes over a function's tree, in order. */
#include "cuda/cuda_pass.h"

void cuda_simplify(cuda_fn *f)
{
    f->job->line = 0; /* what passes make belongs to no line */
    cuda_structurize(f);
    cuda_prune_adjoints(f);
}

void cuda_run_passes(cuda_fn *f)
{
    cuda_split_counters(f);
    cuda_split(f);
    cuda_place_zeroes(f);
    cuda_fold(f);
    cuda_sink_sums(f);
    cuda_remove_dead(f);
    cuda_schedule_updates(f);
    cuda_coalesce(f);
    cuda_remove_dead(f);
    cuda_split(f);
    cuda_mark_usage(f);
    cuda_declare(f);
    cuda_mark_counters(f);
}
