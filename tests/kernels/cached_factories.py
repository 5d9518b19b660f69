# Factories that functools makes run once for each list of arguments: what they return is one object, with
# one number in its name.
import functools
from functools import cache, lru_cache

import warp as wp


@lru_cache(maxsize=None)
def make_power(n: int, scale: float = 1.0):
    @wp.func
    def power(x: float):
        y = float(wp.static(scale))
        for _ in range(wp.static(n)):
            y *= x
        return y

    return power


@functools.lru_cache
def make_kernel(n):
    @wp.kernel
    def apply(a: wp.array[float]):
        i = wp.tid()
        a[i] = wp.static(make_power(n))(a[i]) + wp.static(make_power(n, 1.0))(a[i])

    return apply


first = make_kernel(2)
second = make_kernel(3)
again = make_kernel(2)  # the first one


@lru_cache(maxsize=1)
def make_last(n):
    @wp.func
    def last(x: float):
        return x * float(wp.static(n))

    return last


@lru_cache(typed=True)
def make_typed(n):
    @wp.func
    def typed(x: float):
        return x + float(wp.static(n))

    return typed


@cache
def make_shift(n, *rest, **more):
    @wp.func
    def shift(x: float):
        return x - float(wp.static(n))

    return shift


l1, l2, l3 = make_last(1), make_last(2), make_last(1)  # forgotten in between
t1, t2, t3 = make_typed(1), make_typed(1.0), make_typed(1)
s1, s2, s3, s4 = make_shift(1), make_shift(1.0), make_shift(n=1), make_shift(True)
s5, s6, s7, s8 = make_shift(1, a=2, b=3), make_shift(1, b=3, a=2), make_shift(1, 2), make_shift(1.0, 2)


@wp.kernel
def forgotten(a: wp.array[float]):
    i = wp.tid()
    a[i] = l1(a[i]) + l2(a[i]) + l3(a[i])


@wp.kernel
def with_types(a: wp.array[float]):
    i = wp.tid()
    a[i] = t1(a[i]) + t2(a[i]) + t3(a[i])


@wp.kernel
def with_keywords(a: wp.array[float]):
    i = wp.tid()
    a[i] = s1(a[i]) + s2(a[i]) + s3(a[i]) + s4(a[i]) + s5(a[i]) + s6(a[i]) + s7(a[i]) + s8(a[i])


class Maker:
    def __init__(self, n):
        self.n = n

    @functools.lru_cache(maxsize=None)
    def make(self, m):
        n = self.n

        @wp.func
        def of_object(x: float):
            return x * float(wp.static(n * m))

        return of_object


one, other = Maker(1), Maker(2)
o1, o2, o3 = one.make(5), other.make(5), one.make(5)


@wp.kernel
def of_objects(a: wp.array[float]):
    i = wp.tid()
    a[i] = o1(a[i]) + o2(a[i]) + o3(a[i])
