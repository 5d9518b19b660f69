"""Subscripts, sizes and conditions. subscripts.err holds what weft says to write."""

import warp as wp


@wp.kernel
def slices(x: wp.array(dtype=float), y: wp.array2d(dtype=float), i: int):
    x[0:3] = 1.0  # expect error: slice-store
    x[:] = x[3:6]  # expect error: slice-store
    x[i, 0] = 1.0  # expect error: index-count
    x[i] = x[i, 0]  # expect error: index-count
    y[i] = 1.0  # expect error: index-count
    x[i] = x[i][0]  # expect error: not-indexable


@wp.kernel
def sizes(x: wp.array(dtype=float), v: wp.vec3):
    n = x.size  # expect error: array-size
    x[0] = x.size  # expect error: array-size
    x[1] = x.size()  # expect error: array-size
    d = x.ndim  # expect error: not-a-value
    for i in x.shape:  # expect error: not-iterable
        x[i] = 1.0
    for i in range(x.shape):  # expect error: no-overload
        x[i] = 1.0
    for i in range(x):  # expect error: no-overload
        x[i] = 1.0


@wp.kernel
def stored(x: wp.array(dtype=float), v: wp.array(dtype=wp.vec3), u: wp.vec2, d: wp.vec3d, i: int):
    x[0] = i  # expect error: store-type
    x[0] = 1  # expect error: store-type
    x[0] = x  # expect error: store-type
    v[0] = 1.0  # expect error: store-type
    v[0] = (1.0, 2.0, 3.0)  # expect error: store-type
    v[0] = d  # expect error: store-type
    v[0].x = i  # expect error: type-mismatch
    i = 1.5  # expect error: rebound-type


@wp.kernel
def chosen(x: wp.array(dtype=float), v: wp.vec3, i: int, s: float):
    a = 1 if i else 2.0  # expect error: branch-types
    b = v if i > 0 else s  # expect error: branch-types
    c = 1.0 if s else 2.0  # expect error: condition-type
    if s:  # expect error: condition-type
        s = 1.0
    if v:  # expect error: condition-type
        s = 1.0


@wp.kernel
def names(x: wp.array(dtype=float), q: wp.array(dtype=wp.quat)):
    x[0] = wp.relu(x[1])  # expect error: unknown-function
    x[0] = wp.sum(x)  # expect error: unknown-function
    q[0] = wp.quat_from_euler(1.0, 2.0, 3.0)  # expect error: unknown-value
    wp.syncthreads()  # expect error: unknown-function
    x[0] = list(x)  # expect error: python-only
    x[0] = eval("1.0")  # expect error: python-only
