"""Gradients of tiles: multiples that are added, products that are scaled, and single elements."""

import warp as wp

N = wp.constant(64)


@wp.kernel
def axpy(x: wp.array(dtype=float), y: wp.array(dtype=float), a: wp.array(dtype=float)):
    i = wp.tid()
    s = wp.tile_load(x, shape=N, offset=i * N)
    t = wp.tile_load(y, shape=N, offset=i * N)
    wp.tile_axpy(a[i], s, t)
    wp.tile_axpy(0.5, t * s, s)
    wp.tile_store(y, t * s, offset=i * N)


@wp.kernel
def axpy_of_sum(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i = wp.tid()
    s = wp.tile_load(x, shape=(4, 8), offset=(i * 4, 0))
    t = wp.tile_load(y, shape=(4, 8), offset=(i * 4, 0))
    d = wp.tile_sum(s * t)
    wp.tile_axpy(wp.sin(d[0]), s, t)
    wp.tile_store(y, t, offset=(i * 4, 0))


@wp.kernel
def extract_register(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i, lane = wp.tid()
    t = wp.tile_load(x, shape=(1, 300), offset=(i, 0))
    s = t * t
    y[i, lane] = y[i, lane] * wp.tile_extract(s, 0, 7) + wp.tile_extract(s, 0, 260)


@wp.kernel
def extract_sum(x: wp.array2d(dtype=float), y: wp.array(dtype=float)):  # ends: PASS (forward)
    i, lane = wp.tid()
    v = x[i, lane]
    s = wp.tile_sum(wp.tile(v * v))
    if lane == 0:
        y[i] = s[0] * v


@wp.kernel
def per_block(x: wp.array2d(dtype=float), which: wp.array(dtype=int), y: wp.array2d(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=(1, N), offset=(i, 0), storage="shared")
    u = wp.tile_load(x, shape=(1, N), offset=(i, 0))
    k = which[i] % N
    wp.tile_store(y, u * wp.tile_extract(t, 0, k), offset=(i, 0))


@wp.kernel
def matmul_forms(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), c: wp.array2d(dtype=float), alpha: float):
    ta = wp.tile_load(a, shape=(4, 6))
    tb = wp.tile_load(b, shape=(6, 5))
    tc = wp.tile_load(c, shape=(4, 5))
    wp.tile_matmul(ta, tb, tc, alpha=alpha, beta=0.5)
    wp.tile_matmul(ta, tb, tc, alpha=2.0)
    td = wp.tile_matmul(ta, tb, alpha=alpha)
    wp.tile_store(c, tc + td)


@wp.kernel
def matmul_overwrites(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), c: wp.array2d(dtype=float)):
    ta = wp.tile_load(a, shape=(4, 6))
    tb = wp.tile_load(b, shape=(6, 5))
    tc = wp.tile_load(c, shape=(4, 5))
    wp.tile_matmul(ta, tb, tc, beta=0.0)
    wp.tile_store(c, tc)


# Which thread finds the gradient of y[i] depends on their order.
@wp.kernel
def stored_by_all(x: wp.array2d(dtype=float), y: wp.array(dtype=float)):  # ends: PASS (forward)
    i = wp.tid()
    t = wp.tile_load(x, shape=(1, N), offset=(i, 0), storage="shared")
    y[i] = 2.0 * wp.tile_extract(t, 0, 3)  # no gradient: the gradient of wp.tile_extract (tiles)


# All threads of a block add what they have.
@wp.kernel
def from_thread(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):  # ends: PASS (forward)
    i, lane = wp.tid()
    v = x[i, lane] * 2.0
    a = wp.tile_from_thread(shape=(1,), value=v, thread_idx=3, storage="shared")
    y[i, lane] = v + wp.tile_extract(a, 0)


# Elements that each thread sets.
@wp.kernel
def sets(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i, lane = wp.tid()
    t = wp.tile_zeros(shape=(8, 256), dtype=float, storage="shared")
    t[3, lane] = x[i, lane] * x[i, lane]
    t[4, 255 - lane] = 2.0 * x[i, lane] * t[3, lane]
    t[4, lane] += 1.5 * x[i, lane]
    wp.tile_store(y, t * t, offset=(i * 8, 0))


@wp.kernel
def overwrites(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i, lane = wp.tid()
    t = wp.tile_load(x, shape=(1, 256), offset=(i, 0), storage="shared")
    v = t[0, lane]
    if t[0, 5] > 0.2:
        v = 3.0 * v
    t[0, (lane + 7) % 256] = v * wp.sin(v)
    wp.tile_store(y, t * t, offset=(i, 0))


# The next round needs what this one adds to the gradient of s.
@wp.kernel
def in_rounds(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float), n: int):  # ends: PASS (forward)
    i, lane = wp.tid()
    s = wp.tile_sum(wp.tile(2.0 * x[i, lane]))
    total = float(0.0)
    for _k in range(n):
        total += wp.tile_extract(s, 0) * x[i, lane]  # no gradient: the gradient of wp.tile_extract (tiles)
        s += wp.tile_sum(wp.tile(x[i, lane] * 0.125))
    y[i, lane] = total


# Threads with rounds of their own would not meet at barriers.
@wp.kernel
def own_rounds(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):  # ends: RAN
    i, lane = wp.tid()
    t = wp.tile_load(x, shape=(1, N), offset=(i, 0), storage="shared")
    total = float(0.0)
    for k in range(lane % 5):
        total += wp.tile_extract(t, 0, k)  # no gradient: the gradient of wp.tile_extract (tiles)
    y[i, lane] = total
