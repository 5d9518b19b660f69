"""Views and copies of arrays that are used where what made them has changed."""

import warp as wp


@wp.kernel
def row_of_an_old_index(a: wp.array2d(dtype=float), n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    k = int(n)
    row = a[k]
    while k > 1:
        k = k - 1
        out[i] += row[i]


@wp.kernel
def plane_of_an_old_index(a: wp.array3d(dtype=float), n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    k = int(n)
    plane = a[k]
    while k > 1:
        k = k - 1
        out[i] += plane[i, 1]


@wp.kernel
def row_of_an_old_number(a: wp.array2d(dtype=float), ind: wp.array(dtype=int), out: wp.array(dtype=float)):
    i = wp.tid()
    row = a[ind[i]]
    ind[i] = 0
    out[i] = row[i]


@wp.kernel
def array_by_turns(a: wp.array(dtype=float), b: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    y = a
    while n > 0:
        y = b
        n = n - 1
        out[i] += y[i]
    out[i] += y[i]


@wp.kernel
def row_behind_short_loop(a: wp.array2d(dtype=float), out: wp.array(dtype=float)):  # ends: RAN
    i = wp.tid()
    for j in range(4):
        row = a[j]
    out[i] = row[i]


@wp.kernel
def row_behind_loop(a: wp.array2d(dtype=float), n: int, out: wp.array(dtype=float)):  # no form: an array or reference that is chosen while the kernel runs
    i = wp.tid()
    for j in range(n):
        row = a[j]
        out[i] += row[i]
    if n > 0:
        out[i] += row[i]


@wp.kernel
def plane_by_turns(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    k = int(n)
    y = a
    while k > 1:
        k = k - 1
        out[i] += y[i, 1]  # no form: the size of an array that is chosen while the kernel runs
        y = b


@wp.kernel
def row_of_a_branch(a: wp.array2d(dtype=float), n: int, out: wp.array(dtype=float)):  # no form: an array or reference that is chosen while the kernel runs
    i = wp.tid()
    for j in range(4):
        if n == j:
            row = a[j]
    for j in range(4):
        if n == j:
            out[i] = row[i]


@wp.kernel
def row_of_another_branch(a: wp.array2d(dtype=float), n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    for j in range(n):
        if j > 0:
            k = j - 1
            row = a[k]
        k = k + 5
        if j > 0:
            out[i] += row[i]
