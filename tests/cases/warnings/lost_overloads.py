# Overloads whose types are not known are no instances; those that are known stay.
from typing import Any

import nobody_knows as nk
import warp as wp


@wp.kernel
def k(x: wp.array(dtype=Any), y: Any):
    x[0] = y


wp.overload(k, [wp.array(dtype=wp.float64), wp.float64])
wp.overload(k, [wp.array(dtype=nk.T), nk.T])  # expect warning: unseen-kernel
for t in (nk.T, nk.S):
    wp.overload(k, {"x": wp.array(dtype=t), "y": t})  # expect warning: unseen-kernel


@wp.overload
def k(x: wp.array(dtype=nk.T), y: nk.T):  # expect warning: unseen-kernel
    ...


wp.overload(k, nk.types_of(k))  # expect warning: unseen-kernel
