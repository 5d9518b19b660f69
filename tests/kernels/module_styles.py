"""Annotation styles, aliases of warp, overloads, custom gradients and replays, native snippets."""

from __future__ import annotations

from typing import Any, Callable, Literal, Optional, Tuple, Union

import warp as wp
import warp as w2
from warp import (
    array as arr,
    float32 as f32,
    func as device_function,
    kernel as K,
)

wp.set_module_options({"max_unroll": 4, "enable_backward": True})
wp.config.enable_vector_component_overwrites = False

real = wp.float32
vec = wp.types.vector(3, real)
if wp.config.version >= "1.0":
    INDEX = wp.int32
else:
    INDEX = wp.int64

try:
    import cupy
    HAVE = True
except ImportError:
    cupy = None
    HAVE = False

def _const(x):
    """plain"""
    return x * 2

CONST: float = _const(1.5)
A, (B, *C) = 1, (2, 3, 4)
D = E = B + len(C)
x = [i ** 2 for i in range(4) if i % 2 == 0]
M = {i: v for i, v in enumerate(x)}

@device_function
def gen(a: Any, b: Any):
    return a * b + a

@device_function
def gen(a: wp.vec3, b: float):
    return a * b

@device_function
def ret2(a: real) -> Tuple[real, real]:
    return a, -a

@device_function
def arrf(a: arr(dtype=Any), i: INDEX):
    return a[i]

@w2.func
def myabs(x: float):
    return wp.abs(x)

@w2.func_grad(myabs)
def adj_myabs(x: float, adj_ret: float):
    if x < 0.0:
        wp.adjoint[x] += -adj_ret
    else:
        wp.adjoint[x] += adj_ret

@wp.func
def counter(c: wp.array(dtype=int), i: int):
    return wp.atomic_add(c, 0, 1)

@wp.func_replay(counter)
def replay_counter(c: wp.array(dtype=int), i: int):
    return i

snippet = f"""
    out[tid] = {A} * x[tid];
"""

@wp.func_native(snippet, adj_snippet="adj_x[tid] += adj_out[tid];")
def native(x: wp.array(dtype=float), out: wp.array(dtype=float), tid: int): ...

@K
def main(a: arr(dtype=f32), v: wp.array(dtype=vec), c: arr(dtype=int), out: wp.array2d(dtype=float), idx: wp.indexedarray(dtype=float), n: INDEX):
    i = wp.tid()
    p, q = ret2(a[i])
    out[i, 0] = gen(p, q) + gen(2.0, 3.0) + arrf(a, i) + idx[i]
    v[i] = gen(v[i], CONST)
    out[i, 1] = myabs(p) + float(D + E + A + B)
    k = counter(c, i)
    native(a, a, k)
    z = float(1.0)
    for j in range(4):
        out[i, j] = z * wp.static(float(M[1])) + float(j)
    for j in range(5):
        out[i, j] += z

@wp.kernel(launch_bounds=(128, 2), grid_stride=True)
def bounds(a: wp.array[float]):
    a[wp.tid()] = 1.0

@wp.kernel(module="unique", enable_backward=False)
def uniq(a: wp.array3d[wp.vec2h]):
    i, j, k = wp.tid()
    a[i, j, k] = wp.vec2h(wp.float16(1.0), wp.float16(2.0))

@wp.kernel
def lit(a: wp.array[float, Literal[2]], b: wp.array(dtype=wp.quatd), c: wp.mat22h, s: wp.uint64, u: bool, t: wp.transformf):
    i, j = wp.tid()
    if u:
        a[i, j] = 1.0
    b[i] = wp.quat_identity(dtype=wp.float64)
    d = wp.transform_get_translation(t)
    a[i, j] = d[0] + float(c[0, 0]) + float(s)
