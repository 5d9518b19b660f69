# Module options whose effect on the text weft does not follow are refused, not ignored.
import warp as wp

wp.set_module_options({"mode": "debug"})


@wp.kernel
def debug_kernel(a: wp.array(dtype=float)):  # expect error: option-refused
    a[wp.tid()] = 1.0


@wp.kernel(enable_backward=False, entry_point_abi="external_constant_params")
def other_entry_kernel(a: wp.array(dtype=float)):  # expect error: option-refused
    a[0] = 1.0
