import wrap as wp  # expect error: module-not-found


@wp.kernel
def misspelt(a: wp.array(dtype=float)):
    a[0] = 1.0
