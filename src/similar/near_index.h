/* Kernels that are near to one that was there before: signatures in bands. Two signatures meet if
 * they agree in all rows of one of the bands, and are near if as many of their functions agree as
 * the threshold wants. Rows and bands follow from the threshold: of pairs that are as similar as
 * it, or more, at most one in 200 never meets. What is missed beyond that is the estimate's error:
 * at the threshold itself half, two standard errors above it one in 40. One thread adds, any number
 * of others look. */
#ifndef WEFT_SIMILAR_NEAR_INDEX_H
#define WEFT_SIMILAR_NEAR_INDEX_H

#include <pthread.h>

#include "base/str.h"
#include "similar/minhash.h"

enum { NEAR_LEAST = MINHASH_UNIT / 2, NEAR_MOST = MINHASH_UNIT };

typedef struct near_bands {
    uint32_t rows, bands;
} near_bands;

typedef struct near_index {
    mem *m;
    pthread_rwlock_t lock;
    near_bands by;
    uint32_t agree;   /* functions that must agree */
    uint32_t n, room; /* signatures; also the number of heads of each band */
    minhash *v;
    uint32_t *heads, *next; /* 1 + a signature, band by band, and signature by signature */
} near_index;

/* A threshold such as 0.9, in millionths; false: it is none from 0.5 to 1. */
bool near_read_threshold(str text, uint32_t *out);
void near_put_threshold(strbuf *b, uint32_t threshold);
near_bands near_bands_for(uint32_t threshold);

/* m: owns what is kept. */
void near_init(near_index *x, mem *m, uint32_t threshold);
void near_clear(near_index *x);
/* Is one near to it that was added? */
bool near_has(near_index *x, const minhash *h);
/* Memory failures leave through m, and leave the index as it is. */
void near_add(near_index *x, const minhash *h);

#endif
