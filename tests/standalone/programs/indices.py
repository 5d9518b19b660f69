"""Indices: from an array's end, beyond the launch's size, out of other arrays."""

import warp as wp


@wp.kernel
def from_the_end(x: wp.array(dtype=float), y: wp.array(dtype=float), m: wp.array2d(dtype=float)):
    i = wp.tid()
    y[i] = x[i - 1] + x[-1] + m[-2, -i - 1] + m[i, i - 2]


@wp.kernel
def from_the_end_of_rows(m: wp.array2d(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    row = m[-i]
    out[i] = row[-1] + row[i - 3]


@wp.func
def last(x: wp.array(dtype=float), i: int):
    return x[i - 1] * x[-1]


@wp.kernel
def in_functions(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = last(x, i)


@wp.kernel
def longer_arrays(x: wp.array(dtype=float), y: wp.array(dtype=float), m: wp.array2d(dtype=float)):
    i = wp.tid()
    y[i] = x[3 * i] + x[3 * i + 1] + x[3 * i + 2] + m[7, i + 1]


@wp.kernel
def by_table(table: wp.array(dtype=int), x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    k = table[2 * i + 1]
    wp.atomic_add(y, k, x[k + 10])


WEIGHTS = wp.constant(wp.types.matrix(shape=(3, 2), dtype=float)(1.5, 2.0, -3.0, 4.0, 5.0, 6.5))


@wp.kernel
def by_constants(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = WEIGHTS[i % 3, 0] * x[i] + WEIGHTS[-1 - i % 2, 1]


@wp.kernel
def never_in_bounds(x: wp.array(dtype=float), y: wp.array(dtype=float)):  # ends: NOT RUN
    i = wp.tid()
    y[i] = x[i * 1000000 + 1000000]


# Of a loop that is unrolled the variables of all rounds become one.
@wp.kernel
def neighbours(pos: wp.array(dtype=float), start: wp.array(dtype=int), ids: wp.array(dtype=int), nx: int, cell: float, y: wp.array(dtype=float)):
    i = wp.tid()
    x = int(pos[i] / cell)
    s = float(0.0)
    for d in range(-1, 2):
        c = x + d
        if c >= nx:
            continue
        for k in range(start[c], start[c + 1]):
            j = ids[k]
            if j == i:
                continue
            s += pos[i] * pos[j]
    y[i] = s


# wp.tid() of fewer dimensions than the launch has are the first indexes.
@wp.kernel
def fewer_indexes(x: wp.array2d(dtype=float), s: wp.array(dtype=float), y: wp.array2d(dtype=float)):
    i, j = wp.tid()
    y[i, j] = x[i, j] * s[wp.tid()]


@wp.kernel
def more_indexes(x: wp.array3d(dtype=float), s: wp.array2d(dtype=float), y: wp.array3d(dtype=float)):
    row = wp.tid()
    i, j = wp.tid()
    a, b, c = wp.tid()
    y[a, b, c] = x[i, j, c] * s[row, b]


@wp.kernel(enable_backward=False)
def drawn(seed: int, y: wp.array2d(dtype=float)):
    i, j = wp.tid()
    state = wp.rand_init(seed, wp.tid())
    y[i, j] = wp.randf(state, -2.0, 1.0)
