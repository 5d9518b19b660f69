// SPDX-License-Identifier: Apache-2.0
// A device for the stand-in of libcuda: the CUDA text that it was given as a module is compiled by
// g++ behind this header, and each thread of a grid is run in turn.
#include <cassert>
#include <cstdio>
#include <utility>

#include "cuda/cuda_names.h"

#define __global__

struct fake_dim {
    unsigned x, y, z;
};
static fake_dim gridDim, blockDim, blockIdx, threadIdx;

template <class... A, size_t... I>
static void fake_call(void (*kernel)(A...), void **params, std::index_sequence<I...>)
{
    kernel(*(A *)params[I]...);
}

template <class F> static void fake_each(fake_dim n, fake_dim &at, F body)
{
    for (at.z = 0; at.z < n.z; at.z++)
        for (at.y = 0; at.y < n.y; at.y++)
            for (at.x = 0; at.x < n.x; at.x++)
                body();
}

template <class... A>
static void fake_grid(void (*kernel)(A...), const unsigned *sizes, void **params)
{
    gridDim = {sizes[0], sizes[1], sizes[2]};
    blockDim = {sizes[3], sizes[4], sizes[5]};
    fake_each(gridDim, blockIdx, [&] {
        fake_each(blockDim, threadIdx,
                  [&] { fake_call(kernel, params, std::index_sequence_for<A...>()); });
    });
}
