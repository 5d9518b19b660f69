import warp as wpp


@wp.kernel  # expect error: undefined-name
def k(a: wp.array(dtype=float)):
    a[0] = 1.0
