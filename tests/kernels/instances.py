# SPDX-License-Identifier: Apache-2.0
"""Kernels of which one definition gives several: by factories, and by overloads of generic ones."""
from typing import Any

import warp as wp


def make_scale(factor, name="plain"):
    """What a kernel does not read makes no other kernel: `name`."""

    @wp.kernel
    def scale(a: wp.array(dtype=float)):
        i = wp.tid()
        a[i] = a[i] * float(factor)

    return scale


scales = [make_scale(2), make_scale(3), make_scale(2, "same as the first")]


def make_mapped(f):
    @wp.func
    def twice(x: float):
        return f(f(x))

    @wp.kernel
    def mapped(a: wp.array(dtype=float)):
        i = wp.tid()
        a[i] = twice(a[i])

    return mapped


@wp.func
def square(x: float):
    return x * x


@wp.func
def negative(x: float):
    return -x


mapped_by = {f.key: make_mapped(f) for f in (square, negative)}


def make_signed(zero):
    """Equal numbers, but other texts."""

    @wp.kernel
    def signed(a: wp.array(dtype=float)):
        i = wp.tid()
        a[i] = a[i] * zero

    return signed


signs = [make_signed(0.0), make_signed(-0.0)]


def make_counted(count):
    @wp.kernel
    def counted(a: wp.array(dtype=float)):
        i = wp.tid()
        a[i] = a[i] + float(count)

    return counted


counts = [make_counted(wp.int8(1)), make_counted(wp.float64(1.0))]


def make_typed(dtype, backward):
    @wp.struct
    class Pair:
        first: dtype
        second: dtype

    @wp.kernel(enable_backward=backward)
    def swap(pairs: wp.array(dtype=Pair)):
        i = wp.tid()
        p = pairs[i]
        swapped = Pair()
        swapped.first = p.second
        swapped.second = p.first
        pairs[i] = swapped

    return swap


swaps = [make_typed(wp.float32, True), make_typed(wp.float64, True), make_typed(wp.float32, False)]


def make_either(fast):
    """Two definitions of one name, of which each call runs one."""
    if fast:

        @wp.kernel
        def either(a: wp.array(dtype=float)):
            a[wp.tid()] = 1.0
    else:

        @wp.kernel
        def either(a: wp.array(dtype=float)):
            a[wp.tid()] = 2.0

    return either


eithers = [make_either(True), make_either(False)]

fills = []
for element in (wp.float32, wp.vec3, wp.int32):

    @wp.kernel
    def fill(a: wp.array(dtype=element), x: element):
        a[wp.tid()] = x

    fills.append(fill)


def plain(a: wp.array(dtype=float), x: float):
    a[wp.tid()] = x


of_class = [wp.Kernel(func=plain, key="plain_" + suffix) for suffix in ("one", "two")]


@wp.func
def plus(a: Any, b: Any):
    return a + b


@wp.kernel
def accumulate(a: wp.array(dtype=Any), x: Any, n: int):
    i = wp.tid()
    for _ in range(n):
        a[i] = plus(a[i], x)


accumulate_float = wp.overload(accumulate, [wp.array(dtype=float), float, int])
again = wp.overload(accumulate, [wp.array(dtype=wp.float32), wp.float32, wp.int32])
for number in (wp.int32, wp.float64, wp.vec3):
    wp.overload(accumulate, {"a": wp.array(dtype=number), "x": number})


@wp.kernel(enable_backward=False)
def norms(points: wp.array2d(dtype=Any), out: wp.array(dtype=Any)):
    i, j = wp.tid()
    out[i] = wp.length(points[i, j])


@wp.overload
def norms(points: wp.array2d(dtype=wp.vec2), out: wp.array(dtype=float)): ...


@wp.overload
def norms(points: wp.array2d(dtype=wp.vec4d), out: wp.array(dtype=wp.float64)): ...


def make_generic(n):
    @wp.kernel
    def repeat(a: wp.array(dtype=Any), x: Any):
        i = wp.tid()
        for k in range(n):
            a[i] += x * a.dtype(k + 1)

    return repeat


wp.overload(make_generic(2), [wp.array(dtype=float), float])
wp.overload(make_generic(3), [wp.array(dtype=wp.float64), wp.float64])


def renamed(f):
    """Warp reads the name that a function was given."""

    def scaled(x: float):
        return 2.0 * f(x)

    scaled.__name__ = f.key + "_scaled"
    scaled.__qualname__ = f"{f.key}.<locals>.scaled"
    made = wp.func(scaled, module="unique")
    made.core = f
    return made


twice_square = renamed(square)
twice_negative = renamed(negative)
core = twice_square.core


@wp.kernel
def by_names(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = twice_square(a[i]) + twice_negative(a[i]) + core(a[i])
