"""Arrays of one to four dimensions, all annotation styles, partial indexing."""

from typing import Any

import warp as wp


@wp.kernel
def one_dimension(a: wp.array(dtype=float), b: wp.array(dtype=wp.int32), c: wp.array1d(dtype=float)):
    i = wp.tid()
    a[i] = float(b[i]) + c[i]


@wp.kernel
def two_dimensions(a: wp.array2d(dtype=float), b: wp.array(dtype=float, ndim=2)):
    i, j = wp.tid()
    a[i, j] = b[j, i] * 2.0


@wp.kernel
def three_dimensions(a: wp.array3d(dtype=float), b: wp.array(dtype=float, ndim=3)):
    i, j, k = wp.tid()
    a[i, j, k] = b[k, j, i]


@wp.kernel
def four_dimensions(a: wp.array4d(dtype=float), b: wp.array(dtype=float, ndim=4)):
    i, j, k, l = wp.tid()
    a[i, j, k, l] = b[l, k, j, i] + a[i, j, k, l]


@wp.kernel
def bracket_annotations(a: wp.array[float], b: wp.array[wp.vec3]):
    i = wp.tid()
    a[i] = b[i][0]


@wp.kernel
def partial_indexing(a: wp.array2d(dtype=float), b: wp.array3d(dtype=float)):
    i = wp.tid()
    row = a[i]
    row[0] = 1.0
    plane = b[i]
    x = plane[1, 2]
    line = b[i, 0]
    row[1] = x + line[2]


@wp.func
def row_sum(row: wp.array(dtype=float), n: int):
    s = float(0.0)
    for k in range(n):
        s += row[k]
    return s


@wp.kernel
def row_to_function(a: wp.array2d(dtype=float), out: wp.array(dtype=float), n: int):
    i = wp.tid()
    out[i] = row_sum(a[i], n)


@wp.kernel
def shapes(a: wp.array2d(dtype=float), out: wp.array(dtype=int)):
    out[0] = a.shape[0]
    out[1] = a.shape[1]


@wp.kernel
def element_types(
    v: wp.array(dtype=wp.vec3), m: wp.array(dtype=wp.mat33), q: wp.array(dtype=wp.quat),
    t: wp.array(dtype=wp.transform), s: wp.array(dtype=wp.spatial_vector), u: wp.array(dtype=wp.vec2i),
):
    i = wp.tid()
    v[i] = m[i] * v[i]
    q[i] = wp.normalize(q[i])
    t[i] = wp.transform(v[i], q[i])
    s[i] = s[i] * 2.0
    u[i] = wp.vec2i(i, u[i][1])


@wp.kernel
def negative_and_computed_index(a: wp.array(dtype=float), idx: wp.array(dtype=int)):
    i = wp.tid()
    a[idx[i]] = a[idx[i + 1] * 2] + a[i * 2 + 1]


@wp.kernel
def bool_array(flags: wp.array(dtype=wp.bool), a: wp.array(dtype=float)):
    i = wp.tid()
    if flags[i]:
        a[i] = 1.0
        flags[i] = False
