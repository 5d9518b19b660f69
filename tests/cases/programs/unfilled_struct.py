# A struct's array that nobody filled is passed on.
import warp as wp


@wp.struct
class Shape:
    size: float
    points: wp.array(dtype=wp.vec3)


@wp.func
def measured(size: float, points: wp.array(dtype=wp.vec3), n: int):
    if n > 0:
        return size + points[0][0]
    return size


@wp.kernel
def measures(n: wp.array(dtype=int), out: wp.array(dtype=float)):
    i = wp.tid()
    shape = Shape()
    shape.size = 2.0
    out[i] = measured(shape.size, shape.points, n[i])
