"""What is evaluated while the module is read: wp.static, closures, module-level Python."""

import math

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
