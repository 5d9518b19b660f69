/* SPDX-License-Identifier: Apache-2.0 */
/* An index of signatures (minhash.h) that finds out whether a kernel is near to one added before.
 *
 * Two signatures meet if they agree in all rows of one of the bands, and are near if as many of
 * their functions agree as the threshold requires. Only pairs that meet are compared. Rows and
 * bands follow from the threshold: of pairs that are as similar as it, or more, at most one in 200
 * never meets. Beyond that the estimate's error decides: of pairs at the threshold itself half are
 * missed, of pairs two standard errors above it one in 40.
 *
 * One thread adds, any number of others search at the same time. */
#ifndef WEFT_SIMILAR_NEAR_INDEX_H
#define WEFT_SIMILAR_NEAR_INDEX_H

#include <pthread.h>

#include "base/str.h"
#include "similar/minhash.h"

enum { NEAR_LEAST = MINHASH_UNIT / 2, NEAR_MOST = MINHASH_UNIT };

/* How a signature is cut: rows * bands <= MINHASH_SIZE; bytes left over are in no band. */
typedef struct near_bands {
    uint32_t rows, bands;
} near_bands;

typedef struct near_index {
    mem *m;                /* owns the lists below */
    pthread_rwlock_t lock; /* over everything that near_add changes */
    near_bands by;
    uint32_t agree; /* functions that must agree for two signatures to be near */
    /* Signatures in v, and for how many there is room. `room` is also the number of heads of each
     * band: 0 or a power of two. */
    uint32_t n, room;
    minhash *v;
    /* heads[by.bands][room]: 1 + the first signature of a chain; 0: it is empty.
     * next[room][by.bands]: 1 + the next one in the chain of that band; 0: it ends. */
    uint32_t *heads, *next;
} near_index;

/* Reads a threshold such as 0.9 into millionths; false: it is none from 0.5 to 1. */
bool near_read_threshold(str text, uint32_t *out);
/* Writes it as near_read_threshold reads it. */
void near_put_threshold(strbuf *b, uint32_t threshold);
/* The bands for a threshold in millionths. */
near_bands near_bands_for(uint32_t threshold);

/* An empty index. Needs: a threshold from NEAR_LEAST to NEAR_MOST. */
void near_init(near_index *x, mem *m, uint32_t threshold);
void near_clear(near_index *x);
/* Is an added signature near to h? */
bool near_has(near_index *x, const minhash *h);
/* Memory failures leave through m, and leave the index as it is. */
void near_add(near_index *x, const minhash *h);

#endif
