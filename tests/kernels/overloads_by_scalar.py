# The type of a vector's components, where a scalar type has no such attribute and stands itself.
from typing import Any

import warp as wp


@wp.kernel
def fill(x: wp.array(dtype=Any), y: Any):
    x[0] = y * x[1]


for t in (wp.vec3, wp.float16):
    wp.overload(fill, [wp.array(dtype=t), getattr(t, "_wp_scalar_type_", t)])
N = 2 if hasattr(wp.float64, "_wp_scalar_type_") else 3
M = getattr(int, "_wp_scalar_type_", 4)


@wp.kernel
def numbers(x: wp.array(dtype=int)):
    x[0] = N
    x[1] = M
