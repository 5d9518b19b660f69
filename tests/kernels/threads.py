"""Thread indices in one to four dimensions, and none."""

import warp as wp


@wp.kernel
def one(a: wp.array(dtype=int)):
    a[wp.tid()] = wp.tid()


@wp.kernel
def two(a: wp.array2d(dtype=int)):
    i, j = wp.tid()
    a[i, j] = i * 10 + j


@wp.kernel
def three(a: wp.array3d(dtype=int)):
    i, j, k = wp.tid()
    a[i, j, k] = i + j + k


@wp.kernel
def four(a: wp.array4d(dtype=int)):
    i, j, k, l = wp.tid()
    a[i, j, k, l] = i + j + k + l


@wp.kernel
def none(a: wp.array(dtype=int)):
    a[0] = 1


@wp.kernel
def no_parameters():
    x = 1 + 2


@wp.kernel
def block(a: wp.array(dtype=int)):
    i = wp.tid()
    a[i] = wp.block_dim()
