"""Warp writes a call of printf without a format, which no compiler takes; and v["a"] of a vector."""

import warp as wp


@wp.kernel
def number(x: wp.array(dtype=float)):
    wp.printf(x[0])  # expect error: printf-arguments


@wp.kernel
def numbers(x: wp.array(dtype=float)):
    wp.printf(1, 2.0)  # expect error: printf-arguments


@wp.kernel
def text(x: wp.array(dtype=float)):
    form = "%f\n"
    wp.printf(form, x[0])


@wp.kernel
def component_by_name(x: wp.array(dtype=wp.vec3)):
    v = x[0]
    print(v["a"])  # expect error: index-type
