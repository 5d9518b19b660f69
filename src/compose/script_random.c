/* SPDX-License-Identifier: Apache-2.0 */
/* PCG64 (O'Neill, 2014: pcg_setseq_128, XSL-RR) and SeedSequence, as numpy/random has them:
 * pcg64.c, bit_generator.pyx, distributions.c (random_uniform, buffered_bounded_lemire_uint32). */
#include "compose/script_random.h"

#include "base/assert.h"

enum { POOL = 4 };

static uint64_t next_64(numpy_rng *r)
{
    const unsigned __int128 multiplier =
        (unsigned __int128)UINT64_C(2549297995355413924) << 64 | UINT64_C(4865540595714422341);
    r->state = r->state * multiplier + r->increment;
    const uint64_t x = (uint64_t)(r->state >> 64) ^ (uint64_t)r->state;
    const unsigned turn = (unsigned)(r->state >> 122);
    return x >> turn | x << (-turn & 63);
}

/* The lower half of an output comes first. */
static uint32_t next_32(numpy_rng *r)
{
    if (r->has_half) {
        r->has_half = false;
        return r->half;
    }
    const uint64_t x = next_64(r);
    r->has_half = true;
    r->half = (uint32_t)(x >> 32);
    return (uint32_t)x;
}

/* --- seeding ---------------------------------------------------------------------------------- */

static uint32_t hash_mix(uint32_t x, uint32_t *constant)
{
    x ^= *constant;
    *constant *= 0x931e8875u;
    x *= *constant;
    return x ^ x >> 16;
}

static uint32_t mix(uint32_t x, uint32_t y)
{
    const uint32_t z = 0xca01f9ddu * x - 0x4973f715u * y;
    return z ^ z >> 16;
}

/* Four words of 64 bits. */
static void seed_sequence(uint32_t seed, uint64_t *out)
{
    uint32_t pool[POOL], constant = 0x43b0d7e5u;
    for (int i = 0; i < POOL; i++)
        pool[i] = hash_mix(i ? 0 : seed, &constant);
    for (int from = 0; from < POOL; from++)
        for (int to = 0; to < POOL; to++)
            if (from != to)
                pool[to] = mix(pool[to], hash_mix(pool[from], &constant));
    constant = 0x8b51f9ddu;
    for (int i = 0; i < 2 * POOL; i++) {
        uint32_t x = pool[i % POOL] ^ constant;
        constant *= 0x58f38dedu;
        x *= constant;
        x ^= x >> 16;
        out[i / 2] = i % 2 ? out[i / 2] | (uint64_t)x << 32 : x;
    }
}

numpy_rng numpy_default_rng(uint32_t seed)
{
    uint64_t words[POOL];
    seed_sequence(seed, words);
    numpy_rng r = {.increment = ((unsigned __int128)words[2] << 64 | words[3]) << 1 | 1};
    next_64(&r);
    r.state += (unsigned __int128)words[0] << 64 | words[1];
    next_64(&r);
    return r;
}

/* --- numbers ---------------------------------------------------------------------------------- */

double numpy_uniform(numpy_rng *r, double low, double high)
{
    return low + (high - low) * ((double)(next_64(r) >> 11) * 0x1p-53);
}

int64_t numpy_integer(numpy_rng *r, int64_t low, int64_t high)
{
    WEFT_ASSERT(low < high && high - low <= UINT32_MAX);
    const uint32_t n = (uint32_t)(high - low);
    if (n == 1)
        return low; /* nothing is drawn */
    uint64_t m = (uint64_t)next_32(r) * n;
    if ((uint32_t)m < n)
        for (const uint32_t least = (UINT32_MAX - (n - 1)) % n; (uint32_t)m < least;)
            m = (uint64_t)next_32(r) * n;
    return low + (int64_t)(m >> 32);
}
