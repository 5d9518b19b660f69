"""wp.indexedarray: each dimension has a list of indices."""

import warp as wp


@wp.func
def weighted(a: wp.indexedarray(dtype=float), i: int, w: float):
    return w * a[i] + a[0]


@wp.kernel
def gathered(a: wp.indexedarray(dtype=float), w: wp.array(dtype=float), b: wp.array(dtype=float)):
    i = wp.tid()
    b[i] = weighted(a, i, w[i]) * a[i]


@wp.kernel
def last(a: wp.indexedarray(dtype=int), b: wp.indexedarray(dtype=int)):
    i = wp.tid()
    b[i] = a[a.shape[0] - 1 - i] - 3 * a[-1]


@wp.kernel
def rows(m: wp.array2d(dtype=bool), a: wp.array3d(dtype=wp.vec3), b: wp.indexedarray(dtype=wp.vec3, ndim=3)):
    i, j, k = wp.tid()
    if m[i, j]:
        b[i, j, k] = a[i, j, k] * 2.0 + b[i, j, k]


@wp.kernel
def summed(a: wp.indexedarray(dtype=wp.float64, ndim=2), total: wp.indexedarray(dtype=wp.float64)):
    i, j = wp.tid()
    wp.atomic_add(total, i, a[i, j] * a[i, j])


@wp.kernel
def row(a: wp.indexedarray(dtype=float, ndim=2), b: wp.array(dtype=float)):
    i = wp.tid()
    r = a[i]  # no form: a view of a wp.indexedarray
    b[i] = r[0] * r[1] + b[i]


# Arrays of Fabric are the elements that the kernel sees.
@wp.kernel(enable_backward=False)
def places(fabric_to_view: wp.fabricarray(dtype=wp.uint32), view_to_fabric: wp.array(dtype=wp.uint32)):
    i = int(wp.tid())
    view = int(fabric_to_view[i])
    view_to_fabric[view] = wp.uint32(i)


@wp.kernel(enable_backward=False)
def moved(x: wp.fabricarray(dtype=wp.vec3d), s: wp.array(dtype=wp.float64), n: int):
    i = wp.tid()
    if i < n:
        x[i] = x[i] * s[i] + wp.vec3d(x[i][1])


@wp.kernel(enable_backward=False)
def listed(x: wp.indexedfabricarray(dtype=wp.float32), y: wp.array(dtype=wp.float32)):
    i = wp.tid()
    y[i] = x[i] * 2.0  # no form: an array of another kind than wp.array
