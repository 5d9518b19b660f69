# A generic kernel has no text until it is launched: a warning, not an error.
from typing import Any

import warp as wp


@wp.kernel
def generic(a: wp.array(dtype=Any)):  # expect warning: generic-kernel
    a[0] = a[1]


@wp.kernel
def plain(a: wp.array(dtype=float)):
    a[0] = a[1]
