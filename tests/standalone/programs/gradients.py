"""Gradients of what loops keep: adjoints that a branch clears, steps that are not known."""

import warp as wp


@wp.kernel
def furthest(a: wp.array(dtype=float), x: wp.array(dtype=float), out: wp.array(dtype=float)):
    tid = wp.tid()
    p = x[tid]
    most = float(0.0)
    for i in range(a.shape[0]):
        d = p - a[i]
        if d > most:
            most = d
    out[tid] = most


@wp.kernel
def strided(n: int, stride: int, x: wp.array(dtype=float), s: wp.array(dtype=float)):
    tid = wp.tid()
    sum = float(0.0)
    for i in range(tid, n, stride):
        sum = sum + x[i] * 2.0
    for i in range(n - 1 - tid, -1, -stride):
        sum = sum + x[i] * 3.0
    wp.atomic_add(s, 0, sum)


@wp.func
def with_a_neighbour(x: wp.array(dtype=float), i: int):
    return 3.0, x[i]


@wp.kernel
def unused_results(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    a, b = with_a_neighbour(x, i)
    out[i] = a + b + x[i]


@wp.kernel
def nothing_but_roundings(x: wp.array(dtype=wp.bfloat16), v: wp.array(dtype=wp.types.vector(length=7, dtype=wp.bfloat16)), out: wp.array(dtype=wp.types.vector(length=7, dtype=wp.bfloat16))):
    i = wp.tid()
    out[i] = wp.normalize(x[i] * v[i])


# Numbers of a float16 have few steps: adjoints are tried on those that it has.
@wp.kernel
def half_determinant(m: wp.array(dtype=wp.mat22h), d: wp.array(dtype=wp.float16)):
    i = wp.tid()
    d[i] = wp.determinant(m[i])


@wp.kernel
def vector_and_real_part(w: wp.array(dtype=wp.vec3), s: wp.array(dtype=float), q: wp.array(dtype=wp.quat)):
    i = wp.tid()
    q[i] = wp.normalize(q[i] + wp.quat(w[i], s[i]) * q[i] * 0.5)


# What a short loop leaves behind has the adjoint of its last pass.
@wp.kernel
def last_pass(x: wp.array(dtype=float), y: wp.array(dtype=float)):  # ends: PASS
    i = wp.tid()
    for j in range(3):
        a = x[i] * (float(j) + 0.5)
    y[i] = a
