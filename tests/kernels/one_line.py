# Functions and kernels whose bodies stand beside their defs: the comment of that line is there once.
import warp as wp


@wp.func
def twice(x: float): return x * 2.0


@wp.func
def more(x: float): y = x + 1.0; return y


@wp.kernel
def both(a: wp.array(dtype=float)): a[0] = twice(a[1]) + more(3.0)


@wp.kernel
def fill(a: wp.array(dtype=float)): i = wp.tid(); a[i] = 1.0


@wp.kernel
def on_two_lines(a: wp.array(dtype=float),
                 b: float): a[0] = twice(b); a[1] = b
