/* CUDA text as tokens: as much of C++ as the static checks need. */
#ifndef WEFT_GPU_CUDA_TOKEN_H
#define WEFT_GPU_CUDA_TOKEN_H

#include "base/ctx.h"

typedef struct cuda_token {
    char kind; /* 'n' a name, '0' a number, 's' a string or character, else the sign itself */
    uint32_t line, col;
    uint32_t other; /* an opening bracket: the one that closes it, after cuda_match_brackets */
    uint32_t name;  /* of names: the id of their symbol */
    str text;
} cuda_token;

/* An #if of which one branch was read. */
typedef struct cuda_branch {
    uint32_t from, to; /* its tokens, the end exclusive */
} cuda_branch;

typedef struct cuda_macro {
    str name, text; /* the parameters are part of the text */
} cuda_macro;

typedef struct cuda_tokens {
    const source *src;
    VEC(cuda_token) all; /* in the module arena; the last one has the kind 0 and no text */
    VEC(cuda_branch) branches;
    VEC(cuda_macro) macros;
    bool own_headers; /* #include "..." */
} cuda_tokens;

/* Splits a text; comments, directives and branches of #if that are not read are left out. Digraphs
 * become what they stand for. Strings and comments that do not end go to c->diags. */
void cuda_tokenize(ctx *c, const source *src, cuda_tokens *tokens);
span cuda_span(const cuda_tokens *tokens, const cuda_token *t);
/* Is the word somewhere in a text that is not split? */
bool cuda_mentions(str text, const char *word);
/* The next name of such a text from *at on; false: there is none. */
bool cuda_next_name(str text, size_t *at, str *name);

/* The token at i, or the last one. */
static inline const cuda_token *cuda_at(const cuda_tokens *t, uint32_t i)
{
    return &t->all.v[i < t->all.n ? i : t->all.n - 1];
}

static inline bool cuda_is(const cuda_tokens *t, uint32_t i, const char *word)
{
    return str_eq(cuda_at(t, i)->text, str_c(word));
}

/* ')' for '(' and so on; 0: c opens nothing. */
char cuda_closing(char c);
/* False: they do not match, which is told in c->diags. */
bool cuda_match_brackets(ctx *c, cuda_tokens *tokens);

/* Behind the bracket that closes the one at i. */
static inline uint32_t cuda_behind(const cuda_tokens *t, uint32_t i)
{
    return cuda_at(t, i)->other + 1;
}

#endif
