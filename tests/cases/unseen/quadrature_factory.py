# Imported by foreign_factory.py; its own call makes a kernel of its own.
import warp as wp


def make_kernel(n):
    @wp.kernel
    def integrate(a: wp.array(dtype=float)):
        a[0] = float(n)

    return integrate


own = make_kernel(10)
