import warp as wp


@wp.kernel
def k(a: wp.array(dtype=wp.vec3), m: wp.mat33, n: int):
    i = wp.tid()
    a[i] = wp.normalize(m @ a[i]) * wp.min(
