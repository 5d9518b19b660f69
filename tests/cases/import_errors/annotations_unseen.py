# The text of an annotation sees of the functions around only what the closure holds.
import warp as wp


def make(T):
    @wp.kernel
    def k(x: "wp.array(dtype=T)"):  # expect error: bad-annotation
        x[0] = x[1]

    return k


def make_seen(T):
    @wp.kernel
    def seen(x: "wp.array(dtype=T)"):
        x[0] = T(1.0)

    return seen


seen = make_seen(float)
k = make(float)
