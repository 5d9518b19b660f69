"""Factors of symmetric tiles, solves with triangular ones, and Fourier transforms."""

import warp as wp

N = wp.constant(5)
M = wp.constant(3)


@wp.kernel
def factors(x: wp.array2d(dtype=float), low: wp.array2d(dtype=float), up: wp.array2d(dtype=float)):  # forward
    t = wp.tile_load(x, shape=(N, 7))
    a = wp.tile_matmul(t, wp.tile_transpose(t))
    wp.tile_store(low, wp.tile_cholesky(a))
    wp.tile_store(up, wp.tile_cholesky(a, fill_mode="upper"))


@wp.kernel
def lower(L: wp.array2d(dtype=float), y: wp.array(dtype=float), Y: wp.array2d(dtype=float), x: wp.array(dtype=float), X: wp.array2d(dtype=float)):  # forward
    a = wp.tile_load(L, shape=(N, N))
    wp.tile_store(x, wp.tile_lower_solve(a, wp.tile_load(y, shape=N)))
    wp.tile_store(X, wp.tile_lower_solve(a, wp.tile_load(Y, shape=(N, M))))


@wp.kernel
def upper(U: wp.array2d(dtype=wp.float64), y: wp.array(dtype=wp.float64), Y: wp.array2d(dtype=wp.float64), x: wp.array(dtype=wp.float64), X: wp.array2d(dtype=wp.float64)):
    a = wp.tile_load(U, shape=(N, N))
    wp.tile_store(x, wp.tile_upper_solve(a, wp.tile_load(y, shape=N)))
    wp.tile_store(X, wp.tile_upper_solve(a, wp.tile_load(Y, shape=(N, M))))


@wp.kernel
def in_place(x: wp.array2d(dtype=float), y: wp.array(dtype=float), Y: wp.array2d(dtype=float)):
    t = wp.tile_load(x, shape=(N, 7))
    a = wp.tile_matmul(t, wp.tile_transpose(t))
    b = wp.tile_load(y, shape=N)
    c = wp.tile_load(Y, shape=(N, M))
    wp.tile_cholesky_inplace(a)
    wp.tile_lower_solve_inplace(a, b)
    wp.tile_upper_solve_inplace(wp.tile_transpose(a), b)
    wp.tile_cholesky_solve_inplace(a, c)
    wp.tile_store(y, b)
    wp.tile_store(Y, wp.tile_cholesky_solve(wp.tile_transpose(a), c, fill_mode="upper"))


@wp.func
def product(a: wp.vec2, b: wp.vec2):
    return wp.vec2(a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0])


@wp.kernel
def filtered(x: wp.array2d(dtype=wp.vec2), by: wp.array2d(dtype=wp.vec2), y: wp.array2d(dtype=wp.vec2)):
    i = wp.tid()
    a = wp.tile_load(x, shape=(2, 256), offset=(2 * i, 0))
    b = wp.tile_load(by, shape=(2, 256))
    wp.tile_fft(a)
    c = wp.tile_map(product, a, b)
    wp.tile_ifft(c)
    wp.tile_store(y, c, offset=(2 * i, 0))


# What is factored as it stands in an array has a large diagonal.
@wp.kernel
def factor(x: wp.array2d(dtype=float), low: wp.array2d(dtype=float), y: wp.array(dtype=float)):  # ends: PASS (forward)
    a = wp.tile_load(x, shape=(N, N))
    f = wp.tile_cholesky(a)
    wp.tile_store(low, f)
    wp.tile_store(y, wp.tile_cholesky_solve(f, wp.tile_load(y, shape=N)))


# So has each matrix of several.
@wp.kernel
def factors_of_all(x: wp.array3d(dtype=float), low: wp.array3d(dtype=float)):  # ends: PASS (forward)
    i = wp.tid()
    a = wp.tile_load(x[i], shape=(N, N))
    wp.tile_store(low[i], wp.tile_cholesky(a))
