"""Functions, structs and constants that imports.py takes from beside itself."""

import warp as wp

SCALE = wp.constant(2.5)
LIMIT = 9


@wp.struct
class Body:
    position: wp.vec3
    mass: float


@wp.func
def scaled(x: float):
    return x * SCALE


@wp.func
def mass_of(b: Body):
    return b.mass
