# SPDX-License-Identifier: Apache-2.0
"""Functions that make kernels, each behind a decorator of the program's own."""

import enum
import functools
from dataclasses import dataclass

import warp as wp


def cached(function):
    made = {}

    @functools.wraps(function)
    def wrapper(*args):
        key = tuple(hash(a) for a in args)
        if key not in made:
            made[key] = function(*args)
        return made[key]

    return wrapper


class Counted:
    def __init__(self, function):
        self.function = function
        self.calls = 0

    def __call__(self, *args, **kwargs):
        self.calls += 1
        return self.function(*args, **kwargs)


# It hands on another number than it gets.
def doubling(function):
    def twice(count: int):
        return function(2 * count, True)

    return twice


class Shape(enum.IntEnum):
    FLAT = 0
    ROUND = 1


@dataclass
class Block:
    start: wp.array(dtype=int)
    size: int


# Called below, with a number that is known and one that is not.
@cached
def make_shift(n: int, times: int, shape: Shape):
    @wp.kernel
    def shift(x: wp.array(dtype=float)):
        i = wp.tid()
        if wp.static(shape == Shape.ROUND):
            x[i] = x[i] / float(n)
        x[i] = x[i] + float(n * times)

    return shift


@cached
def make_sums(block: Block):
    size = block.size

    @wp.kernel(enable_backward=False)
    def sums(a: wp.array(dtype=float), b: wp.array(dtype=float)):
        t = wp.tile_load(a, shape=size)
        wp.tile_store(b, wp.tile_sum(t))

    return sums


@Counted
def make_power(n: int):
    @wp.kernel
    def power(x: wp.array(dtype=float)):
        i = wp.tid()
        x[i] = wp.pow(x[i], float(n))

    return power


@doubling
def make_even(n, negative):
    sign = -1.0 if negative else 1.0

    @wp.kernel
    def even(x: wp.array(dtype=float)):
        i = wp.tid()
        x[i] = sign * x[i] * float(n)

    return even


def run(x, options):
    wp.launch(make_shift(7, options.times, Shape.ROUND), dim=len(x), inputs=[x])
    wp.launch(make_power(n=3), dim=len(x), inputs=[x])
    wp.launch(make_even(5), dim=len(x), inputs=[x])
