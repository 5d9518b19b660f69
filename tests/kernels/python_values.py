# Values that Python computes at module level: methods of strings, match statements, members of
# enums with properties, functions compared, types of ctypes.
import ctypes
from enum import IntEnum

import warp as wp

RELEASE = tuple(int(part) for part in wp.__version__.split(".")[:2])
WORDS = "  one two\tthree ".split()
ROWS = "a:b::c".split(":", 2)


class Joint(IntEnum):
    FREE = 0
    HINGE = 1
    SLIDE = 4

    @property
    def axes(self):
        if self.value == self.FREE:
            return 6
        return 5 if self == Joint.HINGE else 1

    def doubled(self):
        return 2 * self.axes

    @staticmethod
    def largest():
        return Joint.SLIDE


def pick(mode):
    match mode:
        case Joint.FREE | Joint.SLIDE:
            scale = 2.0
        case Joint.HINGE:
            scale = 3.0
        case _:
            raise ValueError(mode)
    return scale


def total(shape):
    match shape:
        case []:
            return 0
        case [one]:
            return one
        case [first, *rest] if len(rest) > 1:
            return first + len(rest)
        case (a, 0):
            return -a
        case (a, b) as both:
            return a * b + len(both)
        case None:
            return -1
        case str():
            return -2


@wp.func(inline=False) if RELEASE >= (1, 18) else wp.func
def half(x: float):
    return 0.5 * x


@wp.func(inline=True) if RELEASE >= (1, 18) else wp.func
def third(x: float):
    return x / 3.0


def makes(f):
    fast = f in (half, pick)

    @wp.func
    def apply(x: float):
        if wp.static(fast):
            return f(x) + 1.0
        return f(x)

    return apply


by_half = makes(half)
by_third = makes(third)
TEXT = "#if A\n#endif".replace("#if A", "#if B", 1).strip("#").removesuffix("endif")
SIZE = ctypes.sizeof(wp.float64._type_) + ctypes.sizeof(wp.vec3h._type_)
COUNTS = wp.constant(wp.vec4i(len(WORDS), len(ROWS), len(TEXT), SIZE))
AXES = wp.constant(Joint.HINGE.axes + Joint.FREE.doubled() + Joint.largest().axes)
SHAPES = wp.constant(wp.vec4i(total((3, 4)), total([7, 0]), total([5, 1, 2]), total(())))
ENDS = "kernel.cu".endswith((".cpp", ".cu")) and not "x".startswith("kernel")


@wp.kernel
def use(x: wp.array(dtype=float), n: wp.array(dtype=int)):
    i = wp.tid()
    x[i] = by_half(x[i]) + by_third(x[i]) * wp.static(pick(Joint.HINGE) + pick(Joint.SLIDE))
    n[i] = COUNTS[i] + AXES + SHAPES[i] + wp.static(Joint.SLIDE.name.lower().find("l") if False else 3)
    if wp.static(ENDS):
        n[i] += wp.static(total(None) + total(list(range(1))))
