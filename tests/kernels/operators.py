"""Operators on numbers, comparisons and boolean operators."""

import warp as wp


@wp.kernel
def integer_operators(a: wp.array(dtype=int), b: wp.array(dtype=int), c: wp.array(dtype=int)):
    i = wp.tid()
    x = a[i]
    y = b[i]
    c[0] = x + y
    c[1] = x - y
    c[2] = x * y
    c[3] = x // y
    c[4] = x % y
    c[5] = x / y
    c[6] = -x
    c[7] = +y


@wp.kernel
def float_operators(a: wp.array(dtype=float), b: wp.array(dtype=float), c: wp.array(dtype=float)):
    i = wp.tid()
    x = a[i]
    y = b[i]
    c[i] = (x + y) * (x - y) / (x * y)
    c[i + 1] = x // y + x % y
    c[i + 2] = x ** y
    c[i + 3] = x ** 2.0
    c[i + 4] = -(-x)


@wp.kernel
def bit_operators(a: wp.array(dtype=wp.uint32), s: wp.uint32):
    i = wp.tid()
    x = a[i]
    x = x ^ (x << s)
    x = x ^ (x >> wp.uint32(17))
    x = (x & wp.uint32(0xFF)) | wp.uint32(3)
    a[i] = ~x


@wp.kernel
def comparisons(x: float, y: float, n: int, out: wp.array(dtype=int)):
    if x < y:
        out[0] = 1
    if x <= y:
        out[1] = 1
    if x > y:
        out[2] = 1
    if x >= y:
        out[3] = 1
    if n == 3:
        out[4] = 1
    if n != 3:
        out[5] = 1


@wp.kernel
def chained_comparison(x: float, n: int, out: wp.array(dtype=int)):
    if 0.0 < x < 1.0:
        out[0] = 1
    if 0 <= n <= 10:
        out[1] = 1


@wp.kernel
def boolean_operators(x: float, y: float, n: int, out: wp.array(dtype=int)):
    if x > 0.0 and y > 0.0:
        out[0] = 1
    if x > 0.0 or y > 0.0 or n == 2:
        out[1] = 1
    if not n == 2:
        out[2] = 1
    if (x > 1.0 and y > 1.0) or (n > 0 and not x < 0.0):
        out[3] = 1
    flag = x > y
    if flag:
        out[4] = 1


@wp.kernel
def ternary(x: float, y: float, out: wp.array(dtype=float)):
    a = x if x > y else y
    b = 1.0 if x > 0.0 else (2.0 if y > 0.0 else 3.0)
    out[0] = a + b


@wp.kernel
def where_and_select(x: float, y: float, c: bool, out: wp.array(dtype=float)):
    out[0] = wp.where(x > y, x, y)
    out[1] = wp.where(c, x, 0.0)


@wp.kernel
def mixed_widths(a: wp.array(dtype=wp.int64), b: wp.array(dtype=wp.uint8), c: wp.array(dtype=wp.int16)):
    i = wp.tid()
    a[i] = a[i] * wp.int64(3) + wp.int64(b[i])
    b[i] = b[i] + wp.uint8(1)
    c[i] = c[i] - wp.int16(4)
