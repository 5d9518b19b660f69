# Without a launch this program has no text.
from typing import Any

import warp as wp


@wp.kernel
def fill(a: wp.array(dtype=Any), value: Any):  # expect warning: generic-kernel
    a[wp.tid()] = value
