/* CUDA text as tokens: as much of C++ as the static checks need. */
#ifndef WEFT_GPU_CUDA_TOKEN_H
#define WEFT_GPU_CUDA_TOKEN_H

#include "base/ctx.h"

typedef struct cuda_token {
    char kind; /* 'n' a name, '0' a number, 's' a string or character, else the sign itself */
    uint32_t line, col;
    str text;
} cuda_token;

typedef struct cuda_tokens {
    const source *src;
    VEC(cuda_token) all; /* in the module arena; the last one has the kind 0 and no text */
} cuda_tokens;

/* Splits a text; comments, directives and later branches of #if are left out. Strings and comments
 * that do not end go to c->diags. */
void cuda_tokenize(ctx *c, const source *src, cuda_tokens *tokens);
span cuda_span(const cuda_tokens *tokens, const cuda_token *t);

#endif
