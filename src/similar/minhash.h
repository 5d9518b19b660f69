/* SPDX-License-Identifier: Apache-2.0 */
/* How alike two kernels are: the Jaccard similarity of the sets of their n-grams, by MinHash. An
 * n-gram is MINHASH_GRAM consecutive tokens of the structure, its names numbered by their first use
 * in it, so that an inserted statement does not change all n-grams behind it.
 *
 * near_index.h searches signatures for generate --near and weft dedup --near. The method is that of
 * Broder, "On the resemblance and containment of documents" (1997). */
#ifndef WEFT_SIMILAR_MINHASH_H
#define WEFT_SIMILAR_MINHASH_H

#include "similar/structure.h"

enum {
    MINHASH_GRAM = 5,   /* half a statement: with 3 half of 30,000 generated kernels are 0.7 alike
                           to another, and the longer, the more of them one changed token changes */
    MINHASH_SIZE = 128, /* hash functions: a similarity s is estimated with a standard error of
                           sqrt(s (1 - s) / 128), 0.044 at most */
    MINHASH_UNIT = 1000000 /* a similarity of 1: similarities are whole millionths */
};

/* A signature: eight bits of each hash function's least value. */
typedef struct minhash {
    uint8_t v[MINHASH_SIZE];
} minhash;

/* The signature of a set of n hashes. Their order and repetitions do not matter. */
void minhash_sign(const uint64_t *grams, uint32_t n, minhash *out);
/* The number of functions that agree, 0 to MINHASH_SIZE. */
uint32_t minhash_agree(const minhash *a, const minhash *b);

/* Room for n-grams, used again for each kernel. */
typedef struct minhasher {
    mem *m;
    uint64_t *grams; /* in m; the owner frees it */
    uint32_t room;   /* n-grams for which there is room */
} minhasher;

/* The signature of a kernel. Needs: s->tokens, which last only until the next kernel. */
void minhash_of(minhasher *h, const structure *s, minhash *out);

#endif
