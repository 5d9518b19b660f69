# Warp reads the source of what functools.wraps wraps in place of the function's own.
import functools

import warp as wp


def shift(x: float):
    return x


@functools.wraps(shift)
def shifted(x: float):
    return x + 1.0


shift_by_one = wp.func(shifted)


@wp.kernel
def use(a: wp.array(dtype=float)):
    a[0] = shift_by_one(a[0])  # expect error: unknown-value
