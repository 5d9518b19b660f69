/* SPDX-License-Identifier: Apache-2.0 */
/* A set of fingerprints: open addressing in segments that grow one by one, so that it takes some 20
 * bytes for each, at any size. One thread adds, any number of others look up at the same time. It
 * holds the structures of a run (generate) and of the records that stay (weft dedup). */
#ifndef WEFT_SIMILAR_SEEN_H
#define WEFT_SIMILAR_SEEN_H

#include <pthread.h>

#include "base/mem.h"
#include "similar/structure.h"

enum { SEEN_SEGMENTS = 1024 };

/* A hash table with linear probing. */
typedef struct seen_segment {
    fingerprint *v;   /* both halves 0: free; NULL if size is 0 */
    uint32_t n, size; /* places taken, and all: there is always a free one unless both are 0 */
} seen_segment;

typedef struct seen {
    mem *m;                /* owns the segments' storage */
    pthread_rwlock_t lock; /* over the segments */
    uint64_t n;            /* of all segments; for the thread that adds */
    seen_segment segments[SEEN_SEGMENTS];
} seen;

/* An empty set, which takes no storage from m yet. */
void seen_init(seen *s, mem *m);
/* Frees the storage. No other thread may be using the set. */
void seen_clear(seen *s);
bool seen_has(seen *s, fingerprint f);
/* Adds f; false: it was in the set. Memory failures leave through m, and leave the set as it is. */
bool seen_add(seen *s, fingerprint f);

#endif
