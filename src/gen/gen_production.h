/* SPDX-License-Identifier: Apache-2.0 */
/* Productions: their numbers, which of them a sample has, and which one it is to have. A production
 * is a thing with one of the types that the tables allow it ("builtins/dot:vec3d"), or a thing
 * without types ("statements/while"). There are 3,376; coverage of a data set is counted in
 * them. */
#ifndef WEFT_GEN_GEN_PRODUCTION_H
#define WEFT_GEN_GEN_PRODUCTION_H

#include "gen/gen_thing.h"

/* Words of a set of productions. */
enum { COVER_WORDS = GEN_PRODUCTIONS_MAX / 64 };

/* A bit for each production. */
typedef struct gcover {
    uint64_t bits[COVER_WORDS];
} gcover;

/* What the sample, or the helper that is being written, has so far. */
typedef struct gen_coverage {
    uint64_t used[FN_WORDS]; /* builtins, a bit each: rows of gen_builtin.def */
    gcover had;
    bool unlisted; /* it wrote something that no table names */
} gen_coverage;

/* The numbers of productions, the same for all samples: thing by thing, and in each by the number
 * of the type. Built once by cover_start. */
typedef struct gen_productions {
    uint16_t first[THING_COUNT + 1];      /* production of each thing's first type */
    uint64_t of[THING_COUNT][TYPE_WORDS]; /* the types of each thing */
    uint16_t things[GEN_PRODUCTIONS_MAX]; /* of each production: its thing ... */
    uint16_t types[GEN_PRODUCTIONS_MAX];  /* ... and its type's number; TYPE_COUNT: none */
} gen_productions;

/* The target of the sample: a production that a plan wants it to have. */
typedef struct gen_target {
    uint32_t production; /* plus one; 0: none */
    int thing;           /* or -1 */
    gtype type;
    bool typed; /* it has a type */
    bool aimed; /* target_write has done its part: it acts once in a sample */
} gen_target;

/* As long as so many attempts have not been thrown away, a sample is kept only with its target:
 * where one attempt in four may be kept, one target in 10^4 is missed. A plan gives it to more than
 * one sample for what is rare. */
enum { STEERED_ATTEMPTS = 32 };

#endif
