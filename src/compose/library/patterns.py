# SPDX-License-Identifier: Apache-2.0


@pattern(share=30)
def own():
    "for each {element}"
    i = thread()
    guard(i)
    at(element, i)
    finish(value)


@pattern(over="active", share=8)
def listed(active: active_list):
    "for each {element} in {active}"
    t = thread()
    i = active[t]
    at(element, i)
    finish(value)


@pattern(needs="other", sums=True)
def neighbors_of_rows(offsets: row_offsets, ids: link_to_other):
    "over the {links} of {element} `i`, which are those from {offsets}[i] up to {offsets}[i + 1]; {ids} has the {other} of each"
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


@pattern(needs="other", sums=True)
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
    "for each {link}, whose two {elements} are in {ends}"
    k = thread()
    i = ends[k, 0]
    j = ends[k, 1]
    at(link, k)
    at(element, i)
    at(other, j)
    scatter(i, value)
    scatter(j, -value)
