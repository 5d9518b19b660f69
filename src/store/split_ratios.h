/* SPDX-License-Identifier: Apache-2.0 */
/* The splits of a data set: their names and shares, and the one that a family belongs to. For `weft
 * split`, which divides by it, and `weft validate`, which checks each record's place by the same
 * rule.
 *
 *     "90,5,5"   ->   {3, {90000000, 5000000, 5000000}}: train, validation, test */
#ifndef WEFT_STORE_SPLIT_RATIOS_H
#define WEFT_STORE_SPLIT_RATIOS_H

#include "base/str.h"

#define SPLIT_SCHEMA "weft-split-1"
#define DEDUP_SCHEMA "weft-dedup-1" /* one split, train, of what deduplication left */

enum { SPLITS_MAX = 3 };

/* Shares of train and test, or of train, validation and test; or all is train. */
typedef struct split_ratios {
    uint32_t n;
    uint64_t share[SPLITS_MAX]; /* in millionths of a percent; 100 percent in all */
} split_ratios;

/* "90,5,5" or "0.9,0.05,0.05": two or three numbers above 0, 100 or 1 in all, to a millionth for
 * each. NULL, or what is wrong. */
const char *split_read_ratios(str text, split_ratios *r);
/* Undivided: all is train. */
split_ratios split_none(void);
void split_put_ratios(strbuf *b, const split_ratios *r);
/* "train" */
const char *split_name(const split_ratios *r, uint32_t part);
/* The part of a family (metadata.family). */
uint32_t split_of(const split_ratios *r, str family);

#endif
