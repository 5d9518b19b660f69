# SPDX-License-Identifier: Apache-2.0
"""More ways in which threads go over other elements, all of them in two loops."""


@pattern(dims=2, needs="other", sums=True, share=12)
def disc_window(radius: window_radius):
    "over the {others} `y, x` of the grid whose distance from it in a straight line is at most `{radius}`"
    i, j = thread()
    guard(i, j)
    at(element, i, j)
    total = zero
    for y in range(wp.max(i - radius, 0), wp.min(i + radius + 1, count(element, 0))):
        for x in range(wp.max(j - radius, 0), wp.min(j + radius + 1, count(element, 1))):
            if (y - i) * (y - i) + (x - j) * (x - j) <= radius * radius:
                at(other, y, x)
                total += value
    finish(total)


@pattern(dims=2, needs="other", sums=True, share=10)
def dilated_window():
    "over the nine {others} `y, x` at -2, 0 and 2 rows and columns from it, with indices clamped to the grid"
    i, j = thread()
    guard(i, j)
    at(element, i, j)
    total = zero
    for di in range(3):
        y = wp.clamp(i + 2 * (di - 1), 0, count(element, 0) - 1)
        for dj in range(3):
            x = wp.clamp(j + 2 * (dj - 1), 0, count(element, 1) - 1)
            at(other, y, x)
            total += value
    finish(total)


@pattern(dims=2, needs="other", sums=True, share=8)
def diamond_window(radius: window_radius):
    "over the {others} `y, x` of the grid whose distance from it along the rows plus that along the columns is at most `{radius}`"
    i, j = thread()
    guard(i, j)
    at(element, i, j)
    total = zero
    for di in range(-radius, radius + 1):
        y = i + di
        if y < 0 or y >= count(element, 0):
            continue
        reach = radius - wp.abs(di)
        for x in range(wp.max(j - reach, 0), wp.min(j + reach + 1, count(element, 1))):
            at(other, y, x)
            total += value
    finish(total)

