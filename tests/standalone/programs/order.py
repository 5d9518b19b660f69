"""Results that depend on the order of threads, of which a GPU has another one."""

import warp as wp

Floats = wp.array(dtype=float)


@wp.struct
class Hit:
    particle: int
    point: wp.vec3
    depth: float


# Warp's backward pass reads slot, but does not compute it.
@wp.kernel
def compact(x: Floats, count: wp.array(dtype=int), kept: Floats):  # ends: PASS (forward)
    i = wp.tid()
    if x[i] > 0.0:
        slot = wp.atomic_add(count, 0, 1)
        kept[slot] = x[i]


@wp.kernel
def compact_some(
    x: wp.array(dtype=float),
    most: int,
    count: wp.array(dtype=int),
    kept: wp.array(dtype=float),
):
    i = wp.tid()
    if x[i] <= 0.0:
        return
    slot = wp.atomic_add(count, 0, 1)
    if slot < most:
        kept[slot] = x[i] * 2.0


@wp.kernel
def collect_hits(x: wp.array(dtype=wp.vec3), floor: float, count: wp.array(dtype=int), hits: wp.array(dtype=Hit)):
    i = wp.tid()
    depth = floor - x[i][1]
    if depth <= 0.0:
        return
    slot = wp.atomic_add(count, 0, 1)
    if slot >= hits.shape[0]:
        return
    hit = Hit()
    hit.particle = i
    hit.point = x[i]
    hit.depth = depth
    hits[slot] = hit


# The last thread wins, whichever that is: so one alone runs, and does not show what its index does.
@wp.kernel
def overwrite(x: wp.array(dtype=float), last: wp.array(dtype=float)):  # ends: RAN
    i = wp.tid()
    last[0] = x[i] * 3.0


# What all threads write is the same.
@wp.kernel
def set_flag(x: wp.array(dtype=float), limit: float, any_above: wp.array(dtype=int)):  # ends: PASS
    i = wp.tid()
    if x[i] > limit:
        any_above[0] = 1


@wp.kernel
def sum_up(x: wp.array(dtype=float), total: wp.array(dtype=float)):  # ends: PASS
    i = wp.tid()
    wp.atomic_add(total, 0, x[i] * x[i])


# A rounding could change which of two items comes first.
@wp.kernel
def nearly_one(x: Floats, count: wp.array(dtype=int), items: wp.array(dtype=wp.vec2)):
    i = wp.tid()
    one = wp.sin(x[i]) * wp.sin(x[i]) + wp.cos(x[i]) * wp.cos(x[i])
    slot = wp.atomic_add(count, 0, 1)
    items[slot] = wp.vec2(one, x[i])


# A parameter may be called like a function of the program.
@wp.kernel
def append(sort_items: wp.array(dtype=wp.float16), count: wp.array(dtype=int), items: wp.array(dtype=wp.float16)):
    i = wp.tid()
    if sort_items[i] > wp.float16(0.0):
        slot = wp.atomic_add(count, 0, 1)
        items[slot] = sort_items[i]


# Threads that count without atomics lose updates where they run at once, though any order of them gives the same n:
# one alone does not. It does not show what its index does.
@wp.kernel
def count_without_atomics(x: wp.array(dtype=float), n: wp.array(dtype=int), y: wp.array(dtype=float)):  # ends: RAN
    i = wp.tid()
    y[i] = x[i] * 2.0
    n[0] = n[0] + 1


# Indexes that are all different let many threads run.
@wp.kernel
def accumulate_at(at: wp.array(dtype=int), x: wp.array(dtype=float), y: wp.array(dtype=float)):  # ends: PASS
    i = wp.tid()
    y[at[i]] = y[at[i]] + x[i] * x[i]


# So do rows that begin far enough from each other: by starts and counts, and by starts alone.
@wp.kernel
def compress_rows(
    starts: wp.array(dtype=int),
    out_starts: wp.array(dtype=int),
    counts: wp.array(dtype=int),
    x: wp.array(dtype=int),
    y: wp.array(dtype=int),
):  # ends: PASS
    i = wp.tid()
    for e in range(counts[i]):
        y[out_starts[i] + e] = x[starts[i] + e] * 10 + i


@wp.kernel
def fill_rows(starts: wp.array(dtype=int), level: wp.array(dtype=int), y: wp.array(dtype=int)):  # ends: PASS
    i = wp.tid()
    k = starts[i]
    while k < starts[i + 1]:
        y[k] = y[k] + level[i]
        k += 1


# Of the threads that share an element the last one to count need not be the last one to store.
@wp.kernel
def last_place(count: wp.array(dtype=int), x: wp.array(dtype=float), y: wp.array(dtype=int)):  # ends: RAN
    i = wp.tid()
    place = wp.atomic_add(count, i // 4, 1)
    if x[i] > -100.0:
        y[i // 4] = place


# Nothing uses the lane, so one is enough.
@wp.kernel
def scale_rows(factor: wp.array(dtype=float), x: wp.array2d(dtype=float)):  # ends: PASS
    row, _lane = wp.tid()
    for k in range(x.shape[1]):
        x[row, k] = x[row, k] * factor[row]


# One thread walks through all, as it is launched by its users.
@wp.kernel
def group_starts(sizes: wp.array(dtype=int), starts: wp.array(dtype=int)):  # ends: PASS
    total = int(0)
    for k in range(sizes.shape[0]):
        starts[k] = total + starts[k]
        total += sizes[k]


@wp.kernel
def scale_often(x: wp.array(dtype=float), product: wp.array(dtype=float), y: wp.array(dtype=float)):  # ends: RAN
    i = wp.tid()
    y[i] = x[i] - 3.0
    if i < 4:
        product[0] *= 2.0


# What an unlucky thread reads too early makes its own result another one.
@wp.kernel
def neighbours_in_place(x: wp.array(dtype=float), y: wp.array(dtype=float)):  # ends: RAN
    i = wp.tid()
    if i % 2 == 0:
        x[i] = 1.0
    y[i] = x[(i + 1) % 2]


@wp.kernel
def each_its_own(x: wp.array(dtype=float), y: wp.array(dtype=wp.vec3)):  # ends: PASS
    i = wp.tid()
    x[i] = x[i] * x[i] + 1.0
    y[i][1] = y[i][1] * x[i]


# The threads of a block have met between the stores and the load; blocks have tiles of their own.
@wp.kernel
def stored_and_loaded(x: wp.array(dtype=float), y: wp.array(dtype=float), z: wp.array2d(dtype=float)):  # forward
    i, lane = wp.tid()
    t = wp.tile_load(x, shape=32, offset=i * 32)
    wp.tile_store(y, t * 2.0, offset=i * 32)
    u = wp.tile_load(y, shape=32, offset=i * 32)
    wp.tile_store(x, u + t, offset=i * 32)
    z[i, lane] = y[i * 32 + lane % 32] * 0.5


# Here they meet other blocks' elements.
@wp.kernel
def of_the_next_block(x: wp.array(dtype=float), y: wp.array(dtype=float)):  # ends: RAN
    i = wp.tid()
    t = wp.tile_load(x, shape=32, offset=i * 32)
    wp.tile_store(x, t * 0.0, offset=i * 32)
    wp.tile_store(y, wp.tile_load(x, shape=32, offset=((i + 1) % 2) * 32), offset=i * 32)
