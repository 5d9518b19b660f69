"""A matrix and a vector of constants that a kernel and its function index."""

import warp as wp
M = wp.constant(wp.types.matrix(shape=(3, 2), dtype=float)(1.0, 2.0, 3.0, 4.0, 5.0, 6.0))
V = wp.constant(wp.types.vector(length=6, dtype=wp.int32)(3, 1, 4, 1, 5, 9))

@wp.func
def pick(x: float, k: int):
    return x * M[k, 0] + M[k, 1]

@wp.kernel
def tables(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    k = i % 3
    s = x[i] * M[k, 0] * M[k, 1]
    for j in range(3):
        s += x[i] * M[j, 0] * float(V[j]) + pick(x[i], j)
    if x[i] > 0.0:
        s += float(V[k])
    y[i] = s
