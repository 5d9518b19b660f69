# SPDX-License-Identifier: Apache-2.0
"""Tiles in shared memory: arrays of a block, loops that its threads share, and barriers."""

import warp as wp


@wp.func
def blend(a: float, b: float):
    return a * b + 1.0


@wp.kernel
def product(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), c: wp.array2d(dtype=float)):
    i, j = wp.tid()
    s = wp.tile_zeros(shape=(8, 4), dtype=float)
    for k in range(int(a.shape[1] / 8)):
        x = wp.tile_load(a, shape=(8, 8), offset=(i * 8, k * 8))
        y = wp.tile_load(b, shape=(8, 4), offset=(k * 8, j * 4))
        wp.tile_matmul(x, y, s)
    wp.tile_store(c, s, offset=(i * 8, j * 4))


@wp.kernel
def elements(x: wp.array(dtype=float), y: wp.array(dtype=float), sums: wp.array(dtype=float)):
    i = wp.tid()
    a = wp.tile_load(x, shape=64, offset=i * 64)
    b = wp.tile_load(y, shape=64, offset=i * 64)
    c = wp.tile_map(blend, a, b) * 2.0 - wp.tile_map(wp.sin, b)
    c += wp.tile_ones(shape=64, dtype=float)
    wp.tile_store(y, c, offset=i * 64)
    wp.tile_atomic_add(sums, wp.tile_sum(a), offset=i)


@wp.kernel
def extrema(x: wp.array(dtype=float), y: wp.array(dtype=float)):  # forward
    i = wp.tid()
    a = wp.tile_load(x, shape=24, offset=i * 24)
    y[3 * i] = wp.tile_max(a)[0] - wp.tile_min(a)[0]
    y[3 * i + 1] = wp.tile_reduce(wp.max, a)[0] * a[5]
    y[3 * i + 2] = wp.tile_extract(a, i) + a[i + 1]


@wp.kernel
def views(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float), z: wp.array(dtype=float)):  # forward
    i = wp.tid()
    a = wp.tile_load(x, shape=(4, 6), offset=(i * 4, 1))
    part = wp.tile_view(a, offset=(1, 2), shape=(2, 3))
    turned = wp.tile_transpose(part)
    long = wp.tile_reshape(a, shape=(24,))
    wide = wp.tile_broadcast(wp.tile_load(z, shape=2), shape=(3, 2))
    wp.tile_assign(a, part * 3.0, offset=(0, 1))
    wp.tile_store(y, turned + wide, offset=(i * 3, 0))
    wp.tile_store(z, long, offset=i * 24)
    z[0] = a[2][3]


@wp.kernel
def layers(x: wp.array3d(dtype=float), y: wp.array2d(dtype=float)):
    i = wp.tid()
    a = wp.tile_load(x, shape=(2, 3, 4), offset=(i * 2, 0, 1))
    wp.tile_store(y, wp.tile_sum(a, axis=1), offset=(i * 2, 0))


@wp.kernel
def bodies(old: wp.array(dtype=wp.vec3), velocity: wp.array(dtype=wp.vec3), n: int):  # forward
    i = wp.tid()
    p = old[i]
    force = wp.vec3(0.0, 0.0, 0.0)
    for k in range(n / 64):
        others = wp.tile_load(old, shape=64, offset=k * 64)
        for j in range(64):
            d = others[j] - p
            force += d / (wp.dot(d, d) + 1.0)
    velocity[i] = velocity[i] + force * 0.01


@wp.kernel
def lanes(x: wp.array(dtype=float), w: wp.array2d(dtype=float), y: wp.array(dtype=float)):
    i, lane = wp.tid()
    s = float(0.0)
    for k in range(lane, w.shape[1], wp.block_dim()):
        s += w[i, k] * x[k]
    t = wp.tile_load(y, shape=1, offset=i)
    t += wp.tile_sum(wp.tile(s))
    wp.tile_store(y, t, offset=i)


@wp.kernel
def numbers(x: wp.array(dtype=int), y: wp.array(dtype=float)):
    i = wp.tid()
    a = wp.tile_arange(3, 67, 2, dtype=int)
    b = wp.tile_full(shape=32, value=x[i], dtype=int)
    if x[i] > 3:
        wp.tile_store(x, a + b, offset=i * 32)
    c = wp.tile_arange(32, dtype=float)
    wp.tile_store(y, c / 4.0, offset=i * 32)


@wp.kernel
def own_elements(x: wp.array(dtype=float), y: wp.array2d(dtype=float)):
    i, lane = wp.tid()
    t = wp.tile_load(x, shape=32, offset=i * 32, storage="shared")
    y[i, lane] = t[lane % 32] * y[i, lane]


@wp.kernel
def parts(x: wp.array2d(dtype=float), z: wp.array(dtype=float), y: wp.array2d(dtype=float)):
    i = wp.tid()
    a = wp.tile_load(x, shape=(4, 6), offset=(i * 4, 1))
    part = wp.tile_view(a, offset=(1, 2), shape=(2, 3))
    long = wp.tile_reshape(a, shape=(24,))
    wide = wp.tile_broadcast(wp.tile_load(z, shape=3), shape=(2, 3))
    q = wp.tile_map(blend, part, wide)
    wp.tile_store(y, q * wide, offset=(i * 2, 0))
    wp.tile_store(z, long * 2.0, offset=i * 24)


@wp.kernel
def square(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i = wp.tid()
    a = wp.tile_load(x, shape=(4, 6), offset=(i * 4, 1))
    b = wp.tile_transpose(a)
    wp.tile_store(y, wp.tile_matmul(b, a) , offset=(i * 6, 0))


@wp.kernel
def branches(x: wp.array(dtype=float), s: wp.array(dtype=float), total: wp.array(dtype=float)):
    i = wp.tid()
    a = wp.tile_load(x, shape=100, offset=i * 100)
    if s[i] > 0.0:
        a += a * a
    n = wp.tile_sum(a)
    wp.tile_store(s, n * 0.5 / 3.0, offset=i)
    wp.tile_atomic_add(total, n, offset=0)


@wp.kernel
def vectors(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    a = wp.tile_load(x, shape=32, offset=i * 32)
    b = wp.tile_load(y, shape=32, offset=i * 32)
    wp.tile_store(y, a * 2.0 - b, offset=i * 32)


@wp.kernel
def rounds(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    acc = wp.tile_zeros(shape=32, dtype=float)
    for k in range(x.shape[0] / 32):
        a = wp.tile_load(x, shape=32, offset=k * 32)
        acc += wp.tile_map(wp.cos, a) / (a * a + wp.tile_ones(shape=32, dtype=float))
    wp.tile_store(y, acc, offset=i * 32)


@wp.kernel
def chosen_elements(x: wp.array(dtype=float), y: wp.array(dtype=float)):  # forward
    i = wp.tid()
    a = wp.tile_load(x, shape=16, offset=i * 16)
    s = float(0.0)
    for j in range(16):
        s += wp.tile_extract(a, wp.where(j == 3, 7, j)) * a[j - 16]
    y[i] = s + x[i - 1]


@wp.kernel
def columns(j: int, h: wp.array3d(dtype=float), v: wp.array2d(dtype=float), w: wp.array(dtype=float)):  # ends: PASS
    i, lane = wp.tid()
    s = float(0.0)
    for k in range(lane, j + 1, wp.block_dim()):
        s += h[i % 3, k, j] * v[k, i]
    a = wp.tile_load(w, shape=1, offset=i)
    a -= wp.tile_sum(wp.tile(s))
    wp.tile_store(w, a, offset=i)


# Rows that a tile of indices names, some of them beyond the array.
@wp.kernel
def gathered(x: wp.array2d(dtype=float), rows: wp.array(dtype=int), y: wp.array2d(dtype=float), z: wp.array2d(dtype=float)):
    i = wp.tid()
    at = wp.tile_load(rows, shape=4, offset=i * 4, storage="shared")
    t = wp.tile_load_indexed(x, at, shape=(4, 8), axis=0)
    wp.tile_store_indexed(y, at, t * t, offset=(1, 0), axis=0)
    wp.tile_atomic_add_indexed(z, at, t, axis=0)


@wp.kernel
def scans(x: wp.array2d(dtype=int), y: wp.array2d(dtype=int), z: wp.array(dtype=float)):
    i = wp.tid()
    a = wp.tile_load(x, shape=(4, 8), offset=(i * 4, 0))
    b = wp.tile_empty(shape=(4, 8), dtype=int, storage="shared")
    wp.tile_assign(b, wp.tile_scan_inclusive(a), offset=(0, 0))
    c = wp.tile_scan_exclusive(a) + wp.tile_scan_max_inclusive(a) * 3
    wp.tile_store(y, b + c, offset=(i * 4, 0))
    d = wp.tile_load(z, shape=32, offset=i * 32)
    wp.tile_store(z, wp.tile_scan_min_inclusive(d), offset=i * 32)


@wp.kernel
def from_one(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float), z: wp.array2d(dtype=float)):  # forward
    i, lane = wp.tid()
    v = x[i, lane] * 2.0
    a = wp.tile_from_thread(shape=(1,), value=v, thread_idx=wp.block_dim() - 1, storage="shared")
    b = wp.tile_from_thread(shape=8, value=v, thread_idx=3)
    wp.tile_store(z[i], b)
    y[i, lane] = v + wp.tile_extract(a, 0)


@wp.kernel
def parts(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i = wp.tid()
    a = wp.tile_load(x, shape=(4, 8), offset=(i * 4, 0))
    b = wp.tile_zeros(shape=(6, 8), dtype=float, storage="shared")
    wp.tile_assign(b, a * a, offset=(1, 0))
    wp.tile_store(y, b + b, offset=(i * 6, 0))


@wp.kernel
def spectrum(x: wp.array2d(dtype=wp.vec2f), y: wp.array2d(dtype=wp.vec2f)):  # ends: PASS
    i, _ = wp.tid()
    t = wp.tile_load(x, shape=(1, 512), offset=(i, 0))
    wp.tile_fft(t)
    wp.tile_store(y, t, offset=(i, 0))


@wp.kernel
def turned_tiles(x: wp.array2d(dtype=wp.vec2f), y: wp.array2d(dtype=wp.vec2f)):  # ends: PASS
    i, j = wp.tid()
    t = wp.tile_load(x, shape=(16, 16), offset=(i * 16, j * 16), storage="shared")
    wp.tile_store(y, wp.tile_transpose(t), offset=(j * 16, i * 16))


@wp.func
def larger_of(a: float, b: float):
    return wp.where(a > b, a, b)


@wp.kernel
def folded(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float), r: wp.array2d(dtype=float), k: wp.array(dtype=int)):  # forward
    i = wp.tid()
    a = wp.tile_load(x, shape=(4, 8), offset=(i * 4, 0))
    b = wp.tile_load(y, shape=(4, 8), offset=(i * 4, 0))
    wp.tile_store(r[i], wp.tile_reduce(larger_of, a, axis=0) * wp.tile_extract(wp.tile_dot(a, b), 0))
    wp.tile_store(k, wp.tile_argmin(a), offset=2 * i)
    wp.tile_store(k, wp.tile_argmax(b), offset=2 * i + 1)


@wp.kernel
def shifted(x: wp.array2d(dtype=float), d: wp.array(dtype=float), y: wp.array2d(dtype=float)):  # forward
    i = wp.tid()
    a = wp.tile_load(x, shape=(8, 8), offset=(i * 8, 0), storage="shared")
    b = wp.tile_load(d, shape=8, offset=i * 8, storage="shared")
    wp.tile_store(y, wp.tile_diag_add(a, b), offset=(i * 8, 0))


@wp.kernel
def changed_elements(x: wp.array(dtype=float), k: wp.array(dtype=int), y: wp.array2d(dtype=float)):  # forward
    i, lane = wp.tid()
    t = wp.tile_zeros(shape=64, dtype=float, storage="shared")
    wp.tile_scatter_masked(t, lane % 64, 3.0 * x[lane % 64], lane < 32)
    wp.tile_scatter_add(t, k[lane] % 64, x[lane], x[lane] > 0.0)
    t[lane % 64] += x[lane] * float(i + 1)
    t[(3 * lane) % 64] -= 2.0
    wp.tile_store(y[i], t)


@wp.kernel
def scaled_sums(x: wp.array2d(dtype=float), a: wp.array(dtype=float), y: wp.array2d(dtype=float)):  # forward
    i = wp.tid()
    t = wp.tile_load(x, shape=(8, 8), offset=(i * 8, 0))
    sums = wp.tile_ones(shape=(8, 8), dtype=float)
    wp.tile_axpy(a[i], t, sums)
    wp.tile_axpy(0.5, sums, t)
    wp.tile_store(y, t + sums, offset=(i * 8, 0))


@wp.kernel
def in_order(keys: wp.array(dtype=int), x: wp.array(dtype=float), at: wp.array(dtype=int), y: wp.array(dtype=float)):
    i = wp.tid()
    k = wp.tile_load(keys, shape=32, offset=i * 32, storage="shared")
    v = wp.tile_load(x, shape=32, offset=i * 32, storage="shared")
    wp.tile_sort(k, v)
    wp.tile_store(at, k, offset=i * 32)
    wp.tile_store(y, v, offset=i * 32)


@wp.kernel
def sorted_weights(keys: wp.array(dtype=float), x: wp.array(dtype=float), w: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    k = wp.tile_load(keys, shape=16, offset=i * 16, storage="shared")
    v = wp.tile_load(x, shape=16, offset=i * 16, storage="shared")
    wp.tile_sort(k, v)
    p = wp.tile_load(w, shape=16, offset=i * 16)
    wp.tile_store(y, p * v, offset=i * 16)


# Sums of a gradient are of the type that it has.
@wp.kernel
def mixed_product(x: wp.array2d(dtype=float), y: wp.array2d(dtype=wp.float64), z: wp.array2d(dtype=wp.float64)):
    i = wp.tid()
    c = wp.tile_zeros(shape=(8, 8), dtype=wp.float64)
    a = wp.tile_load(x, shape=(8, 4), offset=(i * 8, 0))
    b = wp.tile_load(y, shape=(4, 8), offset=(0, i * 8))
    wp.tile_matmul(a, b, c)
    wp.tile_store(z, c, offset=(i * 8, 0))


@wp.kernel
def while_there_are(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    k = int(0)
    while k < 3:
        t = wp.tile_load(x, shape=16, offset=(3 * i + k) * 16)
        wp.tile_store(y, t * t, offset=(3 * i + k) * 16)
        k += 1


# A sum that is spread over a tile: of its gradient each thread has a part.
@wp.kernel
def spread(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=8, offset=i * 8)
    s = wp.tile_broadcast(wp.tile_sum(t), shape=(8,))
    wp.tile_store(y, t * s, offset=i * 8)


@wp.kernel
def spread_alone(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=8, offset=i * 8)
    wp.tile_store(y, wp.tile_broadcast(wp.tile_sum(t), shape=(8,)), offset=i * 8)


# Sums of other types than one float, at offsets that are computed.
@wp.kernel
def sums_of_vectors(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    t = wp.tile_load(x, shape=300, offset=i * 300)
    wp.tile_atomic_add(y, wp.tile_sum(t), 0)


@wp.kernel
def wide_integers(x: wp.array2d(dtype=int), y: wp.array(dtype=wp.int64)):
    i, lane = wp.tid()
    s = wp.tile_sum(wp.tile(wp.int64(x[i, lane]) * wp.int64(1000003) * wp.int64(1000003)))
    wp.tile_atomic_add(y, s, 0)


@wp.kernel
def computed_offset(x: wp.array3d(dtype=float), w: wp.array(dtype=float), n: int, y: wp.array(dtype=float)):
    i, j, lane = wp.tid()
    t = wp.tile(w[j] * x[i, j, lane] * x[i, j, lane])
    s = wp.tile_sum(t)
    wp.tile_atomic_add(y, s, offset=i * n + j)


@wp.kernel
def tiles_of_vectors(x: wp.array2d(dtype=wp.vec3), y: wp.array(dtype=wp.vec3)):
    i, lane = wp.tid()
    v = x[i, lane]
    t = wp.tile(wp.vec3(v[0] * v[1], v[1], v[2] * v[2]), preserve_type=True)
    s = wp.tile_sum(t)
    wp.tile_atomic_add(y, s, offset=i)
