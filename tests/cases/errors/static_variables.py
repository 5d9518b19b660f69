"""wp.static of variables, whose values are known when the kernel runs."""

import warp as wp


@wp.kernel
def attribute(a: wp.array(dtype=float)):
    a[0] = float(wp.static(a.ndim))  # expect error: static-variable


@wp.kernel
def shape(a: wp.array(dtype=float)):
    n = wp.static(a.size)  # expect error: static-variable
    v = wp.vec3(1.0, 2.0, 3.0)
    m = wp.static(v.length)  # expect error: static-variable


@wp.kernel
def right(a: wp.array(dtype=float)):
    v = wp.vec3(1.0, 2.0, 3.0)
    a[0] = float(wp.static(len(v) + sum([k for k in range(3)])))
