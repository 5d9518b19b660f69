# Options from a module that is not on the search path.
import warp as wp
from settings import ALL, BACKWARD

wp.set_module_options({**ALL})


@wp.kernel
def of_module(a: wp.array(dtype=float)):  # expect error: module-not-found
    a[0] = 1.0


@wp.kernel(enable_backward=BACKWARD)
def of_kernel(a: wp.array(dtype=float)):  # expect error: module-not-found
    a[0] = 1.0


@wp.kernel(**ALL)
def of_kernel_too(a: wp.array(dtype=float)):  # expect error: module-not-found
    a[0] = 1.0
