# A module that is not on the search path makes the kernels.
import shapes
import warp as wp
from quadrature import make_kernel, options

settings = options()
by_callee = make_kernel(3)  # expect warning: unseen-kernel
again = make_kernel(4)
box_kernel = shapes.box(4)  # expect warning: unseen-kernel


@wp.kernel
def other(a: wp.array(dtype=float)):
    a[0] = 1.0
