# SPDX-License-Identifier: Apache-2.0
"""Functions that make kernels, and kernels that a launch gives types."""

from typing import Any, Callable

import warp as wp


# Called by run.py, with a number of a loop and a flag.
def make_scale(n: int, negative=False):
    factor = -float(n) if negative else float(n)

    @wp.kernel
    def scale(x: wp.array(dtype=float)):
        i = wp.tid()
        x[i] = x[i] * factor

    return scale


# Nothing tells the size.
def make_copy(size: int):
    @wp.kernel(enable_backward=False)
    def copy(a: wp.array(dtype=float), b: wp.array(dtype=float)):
        t = wp.tile_load(a, shape=size)
        wp.tile_store(b, t)

    return copy


def make_limit(least=-1.0, most=1.0):
    @wp.kernel
    def limit(x: wp.array(dtype=float)):
        i = wp.tid()
        x[i] = wp.clamp(x[i], least, most)

    return limit


# Of a text that the function compares with.
def make_reduce(op: str):
    if op == "max":

        @wp.func
        def join(a: float, b: float):
            return wp.max(a, b)

    elif op == "min":

        @wp.func
        def join(a: float, b: float):
            return wp.min(a, b)

    else:
        raise ValueError(op)

    @wp.kernel
    def reduce(x: wp.array(dtype=float), out: wp.array(dtype=float)):
        i = wp.tid()
        out[i] = join(x[i], out[i])

    return reduce


# A type of the caller's, and a generic kernel.
def make_fill(dtype):
    @wp.kernel
    def fill(x: wp.array(dtype=dtype), v: Any):
        i = wp.tid()
        x[i] = dtype(v)

    return fill


def make_late():
    from . import consts

    @wp.kernel
    def late(x: wp.array(dtype=float)):
        i = wp.tid()
        x[i] += consts.STEP

    return late


class Solver:
    def __init__(self, steps):
        self.steps = steps

    def build(self, order: int):
        @wp.kernel
        def advance(x: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            for _ in range(order):
                x[i] = x[i] * 0.5

        return advance

    def run(self, x):
        wp.launch(self.build(order=2), dim=len(x), inputs=[x])


# No call tells the function, and nothing else does.
def make_map(f: Callable):
    @wp.kernel
    def apply(x: wp.array(dtype=float)):
        i = wp.tid()
        x[i] = f(x[i])

    return apply


# The import in it stands for a name of the text.
def power(n):
    from .consts import doubled as twice

    m = twice(n)

    @wp.func
    def raised(x: float):
        return wp.pow(x, float(m))

    return raised


@wp.kernel
def powers(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = wp.static(power(2))(x[i])


@wp.kernel
def add(x: wp.array(dtype=Any), y: wp.array(dtype=Any), s: Any):
    i = wp.tid()
    x[i] = x[i] + y[i] * s


if __name__ == "__main__":

    @wp.kernel
    def of_the_script(x: wp.array(dtype=float)):
        x[0] = 1.0
