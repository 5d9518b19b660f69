"""Kernels with tiles that are right with the block sizes of their launches, and wrong with Warp's 256, which
`weft compile` takes."""

import functools

import warp as wp

THREADS = 32


@wp.kernel
def by_constant(x: wp.array2d(dtype=wp.vec2f)):  # launched with 32 threads
    a = wp.tile_load(x, shape=(1, 32))
    wp.tile_fft(a)  # expect error: tile-argument
    wp.tile_store(x, a)


@wp.kernel
def by_default(x: wp.array2d(dtype=wp.vec2f)):  # with 64
    t = wp.tile(1.0) + wp.tile_zeros(shape=(64,), dtype=float)  # expect error: tile-argument
    x[0, 0] = wp.vec2f(t[0], t[1])


@wp.kernel
def by_assignment(x: wp.array(dtype=float)):  # with 16
    t = wp.tile(1.0) + wp.tile_zeros(shape=(16,), dtype=float)  # expect error: tile-argument
    x[0] = t[0]


@wp.kernel
def by_partial(x: wp.array2d(dtype=wp.vec2f)):  # with 1
    a = wp.tile_load(x, shape=(1, 12))
    wp.tile_fft(a)  # expect error: tile-argument
    wp.tile_store(x, a)


def launch(kernel, x, *, block_dim=2 * THREADS):
    wp.launch_tiled(kernel, dim=[1], inputs=[x], block_dim=block_dim)


def smaller(x):
    block_dim = 16
    wp.launch_tiled(by_assignment, dim=[1], inputs=[x], block_dim=block_dim)


class Run:
    alone = functools.partial(launch, by_partial, block_dim=1)

    def step(self, x):
        wp.launch_tiled(by_constant, dim=[1], inputs=[x], block_dim=THREADS)
