import warp as wp


@wp.kernel
def mistake(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * wp.float64(2.0)
