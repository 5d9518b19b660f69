"""Constants made of the limits of numpy's number types."""

import numpy as np
import warp as wp

EPS = wp.constant(wp.float32(np.finfo(np.float32).eps))
EPS64 = float(np.finfo(float).eps)
BIG = wp.constant(wp.float32(np.finfo(np.float32).max))
LOW = wp.constant(wp.float32(np.finfo(np.float32).min))
WIDE = wp.constant(wp.float64(np.finfo(np.float64).eps))
PLAIN = float(np.finfo(np.float32).eps)
IMAX = int(np.iinfo(np.int32).max)
SCALED = wp.constant(wp.float32(32.0 * float(np.finfo(np.float32).eps)))


@wp.kernel
def limits(a: wp.array(dtype=float), b: wp.array(dtype=wp.float64), n: wp.array(dtype=int)):
    a[0] = EPS
    a[1] = EPS64
    a[2] = BIG
    a[3] = LOW
    b[0] = WIDE
    a[4] = PLAIN
    n[0] = IMAX
    a[5] = SCALED
    a[6] = wp.static(32.0 * float(np.finfo(np.float32).eps))
