/* Structures that no sample may have (--exclude), as make/exclude.h reads them and the manifest
 * certifies them. */
#ifndef WEFT_SIMILAR_EXCLUDE_SET_H
#define WEFT_SIMILAR_EXCLUDE_SET_H

#include "base/sha256.h"
#include "record/fingerprint.h"

typedef struct exclude_set {
    const fingerprint *v; /* rising, each once */
    uint64_t n;
    uint64_t files, kernels;
    uint64_t unread;         /* files and lines that could not be parsed */
    char sha256[SHA256_HEX]; /* over the fingerprints in order, 32 digits and a newline each */
} exclude_set;

#endif
