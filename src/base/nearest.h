/* SPDX-License-Identifier: Apache-2.0 */
/* The word that a misspelled one was meant to be, among those that are offered: the one at the
 * least edit distance, if it is near and the only one. For "did you mean ...?".
 *
 *     lenght among length, dot, cross   ->   length
 *     foo among the same                ->   nothing */
#ifndef WEFT_BASE_NEAREST_H
#define WEFT_BASE_NEAREST_H

#include "base/str.h"

typedef struct nearest {
    str word;      /* as the user wrote it */
    str best;      /* the nearest so far; p is NULL: there is none, or two are as near */
    uint32_t cost; /* of the nearest so far */
} nearest;

void nearest_init(nearest *n, str word);
/* Offers a word. It must live as long as `best` is used. */
void nearest_offer(nearest *n, str word);

#endif
