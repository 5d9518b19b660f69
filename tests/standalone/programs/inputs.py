# SPDX-License-Identifier: Apache-2.0
"""Kernels whose inputs have to follow from their code: only then do they tell a changed kernel."""

import warp as wp


@wp.kernel
def springs(x: wp.array(dtype=wp.vec3), ends: wp.array(dtype=int), rest: wp.array(dtype=float), f: wp.array(dtype=wp.vec3), stiffness: float):  # ends: PASS
    t = wp.tid()
    i = ends[t * 2]
    j = ends[t * 2 + 1]
    d = x[i] - x[j]
    pull = stiffness * (wp.length(d) - rest[t]) * wp.normalize(d)
    wp.atomic_sub(f, i, pull)
    wp.atomic_add(f, j, pull)


@wp.kernel
def sparse_product(rows: wp.array(dtype=int), columns: wp.array(dtype=int), values: wp.array(dtype=float), x: wp.array(dtype=float), y: wp.array(dtype=float)):  # ends: PASS
    r = wp.tid()
    total = float(0.0)
    for k in range(rows[r], rows[r + 1]):
        total += values[k] * x[columns[k]]
    y[r] = total


@wp.kernel
def histogram(x: wp.array(dtype=int), counts: wp.array(dtype=int)):  # ends: PASS
    wp.atomic_add(counts, x[wp.tid()], 1)


@wp.kernel
def with_sentinel(next_: wp.array(dtype=int), x: wp.array(dtype=float), y: wp.array(dtype=float)):  # ends: PASS
    i = wp.tid()
    k = next_[i]
    if k >= 0:
        y[i] = x[k] - x[i]


@wp.kernel
def on_a_grid(x: wp.array(dtype=float), y: wp.array(dtype=float), width: int, n: int):  # ends: PASS
    i = wp.tid()
    if i >= n:
        return
    column = i % width
    row = i // width
    y[i] = x[row] - 2.0 * x[column]


@wp.kernel
def packed(codes: wp.array(dtype=int), fields: wp.array(dtype=int), bits: int):  # ends: PASS
    i = wp.tid()
    fields[i] = (codes[i] >> bits) - (codes[i] << 1)


@wp.kernel
def window(x: wp.array(dtype=float), y: wp.array(dtype=float), radius: int):  # ends: PASS
    i = wp.tid()
    total = float(0.0)
    for k in range(radius):
        total += x[i + k]
    y[i] = total - x[i]


@wp.kernel
def two_classes(kind: wp.array(dtype=int), x: wp.array(dtype=float), y: wp.array(dtype=float)):  # ends: PASS
    i = wp.tid()
    if kind[i] == 1:
        y[i] = x[i] * x[i]
    else:
        y[i] = 1.0 - x[i]


@wp.kernel
def nothing_told(x: wp.array(dtype=float), y: wp.array(dtype=float)):  # ends: RAN
    i = wp.tid()
    if i > 1000000:
        y[i] = x[i] - y[i] * x[i + 1]
    y[i] = x[i]


@wp.kernel
def by_flag(x: wp.array(dtype=float), y: wp.array(dtype=float), mode: int):  # ends: PASS
    i = wp.tid()
    if mode == 0:
        y[i] = x[i] + 1.0
    elif mode == 1:
        y[i] = x[i] - 2.0
    else:
        y[i] = x[i] * 3.0


@wp.kernel
def at_the_border(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):  # ends: PASS
    i, j = wp.tid()
    if i == 200 - 1 or j == 70 - 1:
        y[i, j] = x[i, j] - 2.0
    else:
        y[i, j] = x[i, j] * 3.0


@wp.kernel
def banana(x: wp.array(dtype=float), y: wp.array(dtype=float), z: wp.array(dtype=float)):  # ends: PASS
    i = wp.tid()
    z[i] = (1.0 - x[i]) ** 2.0 + 100.0 * (y[i] - x[i] ** 2.0) ** 2.0


@wp.kernel
def largest(triangles: wp.array2d(dtype=int), most: wp.array(dtype=int)):  # ends: PASS
    t = wp.tid()
    for j in range(3):
        wp.atomic_max(most, 0, triangles[t, j])


@wp.kernel
def optional_arrays(  # ends: PASS
    x: wp.array(dtype=float),
    bias: wp.array(dtype=float),
    weights: wp.array(dtype=float),
    y: wp.array(dtype=float),
):
    i = wp.tid()
    value = x[i]
    if bias:
        value += bias[i]
    else:
        value -= 3.0 * x[i] * x[i]
    if not weights:
        y[i] = value * float(i) + 2.0
    else:
        y[i] = value * weights[i]


@wp.kernel
def shared_edges(triangles: wp.array2d(dtype=int), shared: wp.array(dtype=int)):  # ends: PASS
    i = wp.tid()
    if i + 1 < triangles.shape[0]:
        for j in range(3):
            a = triangles[i, j]
            b = triangles[i, (j + 1) % 3]
            for k in range(3):
                c = triangles[i + 1, k]
                d = triangles[i + 1, (k + 1) % 3]
                if wp.min(a, b) == wp.min(c, d) and wp.max(a, b) == wp.max(c, d):
                    shared[i] = 10 * j + k


@wp.kernel
def inverse_of_mass(mass: wp.array(dtype=float), inverse: wp.array(dtype=float)):  # ends: PASS
    i = wp.tid()
    inverse[i] = wp.where(mass[i] == 0.0, 3.0, 1.0 / mass[i])


@wp.kernel
def first_thread_alone(x: wp.array(dtype=float), sum: wp.array(dtype=float), done: wp.array(dtype=int)):  # ends: PASS
    i = wp.tid()
    wp.atomic_add(sum, 0, x[i])
    if i == 0:
        done[0] = 5


@wp.kernel
def corner_of_bits(offset: wp.array2d(dtype=wp.vec3i)):  # ends: PASS
    cell, n = wp.tid()
    offset[cell, n] = wp.vec3i((n & 4) >> 2, (n & 2) >> 1, n & 1)


@wp.kernel
def boxes_found(
    bvh: wp.uint64, lower: wp.array(dtype=wp.vec3), upper: wp.array(dtype=wp.vec3), found: wp.array(dtype=int)
):  # ends: PASS
    i = wp.tid()
    query = wp.bvh_query_aabb(bvh, lower[i], upper[i])
    box = int(0)
    while wp.bvh_query_next(query, box):
        found[i] += box + 1


@wp.kernel
def clamped_to_the_grid(x: wp.array(dtype=float), y: wp.array(dtype=float)):  # ends: PASS
    i = wp.tid()
    y[i] = x[wp.min(i + 1, 300 - 1)] - x[wp.max(i - 1, 0)]


mat42i = wp.types.matrix(shape=(4, 2), dtype=wp.int32)
EDGES = wp.constant(mat42i(0, 1, 1, 2, 2, 3, 3, 0))


@wp.kernel
def edges_of_a_table(quads: wp.array2d(dtype=int), starts: wp.array(dtype=int)):  # ends: PASS
    t = wp.tid()
    for k in range(4):
        a = quads[t, EDGES[k, 0]]
        b = quads[t, EDGES[k, 1]]
        wp.atomic_add(starts, wp.min(a, b), 1 + k)


@wp.kernel
def source_in_the_grid(field: wp.array3d(dtype=float), amplitude: float):  # ends: PASS
    i, j, k = wp.tid()
    x = field[i, j, k]
    if i == 50 and j == 40 and k == 30:
        x += amplitude * amplitude - 3.0
    field[i, j, k] = 2.0 * x


@wp.kernel
def rounded_down(x: wp.array(dtype=int), unit: int, y: wp.array(dtype=int)):  # ends: PASS
    i = wp.tid()
    q = x[i] // unit
    r = x[i] - q * unit
    y[i] = wp.where(r < 0, q - 1, q) * unit


@wp.func
def cell_of(p: wp.vec3, scale: float):
    q = p * scale
    return wp.vec3i(int(wp.floor(q[0])), int(wp.floor(q[1])), int(wp.floor(q[2])))


@wp.kernel
def first_coordinate_of_cells(p: wp.array(dtype=wp.vec3), x: wp.array(dtype=int)):  # ends: PASS
    i = wp.tid()
    x[i] = cell_of(p[i], 3.0)[0]


@wp.kernel
def names_used_again(x: wp.array2d(dtype=float), n: int, sums: wp.array(dtype=float)):  # ends: PASS
    i = wp.tid()
    total = float(0.0)
    for j in range(n):
        a = x[i, j]
        for k in range(j, n):
            a = x[i, k] * 0.5
            total += a * float(k)
        total -= float(j)
    sums[i] = total


@wp.kernel
def warning(x: wp.array(dtype=float), most: int, y: wp.array(dtype=float)):  # ends: PASS
    i = wp.tid()
    if i == 0 and x.shape[0] > most:
        wp.printf("%d is more than %d\n", x.shape[0], most)
    y[i] = 2.0 * x[i]


FLAG = wp.constant(wp.int32(1 << 20))


@wp.func
def take_flag(c: wp.vec3i):
    for a in range(3):
        if (c[a] & FLAG) != 0:
            c[a] = c[a] - FLAG
            return a, c
    return -1, c


# The bit is one of 32, and no number that is drawn has it by chance.
@wp.kernel
def flags_in_coordinates(cells: wp.array(dtype=wp.vec3i), y: wp.array(dtype=int)):  # ends: PASS
    i = wp.tid()
    axis, c = take_flag(cells[i])
    y[i] = c[0] + 100 * c[1] + 10000 * c[2] + 7 * axis


@wp.kernel
def wall_on_one_side(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), damping: float):  # ends: PASS
    i = wp.tid()
    p = x[i]
    u = v[i]
    if p[1] < 0.0:
        u = wp.vec3(u[0], -u[1] * damping, u[2])
    v[i] = u


@wp.kernel
def counted_up(x: wp.array(dtype=float)):  # ends: PASS
    i = wp.tid()
    x[i] = x[i] + 1.0


# Thread 1000 of the whole is in the middle; the launch has 277.
@wp.kernel
def part_of_a_line(offset: int, x: wp.array(dtype=float), y: wp.array(dtype=float)):  # ends: PASS
    i = wp.tid()
    p = float(offset + i) * 0.01 - 10.0
    if p * p < 0.25:
        y[i] = x[i] * (0.25 - p * p)
    else:
        y[i] = 3.0 * x[i]


@wp.kernel
def wrapped_around(x: wp.array(dtype=float), y: wp.array(dtype=float)):  # ends: PASS
    i = wp.tid()
    d = x[i] - 1.0
    if d > 600.0:
        d -= 1200.0
    elif d < -600.0:
        d += 1200.0
    y[i] = d * 0.125


# Whether 0 or 1 is returned where there are no offsets, it is a batch.
@wp.func
def batch_of(i: int, offsets: wp.array(dtype=int)):
    if not offsets:
        return 0
    return wp.lower_bound(offsets, i + 1) - 1


@wp.kernel
def where_there_is_a_batch(offsets: wp.array(dtype=int), x: wp.array(dtype=float), y: wp.array(dtype=int)):  # ends: PASS
    i = wp.tid()
    if batch_of(i, offsets) >= 0:
        y[i] += 1 + int(x[i] * 8.0)


# The adjoint of the radius, which is passed by value, is lost: functions that add to it need not.
@wp.func
def reach_of(radius: float):
    return radius * radius + 2.0 * radius


@wp.func
def inside(x: float, radius: float):
    return wp.max(reach_of(radius) - x * x, 0.0)


@wp.kernel
def sum_inside(x: wp.array(dtype=float), radius: float, y: wp.array(dtype=float)):  # ends: PASS
    i = wp.tid()
    y[i] = inside(x[i], radius)


@wp.struct
class Ring:
    items: wp.array(dtype=int)
    head: wp.array(dtype=int)
    tail: wp.array(dtype=int)
    capacity: int


# Some rings are full, which their fields have to be different for.
@wp.kernel
def room_in_rings(rings: Ring, room: wp.array(dtype=int)):  # ends: PASS
    i = wp.tid()
    used = rings.tail[i] - rings.head[i]
    if used >= rings.capacity:
        room[i] = 0
    else:
        room[i] = rings.capacity - used


@wp.kernel
def marked_cells(grid: wp.uint64, per_cell: int, mark: wp.array(dtype=int)):  # ends: PASS
    i = wp.tid()
    if i // per_cell < wp.volume_voxel_count(grid):
        mark[i] = 1
    else:
        mark[i] = 0


# Signs of `edges` and of what is shifted do not show in the last bit.
@wp.kernel
def count_edges(groups: wp.array(dtype=int), edges: wp.array(dtype=int), count: wp.array(dtype=int)):  # ends: PASS
    i = wp.tid()
    n = int(0)
    for k in range(12):
        if groups[i * 13 + k] != 0 and ((edges[i] >> k) & 1) != 0:
            n += 1
    count[i] = n


# Where x is 0, which has no gradient, nothing tells whether w gets one. That `w > 1` is nothing to
# the gradient excuses no number of the other branch.
@wp.kernel
def gradient_of_a_rest(x: wp.array(dtype=float), w: wp.array(dtype=float), y: wp.array(dtype=float)):  # ends: PASS (forward)
    i = wp.tid()
    d = wp.sqrt(x[i]) + x[i] * x[i] * w[i] - wp.sin(x[i]) * wp.cos(w[i])
    if x[i] == 0.0:
        d = w[i] * (wp.sin(0.3) + wp.cos(0.7) * 5.0 - 2.0 / 3.5)
    if w[i] > 1.0:
        d -= 120.0
    y[i] = d


# Both branches clear the gradient, so that nothing tells where the condition's number stands.
@wp.kernel
def pushed_to_and_fro(q: wp.array3d(dtype=float), force: wp.array3d(dtype=float)):  # ends: PASS
    i = wp.tid()
    if q[i, 0, 0] > 0.0:
        force[i, 0, 0] = -20.0
    else:
        force[i, 0, 0] = 20.0


# Without two arrays that are the same, no thread leaves the flag as it is.
@wp.kernel
def changed_at_all(now: wp.array(dtype=wp.vec3), before: wp.array(dtype=wp.vec3), changed: wp.array(dtype=int)):  # ends: PASS
    i = wp.tid()
    d = now[i] - before[i]
    if wp.dot(d, d) != 0.0:
        changed[0] = 1


# The sign of `flags & 1` does not show in a comparison with a 0 that is made.
@wp.kernel
def active(flags: wp.array(dtype=int), mask: wp.array(dtype=int)):  # ends: PASS
    i = wp.tid()
    if (flags[i] & 1) != wp.int32(0):
        mask[i] = 1
    else:
        mask[i] = 0


# What stands behind a condition that is known is never reached.
CLAMPED = 4


@wp.kernel
def clamped(x: wp.array(dtype=int), status: wp.array(dtype=int), y: wp.array(dtype=int)):  # ends: PASS
    i = wp.tid()
    taken = x[i] > 7
    if not wp.static(CLAMPED):
        taken = taken and status[1] == 0 and status[2] == 0
    if taken:
        y[i] = x[i]


# Tests of each component want numbers that are not finite, one at a time.
@wp.kernel
def finite_or_rest(x: wp.array(dtype=wp.vec3), rest: wp.array(dtype=wp.vec3), y: wp.array(dtype=wp.vec3)):  # ends: PASS
    i = wp.tid()
    p = x[i]
    if wp.isfinite(p[0]) and wp.isfinite(p[1]) and wp.isfinite(p[2]):
        y[i] = p
    else:
        y[i] = rest[0]


# What is not finite is passed on: that is what this kernel is for.
@wp.func
def largest(a: wp.spatial_vector):
    most = wp.abs(a[0])
    broken = wp.isnan(a[0])
    for k in range(1, 6):
        if wp.isnan(a[k]):
            broken = True
        else:
            most = wp.max(most, wp.abs(a[k]))
    if broken:
        return wp.nan
    return most


@wp.kernel(enable_backward=False)
def residuals(v: wp.array(dtype=wp.vec3), w: wp.array(dtype=wp.vec3), worst: wp.array(dtype=float)):  # ends: PASS
    i = wp.tid()
    r = largest(wp.spatial_vector(v[i][0], v[i][1], v[i][2], w[i][0], w[i][1], w[i][2]))
    if wp.isnan(r):
        worst[i] = -1.0
    else:
        worst[i] = r


# What a value begins with is never read where all other ways leave.
@wp.kernel
def one_of_two(a: wp.array(dtype=int), b: wp.array(dtype=int), x: wp.array(dtype=wp.vec3), z: wp.array(dtype=wp.vec3), side: wp.array(dtype=int), y: wp.array(dtype=wp.vec3)):  # ends: PASS
    i = wp.tid()
    p = wp.vec3(0.0, 0.0, 0.0)
    n = wp.vec3(1.0, 0.0, 0.0)
    k = int(-1)
    if a[i] != 0:
        p = x[i]
        n = z[i]
        k = 1
    elif b[i] != 0:
        p = z[i]
        n = -x[i]
        k = 2
    else:
        return
    side[i] = k
    y[i] = p + wp.cross(n, p)


# Bits that are shifted down before they are masked stand further up in the number.
@wp.kernel
def channels(image: wp.array(dtype=wp.uint32), y: wp.array2d(dtype=wp.uint8)):  # ends: PASS
    i = wp.tid()
    color = image[i]
    y[i, 0] = wp.uint8(color & wp.uint32(0xFF))
    y[i, 1] = wp.uint8((color >> wp.uint32(8)) & wp.uint32(0xFF))
    y[i, 2] = wp.uint8((color >> wp.uint32(16)) & wp.uint32(0xFF))


# One number is compared with a large one, and what became of it in a vector with a small one.
@wp.func
def mode_of(v: wp.vec3):
    if v[2] <= 1.0e-6:
        if wp.sqrt(v[0] * v[0] + v[1] * v[1]) <= 1.0e-6:
            return 1
        return 2
    return 0


@wp.kernel(enable_backward=False)
def modes(least: wp.array(dtype=float), v: wp.array(dtype=float), mode: wp.array(dtype=int)):  # ends: PASS
    i = wp.tid()
    w = wp.vec3(0.0)
    for k in range(3):
        w[k] = v[i * 3 + k]
    if least[i] <= -1.0e8:
        mode[i] = 3
    else:
        mode[i] = mode_of(w)


# Most numbers are 0, most are as before, and so are most flags: else no thread shows what one of
# the comparisons does.
@wp.kernel(enable_backward=False)
def wakes(node: wp.array(dtype=int), force: wp.array(dtype=float), spring: wp.array(dtype=float), now: wp.array(dtype=wp.vec3), before: wp.array(dtype=wp.vec3), veto: wp.array(dtype=int)):  # ends: PASS
    i = wp.tid()
    a = now[i]
    b = before[i]
    changed = a[0] != b[0] or a[1] != b[1] or a[2] != b[2]
    if changed or force[i] != 0.0 or spring[i] != 0.0:
        wp.atomic_max(veto, node[i], 1)


# The last round of the outer loop has none of the inner one.
@wp.kernel(enable_backward=False)
def symmetric(m: wp.array(dtype=wp.mat33), v: wp.array(dtype=wp.vec3), y: wp.array(dtype=wp.vec3)):  # ends: PASS
    i = wp.tid()
    a = m[i]
    x = v[i]
    r = wp.vec3(0.0)
    for row in range(3):
        r[row] += a[row, row] * x[row]
        for col in range(row + 1, 3):
            entry = a[row, col]
            r[row] += entry * x[col]
            r[col] += entry * x[row]
    y[i] = r


# The count is so large that the quotient is not 0 or 1.
@wp.kernel
def tiled_sums(x: wp.array(dtype=float), count: int, y: wp.array(dtype=float)):  # ends: PASS
    i = wp.tid()
    total = float(0.0)
    for k in range(count // 512):
        for e in range(2):
            total += x[(512 * k + e) % 50] * float(k + 1)
    y[i] = total + x[i]
