# SPDX-License-Identifier: Apache-2.0
"""Launches of other shapes than the elements have: of one thread, of worlds, of one index for a grid."""


@pattern(one=True, share=8)
def one_of_all(which: chosen_element):
    "for the one {element} `i` whose index is `{which}`"
    at(element, which)
    finish(value)


@pattern(by_value=True, share=30)
def one_by_value():
    "for one {element}"
    at(element, 0)
    finish(value)


@pattern(
    over="worlds", needs="element", share=6,
    of="particle body joint atom tet triangle hinge grain frame link contact vertex satellite ray",
)
def of_worlds(starts: element_starts, sizes: element_sizes):
    "for each {element} `i`; thread `w, k` works on the {element} `i` = `{starts}[w]` + `k`, if `k` is below `{sizes}[w]`; else it does nothing"
    world, tid = thread()
    if tid >= sizes[world]:
        return
    i = starts[world] + tid
    at(element, i)
    finish(value)


@pattern(
    over="worlds", needs="element", share=6,
    of="particle body joint atom tet triangle hinge grain frame link contact vertex satellite ray",
)
def of_active_worlds(mask: world_flags, starts: element_starts, sizes: element_sizes):
    "for each {element} `i` of the worlds with 1 in `{mask}`; thread `w, k` works on the {element} `i` = `{starts}[w]` + `k`, if `{mask}[w]` is 1 and `k` below `{sizes}[w]`; else it does nothing"
    world, tid = thread()
    if any_of:
        if mask[world] == 0 or tid >= sizes[world]:
            return
    elif any_of:
        if mask[world] == 0:
            return
        if tid >= sizes[world]:
            return
    i = starts[world] + tid
    at(element, i)
    finish(value)


@pattern(dims=2, over="flat", needs="element", share=12)
def flat_cells():
    "for each {element} `i, j`; thread `t` works on the {element} `i, j` where `i` is `t` // m and `j` is `t` modulo m for rows with m {elements}; threads for which `i` is no row do nothing"
    tid = thread()
    cols = count(element, 1)
    i = tid // cols
    j = tid % cols
    if i >= count(element, 0):
        return
    at(element, i, j)
    finish(value)


@pattern(dims=3, over="flat", needs="element", share=12)
def flat_voxels():
    "for each {element} `i, j, k`; thread `t` works on the {element} `i, j, k` where `i` is `t` // (m l), `j` is `t` // l modulo m and `k` is `t` modulo l, for a grid of the shape (n, m, l); threads for which `i` is not below n do nothing"
    tid = thread()
    ny = count(element, 1)
    nz = count(element, 2)
    k = tid % nz
    j = (tid // nz) % ny
    i = tid // (ny * nz)
    if i >= count(element, 0):
        return
    at(element, i, j, k)
    finish(value)
