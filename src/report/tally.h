/* SPDX-License-Identifier: Apache-2.0 */
/* Counting by name: how often each key came. Memory is bounded whatever comes: of more than
 * TALLY_KEYS different keys, those that come late are counted together. */
#ifndef WEFT_REPORT_TALLY_H
#define WEFT_REPORT_TALLY_H

#include "base/str.h"
#include "base/vec.h"

/* Different keys that a tally keeps, and bytes of a key. */
enum { TALLY_KEYS = 1 << 16, TALLY_KEY_BYTES = 120 };

typedef struct tally_row {
    str key;           /* cut after TALLY_KEY_BYTES; in the arena of tally_add */
    uint64_t n, bytes; /* how often it came; the sum of what was given with it */
} tally_row;

/* Zeroed at first. All calls for one tally have the same arena. */
typedef struct tally {
    VEC(tally_row) rows; /* as keys first came, until they are sorted */
    uint32_t *slots;     /* open addressing: numbers of rows, from 1 */
    uint32_t nslots;     /* a power of two */
    uint64_t others;     /* what came with further keys */
} tally;

/* Counts the key once more, and bytes with it. */
void tally_add(arena *a, tally *t, str key, uint64_t bytes);
/* The same for a number, as its decimal digits. */
void tally_add_number(arena *a, tally *t, uint64_t key, uint64_t bytes);
/* How often all keys came together, those beyond TALLY_KEYS too. */
uint64_t tally_sum(const tally *t);
/* How often this key came; 0: never. */
uint64_t tally_of(const tally *t, str key);
/* Puts the rows in order for printing: numbers by value and before words, words by their bytes. */
void tally_sort_keys(tally *t);
/* The most frequent ones first. */
void tally_sort_counts(tally *t);

#endif
