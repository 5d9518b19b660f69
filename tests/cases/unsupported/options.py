# Options whose effect on the text weft does not follow are refused, not ignored.
import warp as wp


@wp.kernel(enable_backward=False, entry_point_abi="external_constant_params")
def other_entry_kernel(a: wp.array(dtype=float)):  # expect error: option-refused
    a[0] = 1.0
