"""Calls of Warp's functions that Python ends with a TypeError, and names in annotations."""

import enum

import numpy as np
import warp as wp


class Plain(enum.Enum):
    A = 1


class Whole(enum.IntEnum):
    A = 1


@wp.struct
class Ball:
    radius: float


text = wp.constant("hello")  # expect error: constant-type
none = wp.constant(None)  # expect error: constant-type
pair = wp.constant((1, 2))  # expect error: constant-type
member = wp.constant(Plain.A)  # expect error: constant-type
type_ = wp.constant(wp.vec3)  # expect error: constant-type
ball = wp.constant(Ball())  # expect error: constant-type
is_large = wp.constant(np.sqrt(2.0) > 1.0)  # expect error: constant-type
named = wp.constant(value=1.0)  # expect error: call-arguments
right = [wp.constant(x=1.0), wp.constant(Whole.A), wp.constant(wp.vec3(1.0)), wp.constant(True)]

vec = wp.types.vector(length=5, dtyp=float)  # expect error: call-arguments
short = wp.types.vector(5)  # expect error: call-arguments
long = wp.types.vector(5, float, 1)  # expect error: call-arguments
twice = wp.types.vector(5, float, length=5)  # expect error: call-arguments
keys = wp.types.matrix(**{"shapes": (2, 2), "dtype": float})  # expect error: call-arguments
wp.set_module_options(enable_backward=False)  # expect error: call-arguments
wp.init(quiet=True)  # expect error: call-arguments


@wp.func(names="twice")  # expect error: call-arguments
def doubled(x: float):
    return x + x


@wp.struct()  # expect error: call-arguments
class Box:
    size: float


limit: wp.Nope = 3  # expect error: unknown-attribute
limit_as_text: "wp.Other" = 3


class Solver:
    device: wp.Devise  # expect error: unknown-attribute

    def step(self, stream: wp.Steam, *args: int, **kw: int):  # expect error: unknown-attribute
        here: wp.Local = 3
        return here

    def bound(self) -> wp.Resullt:  # expect error: unknown-attribute
        return self


async def wait(x: wp.Awaited):  # expect error: unknown-attribute
    return x


def fine(d: wp.Device, s: wp.Stream | None, v: list[wp.vec3], w: "wp.Nothing"):
    return d


solver = Solver()
solver.step(None)


@wp.kernel
def static_by_name(a: wp.array(dtype=float)):
    a[0] = wp.static(expr=1.0)  # expect error: one-argument
