"""wp.static of constants that the kernel itself binds, which make another function."""

import warp as wp


def make(n):
    @wp.func
    def scaled(x: float):
        return x * float(n)

    return scaled


@wp.kernel
def own_constant(a: wp.array(dtype=float)):
    size = 4
    i = wp.tid()
    a[i] = wp.static(make(size))(a[i])


@wp.kernel
def own_name(a: wp.array(dtype=float)):
    size = 5
    scale = wp.static(make(size))
    i = wp.tid()
    a[i] = scale(a[i])
