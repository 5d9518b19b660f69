# Its only kernel has an error.
import warp as wp


@wp.kernel
def wrong(a: wp.array(dtype=float)):
    a[0] = nothing  # expect error: undefined-name
