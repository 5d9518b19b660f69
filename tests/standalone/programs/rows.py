"""Rows of matrices and slices are set, in place and in arrays."""

import warp as wp


@wp.kernel
def rows(x: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.mat33)):
    i = wp.tid()
    m = wp.mat33()
    m[0] = x[i]
    m[2] = x[i] * 2.0
    m[i % 3] = m[0] + m[2]
    m[1] += x[i]
    m[1] -= m[0] * 0.5
    out[i] = m


@wp.kernel
def rows_of_elements(x: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.mat33)):
    i = wp.tid()
    out[i][1] = x[i]
    out[i][0] += x[i]
    out[i][2] -= x[i]
