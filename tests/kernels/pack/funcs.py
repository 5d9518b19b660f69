"""Functions of the package, and a kernel inside it."""

import warp as wp

from .deeper.more import quarter


@wp.func
def cube(x: float):
    return x * x * x


@wp.func
def halved(x: float):
    return x * 0.5


@wp.kernel
def inside_package(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = halved(cube(a[i])) + quarter(a[i])
