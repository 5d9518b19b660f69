"""A name of warp.types with a slip; an option whose value nothing defines. One message for each."""

import warp as wp
from warp.types import vce3  # expect error: unknown-attribute
from warp.types import type_size_in_bytes


@wp.kernel(enable_backward=flase)  # expect error: undefined-name
def undefined_value(a: wp.array(dtype=vce3)):
    a[0] = vce3(1.0)
