/* A set of fingerprints: open addressing in segments that grow one by one, so that it takes some 20
 * bytes for each, at any size. One thread adds, any number of others look. */
#ifndef WEFT_SIMILAR_SEEN_H
#define WEFT_SIMILAR_SEEN_H

#include <pthread.h>

#include "base/mem.h"
#include "similar/structure.h"

enum { SEEN_SEGMENTS = 1024 };

typedef struct seen_segment {
    fingerprint *v; /* both halves 0: free */
    uint32_t n, size;
} seen_segment;

typedef struct seen {
    mem *m;
    pthread_rwlock_t lock;
    uint64_t n;
    seen_segment segments[SEEN_SEGMENTS];
} seen;

void seen_init(seen *s, mem *m);
void seen_clear(seen *s);
bool seen_has(seen *s, fingerprint f);
/* False: it is there already. Memory failures leave through m, and leave the set as it is. */
bool seen_add(seen *s, fingerprint f);

#endif
