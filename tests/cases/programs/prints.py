"""A kernel whose function prints."""

import warp as wp


@wp.func
def told(x: float):
    wp.printf("%f\n", x)
    return x


@wp.kernel
def tell(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = 2.0 * told(a[i])
