"""Fields without Warp type: the error is where the struct is used, and is about the field."""

import warp as wp


class Plain:
    pass


@wp.struct
class Pair:
    a: Plain


@wp.struct
class Named:
    a: "Missing"


@wp.kernel
def plain_class(x: wp.array(dtype=float)):
    p = Pair()  # expect error: unknown-value
    x[0] = 1.0


@wp.kernel
def missing_name(x: wp.array(dtype=float)):
    p = Named()  # expect error: unknown-value
    x[0] = 1.0
