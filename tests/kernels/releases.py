"""Loops that releases of Warp write differently: base/warp_rule.def."""
import warp as wp


@wp.kernel
def with_continue(a: wp.array(dtype=float)):
    for j in range(3):
        if a[j] < 0.0:
            continue
        a[j] = 1.0


@wp.kernel
def just_above_the_limit(a: wp.array(dtype=float)):
    s = float(0.0)
    for j in range(0, 33, 2):
        s += a[j]
    a[0] = s


@wp.kernel
def empty_and_long(a: wp.array(dtype=float)):
    for j in range(20, 0):
        a[j] = 2.0
    a[0] = 1.0


@wp.kernel
def loops_in_a_loop(a: wp.array(dtype=float), n: int):
    s = float(0.0)
    for i in range(n):
        for j in range(n):
            s += a[j] * a[i]
        for k in range(20):
            s += a[k]
    a[0] = s
