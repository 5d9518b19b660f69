/* How alike two kernels are: the Jaccard similarity of the sets of their n-grams, by MinHash. An
 * n-gram is MINHASH_GRAM tokens of the structure in a row, its names numbered by their first use in
 * it, so that a statement put in does not change all behind it. */
#ifndef WEFT_SIMILAR_MINHASH_H
#define WEFT_SIMILAR_MINHASH_H

#include "similar/structure.h"

enum {
    MINHASH_GRAM = 5,   /* half a statement: with 3 half of 30,000 generated kernels are 0.7 alike
                           to another, and the longer, the more of them one changed token changes */
    MINHASH_SIZE = 128, /* hash functions: a similarity s is estimated with a standard error of
                           sqrt(s (1 - s) / 128), 0.044 at most */
    MINHASH_UNIT = 1000000
};

/* Of each hash function's least value the lower eight bits. */
typedef struct minhash {
    uint8_t v[MINHASH_SIZE];
} minhash;

/* Of n hashes, in any order, each any number of times. */
void minhash_sign(const uint64_t *grams, uint32_t n, minhash *out);
/* The number of functions that agree. */
uint32_t minhash_agree(const minhash *a, const minhash *b);
/* In millionths; 0: less than can be told from 0. */
uint32_t minhash_similarity(const minhash *a, const minhash *b);

/* Both steps, with room for the n-grams in m. */
typedef struct minhasher {
    mem *m;
    uint64_t *grams;
    uint32_t room;
} minhasher;

void minhash_of(minhasher *h, const structure *s, minhash *out);

#endif
