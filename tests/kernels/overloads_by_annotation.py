# Instances made of what Warp knows of a kernel's parameters: kernel.adj.args, and arg_types.
from typing import Any

import warp as wp


@wp.kernel
def scale(x: wp.array2d[Any], s: wp.array[Any], n: wp.array[wp.int32]):
    i, j = wp.tid()
    if i < n[0]:
        x[i, j] = x[i, j] * s[i]


@wp.kernel
def clear(x: wp.array[Any], value: Any):
    x[wp.tid()] = value


for _kernel in (scale, clear):
    wp.overload(
        _kernel,
        {
            arg.label: wp.array(dtype=wp.float64, ndim=arg.type.ndim) if wp.types.is_array(arg.type) else wp.float64
            for arg in _kernel.adj.args
            if arg.type is Any or (wp.types.is_array(arg.type) and arg.type.dtype is Any)
        },
    )

wp.overload(clear, {name: wp.array[wp.vec3] if wp.types.is_array(t) else wp.vec3 for name, t in clear.adj.arg_types.items()})
