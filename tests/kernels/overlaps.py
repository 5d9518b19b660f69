"""What is stored lies in what is written."""

import warp as wp


@wp.kernel
def column_of_a_row(a: wp.array(dtype=wp.mat33), out: wp.array(dtype=wp.mat33)):
    i = wp.tid()
    m = a[i] * 2.0
    m[:, 2] = m[0]
    r = m[1]
    m[0:2, 1:3] = m[1:3, 0:2]
    m[:, 0] = r
    m[2, 0:2] += m[1, 1:3]
    out[i] = m


@wp.kernel
def overlapping_slices(a: wp.array(dtype=wp.vec4), out: wp.array(dtype=wp.vec4)):
    i = wp.tid()
    v = a[i] * 2.0
    v[1:4] = v[0:3]
    v[0:2] = v[2:4]
    w = v
    w[0] = 3.0
    out[i] = v + w
