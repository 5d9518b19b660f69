import warp as wp


@wp.kernel
def counted(n: wp.array(dtype=wp.uint32), by: float):
    i = wp.tid()
    n[i] = wp.uint32(by - 1.5 * float(i))


@wp.kernel
def vectors(n: wp.array(dtype=wp.vec2i), v: wp.vec2):
    n[wp.tid()] = wp.vec2i(v)


@wp.kernel
def shifted(n: wp.array(dtype=int), by: int):
    i = wp.tid()
    n[i] = 1 << (by + i)


@wp.kernel
def cells(x: wp.array(dtype=float), at: float):
    i = wp.tid()
    x[i] = wp.noise(wp.rand_init(1), at)


# The adjoint of an integer is no derivative: one that does not fit it is no error.
@wp.kernel
def back(x: wp.array(dtype=float), n: wp.array(dtype=wp.uint32)):
    i = wp.tid()
    x[i] = x[i] * wp.float32(n[i])


@wp.kernel
def signed(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = wp.copysign(1.0, x[i] / x[i])


# An adjoint that does not fit int32 becomes the smallest one, which cannot be divided by -1.
@wp.kernel
def divided(x: wp.array(dtype=float), v: wp.array(dtype=wp.vec3i), by: int):
    i = wp.tid()
    r = v[i] / by
    x[i] = float(r[0]) * 1.0e10
