# Python ends the module at the first raise that nothing catches; what a handler catches does not.
import warp as wp

try:
    raise RuntimeError("caught")
except RuntimeError:
    pass


@wp.kernel
def before(a: wp.array(dtype=float)):
    a[0] = 1.0


if wp.__version__.startswith("1."):
    raise RuntimeError("ends here")  # expect error: unseen-kernel


@wp.kernel
def after(a: wp.array(dtype=float)):
    a[0] = 2.0
