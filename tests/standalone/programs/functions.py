"""Functions of one name for several types, gradients that kernels ask for, and tuples."""

from typing import Any

import warp as wp


@wp.struct
class Body:
    origin: wp.vec3
    scale: float


@wp.func
def square(x: Any):
    return x * x


@wp.func
def size_of(x: Any):
    return wp.sqrt(wp.dot(x, x))


@wp.func
def weigh(x: float):
    return x * 2.0


@wp.func
def weigh(x: float, y: float):
    return x * y


@wp.kernel
def generic_functions(
    x: wp.array(dtype=float),
    k: wp.array(dtype=int),
    v: wp.array(dtype=wp.vec3),
    w: wp.array(dtype=wp.vec2),
    y: wp.array(dtype=float),
):
    i = wp.tid()
    y[i] = square(x[i]) + float(square(k[i])) + size_of(v[i]) * size_of(w[i]) + weigh(x[i]) + weigh(x[i], 3.0)


@wp.func
def leaf(x: float):
    return x * x


@wp.func
def helper(x: float):
    return leaf(x)


@wp.func
def trigger(x: float):
    return x


@wp.func_grad(trigger)
def adj_trigger(x: float, adj_ret: float):
    slope = helper(x)
    wp.adjoint[x] += 0.5 * slope * adj_ret


@wp.kernel
def gradient_before_its_helper(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    t = trigger(x[i])
    y[i] = helper(x[i]) + 0.25 * t


@wp.func
def cube(x: float):
    return x * x * x


@wp.func
def weighted(x: float, v: wp.vec3):
    return x * wp.dot(v, v)


@wp.func
def pair(x: float, y: float):
    return x * y, x + y


@wp.func
def with_slope(x: float):
    return x + wp.grad(cube)(x)


@wp.kernel(enable_backward=False)
def asks_for_gradients(
    x: wp.array(dtype=float),
    v: wp.array(dtype=wp.vec3),
    a: wp.array(dtype=float),
    b: wp.array(dtype=wp.vec3),
    y: wp.array(dtype=float),
):
    i = wp.tid()
    gx, gv = wp.grad(weighted)(x[i], v[i])
    a[i] = gx
    b[i] = gv
    p, q = wp.grad(wp.atan2)(x[i], 2.0)
    g, h = wp.grad(pair)(x[i], 3.0)
    t = wp.grad(weighted)(x[i], v[i])
    y[i] = p + 2.0 * q + wp.grad(wp.sqrt)(wp.abs(x[i]) + 1.0) + with_slope(x[i]) + g * h + t[0]


@wp.func
def takes_tuple(values: tuple[wp.vec3, float]) -> float:
    return wp.length(values[0]) * values[1]


@wp.func
def sum_of(values: Any):
    out = float(0.0)
    for i in range(len(values)):
        out += values[i] * 2.0
    return out


@wp.kernel
def tuples(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    s = Body(wp.vec3(1.0, x[i], 2.0), 1.5)
    t = (1, x[i] * 2.0, wp.vec3(1.0, 2.0, x[i]), s, i)
    a, b, c, d, e = t
    y[i] = b + c[2] + d.scale + float(t[4]) + t[3].origin[1]
    u = pair(x[i], b)
    y[i] += u[0] * u[1]
    turn = wp.quat_to_axis_angle(wp.quat(x[i], 1.0, 2.0, 3.0))
    y[i] += wp.length(turn[0]) * turn[1]


@wp.kernel
def tuples_as_arguments(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    t = (wp.vec3(x[i], 2.0, 3.0), x[i] * 3.0)
    y[i] = takes_tuple(t) + takes_tuple((t[0], 2.0)) + sum_of((x[i], 2.0, 3.0)) + sum_of((x[i], 1.0))


@wp.kernel
def size_of_a_block(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i, j = wp.tid()
    y[i, j] = x[i, j] * float(wp.block_dim())
