# SPDX-License-Identifier: Apache-2.0
"""Values that a factory is given, as Python names them: types of Python, builtins of Warp."""

import warp as wp


def make_window(radius: int, dtype=float):
    @wp.kernel
    def window(x: wp.array(dtype=dtype), y: wp.array(dtype=dtype)):
        i = wp.tid()
        s = dtype(0.0)
        for k in range(-radius, radius + 1):
            s += x[wp.clamp(i + k, 0, x.shape[0] - 1)]
        y[i] = s

    return window


def make_reduced(op):
    @wp.kernel
    def reduced(x: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = op(x[i], y[i] * 2.0)

    return reduced


def run():
    make_window(2)
    make_reduced(wp.min)
