# Warp 1.19 refuses Callable where a @wp.func is defined, so it loads no such file.
from typing import Callable

import warp as wp


@wp.func
def half(x: float):
    return 0.5 * x


@wp.func
def through(f: Callable, x: float):  # expect error: bad-annotation
    return f(x)


@wp.func
def right(f: wp.Function, x: float):
    return f(x)


@wp.kernel
def calls(a: wp.array(dtype=float)):
    a[0] = through(half, 1.0)


@wp.kernel
def fine(a: wp.array(dtype=float)):
    a[0] = right(half, 1.0)
