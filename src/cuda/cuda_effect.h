/* SPDX-License-Identifier: Apache-2.0 */
/* Effects of expressions and statements: what running them does to the world, so that passes know
 * what they may move past what. */
#ifndef WEFT_CUDA_EFFECT_H
#define WEFT_CUDA_EFFECT_H

#include "cuda/cuda_fn.h"

/* What evaluating does besides reading variables. */
enum {
    CX_READS_MEMORY = 1,
    CX_WRITES_MEMORY = 2,
    CX_READS_GRADIENT = 4, /* gradients share no memory with values */
    CX_WRITES_GRADIENT = 8,
    CX_PRINTS = 16,
    CX_WRITES_VARS = 32
};
/* Fills job->acts, by function of the module: does it store, print or assert? Needs: job->m. */
void cuda_note_effects(cuda_job *job);
/* A set of the above, with those of its operands; e may be NULL. */
unsigned cx_effects(const cuda_fn *f, const cx *e);
/* Those of the operation alone, without its operands'. */
unsigned cx_own_effects(const cuda_fn *f, const cx *e);
/* Those of the statement itself, without inner statements. */
unsigned cs_effects(const cuda_fn *f, const cs *s);
/* Those of the assignment alone, without what it evaluates. */
unsigned cs_store_effects(const cuda_fn *f, const cs *s);
/* Does the statement bind a local reference to a place? It then names the place without a load. */
bool cs_binds(const cuda_fn *f, const cs *s);

#endif
