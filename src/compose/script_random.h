/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers that NumPy's default_rng(seed) gives, to the bit: the bit generator PCG64, seeded by
 * SeedSequence. So a script can draw its inputs, and weft knows them.
 *
 *     numpy_rng r = numpy_default_rng(42)    rng = np.random.default_rng(42)
 *     numpy_uniform(&r, 0.5, 2.0)            rng.uniform(0.5, 2.0)
 */
#ifndef WEFT_COMPOSE_SCRIPT_RANDOM_H
#define WEFT_COMPOSE_SCRIPT_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct numpy_rng {
    unsigned __int128 state, increment;
    uint32_t half; /* the upper half of an output, for the next 32 bits */
    bool has_half;
} numpy_rng;

numpy_rng numpy_default_rng(uint32_t seed);
/* From low to high, high excluded. */
double numpy_uniform(numpy_rng *r, double low, double high);
int64_t numpy_integer(numpy_rng *r, int64_t low, int64_t high);

#endif
