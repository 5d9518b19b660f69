/* SPDX-License-Identifier: Apache-2.0 */
/* The word that a misspelled one was meant to be, among those that are offered: the one at the
 * least edit distance, if it is near and the only one. For "did you mean ...?".
 *
 *     lenght among length, dot, cross   ->   length
 *     foo among the same                ->   nothing
 *
 * Or the few that resemble it most, nearest first, where a user is to choose:
 *
 *     type among mixed-types, types, slash   ->   types, mixed-types */
#ifndef WEFT_BASE_NEAREST_H
#define WEFT_BASE_NEAREST_H

#include "base/arena.h"
#include "base/str.h"

typedef struct nearest {
    str word;      /* as the user wrote it */
    str best;      /* the nearest so far; p is NULL: there is none, or two are as near */
    uint32_t cost; /* of the nearest so far */
} nearest;

void nearest_init(nearest *n, str word);
/* Offers a word. It must live as long as `best` is used. */
void nearest_offer(nearest *n, str word);

enum { NEAREST_FEW = 5 };

typedef struct nearest_few {
    str word;   /* as the user wrote it */
    arena *a;   /* of the texts of `best` */
    uint32_t n; /* found so far */
    struct {
        const char *text;
        uint32_t cost;
    } best[NEAREST_FEW]; /* the nearest first; of equal ones the first offered */
} nearest_few;

void nearest_few_init(nearest_few *f, arena *a, str word);
/* Offers a word, which is copied if it is kept. */
void nearest_few_offer(nearest_few *f, str word);
/* "a, b, c"; "": none resembles the word. Lives in the arena. */
const char *nearest_few_list(const nearest_few *f);

#endif
