@wp.kernel  # expect error: undefined-name
def forgotten_import(a: wp.array(dtype=float)):
    a[0] = 1.0


@wp.kernel
def told_once(a: wp.array(dtype=float)):
    a[0] = 2.0
