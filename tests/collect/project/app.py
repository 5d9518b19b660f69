# SPDX-License-Identifier: Apache-2.0
"""Kernels for weft collect: each uses other definitions, of this file and of the package parts."""

import enum
from typing import Any, Final, TypeVar

import numpy as np
import warp as wp

import parts
from parts import shapes
from parts.shapes import Box, volume as volume_of
from parts.steps import *

N: Final[int] = 4
UNUSED = 17
WIDTH, HEIGHT = 3, 2 * N
# How much is left of a value.
KEEP = wp.constant(0.5)  # per step
SIDES = sum(len(name) for name in ("left", "right"))

wp.set_module_options({"max_unroll": 2})


class Kind(enum.IntEnum):
    NONE = 0
    ROUND = 1


@wp.func
def scaled(x: float):
    return x * KEEP


@wp.func
def scaled(x: int):
    # Whole numbers are doubled.
    return x * 2


@wp.func
def clipped(x: float):
    return wp.min(x, 1.0)


@wp.func_grad(clipped)
def adj_clipped(x: float, adj_ret: float):
    wp.adjoint[x] += adj_ret


@wp.kernel
def uses_overloads(a: wp.array(dtype=float), n: wp.array(dtype=int)):
    i = wp.tid()
    a[i] = scaled(a[i])
    n[i] = scaled(n[i]) + N


# The comment above a kernel stays.
@wp.kernel(enable_backward=False)
def uses_constants(a: wp.array2d(dtype=float)):
    i, j = wp.tid()
    if i < WIDTH and j < HEIGHT:
        a[i, j] = float(SIDES)  # and one in it


@wp.kernel
def uses_gradient(a: wp.array(dtype=float), b: wp.array(dtype=float)):
    i = wp.tid()
    b[i] = clipped(a[i])


@wp.kernel
def uses_imports(boxes: wp.array(dtype=Box), v: wp.array(dtype=float)):
    i = wp.tid()
    v[i] = volume_of(boxes[i]) + parts.shapes.UNIT + shapes.area(boxes[i]) + step(v[i]) + float(N)


@wp.kernel
def uses_enum(a: wp.array(dtype=int)):
    i = wp.tid()
    if a[i] == Kind.ROUND:
        for k in range(wp.static(N // 2)):
            a[i] += k


T = TypeVar("T")
Number = int | T


def twice(x: Number) -> Number:
    return 2 * x


@wp.kernel
def uses_whole_words(a: wp.array(dtype=wp.uint64), b: wp.array(dtype=float)):
    assert b, "an array that is there"
    i = wp.tid()
    if a[i] != wp.uint64(0xFFFFFFFFFFFFFFFF):
        b[i] = float(wp.static(twice(N)))


class Solver:
    GAIN = 3.0

    @wp.func
    def gain(x: float):
        return x * 3.0

    @wp.kernel
    def solve(a: wp.array(dtype=float)):
        i = wp.tid()
        a[i] = Solver.gain(a[i]) + wp.static(Solver.GAIN)


def make_power(n):
    size = sum(range(n))

    @wp.func
    def power(x: float):
        y = x
        for k in range(size):
            y *= x
        return y

    return power


class Maker:
    def make(self, power, dtype):
        @wp.struct
        class Pair:
            first: dtype
            second: dtype

        def inner(shift):
            # Made in a function of a method.
            @wp.kernel(enable_backward=False)
            def made(a: wp.array(dtype=dtype), pairs: wp.array(dtype=Pair)):
                i = wp.tid()
                a[i] = power(pairs[i].first) + pairs[i].second + dtype(shift)

            return made

        return inner(N)


made = Maker().make(make_power(3), wp.float32)


def plain(a: wp.array(dtype=int)):
    a[wp.tid()] += 2 * N


named = wp.Kernel(plain, key="plain_one")


@wp.kernel
def generic(a: wp.array(dtype=Any), s: Any):
    i = wp.tid()
    a[i] = a[i] * s


wp.overload(generic, {"a": wp.array(dtype=wp.vec3), "s": float})


@wp.kernel(enable_backward=False)
def many_parameters(
    p0: float, p1: float, p2: float, p3: float, p4: float, p5: float, p6: float, p7: float, p8: float,
    p9: float, p10: float, p11: float, p12: float, p13: float, p14: float, p15: float, p16: float, p17:
    float, p18: float, p19: float, p20: float, p21: float, p22: float, p23: float, p24: float, p25:
    float, p26: float, p27: float, p28: float, p29: float, out: wp.array(dtype=float)
):
    out[wp.tid()] = p0 - p1 * p2 + p29


@wp.kernel
def never_launched(a: wp.array(dtype=Any), s: Any):
    a[wp.tid()] = a[0] * s[0]


@wp.kernel
def fits_nothing(a: wp.array(dtype=Any)):
    a[wp.tid()] = missing(a[0])


class Launcher:
    @wp.kernel
    def launched(a: wp.array(dtype=Any), s: Any, b: wp.array2d(dtype=Any), n: wp.array(dtype=int)):
        i = wp.tid()
        b[i, n[i]] = a[i] * s

    def __init__(self, n: int):
        self.a = wp.zeros(n, dtype=wp.vec3d)
        self.b = wp.empty_like(self.a)

    def run(self, scale: wp.float64):
        rows = wp.zeros((3, 4), dtype=wp.vec3d)
        wp.launch(kernel=Launcher.launched, dim=4, inputs=[self.b, scale], outputs=[rows, self.n])


@wp.kernel
def wrong(a: wp.array(dtype=float)):
    a[wp.tid()] = missing(1.0)


@wp.kernel
def same_as_gradient(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    j = wp.tid()
    y[j] = clipped(x[j])


@wp.kernel(module="unique", module_options={"lineinfo": True})
def names_lines(a: wp.array(dtype=float)):
    a[wp.tid()] = 3.0


@wp.kernel(module_options={"deterministic": wp.DeterministicMode.RUN_TO_RUN}, module="unique")
def repeats_its_sums(a: wp.array(dtype=float), to: wp.array(dtype=int), sums: wp.array(dtype=float)):
    i = wp.tid()
    wp.atomic_add(sums, to[i], a[i])


@wp.kernel
def uses_a_class_of_a_module(n: wp.array(dtype=int)):
    i = wp.tid()
    n[i] = shapes.Grid.column(i) + shapes.Grid.row(n[i])


@wp.struct
class Cell:
    weights: wp.array2d(dtype=float)
    scale: float


@wp.kernel
def weighs_cells(cells: wp.array(dtype=Cell), y: wp.array(dtype=float)):
    i = wp.tid()
    cell = cells[i]
    y[i] = cells[i].weights[0, 1] * cell.scale + cell.weights[i, 0]


print(np.zeros(UNUSED))
