import warp as wp


@wp.func
def energy(mass: float, height: float):
    return 9.81 * mass * height


@wp.kernel
def heights(y: wp.array(dtype=float), mass: float, total: wp.array(dtype=float)):
    i = wp.tid()
    if y[i] < 0.0:
        return
    e = energy(mass, y[i])
    wp.atomic_add(total, 0, e)


@wp.kernel(grid_stride=True)
def clip(x: wp.array(dtype=float)):
    i = wp.tid()
    if x[i] > 0.0:
        return
    x[i] = 0.0
