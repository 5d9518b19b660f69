# A module that is not on the search path: -I names its folder.
import other_helpers.shapes
import warp as wp
from my_helpers import scale


@wp.kernel
def scaled(x: wp.array(dtype=float)):
    x[0] = scale(x[0])  # expect error: module-not-found


@wp.kernel
def shaped(x: wp.array(dtype=float)):
    x[0] = other_helpers.shapes.box(x[0])  # expect error: module-not-found
