# Its module's stub has a syntax error.
import broken_stub
import warp as wp


@wp.kernel
def k(x: wp.array(dtype=float)):
    x[0] = 1.0


print(broken_stub.FIRST)
