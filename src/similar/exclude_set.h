/* SPDX-License-Identifier: Apache-2.0 */
/* Structures that no sample of a run may have (--exclude): those of a test set, for example.
 * make/exclude.h reads them from files; the run looks up each candidate, and the manifest states
 * their number and hash. */
#ifndef WEFT_SIMILAR_EXCLUDE_SET_H
#define WEFT_SIMILAR_EXCLUDE_SET_H

#include "base/sha256.h"
#include "record/fingerprint.h"

typedef struct exclude_set {
    const fingerprint *v; /* rising, each once: searched by bisection */
    uint64_t n;
    uint64_t files, kernels; /* that were read; kernels count each time */
    uint64_t unread;         /* files and lines that could not be parsed */
    char sha256[SHA256_HEX]; /* over the fingerprints in order, 32 digits and a newline each */
} exclude_set;

#endif
