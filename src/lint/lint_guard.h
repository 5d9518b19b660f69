/* Does a kernel ask which thread it is, and compare that with a bound? By names: what the thread's
 * index flows into is followed through assignments, functions and macros of the text. Where code
 * that is not in the text may do it, nothing is said. */
#ifndef WEFT_GPU_CUDA_GUARD_H
#define WEFT_GPU_CUDA_GUARD_H

#include "gpu/cuda_token.h"

typedef struct cuda_range { /* tokens, the end exclusive */
    uint32_t from, to;
} cuda_range;

typedef struct cuda_guard {
    ctx *c;
    const cuda_tokens *tokens;
    uint32_t nnames;
    uint8_t *names; /* by id of a symbol: bits that cuda_guard.c knows */
} cuda_guard;

/* Reads the functions and macros of a text whose brackets are balanced. */
void cuda_guard_init(cuda_guard *g, ctx *c, const cuda_tokens *tokens);
/* Is the name at token i a macro of the text? */
bool cuda_guard_is_macro(const cuda_guard *g, uint32_t i);
/* Adds remarks on a kernel to c->diags; `name` is the token of its name. */
void cuda_guard_check(cuda_guard *g, uint32_t name, cuda_range params, cuda_range body);

#endif
