# SPDX-License-Identifier: Apache-2.0
"""Ways in which threads go over elements."""


@pattern(share=24)
def own():
    "for each {element} `i`"
    i = thread()
    guard(i)
    at(element, i)
    finish(value)


@pattern(over="active", share=14)
def listed(active: active_list):
    "for each {element} `i` in `{active}`"
    tid = thread()
    i = active[tid]
    at(element, i)
    finish(value)


@pattern(needs="other", sums=True)
def neighbors_of_rows(offsets: row_offsets, ids: link_to_other):
    "over the {links} `k` of {element} `i`, those from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, where {other} `j` is `{ids}[k]`"
    i = thread()
    guard(i)
    at(element, i)
    total = zero
    for k in range(offsets[i], offsets[i + 1]):
        at(link, k)
        j = ids[k]
        at(other, j)
        total += value
    finish(total)


@pattern(needs="other", sums=True, others="same")
def all_pairs():
    "over all other {others} `j`"
    i = thread()
    at(element, i)
    total = zero
    for j in range(count(other)):
        if any_of:
            if j != i:
                at(other, j)
                total += value
        elif any_of:
            if j == i:
                continue
            at(other, j)
            total += value
    finish(total)


@pattern(needs="other", over="link", sums=True, opposite=True, into="ends")
def scatter_to_ends(ends: link_ends):
    "for each {link} `k`, whose two {elements} `i` and `j` are `{ends}[k, 0]` and `{ends}[k, 1]`"
    k = thread()
    i = ends[k, 0]
    j = ends[k, 1]
    at(link, k)
    at(element, i)
    at(other, j)
    scatter(i, value)
    scatter(j, -value)


@pattern(dims=2, share=20)
def own_cell():
    "for each {element} `i, j`"
    i, j = thread()
    guard(i, j)
    at(element, i, j)
    finish(value)


@pattern(dims=2, needs="west east north south", share=20)
def interior_of_grid():
    "for each {element} `i, j` that does not lie on the border (for those on the border nothing is done)"
    i, j = thread()
    if i < 1 or i >= count(element, 0) - 1 or j < 1 or j >= count(element, 1) - 1:
        return
    at(element, i, j)
    at(north, i - 1, j)
    at(south, i + 1, j)
    at(west, i, j - 1)
    at(east, i, j + 1)
    finish(value)


@pattern(dims=2, needs="west east north south", clamps=True, share=20)
def clamped_grid():
    "for each {element} `i, j`, with indices clamped to the grid for neighbors beyond the border"
    i, j = thread()
    guard(i, j)
    up = wp.max(i - 1, 0)
    down = wp.min(i + 1, count(element, 0) - 1)
    left = wp.max(j - 1, 0)
    right = wp.min(j + 1, count(element, 1) - 1)
    at(element, i, j)
    at(north, up, j)
    at(south, down, j)
    at(west, i, left)
    at(east, i, right)
    finish(value)


@pattern(needs="other", sums=True, others="different")
def all_others():
    "over all {others} `j`"
    i = thread()
    guard(i)
    at(element, i)
    total = zero
    for j in range(count(other)):
        at(other, j)
        total += value
    finish(total)


@pattern(dims=2, needs="other", sums=True, share=20)
def window():
    "over the {others} `y, x` of the three by three window around it that lie in the grid"
    i, j = thread()
    guard(i, j)
    at(element, i, j)
    total = zero
    for di in range(-1, 2):
        for dj in range(-1, 2):
            y = i + di
            x = j + dj
            if y >= 0 and y < count(element, 0) and x >= 0 and x < count(element, 1):
                at(other, y, x)
                total += value
    finish(total)


@pattern(dims=2, needs="other", sums=True, share=20)
def clamped_window(radius: window_radius):
    "over the {others} `y, x` of the window that reaches `{radius}` to each side, with indices clamped to the grid"
    i, j = thread()
    guard(i, j)
    at(element, i, j)
    total = zero
    for di in range(-radius, radius + 1):
        for dj in range(-radius, radius + 1):
            y = wp.clamp(i + di, 0, count(element, 0) - 1)
            x = wp.clamp(j + dj, 0, count(element, 1) - 1)
            at(other, y, x)
            total += value
    finish(total)


@pattern(dims=2, needs="west east north south", of="cell", share=12)
def periodic_grid():
    "for each {element} `i, j` of a periodic grid, where neighbors beyond a border are taken from the opposite one"
    i, j = thread()
    guard(i, j)
    rows = count(element, 0)
    cols = count(element, 1)
    at(element, i, j)
    at(north, (i + rows - 1) % rows, j)
    at(south, (i + 1) % rows, j)
    at(west, i, (j + cols - 1) % cols)
    at(east, i, (j + 1) % cols)
    finish(value)


@pattern(needs="west east", share=12)
def interior_of_line():
    "for each {element} `i` but the first and the last, for which nothing is done"
    i = thread()
    if i == 0 or i >= count(element) - 1:
        return
    at(element, i)
    at(west, i - 1)
    at(east, i + 1)
    finish(value)


@pattern(needs="west east", clamps=True, share=12)
def clamped_line():
    "for each {element} `i`, with indices clamped to the line for neighbors beyond its ends"
    i = thread()
    guard(i)
    at(element, i)
    at(west, wp.max(i - 1, 0))
    at(east, wp.min(i + 1, count(element) - 1))
    finish(value)


@pattern(needs="west east", share=12)
def periodic_line():
    "for each {element} `i` of a ring, where the last one is the west neighbor of the first"
    i = thread()
    guard(i)
    size = count(element)
    at(element, i)
    at(west, (i + size - 1) % size)
    at(east, (i + 1) % size)
    finish(value)


@pattern(dims=3, share=12)
def own_voxel():
    "for each {element} `i, j, k`"
    i, j, k = thread()
    guard(i, j, k)
    at(element, i, j, k)
    finish(value)


@pattern(dims=3, needs="west east north south below above", clamps=True, share=12)
def clamped_box():
    "for each {element} `i, j, k`, with indices clamped to the grid for neighbors beyond the border"
    i, j, k = thread()
    guard(i, j, k)
    at(element, i, j, k)
    at(west, wp.max(i - 1, 0), j, k)
    at(east, wp.min(i + 1, count(element, 0) - 1), j, k)
    at(south, i, wp.max(j - 1, 0), k)
    at(north, i, wp.min(j + 1, count(element, 1) - 1), k)
    at(below, i, j, wp.max(k - 1, 0))
    at(above, i, j, wp.min(k + 1, count(element, 2) - 1))
    finish(value)


@pattern(dims=3, needs="west east north south below above", share=12)
def periodic_box():
    "for each {element} `i, j, k` of a grid that is periodic along all axes"
    i, j, k = thread()
    guard(i, j, k)
    nx = count(element, 0)
    ny = count(element, 1)
    nz = count(element, 2)
    at(element, i, j, k)
    at(west, (i + nx - 1) % nx, j, k)
    at(east, (i + 1) % nx, j, k)
    at(south, i, (j + ny - 1) % ny, k)
    at(north, i, (j + 1) % ny, k)
    at(below, i, j, (k + nz - 1) % nz)
    at(above, i, j, (k + 1) % nz)
    finish(value)


@pattern(needs="other")
def gathered(indices: element_to_other):
    "for each {element} `i` and its {partner} `j`, given by `{indices}[i]`"
    i = thread()
    guard(i)
    j = indices[i]
    at(element, i)
    at(other, j)
    finish(value)


@pattern(needs="other", share=15)
def gathered_or_none(indices: element_to_other_or_none):
    "for each {element} `i` and its {partner} `j`, given by `{indices}[i]` (nothing is done if `j` is negative)"
    i = thread()
    guard(i)
    j = indices[i]
    if j < 0:
        return
    at(element, i)
    at(other, j)
    finish(value)


@pattern(needs="other", over="active", share=8)
def listed_and_gathered(active: active_list, indices: element_to_other):
    "for each {element} `i` in `{active}` and its {partner} `j`, given by `{indices}[i]`"
    tid = thread()
    i = active[tid]
    j = indices[i]
    at(element, i)
    at(other, j)
    finish(value)


@pattern(needs="other", over="active", sums=True, share=3)
def rows_of_listed(active: active_list, offsets: row_offsets, ids: link_to_other):
    "over the {links} `k` of {element} `i`, those from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, where {other} `j` is `{ids}[k]`; thread `tid` works on the {element} `{active}[tid]`"
    tid = thread()
    i = active[tid]
    at(element, i)
    total = zero
    k = int(offsets[i])
    while k < offsets[i + 1]:
        at(link, k)
        at(other, ids[k])
        total += value
        k += 1
    finish(total)


@pattern(needs="other", sums=True, share=3)
def first_of_rows(offsets: row_offsets, ids: link_to_other, limit: link_limit):
    "over the first {limit} {links} `k` of {element} `i`, or fewer if it has fewer, where its {links} go from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, and {other} `j` is `{ids}[k]`"
    i = thread()
    guard(i)
    at(element, i)
    first = offsets[i]
    stop = wp.min(offsets[i + 1], first + limit)
    total = zero
    for k in range(first, stop):
        at(link, k)
        j = ids[k]
        at(other, j)
        total += value
    finish(total)


@pattern(needs="other", sums=True, others="different")
def others_of_world(worlds: element_world, starts: world_starts):
    "over the {others} `j` of its world `{worlds}[i]`, those from `{starts}[w]` up to, but not including, `{starts}[w + 1]` for world `w`"
    i = thread()
    guard(i)
    at(element, i)
    world = worlds[i]
    total = zero
    for j in range(starts[world], starts[world + 1]):
        at(other, j)
        total += value
    finish(total)


@pattern(needs="other", sums=True, others="same")
def elements_of_world(worlds: element_world, starts: world_starts):
    "over all other {others} `j` of its world `{worlds}[i]`, those from `{starts}[w]` up to, but not including, `{starts}[w + 1]` for world `w`"
    i = thread()
    guard(i)
    at(element, i)
    world = worlds[i]
    total = zero
    for j in range(starts[world], starts[world + 1]):
        if any_of:
            if j == i:
                continue
            at(other, j)
            total += value
        elif any_of:
            if j != i:
                at(other, j)
                total += value
    finish(total)


@pattern(needs="other", sums=True, others="same")
def group_of_element(group_of: element_group):
    "over all other {others} `j` of the same group, those with `{group_of}[j]` equal to `{group_of}[i]`"
    i = thread()
    guard(i)
    at(element, i)
    own_group = group_of[i]
    total = zero
    for j in range(count(other)):
        if j != i and group_of[j] == own_group:
            at(other, j)
            total += value
    finish(total)


@pattern(needs="other", sums=True, others="same", share=3)
def elements_of_near_buckets(buckets: element_bucket, starts: bucket_starts, near: near_buckets):
    "over all other {others} `j` in the cells `b` that row `{buckets}[i]` of `{near}` names, where negative entries are skipped; cell `b` holds the {others} from `{starts}[b]` up to, but not including, `{starts}[b + 1]`"
    i = thread()
    guard(i)
    at(element, i)
    own_cell = buckets[i]
    total = zero
    for slot in range(4):
        b = near[own_cell, slot]
        if b < 0:
            continue
        for j in range(starts[b], starts[b + 1]):
            at(other, j)
            if any_of:
                if j != i:
                    total += value
            elif any_of:
                if j == i:
                    continue
                total += value
    finish(total)


@pattern(needs="other", sums=True, others="different", share=3)
def others_of_near_buckets(buckets: element_bucket, starts: bucket_starts, near: near_buckets):
    "over the {others} `j` in the cells `b` that row `{buckets}[i]` of `{near}` names, where negative entries are skipped; cell `b` holds the {others} from `{starts}[b]` up to, but not including, `{starts}[b + 1]`"
    i = thread()
    guard(i)
    at(element, i)
    total = zero
    for slot in range(4):
        b = near[buckets[i], slot]
        if b >= 0:
            for j in range(starts[b], starts[b + 1]):
                at(other, j)
                total += value
    finish(total)


@pattern(needs="other", sums=True, share=2)
def table_of_neighbors(neighbors: neighbor_table):
    "over the {others} `j` in row `i` of `{neighbors}`, up to the first negative entry"
    i = thread()
    guard(i)
    at(element, i)
    total = zero
    for slot in range(4):
        j = neighbors[i, slot]
        if j < 0:
            break
        at(other, j)
        total += value
    finish(total)


@pattern(needs="other", sums=True, share=16)
def counted_neighbors(neighbors: counted_table, counts: neighbor_counts):
    "over the {others} `j` in row `i` of `{neighbors}`, of which the first `{counts}[i]` entries count"
    i = thread()
    guard(i)
    at(element, i)
    total = zero
    for slot in range(counts[i]):
        j = neighbors[i, slot]
        at(other, j)
        total += value
    finish(total)


@pattern(needs="other", sums=True, share=15)
def sparse_table_of_neighbors(neighbors: neighbor_table):
    "over the {others} `j` in row `i` of `{neighbors}`, where negative entries are skipped"
    i = thread()
    guard(i)
    at(element, i)
    total = zero
    for slot in range(4):
        j = neighbors[i, slot]
        if any_of:
            if j >= 0:
                at(other, j)
                total += value
        elif any_of:
            if j < 0:
                continue
            at(other, j)
            total += value
    finish(total)


@pattern(dims=2, needs="other", sums=True, share=15)
def window_without_center():
    "over the eight {others} `y, x` around it, as far as they lie in the grid"
    i, j = thread()
    guard(i, j)
    at(element, i, j)
    total = zero
    for y in range(wp.max(i - 1, 0), wp.min(i + 2, count(element, 0))):
        for x in range(wp.max(j - 1, 0), wp.min(j + 2, count(element, 1))):
            if y != i or x != j:
                at(other, y, x)
                total += value
    finish(total)


@pattern(dims=2, needs="other", sums=True, share=15)
def window_of_radius(radius: window_radius):
    "over the {others} `y, x` of the window that reaches `{radius}` to each side, as far as they lie in the grid"
    i, j = thread()
    guard(i, j)
    at(element, i, j)
    top = wp.max(i - radius, 0)
    bottom = wp.min(i + radius, count(element, 0) - 1)
    left = wp.max(j - radius, 0)
    right = wp.min(j + radius, count(element, 1) - 1)
    total = zero
    for y in range(top, bottom + 1):
        for x in range(left, right + 1):
            at(other, y, x)
            total += value
    finish(total)


@pattern(dims=2, needs="other", sums=True, means="row", share=15)
def row_of_grid():
    "over the {others} `y, x` of its row, those with `y` = `i`"
    i, j = thread()
    guard(i, j)
    at(element, i, j)
    total = zero
    for x in range(count(element, 1)):
        at(other, i, x)
        total += value
    finish(total)


@pattern(needs="first second third fourth", share=20)
def four_in_a_row():
    "for each {element} `i` and the four entries `i`, `i + 1`, `i + 2` and `i + 3`, or the last entry where these are beyond the end"
    i = thread()
    guard(i)
    last = count(element) - 1
    at(element, i)
    at(first, i)
    at(second, wp.min(i + 1, last))
    at(third, wp.min(i + 2, last))
    at(fourth, wp.min(i + 3, last))
    finish(value)


@pattern(sums=True, into="one", means="total", share=14)
def reduced():
    "for each {element} `i`"
    i = thread()
    guard(i)
    at(element, i)
    scatter(0, value)


@pattern(sums=True, into="one", means="total", share=14)
def reduced_by_blocks():
    "for each {element} `i`"
    i = thread()
    at(element, i)
    scatter(0, wp.tile_sum(wp.tile(value)))


@pattern(sums=True, into="group", means="total", share=14)
def grouped(ids: element_to_group):
    "for each {element} `i`, whose {group} `j` is given by `{ids}[i]`"
    i = thread()
    guard(i)
    at(element, i)
    j = ids[i]
    scatter(j, value)


@pattern(sums=True, into="group", means="total", share=8)
def grouped_if_any(ids: element_to_group_or_none):
    "for each {element} `i` and its {group} `j`, given by `{ids}[i]` (nothing is done if `j` is -1)"
    i = thread()
    guard(i)
    j = ids[i]
    if j >= 0:
        at(element, i)
        scatter(j, value)


@pattern(dims=2, sums=True, into="one", means="total", share=12)
def reduced_grid():
    "for each {element} `i, j`"
    i, j = thread()
    guard(i, j)
    at(element, i, j)
    scatter(0, value)


@pattern(needs="first second third", share=16)
def corners_of_triangles(indices: element_triangle):
    "for each {element} `i`, whose {others} `v0`, `v1` and `v2` are `{indices}[3 * i]`, `{indices}[3 * i + 1]` and `{indices}[3 * i + 2]`"
    i = thread()
    guard(i)
    v0 = indices[any_of(3 * i, 3 * i + 0)]
    v1 = indices[3 * i + 1]
    v2 = indices[3 * i + 2]
    at(element, i)
    at(first, v0)
    at(second, v1)
    at(third, v2)
    finish(value)


@pattern(needs="first second third", share=12)
def corners_in_rows(indices: element_triangle_table):
    "for each {element} `i`, whose {others} `v0`, `v1` and `v2` are `{indices}[i, 0]`, `{indices}[i, 1]` and `{indices}[i, 2]`"
    i = thread()
    guard(i)
    v0 = indices[i, 0]
    v1 = indices[i, 1]
    v2 = indices[i, 2]
    at(element, i)
    at(first, v0)
    at(second, v1)
    at(third, v2)
    finish(value)


@pattern(needs="first second third", sums=True, into="corners", share=12)
def scattered_to_corners(indices: element_triangle):
    "for each {element} `i`, whose {others} `v0`, `v1` and `v2` are `{indices}[3 * i]`, `{indices}[3 * i + 1]` and `{indices}[3 * i + 2]`"
    i = thread()
    guard(i)
    v0 = indices[3 * i]
    v1 = indices[3 * i + 1]
    v2 = indices[3 * i + 2]
    at(element, i)
    at(first, v0)
    at(second, v1)
    at(third, v2)
    scatter(v0, value)
    scatter(v1, value)
    scatter(v2, value)


@pattern(needs="first second third", sums=True, into="one", means="total", share=8)
def reduced_over_triangles(indices: element_triangle):
    "for each {element} `i`, whose {others} `v0`, `v1` and `v2` are `{indices}[3 * i]`, `{indices}[3 * i + 1]` and `{indices}[3 * i + 2]`"
    i = thread()
    guard(i)
    at(element, i)
    at(first, indices[3 * i])
    at(second, indices[3 * i + 1])
    at(third, indices[3 * i + 2])
    scatter(0, value)


@pattern(needs="first second third", sums=True, into="one", means="total", share=6)
def reduced_over_triangles_by_blocks(indices: element_triangle_table):
    "for each {element} `i`, whose {others} `v0`, `v1` and `v2` are `{indices}[i, 0]` to `{indices}[i, 2]`"
    i = thread()
    at(element, i)
    at(first, indices[i, 0])
    at(second, indices[i, 1])
    at(third, indices[i, 2])
    scatter(0, wp.tile_sum(wp.tile(value)))


@pattern(needs="first second third fourth", share=10)
def four_corners(indices: element_quad):
    "for each {element} `i`, whose {others} `v0`, `v1`, `v2` and `v3` are the four entries of `{indices}` from `4 * i` on"
    i = thread()
    guard(i)
    v0 = indices[any_of(4 * i, 4 * i + 0, i * 4)]
    v1 = indices[4 * i + 1]
    v2 = indices[4 * i + 2]
    v3 = indices[4 * i + 3]
    at(element, i)
    at(first, v0)
    at(second, v1)
    at(third, v2)
    at(fourth, v3)
    finish(value)


@pattern(needs="first second third fourth", share=12)
def four_corners_in_rows(indices: element_quad_table):
    "for each {element} `i`, whose {others} `v0`, `v1`, `v2` and `v3` are `{indices}[i, 0]` to `{indices}[i, 3]`"
    i = thread()
    guard(i)
    at(element, i)
    v0 = indices[i, 0]
    at(first, v0)
    v1 = indices[i, 1]
    at(second, v1)
    v2 = indices[i, 2]
    at(third, v2)
    v3 = indices[i, 3]
    at(fourth, v3)
    finish(value)


@pattern(needs="first second third fourth", sums=True, into="corners", share=10)
def scattered_to_four_corners(indices: element_quad_table):
    "for each {element} `i`, whose {others} `v0`, `v1`, `v2` and `v3` are `{indices}[i, 0]` to `{indices}[i, 3]`"
    i = thread()
    guard(i)
    v0 = indices[i, 0]
    v1 = indices[i, 1]
    v2 = indices[i, 2]
    v3 = indices[i, 3]
    at(element, i)
    at(first, v0)
    at(second, v1)
    at(third, v2)
    at(fourth, v3)
    scatter(v0, value)
    scatter(v1, value)
    scatter(v2, value)
    scatter(v3, value)


@pattern(needs="first second third fourth", sums=True, into="one", means="total", share=6)
def reduced_over_four_corners(indices: element_quad_table):
    "for each {element} `i`, whose {others} `v0`, `v1`, `v2` and `v3` are `{indices}[i, 0]` to `{indices}[i, 3]`"
    i = thread()
    guard(i)
    at(element, i)
    at(first, indices[i, 0])
    at(second, indices[i, 1])
    at(third, indices[i, 2])
    at(fourth, indices[i, 3])
    scatter(0, value)


@pattern(needs="other", sums=True, others="same", share=12)
def near_in_hash_grid(grid: grid_id, points: element_position, radius: cutoff_radius):
    "over all other {others} `j` that a query of the hash grid {grid} at `{points}[i]` with {radius} gives, and that are nearer to `{points}[i]` than {radius}"
    i = thread()
    guard(i)
    at(element, i)
    x = points[i]
    total = zero
    for j in wp.hash_grid_query(grid, x, radius):
        if j != i and wp.length(x - points[j]) < radius:
            at(other, j)
            total += value
    finish(total)


@pattern(needs="other", sums=True, others="same", share=12)
def near_in_order_of_cells(grid: grid_id, points: element_position, radius: cutoff_radius):
    "over all other {others} `j` that a query of the hash grid {grid} at `{points}[i]` with {radius} gives, and that are nearer to `{points}[i]` than {radius}; thread `tid` works on the {element} `wp.hash_grid_point_id({grid}, tid)`, so that the {elements} are taken in the order of the grid's cells"
    tid = thread()
    i = wp.hash_grid_point_id(grid, tid)
    at(element, i)
    x = points[i]
    neighbors = wp.hash_grid_query(grid, x, radius)
    j = int(0)
    total = zero
    while wp.hash_grid_query_next(neighbors, j):
        if j != i and wp.length(x - points[j]) < radius:
            at(other, j)
            total += value
    finish(total)


@pattern(needs="other", sums=True, others="different", share=14)
def near_by_boxes(bvh: bvh_id, points: element_position, radius: box_reach):
    "over all {others} `j` whose box in the hierarchy {bvh} meets the cube around `{points}[i]` with the half width {radius}"
    i = thread()
    guard(i)
    at(element, i)
    x = points[i]
    reach = wp.vec3(radius, radius, radius)
    query = wp.bvh_query_aabb(bvh, x - reach, x + reach)
    j = int(0)
    total = zero
    while wp.bvh_query_next(query, j):
        at(other, j)
        total += value
    finish(total)
