import warp as wp


@wp.func
def corner(m: wp.uint64, i: int, u: float):
    return wp.mesh_eval_position(m, i % 5, u, 0.3) * 2.0


@wp.kernel
def first(m: wp.uint64, u: wp.array(dtype=float), o: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    o[i] = corner(m, i, u[i])


@wp.kernel
def second(m: wp.uint64, u: wp.array(dtype=float), o: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    o[i] = corner(m, i, u[i]) * 3.0
