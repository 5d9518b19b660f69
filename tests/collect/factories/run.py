# SPDX-License-Identifier: Apache-2.0
"""Calls functions that make kernels, in functions that nothing calls."""

import warp as wp

from kits import kernels
from kits.kernels import add, make_scale


def main(flag):
    for n in (3, 5):
        negative = True
        k = make_scale(n, negative=negative)
    plain = make_scale(7)
    x = wp.zeros(8, dtype=wp.vec2d)
    wp.launch(add, dim=8, inputs=[x, x, wp.float64(2.0)])
    wp.launch(kernels.make_fill(wp.float64), dim=8, inputs=[x, 1.0])
    return k, plain


def other(flag):
    from kits.kernels import make_copy

    return make_copy(flag)
