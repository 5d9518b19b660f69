/* SPDX-License-Identifier: Apache-2.0 */
/* Integers by rule and by counter: the same on each machine, without storing them. */
#include "inputs/inputs.h"

int64_t inputs_lattice_at(const inputs_lattice *l, uint32_t i, uint32_t steps)
{
    WEFT_ASSERT(l->group && steps);
    return (
        int64_t)(((uint64_t)l->of_group * (i / l->group) + (uint64_t)l->of_item * (i % l->group)) %
                 steps);
}

uint32_t inputs_hash(uint32_t stream, uint32_t i)
{
    /* the finalizer "lowbias32" of Chris Wellons, which is in the public domain */
    uint32_t x = stream * UINT32_C(0x9e3779b9) + i;
    x = (x ^ x >> 16) * UINT32_C(0x7feb352d);
    x = (x ^ x >> 15) * UINT32_C(0x846ca68b);
    return x ^ x >> 16;
}
