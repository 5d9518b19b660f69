"""Scalar math on numbers and by components."""

import warp as wp


@wp.kernel
def trigonometry(a: wp.array(dtype=float), b: wp.array(dtype=float)):
    i = wp.tid()
    x = a[i]
    b[i] = wp.sin(x) + wp.cos(x) + wp.tan(x) + wp.asin(x) + wp.acos(x) + wp.atan(x)
    b[i] = wp.sinh(x) + wp.cosh(x) + wp.tanh(x) + wp.atan2(x, 2.0)
    b[i] = wp.degrees(x) + wp.radians(x)


@wp.kernel
def powers(a: wp.array(dtype=float), b: wp.array(dtype=float)):
    i = wp.tid()
    x = a[i]
    b[i] = wp.sqrt(x) + wp.cbrt(x) + wp.exp(x) + wp.log(x) + wp.log2(x) + wp.log10(x) + wp.pow(x, 3.0)


@wp.kernel
def rounding(a: wp.array(dtype=float), b: wp.array(dtype=float)):
    i = wp.tid()
    x = a[i]
    b[i] = wp.round(x) + wp.rint(x) + wp.trunc(x) + wp.floor(x) + wp.ceil(x) + wp.frac(x)


@wp.kernel
def picking(a: wp.array(dtype=float), b: wp.array(dtype=float), n: wp.array(dtype=int)):
    i = wp.tid()
    x = a[i]
    b[i] = wp.min(x, 1.0) + wp.max(x, 0.0) + wp.clamp(x, 0.0, 1.0) + wp.abs(x) + wp.sign(x) + wp.step(x)
    b[i] = wp.nonzero(x) + wp.lerp(x, 1.0, 0.5) + wp.smoothstep(0.0, 1.0, x)
    n[i] = wp.min(n[i], 3) + wp.abs(n[i]) + wp.clamp(n[i], 0, 9)
    b[i] = min(x, 2.0) + max(x, 3.0) + abs(x) + round(x)


@wp.kernel
def predicates(a: wp.array(dtype=float), n: wp.array(dtype=int)):
    i = wp.tid()
    if wp.isnan(a[i]) or wp.isinf(a[i]):
        n[i] = 1
    if wp.isfinite(a[i]):
        n[i] = 2


@wp.kernel
def special(a: wp.array(dtype=float), b: wp.array(dtype=float)):
    i = wp.tid()
    b[i] = wp.erf(a[i]) + wp.erfc(a[i])


@wp.kernel
def shared_subexpressions(a: wp.array(dtype=float), b: wp.array(dtype=float), c: float):
    i = wp.tid()
    x = a[i] * c
    y = wp.exp(-x * x) * wp.sin(x) / (1.0 + x * x)
    z = wp.sqrt(wp.abs(y) + 1e-6)
    b[i] = z + y * x
