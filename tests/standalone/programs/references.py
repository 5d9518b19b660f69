"""References: parameters that a function changes, names for parts of structs and arrays."""

import warp as wp


@wp.struct
class Box:
    quat: wp.quat
    m: wp.mat33
    value: float


@wp.struct
class Holder:
    items: wp.array(dtype=float)
    scale: float


@wp.func
def add_to(x: wp.ref[float], d: float):
    x += d


@wp.func
def set_twice(x: wp.ref[float], d: float):
    x = d * 2.0


@wp.func
def forward(x: wp.ref[float], d: float):
    add_to(x, d)
    set_twice(x, x + 1.0)


@wp.func
def hold(items: wp.array(dtype=float), scale: float):
    h = Holder()
    h.items = items
    h.scale = scale
    return h


@wp.kernel(enable_backward=False)
def parameters(x: wp.array(dtype=float), y: wp.array(dtype=float), boxes: wp.array(dtype=Box)):
    i = wp.tid()
    add_to(x[i], 3.0)
    a = float(1.0)
    set_twice(a, x[i])
    y[i] = a
    forward(y[i], 0.5)
    add_to(boxes[i].value, a)
    add_to(boxes[i].quat.w, a)


@wp.kernel
def parts(x: wp.array(dtype=float), out: wp.array(dtype=wp.mat33)):
    i = wp.tid()
    b = Box()
    b.m[0, 0] = x[i]
    b.m[1, 2] = x[i] * 2.0
    out[i] = b.m


@wp.kernel
def structs(x: wp.array(dtype=float), out: wp.array(dtype=float)):  # forward
    i = wp.tid()
    h = hold(x, 2.0)
    out[i] = h.items[i] * h.scale


@wp.kernel
def four_dimensions(x: wp.array(dtype=float)):
    i, j, k, l = wp.tid()
    wp.atomic_add(x, j, 1.0)
