"""A program whose text differs between releases of Warp: see releases.cli."""
import warp as wp


@wp.kernel
def long_loop(a: wp.array(dtype=float)):
    s = float(0.0)
    for j in range(40):
        s += a[j]
    a[0] = s


@wp.kernel
def with_continue(a: wp.array(dtype=float)):
    for j in range(3):
        if a[j] < 0.0:
            continue
        a[j] = 1.0


@wp.kernel
def parts(a: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    a[i].y = 1.0
    a[i].x += 2.0


@wp.func(inline=True)
def half(x: float):
    return 0.5 * x


@wp.kernel
def inlined(a: wp.array(dtype=float)):
    a[0] = half(a[1])
