"""Scalar types, casts and literals."""

import warp as wp


@wp.kernel
def every_scalar_parameter(
    a: wp.int8, b: wp.uint8, c: wp.int16, d: wp.uint16, e: wp.int32, f: wp.uint32,
    g: wp.int64, h: wp.uint64, i: wp.float16, j: wp.float32, k: wp.float64, l: bool,
    out: wp.array(dtype=wp.float64),
):
    out[0] = wp.float64(a) + wp.float64(b) + wp.float64(c) + wp.float64(d)
    out[1] = wp.float64(e) + wp.float64(f) + wp.float64(g) + wp.float64(h)
    out[2] = wp.float64(i) + wp.float64(j) + k
    if l:
        out[3] = wp.float64(1.0)


@wp.kernel
def python_casts(x: float, n: int, out: wp.array(dtype=float)):
    a = int(x)
    b = float(n)
    c = bool(n)
    d = float(a) + b
    if c:
        out[0] = d


@wp.kernel
def literals(out: wp.array(dtype=float), whole: wp.array(dtype=int)):
    a = 1.0
    b = 1e-3
    c = 123456.789
    d = 0x1F
    e = 0b101
    f = 1_000_000
    g = -5
    h = True
    i = .5
    j = 1e20
    out[0] = a + b + c + i + j
    whole[0] = d + e + f + g
    if h:
        whole[1] = 0


@wp.kernel
def big_literals(out: wp.array(dtype=wp.int64), wide: wp.array(dtype=wp.uint32)):
    out[0] = wp.int64(2147483648)
    out[1] = wp.int64(-9223372036854775807)
    wide[0] = wp.uint32(4294967295)
    wide[1] = wp.uint32(0x846CA68B)


@wp.kernel
def half_arithmetic(a: wp.array(dtype=wp.float16), b: wp.array(dtype=wp.float16)):
    tid = wp.tid()
    x = a[tid]
    y = x * x + wp.float16(0.5)
    b[tid] = y - wp.float16(2.0) * x


@wp.kernel
def bfloat_arithmetic(a: wp.array(dtype=wp.bfloat16), b: wp.array(dtype=wp.bfloat16)):
    tid = wp.tid()
    b[tid] = a[tid] * wp.bfloat16(1.5)


@wp.kernel
def double_arithmetic(a: wp.array(dtype=wp.float64), b: wp.array(dtype=wp.float64), s: wp.float64):
    tid = wp.tid()
    b[tid] = wp.sin(a[tid]) * s + wp.float64(3.25)
