import warp as wp


@wp.kernal  # expect error: unknown-attribute
def misspelt(a: wp.array(dtype=float)):
    a[0] = 1.0


LIMIT = wp.no_such_constant  # expect error: unknown-attribute
