# Misspelled names in code that weft does not run: warnings, where a kernel would be missing.
import contextlib
import sys

import warp as wp


def attribute(n):
    @wp.kernal  # expect warning: unknown-attribute
    def k(a: wp.array(dtype=float)):
        a[0] = float(n)

    return k


def unlike_any(n):
    @wp.device_code(unroll=4)  # expect warning: unknown-attribute
    def k(a: wp.array(dtype=float)):
        a[0] = float(n)

    return k


def module(n):
    @wq.kernel  # expect warning: undefined-name
    def k(a: wp.array(dtype=float)):
        a[0] = float(n)

    return k


def bare(n):
    @kernel(enable_backward=False)  # expect warning: undefined-name
    def k(a: wp.array(dtype=float)):
        a[0] = float(n)

    return k


class Solver:
    def __init__(self):
        @wp.fucn  # expect warning: unknown-attribute
        def f(x: float):
            return x

        self.f = f


@wp.func
def not_called(x: float):
    return wp.sine(x)  # expect warning: unknown-attribute


if len(sys.argv) > 7:

    @wp.kernle  # expect warning: unknown-attribute
    def perhaps(a: wp.array(dtype=float)):
        a[0] = 1.0


def imports():
    import warp.optm  # expect warning: module-not-found
    from warp import lunch  # expect warning: unknown-attribute
    from warp.kernal import x  # expect warning: module-not-found

    return lunch, x


# What follows may ask for a name that Warp lacks.


def guarded():
    if hasattr(wp, "kernels"):
        wp.kernels()
    if wp.config.version < "1.0":
        wp.strucs()
    try:
        import warp.rendr

        wp.lauch(perhaps, dim=1)
    except (AttributeError, ImportError):
        pass
    with contextlib.suppress(AttributeError):
        wp.synchronise()
    return wp.extension_of_another_release()


def shadowed(waypoints):
    for wpt in waypoints:
        wpt.tanx()


if __name__ == "__main__":
    out = wp.zeroes(3)  # expect warning: unknown-attribute
    wp.lanch(perhaps, dim=3, inputs=[out])  # expect warning: unknown-attribute
