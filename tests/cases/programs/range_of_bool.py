"""range(True) is one pass, whose constant has no variable of its own."""

import warp as wp


@wp.kernel
def one_pass(x: wp.array(dtype=float)):
    for i in range(True):
        x[i] = 0.0
