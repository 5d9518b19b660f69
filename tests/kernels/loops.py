"""for over range, unrolled and not; while; break and continue."""

import warp as wp

N = wp.constant(4)


@wp.kernel
def unrolled(a: wp.array(dtype=float)):
    i = wp.tid()
    s = float(0.0)
    for k in range(4):
        s += a[i * 4 + k]
    a[i] = s


@wp.kernel
def unrolled_start_step(a: wp.array(dtype=float)):
    i = wp.tid()
    for k in range(1, 4):
        a[i + k] = a[i] * float(k)
    for k in range(0, 10, 3):
        a[i + k] = 0.0
    for k in range(5, 0, -2):
        a[i + k] = 1.0


@wp.kernel
def unrolled_by_constant(a: wp.array(dtype=float)):
    i = wp.tid()
    for k in range(N):
        a[i] += float(k)


@wp.kernel
def unrolled_at_limit(a: wp.array(dtype=float)):
    i = wp.tid()
    for k in range(16):
        a[i] = a[i] + 1.0


@wp.kernel
def over_the_limit(a: wp.array(dtype=float)):
    i = wp.tid()
    for k in range(17):
        a[i] = a[i] + 1.0


@wp.kernel
def dynamic(a: wp.array(dtype=float), n: int):
    i = wp.tid()
    s = float(0.0)
    for k in range(n):
        s = s + a[k]
    a[i] = s


@wp.kernel
def dynamic_start_step(a: wp.array(dtype=float), n: int, m: int):
    i = wp.tid()
    s = float(0.0)
    for k in range(m, n):
        s += a[k]
    for k in range(m, n, 2):
        s += a[k]
    for k in range(n, m, -1):
        s -= a[k]
    a[i] = s


@wp.kernel
def nested_unrolled(a: wp.array2d(dtype=float)):
    i = wp.tid()
    for j in range(3):
        for k in range(2):
            a[i, j] = a[i, k] + float(j * k)


@wp.kernel
def nested_dynamic(a: wp.array2d(dtype=float), n: int, m: int):
    i = wp.tid()
    s = float(0.0)
    for j in range(n):
        t = float(0.0)
        for k in range(m):
            t = t + a[j, k]
        s = s + t
    a[i, 0] = s


@wp.kernel
def inner_depends_on_outer(a: wp.array(dtype=float)):
    i = wp.tid()
    for j in range(3):
        for k in range(j + 1, 4):
            a[i] += a[j] * a[k]


@wp.kernel
def with_break(a: wp.array(dtype=float), n: int):
    i = wp.tid()
    s = float(0.0)
    for k in range(n):
        if a[k] < 0.0:
            break
        s += a[k]
    a[i] = s


@wp.kernel
def with_continue(a: wp.array(dtype=float), n: int):
    i = wp.tid()
    s = float(0.0)
    for k in range(n):
        if a[k] < 0.0:
            continue
        s += a[k]
    a[i] = s


@wp.kernel
def unrolled_with_break(a: wp.array(dtype=float)):
    i = wp.tid()
    for k in range(4):
        if a[k] < 0.0:
            break
        a[i] += 1.0


@wp.kernel
def while_loop(a: wp.array(dtype=float), n: int):
    i = wp.tid()
    k = int(0)
    s = float(0.0)
    while k < n:
        s += a[k]
        k += 1
    a[i] = s


@wp.kernel
def while_with_break(a: wp.array(dtype=int)):
    i = wp.tid()
    x = a[i]
    steps = int(0)
    while x != 1:
        if x % 2 == 0:
            x = x // 2
        else:
            x = 3 * x + 1
        steps += 1
        if steps > 100:
            break
    a[i] = steps


@wp.kernel
def branch_in_loop(a: wp.array(dtype=float), n: int):
    i = wp.tid()
    best = float(0.0)
    where = int(-1)
    for k in range(n):
        x = a[k]
        if x > best:
            best = x
            where = k
        elif x < -best:
            where = -k
    a[i] = best + float(where)


@wp.kernel
def return_in_loop(a: wp.array(dtype=float), n: int):
    i = wp.tid()
    for k in range(n):
        if a[k] > 10.0:
            a[i] = float(k)
            return
    a[i] = -1.0


@wp.kernel
def loop_carried_vector(p: wp.array(dtype=wp.vec3), n: int):
    i = wp.tid()
    v = wp.vec3(0.0, 0.0, 0.0)
    for k in range(n):
        v = v + p[k] * 0.5
    p[i] = v


@wp.kernel
def two_constants_promoted(a: wp.array(dtype=float), n: int):
    i = wp.tid()
    for row in range(2):
        for column in range(3):
            a[i] += float(row * column)
    for step in range(n):
        for column in range(2):
            a[i] -= float(step * column)
        for row in range(2):
            a[i] += float(row)


@wp.kernel
def backwards(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    s = float(0.0)
    for j in reversed(range(i, n, 3)):
        s = s * 0.5 + float(j)
    for j in reversed(range(n, i, -2)):
        s += float(j)
    for j in reversed(range(4)):
        s = s * 2.0 + float(j)
        if j == 1:
            break
    for j in reversed(range(3, 3)):
        s += 100.0
    out[i] = s * x[i]


BOUNDS = (1.0, 2.0, 3.0)


@wp.kernel
def jumps_out_of_the_loop_around(a: wp.array(dtype=float), n: int):
    for j in range(n):
        for i in range(3):
            if a[i] > wp.static(BOUNDS[i]):
                break
            a[i] = float(j)
