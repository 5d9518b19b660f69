/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers by counter: the stream of a sample is a function of (seed, index) alone, so any
 * part of a run can be made anywhere, in any order and on any number of threads. One step is one
 * SplitMix64 output (Steele, Lea and Flood, 2014); state and increment are both drawn from (seed,
 * index), so streams do not run into each other. Not for secrets. Example:
 *
 *     rng r = rng_stream(seed, index);
 *     const int size = rng_between(&r, 2, 8);
 */
#ifndef WEFT_BASE_RNG_H
#define WEFT_BASE_RNG_H

#include <stdbool.h>
#include <stdint.h>

typedef struct rng {
    uint64_t state, gamma; /* gamma is odd */
} rng;

/* The stream of sample `index` of run `seed`. */
rng rng_stream(uint64_t seed, uint64_t index);

/* 64 random bits, each value equally likely. */
static inline uint64_t rng_next(rng *r)
{
    uint64_t z = r->state += r->gamma;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A number in [0, n), n > 0. It multiplies instead of dividing, so the chances of two values
 * differ, but by less than n / 2^32 of themselves. */
static inline uint32_t rng_below(rng *r, uint32_t n)
{
    return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

/* In [lo, hi], both included. */
static inline int rng_between(rng *r, int lo, int hi)
{
    return lo + (int)rng_below(r, (uint32_t)(hi - lo + 1));
}

/* True in `percent` of 100 cases. */
static inline bool rng_chance(rng *r, uint32_t percent)
{
    return rng_below(r, 100) < percent;
}

#endif
