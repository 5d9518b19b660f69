/* SPDX-License-Identifier: Apache-2.0 */
/* Options that exclude each other, as rows of a table: two conditions, and the message for a user
 * who states both. The caller sets one bit for each condition that holds; conflict_find returns the
 * first conflict:
 *
 *     {NEAR, NO_DEDUP, "--near and --no-dedup exclude each other"} */
#ifndef WEFT_BASE_CONFLICT_H
#define WEFT_BASE_CONFLICT_H

#include <stdint.h>

#include "base/assert.h"

typedef struct conflict {
    uint8_t first, second; /* numbers of conditions, below 64; the same twice: it alone is wrong */
    const char *message;
} conflict;

/* The message of the first row of which both conditions hold, or NULL. */
static inline const char *conflict_find(const conflict *rows, uint32_t n, uint64_t holds)
{
    for (uint32_t i = 0; i < n; i++) {
        WEFT_ASSERT(rows[i].first < 64 && rows[i].second < 64);
        if (holds >> rows[i].first & holds >> rows[i].second & 1)
            return rows[i].message;
    }
    return (const char *)0;
}

#endif
