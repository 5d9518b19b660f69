# SPDX-License-Identifier: Apache-2.0
"""Ways in which threads go over elements."""


@pattern(share=30)
def own():
    "for each {element} `i`"
    i = thread()
    guard(i)
    at(element, i)
    finish(value)


@pattern(over="active", share=8)
def listed(active: active_list):
    "for each {element} `i` in `{active}`"
    t = thread()
    i = active[t]
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
        at(other, j)
        if j != i:
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


@pattern(dims=2, needs="west east north south", share=20)
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


@pattern(needs="other", sums=True, others="same")
def pairs_in_chunks():
    "over all other {others} `j`, eight at a time"
    i = thread()
    guard(i)
    at(element, i)
    total = zero
    n = count(other)
    for begin in range(0, n, 8):
        for j in range(begin, wp.min(begin + 8, n)):
            at(other, j)
            if j != i:
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


@pattern(dims=2, needs="west east north south", share=12)
def periodic_grid():
    "for each {element} `i, j` of a periodic grid, where the neighbors of a border are those of the opposite one"
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


@pattern(needs="west east", share=12)
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
    n = count(element)
    at(element, i)
    at(west, (i + n - 1) % n)
    at(east, (i + 1) % n)
    finish(value)


@pattern(dims=3, share=12)
def own_voxel():
    "for each {element} `i, j, k`"
    i, j, k = thread()
    guard(i, j, k)
    at(element, i, j, k)
    finish(value)


@pattern(dims=3, needs="west east north south below above", share=12)
def clamped_box():
    "for each {element} `i, j, k`, with indices clamped to the grid; west and east go along the first axis, south and north along the second, below and above along the third"
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
    "for each {element} `i, j, k` of a grid that is periodic along all axes; west and east go along the first axis, south and north along the second, below and above along the third"
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
    "for each {element} `i`, whose {other} `j` is `{indices}[i]`"
    i = thread()
    guard(i)
    j = indices[i]
    at(element, i)
    at(other, j)
    finish(value)


@pattern(needs="other", share=15)
def gathered_or_none(indices: element_to_other_or_none):
    "for each {element} `i` that has a {other} `j`, which is `{indices}[i]` (if that is negative, nothing is done)"
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
    "for each {element} `i` in `{active}`, whose {other} `j` is `{indices}[i]`"
    t = thread()
    i = active[t]
    j = indices[i]
    at(element, i)
    at(other, j)
    finish(value)


@pattern(needs="other", over="active", sums=True, share=3)
def rows_of_listed(active: active_list, offsets: row_offsets, ids: link_to_other):
    "over the {links} `k` of {element} `i`, those from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, where {other} `j` is `{ids}[k]`; thread `t` works on the {element} `{active}[t]`"
    t = thread()
    i = active[t]
    at(element, i)
    total = zero
    k = int(offsets[i])
    while k < offsets[i + 1]:
        at(link, k)
        at(other, ids[k])
        total += value
        k += 1
    finish(total)


@pattern(needs="other", sums=True)
def first_of_rows(offsets: row_offsets, ids: link_to_other):
    "over the first two {links} `k` of {element} `i`, or fewer if it has fewer: its {links} go from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, and {other} `j` is `{ids}[k]`"
    i = thread()
    guard(i)
    at(element, i)
    first = offsets[i]
    last = wp.min(offsets[i + 1], first + 2)
    total = zero
    for k in range(first, last):
        at(link, k)
        j = ids[k]
        at(other, j)
        total += value
    finish(total)


@pattern(needs="other", sums=True, others="different")
def every_second():
    "over every second {other} `j`, from the first on"
    i = thread()
    guard(i)
    at(element, i)
    total = zero
    for j in range(0, count(other), 2):
        at(other, j)
        total += value
    finish(total)


@pattern(needs="other", sums=True, others="same")
def earlier_ones():
    "over all {others} `j` with an index below `i`"
    i = thread()
    guard(i)
    at(element, i)
    total = zero
    for j in range(i):
        at(other, j)
        total += value
    finish(total)


@pattern(needs="other", sums=True, others="same")
def group_of_element(group: element_group):
    "over all other {others} `j` of the same group, those with `{group}[j]` equal to `{group}[i]`"
    i = thread()
    guard(i)
    at(element, i)
    own_group = group[i]
    total = zero
    for j in range(count(other)):
        at(other, j)
        if j != i and group[j] == own_group:
            total += value
    finish(total)


@pattern(needs="other", sums=True, share=4)
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


@pattern(needs="other", sums=True, share=15)
def sparse_table_of_neighbors(neighbors: neighbor_table):
    "over the {others} `j` in row `i` of `{neighbors}`, where negative entries are skipped"
    i = thread()
    guard(i)
    at(element, i)
    total = zero
    for slot in range(4):
        j = neighbors[i, slot]
        if j >= 0:
            at(other, j)
            total += value
    finish(total)


@pattern(needs="other", over="link", sums=True, others="same", into="first")
def scatter_to_first_end(ends: link_ends):
    "for each {link} `k`, whose two {elements} `i` and `j` are `{ends}[k, 0]` and `{ends}[k, 1]`"
    k = thread()
    i = ends[k, 0]
    at(element, i)
    at(other, ends[k, 1])
    at(link, k)
    scatter(i, value)


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
def periodic_window():
    "over the {others} `y, x` of the three by three window around it in a periodic grid, where indices beyond a border begin again at the opposite one"
    i, j = thread()
    guard(i, j)
    at(element, i, j)
    rows = count(element, 0)
    cols = count(element, 1)
    total = zero
    for di in range(-1, 2):
        for dj in range(-1, 2):
            y = (i + di + rows) % rows
            x = (j + dj + cols) % cols
            at(other, y, x)
            total += value
    finish(total)


@pattern(dims=2, needs="other", sums=True, share=15)
def row_of_grid():
    "over all {others} `y, x` of its row, for which `y` is `i`"
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
    "for each {element} `i`, whose first to fourth corner are the entries `i`, `i + 1`, `i + 2` and `i + 3`, or the last entry where they are beyond the end"
    i = thread()
    guard(i)
    last = count(element) - 1
    at(element, i)
    at(first, i)
    at(second, wp.min(i + 1, last))
    at(third, wp.min(i + 2, last))
    at(fourth, wp.min(i + 3, last))
    finish(value)


@pattern(sums=True, into="one", share=14)
def reduced():
    "for each {element} `i`"
    i = thread()
    guard(i)
    at(element, i)
    scatter(0, value)


@pattern(sums=True, into="group", share=14)
def grouped(ids: element_to_group):
    "for each {element} `i`, whose {group} `j` is `{ids}[i]`"
    i = thread()
    guard(i)
    at(element, i)
    j = ids[i]
    scatter(j, value)


@pattern(sums=True, into="group", share=8)
def grouped_if_any(ids: element_to_group_or_none):
    "for each {element} `i` that has a {group} `j`, which is `{ids}[i]` (if that is -1, nothing is done)"
    i = thread()
    guard(i)
    j = ids[i]
    if j >= 0:
        at(element, i)
        scatter(j, value)


@pattern(dims=2, sums=True, into="one", share=12)
def reduced_grid():
    "for each {element} `i, j`"
    i, j = thread()
    guard(i, j)
    at(element, i, j)
    scatter(0, value)
