"""What the reference interpreter is compared with on warp-lang's CPU device: calls, structs, views, atomics, casts."""

from typing import Any

import warp as wp

N = wp.constant(3)


@wp.struct
class Cell:
    w: float
    v: wp.vec3
    k: int


@wp.func
def make(i: int):
    c = Cell()
    c.w = float(i)
    c.v = wp.vec3(1.0, 2.0, float(i))
    c.k = i
    return c


@wp.func
def poly(*, x: float, c: float = 2.0):
    return x * c


@wp.func
def gen(x: Any, y: Any):
    return x * y + x


@wp.func
def fill(m: wp.array2d(dtype=float), i: int, v: float):
    m[i, 0] = v
    for j in range(m.shape[1]):
        m[i, j] += float(j)


@wp.func
def early(x: float):
    if x > 1.0:
        return x * 2.0
    return x - 1.0


@wp.func
def multi(x: float):
    return x, x * 2.0, wp.vec3(x, x, x)


@wp.func
def sum_of(a: wp.array(dtype=float), n: int):
    s = float(0.0)
    for i in range(n):
        s += a[i]
    return s


@wp.kernel(enable_backward=False)
def outputs(q: wp.array(dtype=wp.quat), v: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    axis = wp.vec3()
    angle = float(0.0)
    wp.quat_to_axis_angle(wp.normalize(q[i]), axis, angle)
    v[i] = axis
    out[i] = angle


@wp.kernel(enable_backward=False)
def structs(out: wp.array(dtype=float)):
    i = wp.tid()
    c = make(i)
    d = make(i + 1)
    d.v = c.v * 2.0
    if d.k > 3:
        c = d
    c.v[2] = c.v[2] + d.v.x
    out[i] = c.w + c.v[2] + float(c.k) + make(2).v[1]


@wp.kernel(enable_backward=False)
def generics(out: wp.array(dtype=float), d: wp.array(dtype=wp.float64)):
    i = wp.tid()
    a = gen(2, i)
    b = gen(wp.float64(1.5), wp.float64(i))
    c = gen(wp.vec2(1.0, 2.0), 3.0)
    out[i] = float(a) + c[1] + float(b)
    d[i] = b * gen(wp.float64(2.0), wp.float64(0.1))


@wp.kernel(enable_backward=False)
def arrays_in_functions(m: wp.array2d(dtype=float), a: wp.array(dtype=float)):
    i = wp.tid()
    fill(m, i, 2.0)
    a[i] = sum_of(m[i], 3)


@wp.kernel(enable_backward=False)
def returns(out: wp.array(dtype=float)):
    i = wp.tid()
    x, y, z = multi(float(i))
    out[i] = early(x) + y + z[1]
    if i == 3:
        return
    out[i] = out[i] * 2.0


@wp.kernel(enable_backward=False)
def conditions(a: wp.array(dtype=int), out: wp.array(dtype=int)):
    i = wp.tid()
    r = int(0)
    if a[i] and i:
        r = r + 1
    if not a[i] or i > 2:
        r = r + 2
    if 0 <= i < 4:
        r = r + 4
    b = a[i] > 1 and i < 5
    out[i] = r + int(b) * 8 + wp.where(b, 16, 32) + wp.where(a[i] == 0, 64, 128)


@wp.kernel(enable_backward=False)
def static_things(out: wp.array(dtype=float)):
    i = wp.tid()
    s = float(0.0)
    for k in range(3):
        s += wp.static(2.0 * 3) * float(wp.static(k * k))
    v = wp.vec3(1.0, 2.0, 3.0)
    for k in range(wp.static(len(wp.vec3()))):
        s += v[k]
    out[i] = s + float(N)


@wp.kernel(enable_backward=False)
def casts(f: wp.array(dtype=float), o: wp.array(dtype=int), u: wp.array(dtype=wp.uint8), h: wp.array(dtype=wp.float16), l: wp.array(dtype=wp.int64)):
    i = wp.tid()
    x = f[i]
    o[i] = int(x)
    u[i] = wp.uint8(int(x * 100.0))
    h[i] = wp.float16(x) * wp.float16(3.0)
    l[i] = wp.int64(i) << wp.int64(35)


@wp.kernel(enable_backward=False)
def fixed(out: wp.array(dtype=float)):
    i = wp.tid()
    a = wp.zeros(shape=(2, 3), dtype=float)
    b = wp.zeros(4, dtype=int)
    for j in range(3):
        a[1, j] = float(j + i)
        b[j] += j * i
    out[i] = a[1, 2] + a[0, 0] + float(b[2]) + float(a.shape[0] + len(b))


@wp.kernel(enable_backward=False)
def min_max_atomics(out: wp.array(dtype=float), o: wp.array(dtype=int), v: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    old = wp.atomic_max(out, 0, float(i) * 0.75)
    out[i + 1 - 1] = out[i] + wp.atomic_min(out, 1, -float(i))
    k = wp.atomic_add(o, 0, i)
    e = wp.atomic_exch(o, 1, i + 10)
    c = wp.atomic_cas(o, 2, 0, i + 1)
    o[3] += k + e
    o[4] |= c
    o[5] ^= i
    o[3] &= 255
    wp.atomic_add(v, 0, wp.vec3(1.0, 2.0, old))
    v[1] += wp.vec3(1.0, 1.0, 1.0)
    v[2][0] += 2.0
    v[2].y = 3.0
    v[1] *= 2.0


@wp.kernel(enable_backward=False)
def randoms(out: wp.array(dtype=float), s: wp.array(dtype=wp.uint32)):
    i = wp.tid()
    state = wp.rand_init(42, i)
    a = wp.randf(state)
    b = wp.randf(state, -1.0, 1.0)
    t = state
    c = wp.randn(t)
    d = wp.randf(s[0])
    for k in range(3):
        a += wp.randf(state)
    out[i] = a + b + c + wp.randf(state) + d
    s[1] = state


@wp.kernel(enable_backward=False)
def mats(out: wp.array(dtype=float), m: wp.array(dtype=wp.mat22)):
    i = wp.tid()
    a = wp.mat22(1.0, 2.0, 3.0, 4.0)
    b = wp.identity(n=2, dtype=float)
    c = a @ b + wp.transpose(a) * 2.0
    c[1] = wp.vec2(5.0, 6.0)
    c[0, 1] += 1.5
    m[i][0, 1] = 3.0
    m[i][1] = wp.vec2(1.0, 2.0)
    r = m[i][1]
    out[i] = c[0][1] + c[1, 1] + wp.determinant(a) + r[1] + (a * wp.vec2(1.0, 2.0))[0]


@wp.kernel(enable_backward=False)
def dyn_update(n: wp.array(dtype=int), out: wp.array(dtype=float)):
    i = wp.tid()
    v = wp.vec3(0.0, 0.0, 0.0)
    k = int(0)
    while True:
        v[k % 3] += float(k)
        v = v * 1.5
        k += 1
        if k > n[i] + 2:
            break
    out[i] = v[0] + v[1] * 2.0 + v[2] * 3.0


@wp.kernel(enable_backward=False)
def slices_from_the_end(a: wp.array(dtype=float), m: wp.array(dtype=wp.mat22), out: wp.array(dtype=float), n: wp.array(dtype=int)):
    i = wp.tid()
    k = -1 - i
    s = a[1:-1]
    t = a[-3:k]
    u = a[-1:0:-2]
    n[i] = s.shape[0] + 100 * t.shape[0] + 10000 * u.shape[0]
    v = wp.vec4(1.0, 2.0, 3.0, 4.0)
    w = v[-3:-1]
    out[i] = s[0] + u[0] + w[1]
