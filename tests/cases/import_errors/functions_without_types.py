# Warp takes no function whose parameters are not all annotated, whether a kernel calls it or not.
import warp as wp


@wp.func
def called(x):  # expect error: missing-annotation
    return x


@wp.func
def not_called(x, y: float):  # expect error: missing-annotation
    return x * y


@wp.kernel
def k(a: wp.array(dtype=float)):
    a[0] = called(a[0])
