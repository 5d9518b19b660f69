"""Assignment in all its forms."""

import warp as wp


@wp.kernel
def plain(a: wp.array(dtype=float), b: wp.array(dtype=float)):
    i = wp.tid()
    x = a[i]
    y = x
    x = x + 1.0
    b[i] = x * y


@wp.kernel
def augmented_names(a: wp.array(dtype=float), n: int):
    i = wp.tid()
    x = a[i]
    x += 1.0
    x -= 0.5
    x *= 2.0
    x /= 3.0
    k = n
    k += 1
    k -= 2
    k *= 3
    a[i] = x + float(k)


@wp.kernel
def augmented_elements(a: wp.array(dtype=float), b: wp.array2d(dtype=float), c: wp.array(dtype=int)):
    i = wp.tid()
    a[i] += 1.0
    a[i] -= b[i, 0]
    b[i, 1] += a[i]
    c[i] += 2
    c[i] |= 4
    c[i] &= 6
    c[i] ^= 1


@wp.kernel
def augmented_components(v: wp.array(dtype=wp.vec3), m: wp.array(dtype=wp.mat22)):
    i = wp.tid()
    x = v[i]
    x[0] += 1.0
    x[1] *= 2.0
    x.z -= 3.0
    v[i] = x
    y = m[i]
    y[0, 1] += 0.5
    m[i] = y


@wp.kernel
def element_components(v: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    v[i][0] = 1.0
    v[i].y = 2.0
    v[i][2] += 3.0


@wp.func
def two(x: float, y: float):
    return x + y, x - y


@wp.kernel
def unpacking(a: wp.array2d(dtype=float)):
    i, j = wp.tid()
    s, d = two(a[i, j], 2.0)
    a[i, j] = s * d


@wp.kernel
def swap(a: wp.array(dtype=float)):
    x = a[0]
    y = a[1]
    x, y = y, x
    a[0] = x
    a[1] = y


@wp.kernel
def reused_name(a: wp.array(dtype=float)):
    i = wp.tid()
    for k in range(3):
        t = a[i] * float(k)
        a[i] = t
    for k in range(3):
        t = a[i] + float(k)
        a[i] = t
