/* SPDX-License-Identifier: Apache-2.0 */
/* The start of a random stream (rng.h). State and increment are both mixed from seed and index:
 * with a common increment, streams would be pieces of one sequence and could overlap. Example:
 * streams (1, 0) and (1, 1) have nothing in common that a test would see, although their indices
 * differ in one bit. */
#include "base/rng.h"

/* The finaliser of MurmurHash3, in Stafford's variant 13: every input bit reaches every output
 * bit. */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

rng rng_stream(uint64_t seed, uint64_t index)
{
    uint64_t a = mix(seed + UINT64_C(0x9e3779b97f4a7c15));
    uint64_t b = mix(a ^ (index + UINT64_C(0xd1b54a32d192ed03)));
    return (rng){b, mix(b + a) | 1};
}
