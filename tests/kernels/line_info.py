"""Line information and debug mode: `#line` directives before the statements."""
import warp as wp

wp.set_module_options({"lineinfo": True})


@wp.struct
class Spring:
    rest: float
    axis: wp.vec3


@wp.func
def larger(x: float, y: float):
    if x > y:
        return x
    return y


@wp.func
def twice_and_once(x: float):
    return x * 2.0, x


@wp.kernel
def with_lines(a: wp.array(dtype=float), s: Spring):
    i = wp.tid()
    n = int(a[0])
    t = float(0.0)
    for d in range(n):
        if d == 3:
            continue
        x = d // 2
        t += larger(a[x], s.rest)
    while t > 3.0:
        t -= 1.0
    for q in range(3):
        t += float(q)
    for q in range(30):
        t += float(q)
        a[q] = t
    b, c = twice_and_once(t)
    if t < 0.0:
        return
    wp.atomic_add(a, i, b * c)
    wp.printf("t %f\n",
              t)
    a[i] = t + s.axis[0]


@wp.kernel(grid_stride=False)
def one_index(a: wp.array(dtype=float)):
    """The docstring has no line of its own."""
    i = wp.tid()
    a[i] = wp.sin(a[i])
    assert a[i] < 2.0


@wp.kernel(module="unique", module_options={"mode": "debug"})
def in_debug_mode(a: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = larger(a[i], 0.5) if a[i] > 0.0 else 1.0


@wp.kernel(module="unique", module_options={"mode": "release"})
def without_lines(a: wp.array(dtype=float)):
    a[wp.tid()] = 1.0
