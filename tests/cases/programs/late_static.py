# SPDX-License-Identifier: Apache-2.0
"""Generic functions and those that take functions see the N of the end; `own` has that of its definition."""

from typing import Any

import warp as wp

N = 4


@wp.func
def scaled(x: Any):
    return x * type(x)(wp.static(N))


@wp.func
def own(x: float):
    return x + float(wp.static(N))


@wp.func
def taking(f: wp.Function, x: float):
    return f(x) * float(wp.static(N))


@wp.kernel
def k(a: wp.array[float]):
    i = wp.tid()
    a[i] = scaled(a[i]) + taking(own, a[i])


N = 6
