/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels with a purpose: programs that are composed of the library's formulas and patterns
 * (library.h), so that everything in them says what it is for.
 *
 *     const library *l = library_new();
 *     composer *c = composer_new(m, l);
 *     compose(c, &request, &sample)      sample.source is a Python file with one kernel
 *
 * What stands in gen/gen.h of requests and samples holds here: equal requests give equal bytes. */
#ifndef WEFT_COMPOSE_COMPOSE_H
#define WEFT_COMPOSE_COMPOSE_H

#include "compose/library.h"
#include "gen/gen.h"

typedef struct composer composer;

/* The computations of a library: its formulas, then its algorithms, from 0 on. A request whose
 * target is one of them plus one gets a kernel that is about it, of any category. */
uint32_t compose_count(const library *l);
/* "library/springs.py", "spring_force" */
str compose_name(const library *l, uint32_t at, str *file);

/* The levels of difficulty that kernels of the category have, a bit each; with level 1 as bit 1. */
unsigned compose_levels(gen_category category);

/* What makes a level, 1 to GEN_LEVELS, in words. */
const char *compose_level_words(uint32_t level);

/* A composer for one thread; lives as long as m. Threads share the library, which must outlive
 * them. */
composer *composer_new(mem *m, const library *l);
/* Writes the sample of a request: of its category, near its level. False: no kernel of the category
 * was found; the caller tries the next `attempt`. Must run inside mem_try of the composer's mem.
 * Text of the sample lasts until the next one. */
bool compose(composer *c, const gen_request *q, gen_sample *sample);

#endif
