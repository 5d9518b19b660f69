from missing_module import *  # a name may be one of its
import warp as wp


@wp.func
def twice(x: flot):  # expect error: bad-annotation
    return x + x


@wp.kernel
def called(x: wp.array(dtype=float)):
    x[0] = twice(x[0])
