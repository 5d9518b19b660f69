"""Parts of transformations, searches, loops that run backward, arrays that are not there, constants."""

from typing import Any

import warp as wp

MOVED = wp.constant(wp.transform(wp.vec3(1.0, 2.0, 3.0), wp.quat(0.0, 0.0, 0.6, 0.8)))


@wp.kernel
def transformations(x: wp.array(dtype=float), t: wp.array(dtype=wp.transform), out: wp.array(dtype=float)):
    i = wp.tid()
    a = wp.transform()
    a[0] = x[i]
    a[3] += 2.0 * x[i]
    a[i % 7] = 3.0 * x[i]
    t[i][1] = x[i]
    t[i][6] += x[i] * x[i]
    b = MOVED
    out[i] = a[0] + a[3] * a[i % 7] + t[i][1] + b[2] * x[i]


@wp.kernel
def searches(sorted: wp.array(dtype=float), x: wp.array(dtype=float), first: wp.array(dtype=int)):
    i = wp.tid()
    first[i] = wp.lower_bound(sorted, x[i]) + wp.lower_bound(sorted, 2, 9, x[i])


@wp.kernel
def backward_ranges(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    s = float(0.0)
    for j in reversed(range(i, n, 3)):
        s = s * 0.5 + float(j)
    for j in reversed(range(n, i, -2)):
        s += float(j)
    out[i] = s * x[i]


@wp.kernel
def maybe(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    if not x:
        out[i] = 1.0
    else:
        out[i] = x[i]


@wp.kernel
def sizes_of_slices(x: wp.array2d(dtype=float), out: wp.array(dtype=int)):
    i = wp.tid()
    a = x[2:9:3]
    b = x[1, 1:]
    out[i] = a.shape[0] * 100 + b.shape[0]


@wp.func
def later(x: wp.array(dtype=float), i: int, count: int):
    return x[i + count]


@wp.kernel
def generic_functions(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = later(x, i, 2)


@wp.func
def halves_of(a: Any, k: Any):
    return a * k, wp.length(a)


@wp.kernel
def instances_of_one_function(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=wp.vec2d), out: wp.array(dtype=float), out_d: wp.array(dtype=wp.float64)):
    i = wp.tid()
    a, n = halves_of(x[i], 0.5)
    b, m = halves_of(y[i], wp.float64(0.5))
    out[i] = a[0] + n
    out_d[i] = b[1] + m


@wp.kernel
def given(x: wp.array(dtype=float), m: wp.array(dtype=int), out: wp.array(dtype=float)):
    i = wp.tid()
    if m:
        if m[i] == 0:
            return
    out[i] = x[i]


@wp.kernel
def many_octaves(seed: int, octaves: int, p: wp.array(dtype=wp.vec2), eps: float, out: wp.array(dtype=wp.vec2)):
    i = wp.tid()
    s = wp.rand_init(seed)
    d = wp.vec2(eps, 0.0)
    out[i] = wp.curlnoise(s, p[i] - d, wp.uint32(octaves), 1.5, 0.5) - wp.curlnoise(s, p[i] + d, wp.uint32(octaves), 1.5, 0.5)


@wp.kernel
def comparisons_of_comparisons(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    small = (-2 < -1) < (1 > 0)
    if small == (x[i] < 0.5):
        out[i] = x[i]


vec48 = wp.types.vector(length=48, dtype=wp.float32)


@wp.kernel
def many_operands(x: wp.array(dtype=float), y: wp.array(dtype=vec48)):
    i = wp.tid()
    a = x[i]
    b = a * a
    y[i] = vec48(
        a, b, a + b, a - b, 2.0 * b, wp.sin(a),
        a, b, a + b, a - b, 2.0 * b, wp.sin(a),
        a, b, a + b, a - b, 2.0 * b, wp.sin(a),
        a, b, a + b, a - b, 2.0 * b, wp.sin(a),
        a, b, a + b, a - b, 2.0 * b, wp.sin(a),
        a, b, a + b, a - b, 2.0 * b, wp.sin(a),
        a, b, a + b, a - b, 2.0 * b, wp.sin(a),
        a, b, a + b, a - b, 2.0 * b, wp.sin(a),
    )
