# Vectors of any component type have dtype=wp.Scalar.
from typing import Any

import warp as wp


@wp.kernel
def k(x: wp.types.vector(length=Any, dtype=Any), y: wp.array(dtype=float)):  # expect error: bad-annotation
    y[0] = 1.0
