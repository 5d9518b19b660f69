"""Names that star imports bring, of modules that weft evaluates by tables."""
from ctypes import *
from dataclasses import *
from enum import *
from functools import *
from itertools import *
from typing import *
from warp.types import *
from warp._src.types import *
from warp import *
import warp as wp
from math import *

set_module_options({"enable_backward": False})
vec5 = vector(length=5, dtype=float32)
PAIRS = list(product([1, 2], [3, 4]))
POWER = pow(2, 3)
unused = (launch, ScopedTimer, synchronize, config, types, lgamma, zeros_like, c_float)


class Mode(IntEnum):
    FAST = auto()
    SLOW = auto()


@dataclass
class Sizes:
    n: int = 3


sizes = Sizes()


@func
def twice(x: Any):
    return x + x


@kernel
def scaled(a: array(dtype=float32), b: array(dtype=vec5), c: array(dtype=vec3)):
    i = wp.tid()
    a[i] = twice(pi) * sin(tau) + wp.sqrt(e) + POWER
    a[i + 1] = float(Mode.SLOW + wp.static(PAIRS[2][1])) * wp.static(float(sizes.n) + degrees(pi))
    b[i] = vec5(2.0)
    c[i] = vec3(1.0, 2.0, 3.0)
