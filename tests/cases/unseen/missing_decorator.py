# Decorators of a module that is not on the search path may be those of kernels.
import quadrature
import warp as wp
from quadrature import traced


@quadrature.kernel  # expect warning: unseen-kernel
def by_name(a):
    a[0] = 1.0


@traced("fast")  # expect warning: unseen-kernel
def by_array(a: wp.array(dtype=float), n: int):
    a[0] = 1.0


@wp.kernel
@traced("slow")  # expect warning: unseen-kernel
def traced_below(a: wp.array(dtype=float)):
    a[0] = 1.0


@traced("above")
@wp.kernel
def traced_above(a: wp.array(dtype=float)):
    a[0] = 1.0


@quadrature.command()
def main(path: str, count: int):
    print(path, count)
