"""Names that some path leaves without a value, in a kernel, in a function, in the backward text."""

import warp as wp


@wp.func
def doubled(x: float):
    if x > 100.0:
        large = x * 2.0
    return large * x


@wp.kernel
def in_function(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = doubled(a[i])


# Forward, every name has a value. Warp's backward text leaves the loop out before it reads `last`.
@wp.kernel
def after_loop(a: wp.array(dtype=float), n: int):
    i = wp.tid()
    for j in range(n):
        first = a[i] * 2.0
        last = first + 1.0
    a[i] = last * a[i]


# With n = 0 no branch is taken, and `row` never read: not an error, though Warp's text chooses among unset arrays.
@wp.kernel
def arrays_of_branches(a: wp.array(dtype=float), b: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    for j in range(3):
        if n > j:
            row = a
            out[i] += row[i]
        elif n > 3 - j:
            row = b
            out[i] -= row[i]
    for j in range(2):
        if n == 3:
            out[j] += row[j]
