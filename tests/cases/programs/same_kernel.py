import warp as wp


def make(n, a):
    """One kernel: `n` is not read, and of `a` only the first number, by wp.static."""

    @wp.kernel
    def first(x: wp.array(dtype=float)):
        x[wp.tid()] = wp.static(a[0])

    return first


kernels = [make(1, [5.0, 6.0]), make(2, [5.0, 7.0])]
