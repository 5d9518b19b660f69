# SPDX-License-Identifier: Apache-2.0
"""Kernels that only a running program makes: weft gets them by --instance."""
# weft: --instance 'make_scale(3)' --instance 'make_scale(4, wp.float64, add=True)'
# weft: --instance 'Solver("b", 2).kernel' --instance 'KINDS["steps"](5)' --instance 'nested(2)(7)'
# weft: --instance 'axpy[x=wp.vec3, s=wp.float32, n=int]' --instance 'axpy[wp.array(dtype=wp.float64), wp.float64, int]'
# weft: --instance 'axpy[n=wp.int64, s=float, x=float]' --instance 'fill[x=wp.array(dtype=wp.mat22), v=wp.mat22]'
# weft: --instance 'fill[x=wp.array(dtype=Ball), v=Ball]' --instance 'make_norm(3)[x=wp.types.vector(length=5, dtype=wp.float16)]'
# weft: --instance 'make_norm(3)[x=wp.vec2d]' --instance 'cached(4)'
import functools
from typing import Any

import warp as wp


def make_scale(factor, dtype=wp.float32, *, add=False):
    @wp.func
    def change(x: dtype):
        if wp.static(add):
            return x + dtype(factor)
        return x * dtype(factor)

    @wp.kernel
    def scale(a: wp.array(dtype=dtype)):
        i = wp.tid()
        a[i] = change(a[i])

    return scale


class Solver:
    def __init__(self, mode, steps):
        self.mode, self.steps = mode, steps

    @property
    def kernel(self):
        steps = self.steps

        @wp.kernel(enable_backward=False)
        def solve(a: wp.array(dtype=float)):
            i = wp.tid()
            for k in range(steps):
                a[i] = a[i] + float(k)

        return solve


def make_steps(n):
    @wp.kernel(module="unique")
    def steps(a: wp.array(dtype=wp.vec3)):
        i = wp.tid()
        a[i] = a[i] * float(n)

    return steps


KINDS = {"steps": make_steps}


def nested(n):
    def inner(m):
        @wp.kernel
        def both(a: wp.array(dtype=int)):
            i = wp.tid()
            a[i] = n * m + i

        return both

    return inner


CACHE = {}


def cache(func):
    @functools.wraps(func)
    def wrapper(*args):
        key = (*args, func.__name__)
        if key not in CACHE:
            CACHE[key] = func(*args)
        return CACHE[key]

    return wrapper


@cache
def cached(n):
    @wp.kernel
    def kept(a: wp.array(dtype=int)):
        i = wp.tid()
        a[i] = i % n

    return kept


@wp.func
def times(x: Any, s: Any):
    return x * s


@wp.kernel
def axpy(x: wp.array(dtype=Any), s: Any, n: Any):
    i = wp.tid()
    if i < int(n):
        x[i] = times(x[i], s) + x[i]


@wp.struct
class Ball:
    center: wp.vec3
    radius: float


@wp.kernel
def fill(x: Any, v: Any):
    x[0] = v


def make_norm(power):
    @wp.kernel
    def norm(x: wp.array(dtype=Any), out: wp.array(dtype=float)):
        i = wp.tid()
        out[i] = wp.pow(float(wp.length_sq(x[i])), float(power))

    return norm


def running_program():
    """What a program does with them; the oracle's side calls it after the import."""
    make_scale(3)
    make_scale(4, wp.float64, add=True)
    Solver("b", 2).kernel
    KINDS["steps"](5)
    nested(2)(7)
    cached(4)
    cached(4)
    norm = make_norm(3)

    def launch(kernel, *inputs):
        wp.launch(kernel, dim=1, inputs=list(inputs), device="cpu")

    def zeros(dtype):
        return wp.zeros(4, dtype=dtype, device="cpu")

    launch(axpy, zeros(wp.vec3), wp.float32(2.0), 4)
    launch(axpy, zeros(wp.float64), wp.float64(2.0), 4)
    launch(axpy, zeros(float), 2.0, wp.int64(4))
    launch(fill, zeros(wp.mat22), wp.mat22())
    launch(fill, zeros(Ball), Ball())
    launch(norm, zeros(wp.types.vector(length=5, dtype=wp.float16)), zeros(float))
    launch(make_norm(3), zeros(wp.vec2d), zeros(float))
