# Of two kernels of a name, which one the program has depends on what is not known.
from time import perf_counter as measure

import warp as wp

try:
    import a_module_of_nobody as fast
except ImportError:
    fast = None

if fast is None:

    @wp.kernel
    def k(x: wp.array(dtype=float)):
        x[0] = 1.0

else:

    @wp.kernel
    def k(x: wp.array(dtype=float)):  # expect error: unsure-kernel
        x[0] = 2.0


if measure() > 1.0:

    @wp.kernel
    def alone(x: wp.array(dtype=float)):
        x[0] = 1.0


if measure() > 1.0:

    @wp.kernel
    def later(x: wp.array(dtype=float)):
        x[0] = 1.0


@wp.kernel
def later(x: wp.array(dtype=float)):
    x[0] = 2.0


@wp.kernel
def before(x: wp.array(dtype=float)):
    x[0] = 1.0


try:
    measure()

    @wp.kernel
    def before(x: wp.array(dtype=float)):  # expect error: unsure-kernel
        x[0] = 2.0

except OSError:
    pass
N = 1
try:
    from a_module_of_nobody import N
except ImportError:
    N = 4
try:
    from a_module_of_nobody import M
except ImportError:
    M = 4


@wp.kernel
def numbers(x: wp.array(dtype=int)):
    x[0] = N  # expect error: unknown-value


@wp.kernel
def more_numbers(x: wp.array(dtype=int)):
    x[0] = M  # expect error: unknown-value
