import warp as wp


@wp.kernel
def gather(a: wp.indexedarray(dtype=float), b: wp.indexedarray2d(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = a[i] * wp.dot(b[i, 1], b[i, 0]) + float(b.shape[0])


@wp.kernel
def scatter(x: wp.array(dtype=float), a: wp.indexedarray(dtype=float), f: wp.fabricarray(dtype=float)):
    i = wp.tid()
    a[i] = x[i] * 2.0
    f[i] = x[i] + f[i]
    wp.atomic_add(a, i, x[i])
