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


@pattern(needs="other", over="link", sums=True, opposite=True)
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
