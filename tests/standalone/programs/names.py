"""What a name stands for in one place and not in another: counters of loops over lanes, arrays that only gradients need."""
import warp as wp


@wp.kernel
def lanes(i: wp.array(dtype=float), row: wp.array(dtype=wp.mat33)):
    j = wp.tid()
    row[j] = wp.matrix_from_cols(wp.vec3(i[j], 0.5, 5.0), wp.vec3(i[j], 6.0, 4.0), wp.vec3(i[j], -6.0, 1.0)) * (0.5 * wp.mat33(i[j]))


@wp.kernel
def only_backward(x: wp.array(dtype=wp.float16), p: wp.float16, z: wp.array(dtype=wp.uint32)):
    i = wp.tid()
    q = wp.div(wp.vec4h(x[i], p, wp.float16(9.3), wp.float16(-2.5)), wp.max(x[i], wp.float16(0.1)))
    wp.atomic_add(z, i, wp.uint32(1))


@wp.kernel
def quantile(x: wp.array(dtype=float), y: wp.array(dtype=wp.float64)):
    i = wp.tid()
    y[i] = wp.float64(wp.erfinv(0.5 * x[i])) + wp.erfcinv(wp.float64(1.5) + wp.float64(0.25) * wp.float64(x[i]))


@wp.kernel
def last_lanes(c: wp.array(dtype=wp.vec3), x: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.mat33)):
    i = wp.tid()
    out[i] = wp.outer(x[i], x[i] - c[i]) * c[i][-1] * c[i].z
