"""if, elif, else, and early return."""

import warp as wp


@wp.kernel
def one_branch(a: wp.array(dtype=float)):
    i = wp.tid()
    x = a[i]
    if x > 0.0:
        x = x * 2.0
    a[i] = x


@wp.kernel
def two_branches(a: wp.array(dtype=float), b: wp.array(dtype=float)):
    i = wp.tid()
    x = a[i]
    y = 1.0
    if x > 0.0:
        x = x * 2.0
        y = x
    else:
        x = -x
    b[i] = x + y


@wp.kernel
def many_branches(a: wp.array(dtype=float), b: wp.array(dtype=float)):
    i = wp.tid()
    x = a[i]
    y = float(0.0)
    if x < -1.0:
        y = x * x
    elif x < 0.0:
        y = -x
    elif x < 1.0:
        y = wp.sqrt(x)
    else:
        y = wp.log(x)
    b[i] = y


@wp.kernel
def nested_branches(a: wp.array(dtype=float), n: int):
    i = wp.tid()
    x = a[i]
    if n > 0:
        if x > 0.0:
            x = x + 1.0
        else:
            x = x - 1.0
            if n > 3:
                x = x * 4.0
    a[i] = x


@wp.kernel
def early_return(a: wp.array(dtype=float), n: int):
    i = wp.tid()
    if i >= n:
        return
    x = a[i]
    if x < 0.0:
        a[i] = 0.0
        return
    a[i] = wp.sqrt(x)


@wp.kernel
def constant_condition(a: wp.array(dtype=float)):
    i = wp.tid()
    if True:
        a[i] = 1.0
    else:
        a[i] = 2.0


@wp.kernel
def pass_statement(a: wp.array(dtype=float)):
    i = wp.tid()
    if a[i] > 0.0:
        pass
    else:
        a[i] = 0.0


@wp.kernel
def store_in_branches(a: wp.array(dtype=float), b: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    v = b[i]
    if v[0] > 0.0:
        v[1] = 2.0
        a[i] = v[0]
    else:
        v = wp.vec3(1.0, 2.0, 3.0)
        a[i] = v[1]
    b[i] = v
