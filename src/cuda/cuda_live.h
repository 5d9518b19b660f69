/* SPDX-License-Identifier: Apache-2.0 */
/* Liveness: which variables are read later. For passes that need it at each statement (`visit`),
 * and for removing dead code (`prune`). */
#ifndef WEFT_CUDA_LIVE_H
#define WEFT_CUDA_LIVE_H

#include "cuda/cuda_fn.h"

typedef struct cuda_live {
    cuda_fn *f;
    uint32_t words;                          /* of a set of variables */
    uint64_t *now;                           /* what is live at the statement that the walk is at */
    uint64_t *after_loop, *at_head, *at_end; /* what break, continue and return lead to */
    bool strong;                             /* reads of statements without effect do not count */
    bool prune;                              /* drop statements without effect */
    /* Called for each statement while `now` is what is live behind it (of a loop: at its head). May
     * be NULL. */
    void (*visit)(struct cuda_live *l, const cs *s);
    void *arg;
} cuda_live;
static inline bool live_has(const uint64_t *set, uint32_t v)
{
    return set[v / 64] >> v % 64 & 1;
}
/* Fill f, strong, prune, visit and arg; the rest is the walk's. Afterwards `now` is what is live at
 * the function's entry. */
void cuda_live_walk(cuda_live *l);
/* Counts how often each variable is read and written: cv.uses, cv.defs. */
void cuda_count(cuda_fn *f);

#endif
