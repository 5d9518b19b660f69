"""Matrices of fixed and any shape."""

import warp as wp

mat23 = wp.types.matrix(shape=(2, 3), dtype=float)
mat55 = wp.types.matrix(shape=(5, 5), dtype=wp.float64)


@wp.kernel
def constructors(a: wp.array(dtype=wp.mat22), b: wp.array(dtype=wp.mat33), c: wp.array(dtype=mat23)):
    i = wp.tid()
    a[i] = wp.mat22(1.0, 2.0, 3.0, 4.0)
    a[i + 1] = wp.mat22(5.0)
    b[i] = wp.mat33()
    b[i + 1] = wp.matrix_from_rows(wp.vec3(1.0), wp.vec3(2.0), wp.vec3(3.0))
    b[i + 2] = wp.matrix_from_cols(wp.vec3(1.0), wp.vec3(2.0), wp.vec3(3.0))
    c[i] = mat23(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    b[i + 3] = wp.identity(n=3, dtype=float)


@wp.kernel
def indexing(a: wp.array(dtype=wp.mat33), out: wp.array(dtype=float), r: int):
    i = wp.tid()
    m = a[i]
    out[0] = m[0, 0] + m[1, 2] + m[r, 0]
    v = m[1]
    out[1] = v[2]
    m[0, 1] = 7.0
    m[2] = wp.vec3(1.0, 2.0, 3.0)
    a[i] = m


@wp.kernel
def products(a: wp.array(dtype=wp.mat33), v: wp.array(dtype=wp.vec3), s: float):
    i = wp.tid()
    m = a[i]
    n = m * m
    n = m @ n
    n = n + m - m * s
    n = s * n / 2.0
    v[i] = n * v[i]
    v[i] = n @ v[i]
    v[i] = v[i] * n
    a[i] = -n


@wp.kernel
def other_shapes(a: wp.array(dtype=mat23), v: wp.array(dtype=wp.vec3), w: wp.array(dtype=wp.vec2), m: wp.array(dtype=mat55)):
    i = wp.tid()
    w[i] = a[i] * v[i]
    t = wp.transpose(a[i])
    v[i] = t * w[i]
    m[i] = m[i] * m[i]


@wp.kernel
def builtins(a: wp.array(dtype=wp.mat33), v: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    m = a[i]
    out[0] = wp.determinant(m)
    out[1] = wp.trace(m)
    out[2] = wp.ddot(m, m)
    a[i] = wp.inverse(m) * wp.transpose(m)
    a[i + 1] = wp.outer(v[i], v[i]) + wp.skew(v[i]) + wp.diag(v[i])
    v[i] = wp.get_diag(m)


@wp.kernel
def decompositions(a: wp.array(dtype=wp.mat33)):
    i = wp.tid()
    u = wp.mat33()
    s = wp.vec3()
    v = wp.mat33()
    wp.svd3(a[i], u, s, v)
    a[i] = u * wp.diag(s) * wp.transpose(v)
    q, r = wp.qr3(a[i])
    a[i + 1] = q * r


@wp.kernel
def mat44_transform(m: wp.mat44, p: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    p[i] = wp.transform_point(m, p[i]) + wp.transform_vector(m, p[i])


mat32 = wp.types.matrix(shape=(3, 2), dtype=wp.float32)


@wp.kernel
def wide_matrices_from_vectors(
    x: wp.array(dtype=wp.vec3), rows: wp.array(dtype=mat23), cols: wp.array(dtype=mat32)
):
    i = wp.tid()
    rows[i] = wp.matrix_from_rows(x[i], 2.0 * x[i])
    cols[i] = wp.matrix_from_cols(x[i], 3.0 * x[i])
