"""What is evaluated while the module is read: wp.static, closures, module-level Python."""

import math
from typing import Any

import warp as wp

SIZE = 3
TABLE = [0.5, 1.5, 2.5]
SETTINGS = {"gain": 4.0, "steps": 2}
AREA = math.pi * SIZE**2
TOTAL = sum(TABLE) + len(TABLE)

if SIZE > 2:
    MODE = 1
else:
    MODE = 2

vecn = wp.types.vector(length=SIZE, dtype=float)


@wp.kernel
def static_numbers(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = wp.static(TABLE[1] * 2.0) + wp.static(SETTINGS["gain"]) + AREA + TOTAL


@wp.kernel
def static_in_loop(a: wp.array(dtype=float)):
    i = wp.tid()
    for k in range(SIZE):
        a[i] += float(k)
    if wp.static(MODE == 1):
        a[i] = 0.0


@wp.kernel
def sized_type(a: wp.array(dtype=vecn)):
    i = wp.tid()
    a[i] = a[i] + vecn(1.0, 2.0, 3.0)


def make_power(exponent: int):
    @wp.func
    def power(x: float):
        r = float(1.0)
        for _ in range(exponent):
            r *= x
        return r

    return power


cubed = make_power(3)


@wp.kernel
def closure_function(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = cubed(a[i])


@wp.kernel
def known_static_in_long_loop(a: wp.array(dtype=float), n: int):
    i = wp.tid()
    for _ in range(20):
        a[i] += wp.static(TABLE[1] * 2.0)
    for _ in range(n):
        for _k in range(wp.static(SIZE * 20)):
            a[i] += 1.0


@wp.kernel
def break_beside_static(a: wp.array(dtype=float), n: int):
    i = wp.tid()
    for _ in range(n):
        for k in range(3):
            a[i] = wp.static(TABLE[1] * 2.0)
            if i > k:
                break


# Instances of generic functions and kernels, and copies for the functions that are given, evaluate
# wp.static when they are made: LATE is 3 for the functions, 1 and 2 for the kernel.
LATE = 1


def make_plus(n: int):
    @wp.func
    def plus(x: float):
        return x + float(wp.static(n))

    return plus


@wp.func
def generic_static(x: Any):
    return x * type(x)(wp.static(LATE))


@wp.func
def generic_made(x: Any):
    return type(x)(wp.static(make_plus(LATE))(float(x)))


@wp.func
def own_static(x: float):
    return x + float(wp.static(LATE))


@wp.func
def taking(f: wp.Function, x: float):
    return f(x) * float(wp.static(LATE))


@wp.func
def generic_taking(f: wp.Function, x: Any):
    return type(x)(wp.static(make_plus(LATE))(f(float(x))))


@wp.kernel
def static_of_instances(a: wp.array(dtype=float), b: wp.array(dtype=int)):
    i = wp.tid()
    a[i] = generic_static(a[i]) + own_static(a[i])
    b[i] = generic_made(b[i])
    a[i] = generic_made(a[i])
    b[i] = generic_made(b[i])


@wp.kernel
def static_of_kept_instances(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = generic_made(a[i])


@wp.kernel
def static_of_copies(a: wp.array(dtype=float), b: wp.array(dtype=int)):
    i = wp.tid()
    a[i] = taking(own_static, a[i]) + taking(cubed, a[i])
    a[i] = generic_taking(own_static, a[i])
    b[i] = generic_taking(own_static, b[i])


@wp.kernel
def static_of_kernels(a: wp.array(dtype=Any)):
    i = wp.tid()
    a[i] = a[i] * a.dtype(wp.static(LATE))


wp.overload(static_of_kernels, [wp.array(dtype=float)])
LATE = 2
wp.overload(static_of_kernels, [wp.array(dtype=int)])
LATE = 3
