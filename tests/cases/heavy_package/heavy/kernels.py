import warp as wp

import endless

SCALE = wp.constant(2.0)


@wp.kernel
def scale(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = SCALE * x[i]
