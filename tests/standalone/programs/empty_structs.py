"""Structs without fields, which have no adjoint."""

import warp as wp


@wp.struct
class Nothing:
    pass


@wp.struct
class Marked:
    mark: Nothing
    scale: float


@wp.func
def scaled(s: Marked, t: float):
    u = s
    if t > 0.0:
        u = Marked()
    return u.scale * t


# A struct without fields has no adjoint that could be added to another.
@wp.kernel
def struct_of_nothing(a: wp.array(dtype=float), b: wp.array(dtype=float)):
    i = wp.tid()
    s = Marked()
    s.scale = a[i]
    mark = Nothing()
    again = mark
    s.mark = again
    b[i] = scaled(s, a[i])
