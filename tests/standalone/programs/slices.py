"""Slices that count from the end, run backward, or ask for more than there is; extremes of vectors;
decompositions into variables."""

import warp as wp


@wp.kernel
def from_the_end(a: wp.array(dtype=float), b: wp.array2d(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    s = a[-5:]
    t = a[::-3]
    u = t[::2]
    v = a[3::-1]
    w = b[-2, 1:-1]
    x = b[:, ::-2]
    counts = s.shape[0] + 10 * t.shape[0] + 100 * u.shape[0] + 3 * v.shape[0] + w.shape[0] + x.shape[1]
    out[i] = s[1] + t[1] * 2.0 + u[1] + v[2] + w[0] + x[2, 1] + float(counts)


@wp.kernel
def more_than_there_is(a: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    s = a[2:1000]
    none = a[900:1000]
    first = a[:n]
    total = float(0.0)
    for k in range(s.shape[0]):
        total += s[k]
    for k in range(none.shape[0]):
        total += none[k]
    out[i] = total + float(none.shape[0]) + float(first.shape[0])


@wp.kernel
def slices_of_slices(a: wp.array(dtype=float), m: wp.array2d(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    some = a[1:10]
    last = some[-3:]
    back = some[::-1]
    start = i % 4
    stop = start + 3
    part = m[start:stop, 1:3]
    row = part[-1]
    out[i] = last[0] + back[1] * 3.0 + row[1] + some[-2]


@wp.kernel
def segments(items: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    start = i * 2
    stop = start + 3
    segment = items[start:stop]
    out[i] = segment[0] + segment[2] * 2.0


@wp.kernel
def bounds_that_vary(a: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    s = a[-2 - i % 3 : i - 300]
    t = a[i % 5 : -1]
    out[i] = float(s.shape[0]) + t[0] + float(t.shape[0])


@wp.kernel
def written(a: wp.array2d(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    tail = out[-3:]
    tail[0] = 7.0
    back = a[::-1, 1]
    out[i] = back[i] * 2.0


@wp.kernel
def bounding_box(v: wp.array(dtype=wp.vec3), m: wp.array(dtype=wp.mat22), lo: wp.array(dtype=wp.vec3), hi: wp.array(dtype=wp.mat22)):
    i = wp.tid()
    wp.atomic_min(lo, 0, v[i])
    wp.atomic_max(hi, 1, m[i] * 0.5)


@wp.kernel
def decompositions(a: wp.array(dtype=wp.mat33), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    u = wp.mat33()
    sigma = wp.vec3()
    v = wp.mat33()
    wp.svd3(a[i] + wp.diag(wp.vec3(9.0, 5.0, 2.0)), u, sigma, v)
    q = wp.mat33()
    r = wp.mat33()
    wp.qr3(a[i] + wp.diag(wp.vec3(9.0, 5.0, 2.0)), q, r)
    out[i] = sigma + wp.vec3(wp.abs(r[0, 0]), r[0, 1] * r[0, 1], 0.0)
