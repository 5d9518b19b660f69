# A program asks inspect what this release of Warp can.
import inspect

import warp as wp

OPTIONS = {"cuda_max_registers": 96} if "cuda_max_registers" in inspect.signature(wp.kernel).parameters else {}
NONE = {"max_unroll": 2} if "colour" in inspect.signature(wp.kernel).parameters else {}
INLINE = 1 if "inline" in inspect.signature(wp.func).parameters.keys() else 2


@wp.kernel(enable_backward=False, **OPTIONS, **NONE)
def capped(x: wp.array[float]):
    for k in range(3):
        x[k] = float(INLINE)


@wp.func
def source(x: float):
    return x


LINES = len(inspect.getsource(source.func))


@wp.kernel
def plain(x: wp.array[float]):
    x[0] = source(x[1])
