"""Options of kernels and modules."""

import warp as wp

wp.set_module_options({"max_unroll": 4})


@wp.func
def helper(x: float):
    return x * 3.0


@wp.kernel(enable_backward=False)
def forward_only(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = helper(a[i]) + 1.0


@wp.kernel
def module_unroll(a: wp.array(dtype=float)):
    i = wp.tid()
    for k in range(4):
        a[i] += 1.0
    for k in range(5):
        a[i] += 2.0


@wp.kernel(enable_backward=True)
def with_backward(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = helper(a[i])
