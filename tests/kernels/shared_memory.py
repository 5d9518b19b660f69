# SPDX-License-Identifier: Apache-2.0
# Tiles in shared memory: what a launch reserves for a kernel, the functions it calls, and their gradients.
import warp as wp


@wp.func
def of_function(a: wp.array(dtype=float)):
    t = wp.tile_load(a, shape=48, storage="shared")
    return wp.tile_extract(t, 3)


@wp.func
def deeper(a: wp.array(dtype=float)):
    t = wp.tile_zeros(shape=(3, 5), dtype=wp.float64, storage="shared")
    return of_function(a) + float(wp.tile_extract(t, 1, 1))


@wp.func
def with_gradient(a: wp.array(dtype=float), x: float):
    t = wp.tile_zeros(shape=7, dtype=float, storage="shared")
    return x + wp.tile_extract(t, 0) + a[0]


@wp.func_grad(with_gradient)
def adj_with_gradient(a: wp.array(dtype=float), x: float, adj_ret: float):
    t = wp.tile_zeros(shape=900, dtype=float, storage="shared")
    wp.adjoint[x] += adj_ret * wp.tile_extract(t, 0)


@wp.kernel
def own_tiles(a: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(a, shape=33, storage="shared")
    u = wp.tile_load(a, shape=33)
    out[i] = wp.tile_extract(t, 2) + wp.tile_extract(u, 2)


@wp.kernel
def tiles_of_functions(a: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(a, shape=2, storage="shared")
    out[i] = deeper(a) + of_function(a) + wp.tile_extract(t, 1)


@wp.kernel
def tiles_of_gradients(a: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = with_gradient(a, a[i])


@wp.kernel(enable_backward=False)
def tiles_without_gradients(a: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = with_gradient(a, a[i]) + of_function(a)
