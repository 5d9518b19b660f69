"""Module constants, aliases, enums, classes of constants, and imports under other names."""

import enum
import math

import warp
import warp as other_name
from warp import constant, kernel, vec3

PI_HALF = wp_half = constant(math.pi / 2.0)
COUNT = constant(7)
PLAIN = 3
PLAIN_FLOAT = 2.5
NEGATIVE = -4
FLAG = True
DIRECTION = constant(vec3(0.0, 1.0, 0.0))
BIG = other_name.constant(other_name.uint64(0xFFFFFFFFFF))
DERIVED = PLAIN * 2 + 1


class Kind(enum.IntEnum):
    SOLID = 1
    FLUID = 2


class Settings:
    gravity = constant(-9.81)
    steps = 5


@kernel
def module_constants(a: warp.array(dtype=float), n: other_name.array(dtype=int)):
    i = warp.tid()
    a[i] = PI_HALF + PLAIN_FLOAT + Settings.gravity
    n[i] = COUNT + PLAIN + NEGATIVE + Settings.steps + DERIVED
    if FLAG:
        n[i] = 1


@kernel
def vector_constant(v: warp.array(dtype=vec3)):
    i = warp.tid()
    v[i] = v[i] + DIRECTION * 2.0


@kernel
def wide_constant(u: warp.array(dtype=warp.uint64)):
    i = warp.tid()
    u[i] = u[i] & BIG


@kernel
def enum_members(n: warp.array(dtype=int)):
    i = warp.tid()
    if n[i] == Kind.SOLID:
        n[i] = int(Kind.FLUID)


@kernel
def library_constants(a: warp.array(dtype=float)):
    i = warp.tid()
    a[i] = warp.pi + warp.PI * 2.0 + warp.TAU + warp.inf + math.pi


@warp.kernel()
def decorated_with_call(a: warp.array(dtype=float)):
    a[warp.tid()] = 1.0
