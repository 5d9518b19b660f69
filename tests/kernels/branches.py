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


# What one branch sets is read only where that branch was taken.
@wp.func
def signed_root(x: float):
    good = False
    root = float(0.0)
    if x > 0.0:
        scale = wp.sqrt(x)
        if x > 1.0:
            root = scale * 2.0
            good = True
        while root < 1.0 and good:
            root += scale
    if good:
        root = root + 1.0
    return root


@wp.func
def first_set(x: float, low: int):
    for k in range(3):
        if x > float(k):
            at = k + low
            gain = x * 2.0
            if x > 2.0 * float(k):
                weight = gain + 1.0
            if x > 3.0 * float(k) and x > 2.0 * float(k):
                return weight * float(at)
    return x


@wp.kernel
def set_where_taken(a: wp.array(dtype=float), b: wp.array(dtype=float)):
    i = wp.tid()
    if a[i] > 0.0:
        c = a[i] * 2.0
        if a[i] > 0.5:
            e = c + 1.0
    if a[i] > 0.6:
        b[i] = e * c
    else:
        b[i] = signed_root(a[i]) + first_set(a[i], i)


@wp.func
def counted_row(counts: wp.array(dtype=int), row: int):
    if counts and row >= 0:
        return counts[row]
    return -1


@wp.func
def lacks_both(a: wp.array(dtype=int), b: wp.array(dtype=int)):
    return not a or not b


@wp.kernel
def array_in_condition(counts: wp.array(dtype=int), other: wp.array(dtype=int), out: wp.array(dtype=int)):
    i = wp.tid()
    out[i] = counted_row(counts, i - 1)
    if counts or other:
        out[i] += 1
    if not counts:
        out[i] += 2
    if lacks_both(counts, other):
        out[i] += 4


@wp.func
def from_either(a: wp.array(dtype=float), b: wp.array(dtype=float), n: int, i: int):
    s = float(0.0)
    for j in range(3):
        if n > j:
            row = a
            s += row[i]
        elif n > 2 - j:
            row = b
            s -= row[i]
    return s


@wp.kernel
def arrays_of_branches(a: wp.array(dtype=float), b: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    for j in range(3):
        out[i] = out[i] + from_either(a, b, n - j, i)


@wp.kernel
def array_in_short_and_long_loop(a: wp.array2d(dtype=float), b: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    k = n
    while k > 0:
        for j in range(2):
            if k > j:
                x = a[j]
            else:
                x = b
            if n > k:
                y = x
                out[i] = out[i] + y[i]
        k = k - 1
