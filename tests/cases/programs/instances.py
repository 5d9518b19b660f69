# What only a running program makes: kernels of factories, and those of generic kernels.
from typing import Any

import warp as wp


def make_scale(n, double=False):
    @wp.kernel
    def scale(a: wp.array(dtype=wp.float64 if double else float)):  # expect warning: unseen-kernel
        i = wp.tid()
        a[i] = a[i] * a.dtype(n)

    return scale


def helper(n):
    return n + 1


@wp.kernel
def fill(a: wp.array(dtype=Any), value: Any, n: int):  # expect warning: generic-kernel
    i = wp.tid()
    if i < n:
        a[i] = value


@wp.kernel
def plain(a: wp.array(dtype=float)):
    a[0] = 1.0
