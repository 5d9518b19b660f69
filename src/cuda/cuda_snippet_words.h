/* SPDX-License-Identifier: Apache-2.0 */
/* Words of Warp's headers in native snippets. */
#ifndef WEFT_CUDA_SNIPPET_WORDS_H
#define WEFT_CUDA_SNIPPET_WORDS_H

#include "cuda/cuda_form.h"
#include "native/native.h"

/* ARGS: of a function; MAKES: of a constructor. */
enum {
    SNIPPET_ADDRESSES = 16,
    SNIPPET_TYPES = 16,
    SNIPPET_CALLS = 64,
    SNIPPET_ARGS = 8,
    SNIPPET_MAKES = 64
};

/* A function of Warp that the text calls with so many arguments. */
typedef struct snippet_call {
    str native, name;
    uint32_t nargs;
    const type *made; /* of a constructor: its type */
} snippet_call;

/* The state of the walk over the text. */
typedef struct snippet_words {
    cuda_fn *f;
    const ir_unit *u;
    const char *text;
    strbuf out;
    struct {
        char end;       /* what stands for its closing parenthesis */
        uint32_t depth; /* of parentheses where it ends */
    } ends[SNIPPET_ADDRESSES];
    uint32_t nends, depth;
    bool shared; /* the statement has __shared__: its variables have no first value */
    str last;    /* the word before */
    const type *types[SNIPPET_TYPES];
    uint32_t ntypes;
    snippet_call calls[SNIPPET_CALLS];
    uint32_t ncalls;
    const native_use *uses[2]; /* by the branches of __CUDA_ARCH__; with none of them executed: */
    uint32_t nuses[2];
    bool unread;
} snippet_words;

/* The snippet of f's unit with plain words for those of Warp's headers that have some. What it
 * calls is defined, and sizes of arrays that it reads are noted. */
str cuda_plain_words(cuda_fn *f, const char *text);
/* A word of Warp's headers, or a member of its arrays, that the text still has; empty: none. */
str cuda_foreign_word(str text);
/* Does the snippet reach the array's elements through its pointer alone, "x.data[k]"? Then it may
 * have several dimensions. */
bool cuda_snippet_is_flat(const char *text, str name);

/* cuda_snippet_calls.c */
void cuda_snippet_add_type(snippet_words *w, const type *t);
/* Types of values that a parameter of the type holds. */
void cuda_snippet_add_types(snippet_words *w, const type *t);
bool cuda_snippet_has(const snippet_words *w, type_kind kind);
/* Reads the snippet as each device has it, for the types of what it calls. */
void cuda_snippet_read(snippet_words *w, const char *text);
/* Defines what the text calls. Empty: done; else the first that has no form. */
str cuda_snippet_define(snippet_words *w);
/* Defines operators of vectors and matrices by their symbols in the text. */
void cuda_snippet_operators(snippet_words *w, str text);

#endif
