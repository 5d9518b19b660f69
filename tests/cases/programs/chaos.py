import warp as wp


@wp.kernel
def chaos(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    v = wp.abs(x[i]) * 0.1 + 0.2
    for k in range(200):
        v = 3.99 * v * (1.0 - v)
    y[i] = v
