/* The passes over a function's tree, in order. */
#include "cuda/cuda_pass.h"

void cuda_simplify(cuda_fn *f)
{
    f->job->line = 0; /* what passes make belongs to no line */
    cuda_shape(f);
    cuda_prune(f);
}

void cuda_run_passes(cuda_fn *f)
{
    cuda_free_counters(f);
    cuda_split(f);
    cuda_sink(f);
    cuda_fold(f);
    cuda_branch(f);
    cuda_sweep(f);
    cuda_late(f);
    cuda_join(f);
    cuda_sweep(f);
    cuda_split(f);
    cuda_note_uses(f);
    cuda_place(f);
    cuda_note_counters(f);
}
