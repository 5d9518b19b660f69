import warp as wp


@wp.kernel
def annotation(a: wp.arry(dtype=float)):  # expect error: bad-annotation
    a[0] = 1.0


@wp.kernel
def capitals(a: wp.array(dtype=wp.Vec3)):  # expect error: bad-annotation
    a[0] = wp.vec3()
