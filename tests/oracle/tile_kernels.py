# SPDX-License-Identifier: Apache-2.0
"""Kernels with tiles for tile_check.py. LAUNCHES says how each is run: the sizes of its launch, and
the shape of each array. Blocks have 256 threads."""

import warp as wp

TILE = wp.constant(64)
ROWS = wp.constant(4)
COLS = wp.constant(8)


@wp.func
def cube(x: float, scale: float):
    return x * x * x * scale


@wp.func
def larger(a: float, b: float):
    return wp.where(a > b, a, b)


@wp.kernel
def row_sums(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float), s: wp.array(dtype=float)):
    i = wp.tid()
    a = wp.tile_load(x[i], shape=TILE)
    b = a * 2.0
    c = b + a
    wp.tile_store(y[i], c)
    wp.tile_store(s, wp.tile_sum(c), offset=i)


@wp.kernel
def block_norm(x: wp.array(dtype=float), y: wp.array(dtype=float), total: wp.array(dtype=float)):
    i = wp.tid()
    v = float(0.0)
    if i > 2:
        v = x[i] * x[i]
    t = wp.tile(v)
    wp.tile_atomic_add(total, wp.tile_sum(t))
    y[i] = v * 0.5


@wp.kernel
def partial_block(x: wp.array(dtype=float), total: wp.array(dtype=float)):
    i = wp.tid()
    wp.tile_atomic_add(total, wp.tile_sum(wp.tile(x[i] * 3.0)))


@wp.kernel
def interactions(x: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3), n: int):
    i = wp.tid()
    p = x[i]
    force = wp.vec3(0.0, 0.0, 0.0)
    for k in range(n / 64):
        others = wp.tile_load(x, shape=64, offset=k * 64)
        for j in range(64):
            d = others[j] - p
            force += d * (1.0 / (wp.dot(d, d) + 0.5))
    out[i] = force


@wp.kernel
def transposed(x: wp.array2d(dtype=wp.vec2), y: wp.array2d(dtype=wp.vec2)):
    i, j = wp.tid()
    t = wp.tile_load(x, shape=(ROWS, COLS), offset=(i * 4, j * 8), storage="shared")
    wp.tile_store(y, wp.tile_transpose(t), offset=(j * 8, i * 4))


@wp.kernel
def mapped(x: wp.array(dtype=float), y: wp.array(dtype=float), z: wp.array(dtype=float), w: float):
    i = wp.tid()
    a = wp.tile_load(x, shape=TILE, offset=i * 64)
    b = wp.tile_map(cube, a, w)
    c = wp.tile_map(wp.sub, a, b)
    wp.tile_store(y, wp.tile_map(wp.neg, c), offset=i * 64)
    d = -a
    wp.tile_store(z, d / 4.0, offset=i * 64)


@wp.kernel
def made(y: wp.array2d(dtype=float), n: wp.array(dtype=int)):
    i = wp.tid()
    a = wp.tile_ones(shape=(ROWS, COLS), dtype=float)
    b = wp.tile_full(shape=(ROWS, COLS), value=float(i) * 0.5, dtype=float)
    c = wp.tile_zeros(shape=(ROWS, COLS), dtype=float)
    c += a
    c -= b
    wp.tile_store(y, c, offset=(i * 4, 0))
    d = wp.tile_arange(3, 67, 1, dtype=int)
    wp.tile_store(n, d, offset=i * 64)


@wp.kernel
def viewed(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float), z: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=(ROWS, COLS), offset=(i * 4, 0), storage="shared")
    row = t[2]
    wp.tile_store(z, row, offset=i * 8)
    u = wp.tile_zeros(shape=(ROWS, COLS), dtype=float, storage="shared")
    wp.tile_assign(u, wp.tile_view(t, offset=(1, 0), shape=(2, 8)), offset=(0, 0))
    wp.tile_store(y, u, offset=(i * 4, 0))


@wp.kernel
def reshaped(x: wp.array2d(dtype=float), y: wp.array2d(dtype=wp.float64), z: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=(ROWS, COLS), offset=(i * 4, 0), storage="shared")
    b = wp.tile_reshape(t, shape=(2, 16))
    wp.tile_store(y, wp.tile_astype(b * 3.0, dtype=wp.float64), offset=(i * 2, 0))
    row = wp.tile_view(t, offset=(1, 0), shape=(1, 8))
    wp.tile_store(z, wp.tile_squeeze(row), offset=i * 8)


@wp.kernel
def extremes(x: wp.array(dtype=float), k: wp.array(dtype=int), n: wp.array(dtype=int)):
    i = wp.tid()
    t = wp.tile_load(x, shape=300, offset=i * 300)
    wp.tile_store(k, wp.tile_argmin(t), offset=2 * i)
    wp.tile_store(k, wp.tile_argmax(t), offset=2 * i + 1)
    s = wp.tile_astype(t, dtype=int)
    wp.tile_store(n, wp.tile_scan_inclusive(s), offset=i * 300)


@wp.kernel
def broadcast(x: wp.array2d(dtype=float), b: wp.array(dtype=float), y: wp.array2d(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=(ROWS, COLS), offset=(i * 4, 0))
    v = wp.tile_load(b, shape=8)
    wp.tile_store(y, t + wp.tile_broadcast(v, shape=(ROWS, COLS)), offset=(i * 4, 0))


@wp.kernel
def lanes(x: wp.array(dtype=wp.vec2), y: wp.array(dtype=wp.vec2), s: wp.array(dtype=float)):
    i = wp.tid()
    p = x[i]
    t = wp.tile(p)
    u = t * 3.0
    v = wp.untile(u)
    y[i] = v + wp.vec2(1.0, 2.0)
    wp.tile_atomic_add(s, wp.tile_sum(u))


@wp.kernel
def scanned(x: wp.array(dtype=int), y: wp.array(dtype=int), z: wp.array(dtype=int)):
    i = wp.tid()
    t = wp.tile_load(x, shape=TILE, offset=i * 64)
    wp.tile_store(y, wp.tile_scan_inclusive(t), offset=i * 64)
    wp.tile_store(z, wp.tile_scan_exclusive(t), offset=i * 64)


@wp.kernel
def reduced(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=TILE, offset=i * 64)
    wp.tile_store(y, wp.tile_max(t), offset=i * 3)
    wp.tile_store(y, wp.tile_min(t), offset=i * 3 + 1)
    wp.tile_store(y, wp.tile_reduce(larger, t), offset=i * 3 + 2)


@wp.kernel
def offsets(x: wp.array(dtype=int), y: wp.array(dtype=int)):
    lane = wp.tid()
    count = x[lane]
    before = wp.tile_scan_exclusive(wp.tile(count))
    y[lane] = wp.tile_extract(before, lane)


@wp.kernel
def shared_elements(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i, lane = wp.tid()
    t = wp.tile_zeros(shape=256, dtype=float, storage="shared")
    t[lane] = x[i * 256 + lane] * 2.0
    y[i * 256 + lane] = t[255 - lane]


@wp.kernel
def axpy(x: wp.array2d(dtype=float), w: wp.array(dtype=float), n: int):
    i, lane = wp.tid()
    s = float(0.0)
    for k in range(lane, n, wp.block_dim()):
        s += x[i, k] * 0.5
    t = wp.tile_load(w, shape=1, offset=i)
    t -= wp.tile_sum(wp.tile(s))
    wp.tile_store(w, t, offset=i)


@wp.kernel
def sorted_pairs(keys: wp.array(dtype=float), values: wp.array(dtype=int)):
    i = wp.tid()
    k = wp.tile_load(keys, shape=TILE, offset=i * 64, storage="shared")
    v = wp.tile_load(values, shape=TILE, offset=i * 64, storage="shared")
    wp.tile_sort(k, v)
    wp.tile_store(keys, k, offset=i * 64)
    wp.tile_store(values, v, offset=i * 64)


@wp.kernel
def beyond_the_end(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=TILE, offset=i * 64)
    wp.tile_store(y, t * t, offset=i * 64)


@wp.kernel
def product(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), c: wp.array2d(dtype=float)):
    i, j = wp.tid()
    acc = wp.tile_zeros(shape=(8, 4), dtype=float)
    for k in range(4):
        x = wp.tile_load(a, shape=(8, 8), offset=(i * 8, k * 8))
        y = wp.tile_load(b, shape=(8, 4), offset=(k * 8, j * 4))
        wp.tile_matmul(x, y, acc)
    wp.tile_store(c, acc, offset=(i * 8, j * 4))


@wp.kernel
def gram(a: wp.array2d(dtype=wp.float64), c: wp.array2d(dtype=wp.float64)):
    x = wp.tile_load(a, shape=(4, 3), storage="shared")
    t = wp.tile_transpose(x)
    y = wp.tile_matmul(x, t) + wp.tile_matmul(x, t, alpha=wp.float64(2.0))
    wp.tile_matmul(x, t, y, alpha=wp.float64(-0.5), beta=wp.float64(0.25))
    wp.tile_store(c, y)


@wp.func
def place(valid: int, scan: int, offset: int) -> int:
    if valid == 1:
        return scan + offset - 1
    return -1


@wp.kernel
def compacted(data: wp.array(dtype=float), n: wp.array(dtype=int), out: wp.array(dtype=float)):
    i, lane = wp.tid()
    x = wp.tile_load(data, 256, offset=i * 256)
    mine = wp.untile(x)
    chosen = wp.tile(wp.where(mine > 1.0, 1, 0))
    scan = wp.tile_scan_inclusive(chosen)
    offset = int(0)
    if lane == wp.block_dim() - 1:
        count = wp.tile_extract(scan, wp.block_dim() - 1)
        offset = wp.atomic_add(n, 0, count)
    start = wp.tile_from_thread(shape=256, value=offset, thread_idx=wp.block_dim() - 1, storage="shared")
    at = wp.tile_map(place, chosen, scan, start)
    wp.tile_store_indexed(out, at, x, axis=0)


@wp.kernel
def gathered(x: wp.array2d(dtype=float), rows: wp.array(dtype=int), y: wp.array2d(dtype=float), z: wp.array2d(dtype=float)):
    i = wp.tid()
    r = wp.tile_load(rows, shape=4, offset=i * 4, storage="shared")
    t = wp.tile_load_indexed(x, indices=r, shape=(4, 8), axis=0)
    wp.tile_store(y, t * 2.0, offset=(i * 4, 0))
    wp.tile_atomic_add_indexed(z, r, t, axis=0)


@wp.kernel
def axes(x: wp.array2d(dtype=float), r: wp.array(dtype=float), c: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=(ROWS, COLS), offset=(i * 4, 0), storage="shared")
    wp.tile_store(r, wp.tile_sum(t * 2.0, axis=1), offset=i * 4)
    wp.tile_store(c, wp.tile_sum(t, axis=0), offset=i * 8)


SIZE = wp.constant(5)
SIDES = wp.constant(3)


@wp.kernel
def factors(x: wp.array2d(dtype=float), low: wp.array2d(dtype=float), up: wp.array2d(dtype=float)):
    t = wp.tile_load(x, shape=(SIZE, 7), storage="shared")
    a = wp.tile_matmul(t, wp.tile_transpose(t))
    wp.tile_store(low, wp.tile_cholesky(a))
    wp.tile_store(up, wp.tile_cholesky(a, fill_mode="upper"))


@wp.kernel
def solved(a: wp.array2d(dtype=float), y: wp.array(dtype=float), z: wp.array2d(dtype=float),
           xy: wp.array(dtype=float), xz: wp.array2d(dtype=float), uy: wp.array(dtype=float), uz: wp.array2d(dtype=float)):
    t = wp.tile_load(a, shape=(SIZE, SIZE), storage="shared")
    b = wp.tile_load(y, shape=SIZE, storage="shared")
    c = wp.tile_load(z, shape=(SIZE, SIDES), storage="shared")
    wp.tile_store(xy, wp.tile_lower_solve(t, b))
    wp.tile_store(xz, wp.tile_lower_solve(t, c))
    wp.tile_store(uy, wp.tile_upper_solve(t, b))
    wp.tile_store(uz, wp.tile_upper_solve(t, c))


@wp.kernel
def solved_in_place(x: wp.array2d(dtype=wp.float64), y: wp.array(dtype=wp.float64), z: wp.array2d(dtype=wp.float64)):
    t = wp.tile_load(x, shape=(SIZE, 7), storage="shared")
    a = wp.tile_matmul(t, wp.tile_transpose(t))
    u = wp.tile_cholesky(a, fill_mode="upper")
    b = wp.tile_load(y, shape=SIZE, storage="shared")
    c = wp.tile_load(z, shape=(SIZE, SIDES), storage="shared")
    wp.tile_cholesky_inplace(a)
    wp.tile_lower_solve_inplace(a, b)
    wp.tile_upper_solve_inplace(u, b)
    wp.tile_cholesky_solve_inplace(a, c)
    d = wp.tile_cholesky_solve(u, c, fill_mode="upper")
    wp.tile_cholesky_solve_inplace(u, d, fill_mode="upper")
    wp.tile_store(y, b)
    wp.tile_store(z, wp.tile_cholesky_solve(a, d))


@wp.kernel
def waves(x: wp.array2d(dtype=wp.vec2), y: wp.array2d(dtype=wp.vec2), z: wp.array2d(dtype=wp.vec2d)):
    i = wp.tid()
    a = wp.tile_load(x, shape=(2, 512), offset=(2 * i, 0))
    wp.tile_fft(a)
    b = a * 0.125
    wp.tile_ifft(b)
    wp.tile_store(y, a + b, offset=(2 * i, 0))
    c = wp.tile_load(z, shape=(1, 256), offset=(i, 0))
    wp.tile_ifft(c)
    wp.tile_store(z, c, offset=(i, 0))


# name: (sizes of the launch, shapes of the arrays)
@wp.kernel
def tallied(x: wp.array(dtype=float), n: wp.array(dtype=int), old: wp.array(dtype=int)):
    i = wp.tid()
    t = wp.tile(wp.where(x[i] > 0.0, 3, 1))
    first = wp.tile_atomic_add(n, wp.tile_sum(t))
    many = wp.tile_atomic_add(n, wp.tile_ones(dtype=int, shape=4), offset=2)
    wp.tile_store(old, first + wp.tile_sum(many))


@wp.func
def total_of(x: float):
    return wp.tile_sum(wp.tile(x))[0]


@wp.func
def scaled_totals(x: float, rows: wp.array(dtype=float), at: int):
    a = total_of(x)
    t = wp.tile_load(rows, shape=TILE, offset=at)
    n = wp.tile_reduce(wp.max, wp.tile(x * 0.5))[0]
    u = t * 3.0
    return 0.01 * a + u[3] * n + total_of(a * 0.01 + x * x) * 0.01 + t[5]


@wp.kernel
def tiles_in_functions(x: wp.array(dtype=float), rows: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    v = scaled_totals(x[i], rows, 0)
    for k in range(2):
        v += total_of(x[i] * x[i] * float(k + 1)) * x[i]
    y[i] = v


@wp.kernel
def in_turn(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float), n: int):
    now = wp.tile_load(x, shape=(4, 8), offset=(0, 0), storage="register")
    total = wp.tile_zeros(shape=(4, 8), dtype=float)
    for k in range(1, n):
        after = wp.tile_load(x, shape=(4, 8), offset=(4 * k, 0), storage="register")
        total += now * after
        now = after
    wp.tile_store(y, total + now)


@wp.kernel
def in_turn_shared(a: wp.array2d(dtype=float), c: wp.array2d(dtype=float), n: int):
    now = wp.tile_load(a, shape=(4, 4), offset=(0, 0), storage="shared")
    total = wp.tile_zeros(shape=(4, 4), dtype=float)
    for k in range(1, n):
        after = wp.tile_load(a, shape=(4, 4), offset=(4 * k, 0), storage="shared")
        wp.tile_matmul(now, after, total)
        now = after
    wp.tile_store(c, total)


@wp.kernel
def chosen(x: wp.array2d(dtype=float), b: wp.array2d(dtype=float), y: wp.array2d(dtype=float), z: wp.array2d(dtype=float)):
    i, lane = wp.tid()
    if i > 0:
        t = wp.tile_load(x, shape=(1, 8), offset=(i, 0)) * 1.5
        s = wp.tile_load(b, shape=(1, 8), offset=(i, 0), storage="shared")
    else:
        t = wp.tile_load(b, shape=(1, 8), offset=(i, 0)) * 2.0
        s = wp.tile_load(x, shape=(1, 8), offset=(i, 0), storage="shared")
    wp.tile_store(y, t, offset=(i, 0))
    wp.tile_store(z, s * 3.0, offset=(i, 0))


@wp.kernel
def running_sums(x: wp.array(dtype=float), y: wp.array(dtype=float), z: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=300, offset=i * 300)
    wp.tile_store(y, wp.tile_scan_inclusive(t), offset=i * 300)
    wp.tile_store(z, wp.tile_scan_exclusive(t), offset=i * 300)


@wp.kernel
def running_sum_partial(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    wp.tile_store(y, wp.tile_scan_inclusive(wp.tile_load(x, shape=300)))


@wp.kernel
def dotted(x: wp.array(dtype=float), y: wp.array(dtype=float), v: wp.array(dtype=wp.vec3), s: wp.array(dtype=float)):
    i = wp.tid()
    a = wp.tile_load(x, shape=300, offset=i * 300)
    b = wp.tile_load(y, shape=300, offset=i * 300)
    c = wp.tile_load(v, shape=40)
    wp.tile_store(s, wp.tile_dot(a, b), offset=2 * i)
    wp.tile_store(s, wp.tile_dot(c, c), offset=2 * i + 1)


@wp.kernel
def added_scaled(x: wp.array(dtype=float), y: wp.array(dtype=float), w: float):
    i = wp.tid()
    t = wp.tile_load(x, shape=300, offset=i * 300)
    s = wp.tile_load(y, shape=300, offset=i * 300, storage="shared")
    wp.tile_axpy(w, t, s)
    u = wp.tile_load(x, shape=300, offset=i * 300)
    wp.tile_axpy(0.5, s, u)
    wp.tile_store(y, u, offset=i * 300)


@wp.kernel
def diagonal(x: wp.array2d(dtype=float), d: wp.array(dtype=float), y: wp.array2d(dtype=float)):
    a = wp.tile_load(x, shape=(8, 8), storage="shared")
    b = wp.tile_load(d, shape=8, storage="shared")
    wp.tile_store(y, wp.tile_diag_add(a, b))


@wp.kernel
def folded_axes(x: wp.array2d(dtype=float), r: wp.array(dtype=float), c: wp.array(dtype=float), t: wp.array(dtype=float)):
    a = wp.tile_load(x, shape=(8, 20))
    wp.tile_store(r, wp.tile_reduce(larger, a, axis=1))
    wp.tile_store(c, wp.tile_reduce(wp.min, a, axis=0))
    row = wp.tile_load(c, shape=20)
    wp.tile_store(t, wp.tile_reduce(wp.add, row, axis=0))


@wp.kernel
def by_chance(x: wp.array(dtype=float), n: wp.array(dtype=int), seed: int):
    s = wp.rand_init(seed, 7)
    wp.tile_store(x, wp.tile_randf(shape=300, rng=s))
    wp.tile_store(x, wp.tile_randf(shape=300, rng=s, min=-1.0, max=3.0), offset=300)
    wp.tile_store(n, wp.tile_randi(shape=300, rng=s))
    wp.tile_store(n, wp.tile_randi(shape=300, rng=s, min=-5, max=30), offset=300)


# Which lane gets which slot Warp leaves open: the sums are those of all lanes.
@wp.kernel
def stacked(x: wp.array(dtype=int), n: wp.array(dtype=int), y: wp.array(dtype=float)):
    i = wp.tid()
    s = wp.tile_stack(capacity=200, dtype=int)
    slot = wp.tile_stack_push(s, x[i], x[i] > 3)
    wp.atomic_add(n, 0, slot)
    y[i] = float(wp.tile_stack_count(s))
    v, taken = wp.tile_stack_pop(s)
    wp.atomic_add(n, 1, v)
    wp.atomic_add(n, 2, taken)
    y[i] += 1000.0 * float(wp.tile_stack_count(s))
    again = wp.tile_stack_push(s, i, i < 230)
    wp.atomic_add(n, 3, again)
    y[i] += 1000000.0 * float(wp.tile_stack_count(s))
    wp.tile_stack_clear(s)
    y[i] += 0.5 + float(wp.tile_stack_count(s))


@wp.kernel
def elements_updated(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=64, storage="shared")
    t[i % 64] += x[i]
    t[(3 * i) % 64] -= 2.0 * x[i]
    wp.tile_store(y, t)


@wp.kernel
def tile_chosen(x: wp.array(dtype=float), y: wp.array(dtype=float), z: wp.array(dtype=float), n: int):
    a = wp.tile_load(x, shape=64)
    b = wp.tile_load(y, shape=64)
    wp.tile_store(z, wp.where(n > 2, a, b) * 2.0)
    wp.tile_store(z, wp.where(n < 2, a, b), offset=64)


@wp.kernel
def scattered(x: wp.array(dtype=float), k: wp.array(dtype=int), y: wp.array(dtype=float), z: wp.array2d(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(y, shape=16, storage="shared")
    wp.tile_scatter_add(t, k[i], x[i], x[i] > 0.0)
    wp.tile_scatter_masked(t, i % 16, 3.0 * x[i], i < 8)
    wp.tile_store(y, t)
    u = wp.tile_zeros(shape=(16, 32), dtype=float, storage="shared")
    wp.tile_scatter_add(u, i / 32, i % 32, x[i] * x[i], x[i] > -2.0, atomic=False)
    wp.tile_scatter_masked(u, i / 32, (i + 1) % 32, x[i], x[i] > 5.0)
    wp.tile_store(z, u)


LAUNCHES = {
    "running_sums": ((2, 256), {"x": (600,), "y": (600,), "z": (600,)}),
    "running_sum_partial": ((100,), {"x": (300,), "y": (300,)}),
    "dotted": ((2, 256), {"x": (600,), "y": (600,), "v": (40,), "s": (4,)}),
    "added_scaled": ((2, 256), {"x": (600,), "y": (600,), "w": 1.5}),
    "diagonal": ((1, 256), {"x": (8, 8), "d": (8,), "y": (8, 8)}),
    "folded_axes": ((1, 256), {"x": (8, 20), "r": (8,), "c": (20,), "t": (1,)}),
    "by_chance": ((1, 256), {"x": (600,), "n": (600,), "seed": 42}),
    "stacked": ((256,), {"x": (256,), "n": (4,), "y": (256,)}),
    "elements_updated": ((256,), {"x": (256,), "y": (64,)}),
    "tile_chosen": ((1, 256), {"x": (64,), "y": (64,), "z": (128,), "n": 3}),
    "scattered": ((256,), {"x": (256,), "k": (256,), "y": (16,), "z": (16, 32)}),
    "tiles_in_functions": ((512,), {"x": (512,), "rows": (64,), "y": (512,)}),
    "row_sums": ((3, 256), {"x": (3, 64), "y": (3, 64), "s": (3,)}),
    "block_norm": ((512,), {"x": (512,), "y": (512,), "total": (1,)}),
    "partial_block": ((300,), {"x": (300,), "total": (1,)}),
    "interactions": ((256,), {"x": (256,), "out": (256,), "n": 128}),
    "transposed": ((2, 2, 256), {"x": (8, 16), "y": (16, 8)}),
    "mapped": ((2, 256), {"x": (128,), "y": (128,), "z": (128,), "w": 1.5}),
    "made": ((2, 256), {"y": (8, 8), "n": (128,)}),
    "viewed": ((2, 256), {"x": (8, 8), "y": (8, 8), "z": (16,)}),
    "reshaped": ((2, 256), {"x": (8, 8), "y": (4, 16), "z": (16,)}),
    "extremes": ((2, 256), {"x": (600,), "k": (4,), "n": (600,)}),
    "broadcast": ((2, 256), {"x": (8, 8), "b": (8,), "y": (8, 8)}),
    "lanes": ((512,), {"x": (512,), "y": (512,), "s": (1,)}),
    "scanned": ((2, 256), {"x": (128,), "y": (128,), "z": (128,)}),
    "reduced": ((2, 256), {"x": (128,), "y": (6,)}),
    "offsets": ((256,), {"x": (256,), "y": (256,)}),
    "shared_elements": ((2, 256), {"x": (512,), "y": (512,)}),
    "axpy": ((2, 256), {"x": (2, 600), "w": (2,), "n": 600}),
    "sorted_pairs": ((2, 256), {"keys": (128,), "values": (128,)}),
    "product": ((2, 2, 256), {"a": (16, 32), "b": (32, 8), "c": (16, 8)}),
    "gram": ((1, 256), {"a": (4, 3), "c": (4, 4)}),
    "compacted": ((2, 256), {"data": (512,), "n": (1,), "out": (600,)}),
    "factors": ((1, 256), {"x": (5, 7), "low": (5, 5), "up": (5, 5)}),
    "solved": ((1, 256), {"a": (5, 5), "y": (5,), "z": (5, 3), "xy": (5,), "xz": (5, 3), "uy": (5,), "uz": (5, 3)}),
    "solved_in_place": ((1, 256), {"x": (5, 7), "y": (5,), "z": (5, 3)}),
    "gathered": ((2, 256), {"x": (9, 8), "rows": (8,), "y": (8, 8), "z": (9, 8)}),
    "axes": ((2, 256), {"x": (8, 8), "r": (8,), "c": (16,)}),
    "waves": ((2, 256), {"x": (4, 512), "y": (4, 512), "z": (2, 256)}),
    "tallied": ((512,), {"x": (512,), "n": (8,), "old": (1,)}),
    "in_turn": ((1, 256), {"x": (12, 8), "y": (4, 8), "n": 3}),
    "in_turn_shared": ((1, 256), {"a": (12, 4), "c": (4, 4), "n": 3}),
    "chosen": ((2, 256), {"x": (2, 8), "b": (2, 8), "y": (2, 8), "z": (2, 8)}),
    "beyond_the_end": ((2, 256), {"x": (100,), "y": (90,)}),
}
