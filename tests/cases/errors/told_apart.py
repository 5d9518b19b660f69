# Messages that name what stands there: Python's functions, functions without a result.
import math

import warp as wp


@wp.func
def forgets(x: float):
    y = 2.0 * x


@wp.kernel
def of_python(a: wp.array(dtype=float)):
    a[0] = math.hypot(a[0], 1.0)  # expect error: python-only


@wp.kernel
def no_result(a: wp.array(dtype=float)):
    a[0] = forgets(1.0)  # expect error: no-value
