import warp as wp


@wp.kernel
def momentum(velocity: wp.array(dtype=wp.vec3), mass: float, total: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    wp.atomic_add(total, 0, mass * velocity[i])
