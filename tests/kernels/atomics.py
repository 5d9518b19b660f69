"""Atomic operations and searches in arrays."""

import warp as wp


@wp.kernel
def scalar_atomics(a: wp.array(dtype=float), n: wp.array(dtype=int)):
    i = wp.tid()
    wp.atomic_add(a, 0, a[i])
    wp.atomic_sub(a, 1, a[i])
    wp.atomic_min(a, 2, a[i])
    wp.atomic_max(a, 3, a[i])
    old = wp.atomic_add(n, 0, 1)
    n[old] = i


@wp.kernel
def more_dimensions(a: wp.array2d(dtype=float), b: wp.array3d(dtype=float), c: wp.array4d(dtype=float)):
    i = wp.tid()
    wp.atomic_add(a, i, 0, 1.0)
    wp.atomic_add(b, i, 0, 1, 1.0)
    wp.atomic_max(c, i, 0, 1, 2, 1.0)


@wp.kernel
def vector_atomics(v: wp.array(dtype=wp.vec3), m: wp.array(dtype=wp.mat33)):
    i = wp.tid()
    wp.atomic_add(v, 0, v[i])
    wp.atomic_sub(v, 1, v[i] * 2.0)
    wp.atomic_add(m, 0, m[i])


@wp.kernel
def exchange(n: wp.array(dtype=int)):
    i = wp.tid()
    x = wp.atomic_cas(n, 0, 1, i)
    y = wp.atomic_exch(n, 1, x)
    n[2] = y


@wp.kernel
def bit_atomics(n: wp.array(dtype=int)):
    i = wp.tid()
    wp.atomic_and(n, 0, i)
    wp.atomic_or(n, 1, i)
    wp.atomic_xor(n, 2, i)


@wp.kernel
def search(a: wp.array(dtype=float), n: wp.array(dtype=int), x: float):
    i = wp.tid()
    n[i] = wp.lower_bound(a, x)
    n[i] = wp.lower_bound(a, 0, 10, x)


@wp.kernel
def histogram(values: wp.array(dtype=float), counts: wp.array(dtype=int), low: float, width: float, bins: int):
    i = wp.tid()
    b = int((values[i] - low) / width)
    if b >= 0 and b < bins:
        wp.atomic_add(counts, b, 1)
