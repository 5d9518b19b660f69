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
