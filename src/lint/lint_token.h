/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA text as a flat list of tokens with matched brackets, for lint.c and lint_guard.c: as much of
 * C++ as these checks need. An example:
 *
 *     x[i] += 2;     n'x' '[' n'i' ']' '+' '=' 0'2' ';'
 *
 * Operators of several signs are several tokens; lint_guard.c looks at whether they touch. */
#ifndef WEFT_LINT_LINT_TOKEN_H
#define WEFT_LINT_LINT_TOKEN_H

#include "base/assert.h"
#include "base/ctx.h"

typedef struct lint_token {
    char kind; /* 'n' a name, '0' a number, 's' a string or character, else the sign itself */
    uint32_t line, col;
    uint32_t other; /* an opening bracket: the one that closes it, after lint_match_brackets */
    uint32_t name;  /* of names: the id of their symbol */
    str text;
} lint_token;

/* An #if of which one branch was read. */
typedef struct lint_branch {
    uint32_t from, to; /* its tokens, the end exclusive */
} lint_branch;

/* A #define of the text. It is not expanded, only searched for words. */
typedef struct lint_macro {
    str name, text; /* the parameters are part of the text */
} lint_macro;

typedef struct lint_tokens {
    const source *src;
    VEC(lint_token) all; /* in the module arena; the last one has the kind 0 and no text */
    VEC(lint_branch) branches;
    VEC(lint_macro) macros;
    bool own_headers; /* #include "..." */
} lint_tokens;

/* Splits a text; comments, directives and branches of #if that are not read are left out. Digraphs
 * become what they stand for. Strings and comments that do not end go to c->diags. */
void lint_tokenize(ctx *c, const source *src, lint_tokens *tokens);
span lint_span(const lint_tokens *tokens, const lint_token *t);
/* Is the word somewhere in a text that is not split? */
bool lint_mentions(str text, const char *word);
/* The next name of such a text from *at on; false: there is none. */
bool lint_next_name(str text, size_t *at, str *name);

/* The token at i, or the last one. */
static inline const lint_token *lint_at(const lint_tokens *t, uint32_t i)
{
    WEFT_ASSERT(t->all.n);
    return &t->all.v[i < t->all.n ? i : t->all.n - 1];
}

static inline bool lint_is(const lint_tokens *t, uint32_t i, const char *word)
{
    return str_eq(lint_at(t, i)->text, str_c(word));
}

/* ')' for '(' and so on; 0: c opens nothing. */
char lint_closing(char c);
/* False: they do not match, which c->diags reports. */
bool lint_match_brackets(ctx *c, lint_tokens *tokens);

/* Behind the bracket that closes the one at i. */
static inline uint32_t lint_behind(const lint_tokens *t, uint32_t i)
{
    WEFT_ASSERT(lint_at(t, i)->other > i); /* it opens, and lint_match_brackets went through */
    return lint_at(t, i)->other + 1;
}

#endif
