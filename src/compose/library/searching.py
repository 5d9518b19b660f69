# SPDX-License-Identifier: Apache-2.0
"""Searching."""

field("searching", element="sample samples", other="bin bins")

sample = quantity(float, "1", "sample", one="x s sample", many="samples x values")
bin_edge = quantity(float, "1", "bin edges", one="edge", many="edges bin_edges boundaries")
bin_index = quantity(int, "1", "bin index", one="slot bin", many="bins bin_ids slots", low=0, high=7)


@algorithm
def binary_search(edges: whole.bin_edge, x: sample, slot: out.bin_index):
    "a binary search: for each {x} the number of {edges} that are at most {x}, for edges in rising order; from the bracket 0 to the number of edges on, the middle of which is its sum divided by 2 and rounded down, it goes on behind the middle if the edge there is at most {x}, else up to the middle"
    i = thread()
    guard(i)
    value = x[i]
    lo = int(0)
    hi = count(whole)
    while lo < hi:
        mid = (lo + hi) // 2
        if edges[mid] <= value:
            lo = mid + 1
        else:
            hi = mid
    slot[i] = lo
