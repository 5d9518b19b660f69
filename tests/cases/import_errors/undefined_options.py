# Python stops at the undefined name; weft once compiled the kernel with a backward pass.
import warp as wp

wp.set_module_options({**NOT_THERE})  # expect error: undefined-name


@wp.kernel
def right(a: wp.array(dtype=float)):
    a[0] = 1.0
