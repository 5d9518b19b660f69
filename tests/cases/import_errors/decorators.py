"""Decorators that raise an error where Python meets them."""

import warp as wp


@wp.kernel(enable_backwards=False)  # expect error: unknown-kernel-option
def misspelt_option(a: wp.array(dtype=float)):
    a[0] = 1.0


@wp.kernel(blocks=256)  # expect error: unknown-kernel-option
def option_of_others(a: wp.array(dtype=float)):
    a[0] = 1.0


@wp  # expect error: not-a-decorator
def module_as_decorator(a: wp.array(dtype=float)):
    a[0] = 1.0


@wp.kernel
async def asynchronous(a: wp.array(dtype=float)):  # expect error: unsupported-syntax
    a[0] = 1.0


wp.set_module_options({"enable_backwards": False, "max_unroll": 4})  # expect warning: unknown-module-option
