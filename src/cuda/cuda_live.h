/* Liveness: which variables are read later. */
#ifndef WEFT_CUDA_LIVE_H
#define WEFT_CUDA_LIVE_H

#include "cuda/cuda_fn.h"

typedef struct cuda_live {
    cuda_fn *f;
    uint32_t words;
    uint64_t *now;
    uint64_t *after_loop, *at_head, *at_end;
    bool strong; /* what statements without effect read does not count */
    bool prune;  /* drop statements without effect */
    /* called before a statement's own effect on `now` is taken into account; may be NULL */
    void (*visit)(struct cuda_live *l, const cs *s);
    void *arg;
} cuda_live;
static inline bool live_has(const uint64_t *set, uint32_t v)
{
    return set[v / 64] >> v % 64 & 1;
}
void cuda_live_walk(cuda_live *l);
/* Counts how often each variable is read and written: cv.uses, cv.defs. */
void cuda_count(cuda_fn *f);

#endif
