"""wp.grad: gradients of functions and builtins within the forward pass."""

import warp as wp


@wp.func
def cube(x: float):
    return x * x * x


@wp.func
def product(x: float, y: float):
    return x * wp.sin(y)


@wp.func
def divided(x: float, y: float):
    return x / y, x * y


@wp.func
def slope(x: float):
    return wp.grad(cube)(x) * 2.0


@wp.func
def safe_root(x: float):
    return wp.sqrt(x)


@wp.func_grad(safe_root)
def adj_safe_root(x: float, adj_ret: float):
    if x > 0.0:
        wp.adjoint[x] += wp.grad(wp.sqrt)(x) * adj_ret


@wp.kernel
def of_function(a: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.grad(cube)(a[i])


@wp.kernel
def of_two_arguments(a: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    dx, dy = wp.grad(product)(a[i], 2.0)
    out[i] = dx + dy


@wp.kernel
def of_builtins(a: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    dy, dx = wp.grad(wp.atan2)(a[i], a[i] + 1.0)
    out[i] = dx + dy + wp.grad(wp.exp)(a[i])


@wp.kernel
def of_several_results(a: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    dx, dy = wp.grad(divided)(a[i], 3.0)
    out[i] = dx - dy


@wp.kernel
def of_local_name(a: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    f = cube
    g = wp.grad(f)
    out[i] = g(a[i]) + g(1.5)


@wp.kernel
def within_functions(a: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = slope(a[i]) + cube(a[i])


@wp.kernel(enable_backward=False)
def forward_only(a: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.grad(cube)(a[i]) + cube(a[i])


@wp.kernel
def within_custom_gradient(a: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = safe_root(a[i])
