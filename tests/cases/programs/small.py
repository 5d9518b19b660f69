"""The smallest program with a kernel."""

import warp as wp


@wp.kernel
def double(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = a[i] * 2.0
