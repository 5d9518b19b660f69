import warp as wp


@wp.kernel
def fill(values: wp.array(dtype=float), scale: wp.vec2, n: int):
    i = wp.tid()
    for j in range(n):
        values[i + j] = scale[1] * float(i)


@wp.kernel
def forever(values: wp.array2d(dtype=wp.vec3)):
    i, j = wp.tid()
    while i >= 0:
        values[i, j] = wp.vec3(1.0)


@wp.kernel
def divide(values: wp.array(dtype=int), by: int):
    i = wp.tid()
    values[i] = 7 / by
