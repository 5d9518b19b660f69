# wp is not always Warp's module: nothing is known of its attributes.
import warp
import warp as wp


def distance(wp):
    return wp.lenght


def make():
    @warp.kernle  # expect warning: unknown-attribute
    def k(a: warp.array(dtype=float)):
        a[0] = 1.0

    return k
