# SPDX-License-Identifier: Apache-2.0
"""Tiles with one element for each thread of a block, and their sums."""

import warp as wp


@wp.kernel
def residual(a: wp.array(dtype=float), b: wp.array(dtype=float), norm: wp.array(dtype=float)):
    i = wp.tid()
    r = a[i] - b[i]
    squares = wp.tile(r * r)
    wp.tile_atomic_add(norm, wp.tile_sum(squares))


@wp.kernel
def energies(u: wp.array2d(dtype=float), s: wp.array(dtype=float), weight: float):
    i, j = wp.tid()
    a = wp.tile(u[i, j] * weight)
    b = -a
    both = wp.tile_sum(a * 3.0 + b)
    wp.tile_atomic_add(s, both * 0.5, offset=1)
    u[i, j] = wp.untile(b) - u[i, j]


@wp.kernel
def counted(x: wp.array(dtype=int), n: wp.array(dtype=int)):
    i = wp.tid()
    c = wp.where(x[i] > 1, 1, 0)
    wp.tile_atomic_add(n, wp.tile_sum(wp.tile(c)))


@wp.kernel
def used(x: wp.array(dtype=float), s: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile(x[i] * 2.0)
    old = wp.tile_atomic_add(s, wp.tile_sum(t))  # no form: wp.tile_atomic_add (tiles)
    wp.tile_store(s, old)
