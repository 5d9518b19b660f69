"""Names that share storage after an assignment of tuples, what loops leave behind, and other places where a value
depends on which variable a name stands for."""

import warp as wp

vec3 = wp.vec3


@wp.struct
class P:
    a: float
    v: wp.vec3


@wp.func
def two(x: float, y: float):
    return y, x


@wp.func
def bump(x: wp.ref[float]):
    x = x + 1.0


@wp.kernel(enable_backward=False)
def swap_dyn(n: wp.array(dtype=int), out: wp.array(dtype=float)):
    i = wp.tid()
    a = float(1.0)
    b = float(2.0)
    for k in range(n[i]):
        a, b = b, a
    out[i] = a * 10.0 + b


@wp.kernel(enable_backward=False)
def fib_dyn(n: wp.array(dtype=int), out: wp.array(dtype=float)):
    i = wp.tid()
    a = float(1.0)
    b = float(2.0)
    for k in range(n[i]):
        a, b = b, a + b
    out[i] = a * 10.0 + b


@wp.kernel(enable_backward=False)
def fib_dyn2(n: wp.array(dtype=int), out: wp.array(dtype=float)):
    i = wp.tid()
    b = float(2.0)
    a = float(1.0)
    for k in range(n[i] + 3):
        a, b = b, a + b
    out[i] = a * 10.0 + b


@wp.kernel(enable_backward=False)
def fib_unrolled(n: wp.array(dtype=int), out: wp.array(dtype=float)):
    i = wp.tid()
    b = float(2.0)
    a = float(1.0)
    for k in range(5):
        a, b = b, a + b
    out[i] = a * 10.0 + b


@wp.kernel(enable_backward=False)
def swap_elements(out: wp.array(dtype=float)):
    i = wp.tid()
    if i == 0:
        x, y = out[0], out[1]
        out[0] = y
        out[1] = x


@wp.kernel(enable_backward=False)
def alias_component(out: wp.array(dtype=float)):
    i = wp.tid()
    v = wp.vec3(1.0, 2.0, 3.0)
    w = wp.vec3(4.0, 5.0, 6.0)
    a, b = v, w
    a[0] = 10.0
    out[i] = v[0] + b[1]


@wp.kernel(enable_backward=False)
def after_loop(n: wp.array(dtype=int), out: wp.array(dtype=float)):
    i = wp.tid()
    k = int(7)
    for k in range(n[i] + 1):
        out[i] = out[i] + 1.0
    out[i] = out[i] + float(k)


@wp.kernel(enable_backward=False)
def late_read(out: wp.array(dtype=int)):
    i = wp.tid()
    if i == 0:
        s = out[0] + wp.atomic_add(out, 0, 5)
        out[1] = s


@wp.kernel(enable_backward=False)
def tuple_result(out: wp.array(dtype=float)):
    i = wp.tid()
    a = float(1.0)
    b = float(i)
    t = two(a, b)
    a, b = two(a, b)
    out[i] = a * 3.0 + b + t[0]


@wp.kernel(enable_backward=False)
def break_swap(n: wp.array(dtype=int), out: wp.array(dtype=float)):
    i = wp.tid()
    a = float(1.0)
    b = float(2.0)
    for k in range(n[i] + 4):
        a, b = b, a
        if k > 2:
            break
        a = a + 1.0
    out[i] = a * 10.0 + b


@wp.kernel(enable_backward=False)
def negzero(out: wp.array(dtype=float)):
    i = wp.tid()
    z = 0.0
    y = float(0.0)
    m = -z
    w = -y
    out[i] = 1.0 / m + 0.5
    if i == 0:
        out[i] = 1.0 / w


@wp.kernel(enable_backward=False)
def doubles(out: wp.array(dtype=wp.float64)):
    i = wp.tid()
    k = 0.1
    k2 = k
    s = wp.float64(0.0)
    s += wp.float64(k)
    out[i] = s + wp.float64(k2)


@wp.kernel(enable_backward=False)
def while_continue(n: wp.array(dtype=int), out: wp.array(dtype=int)):
    i = wp.tid()
    c = int(0)
    s = int(0)
    while c < n[i] + 3:
        c += 1
        if c % 2 == 0:
            continue
        s = s * 3 + c
        if s > 100:
            break
    out[i] = s


@wp.kernel(enable_backward=False)
def struct_elem(out: wp.array(dtype=float)):
    i = wp.tid()
    p = P()
    p.v = wp.vec3(1.0, 2.0, float(i))
    q = p
    q.v[1] += 3.0
    q.a -= 1.5
    x, y = two(q.a, q.v[1])
    p.a = x
    out[i] = q.v[1] * p.v[1]


@wp.kernel(enable_backward=False)
def loop_tuple_elem(a: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    lo = float(0.0)
    hi = float(0.0)
    p, q = a[i], a[0]
    out[i] = out[i] + p * 2.0 + q


@wp.kernel(enable_backward=False)
def refs(out: wp.array(dtype=float)):
    i = wp.tid()
    x = float(i)
    bump(x)
    bump(out[i])
    out[i] = out[i] + x


@wp.kernel(enable_backward=False)
def nested(n: wp.array(dtype=int), out: wp.array(dtype=float)):
    i = wp.tid()
    s = float(0.0)
    for j in range(n[i]):
        for k in range(j, -1, -1):
            if k == 2:
                break
            t = s
            s = t + float(k) * 0.5
        s = s + float(j)
    out[i] = s


@wp.kernel(enable_backward=False)
def ints(a: wp.array(dtype=int), out: wp.array(dtype=int), u: wp.array(dtype=wp.uint8), o8: wp.array(dtype=wp.uint8)):
    i = wp.tid()
    out[i] = (a[i] // 2) * (-7 % 3) + (a[i] << 3) + -(a[i]) if a[i] > 0 else ~a[i]
    o8[i] = u[i] * wp.uint8(77) + wp.uint8(200)


@wp.kernel(enable_backward=False)
def views(m: wp.array2d(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    row = m[i]
    part = row[1:4]
    col = m[:, i]
    s = float(0.0)
    for k in range(part.shape[0]):
        s += part[k] * col[k]
    sub = m[1:3, ::2]
    out[i] = s + sub[1, 1] + float(len(sub)) + float(m.shape[1]) + row[-1]


@wp.kernel(enable_backward=False)
def slices(out: wp.array(dtype=float)):
    i = wp.tid()
    v = wp.vec4(1.0, 2.0, 3.0, float(i))
    m = wp.mat33(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0)
    w = v[1:]
    u = v[::-1]
    v[0:2] = wp.vec2(9.0, 8.0)
    m[0:2, 1] = wp.vec2(0.5, 0.25)
    v[1:3] += wp.vec2(1.0, 1.0)
    c = m[:, 2]
    b = m[0:2, 1:3]
    out[i] = w[0] + u[0] * 10.0 + v[1] + v[2] + c[1] + b[1, 0] + b[0, 1] + m[-1, -1]
