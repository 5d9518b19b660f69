"""Decorators that raise an error where Python meets them."""

import warp as wp


@wp.kernel(enable_backwards=False)
def misspelt_option(a: wp.array(dtype=float)):  # expect error: unknown-kernel-option
    a[0] = 1.0
