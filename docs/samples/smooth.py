import warp as wp


@wp.kernel
def smooth(x: wp.array(dtype=float), radius: int, y: wp.array(dtype=float)):
    i = wp.tid()
    sum = float(0.0)
    for j in range(i - radius, i + radius + 1):
        if j >= 0 and j < x.shape[0]:
            sum += x[j]
    y[i] = sum / float(2 * radius + 1)
