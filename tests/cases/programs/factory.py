# Factories whose kernels have one name: each that differs has a text.
import warp as wp


def make(n):
    @wp.kernel
    def scale(a: wp.array(dtype=float)):
        a[wp.tid()] = float(n)

    return scale


def make_named(n):
    @wp.kernel(name=f"scale_{n}")
    def scale(a: wp.array(dtype=float)):
        a[wp.tid()] = float(n)

    return scale


def make_same(n):
    @wp.func
    def helper(x: float):
        return x * float(n)

    @wp.kernel
    def twice(a: wp.array(dtype=float)):
        a[wp.tid()] = helper(2.0)

    return twice


kernels = [make(n) for n in (1, 2, 3)]
named = [make_named(n) for n in (1, 2, 3)]
same = [make_same(5), make_same(5)]
