/* SPDX-License-Identifier: Apache-2.0 */
/* A fingerprint of 128 bits, in records 32 hexadecimal digits: the hash of a kernel's structure or
 * family (similar/structure.h). With 10^9 kernels two different ones share a fingerprint with a
 * probability of about 10^-21. */
#ifndef WEFT_RECORD_FINGERPRINT_H
#define WEFT_RECORD_FINGERPRINT_H

#include "base/str.h"

typedef struct fingerprint {
    uint64_t high, low;
} fingerprint;

enum { FINGERPRINT_HEX = 32 };

static inline bool fingerprint_eq(fingerprint a, fingerprint b)
{
    return a.high == b.high && a.low == b.low;
}

/* In the order of the hexadecimal digits. */
static inline bool fingerprint_less(fingerprint a, fingerprint b)
{
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

void fingerprint_hex(fingerprint f, char out[FINGERPRINT_HEX]);
/* False: these are not 32 digits of lower case. */
bool fingerprint_read(str hex, fingerprint *out);
/* A fingerprint in a JSON object, at a path as json_peek has it. False: there is none. */
bool fingerprint_peek(str object, const char *path, fingerprint *out);

#endif
