# Arrays of a fixed size that live in a kernel: wp.zeros inside of it.
import warp as wp


@wp.kernel
def histogram(keys: wp.array(dtype=wp.int32), out: wp.array(dtype=wp.int32)):
    i = wp.tid()
    bins = wp.zeros(shape=8, dtype=wp.int32)
    for j in range(keys.shape[0]):
        bins[keys[j] & 7] += 1
    best = wp.int32(0)
    for b in range(8):
        if bins[b] > bins[best]:
            best = b
    out[i] = best * 100 + bins[keys[i] & 7]


@wp.kernel
def stencil(x: wp.array(dtype=wp.float32), y: wp.array(dtype=wp.float32)):
    i = wp.tid()
    w = wp.zeros(shape=(3,), dtype=wp.float32)
    w[0] = 0.25
    w[1] = 0.5
    w[2] = 0.25
    s = wp.float32(0.0)
    for j in range(3):
        s += w[j] * x[wp.clamp(i + j - 1, 0, x.shape[0] - 1)]
    y[i] = s


@wp.kernel
def window(x: wp.array(dtype=wp.float64), y: wp.array(dtype=wp.float64)):
    i = wp.tid()
    n = x.shape[0]
    last = wp.zeros(shape=4, dtype=wp.float64)
    for j in range(4):
        last[j] = x[(i + j) % n]
    last[1] += x[i]
    last[2] -= x[i] * wp.float64(2.0)
    wp.atomic_max(last, 3, x[i])
    y[i] = last[0] + last[1] * wp.float64(3.0) - last[2] + last[3]


@wp.kernel
def table(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=wp.vec3), n: int):
    i = wp.tid()
    t = wp.zeros(shape=(2, 3), dtype=wp.vec3)
    for a in range(2):
        for b in range(3):
            t[a, b] = x[i] * wp.float32(a + b)
    t[1, 2][1] = 4.0
    t[0, 1].x += x[i][2]
    row = t[1]
    k = wp.abs(n) % 3
    y[i] = row[k] + t[0, 1] + t[wp.uint8(1), -1] * wp.float32(len(t))


@wp.kernel
def overwritten(x: wp.array(dtype=wp.float32), y: wp.array(dtype=wp.float32)):
    i = wp.tid()
    t = wp.zeros(shape=2, dtype=wp.float32)
    t[0] = x[i] * 2.0
    t[0] = x[i] * 3.0
    t[1] = t[0] * t[0]
    y[i] = t[0] + t[1]


@wp.func
def dot_of(a: wp.array(dtype=wp.float32), x: wp.float32):
    s = wp.float32(0.0)
    for j in range(a.shape[0]):
        s += a[j] * x
    return s


@wp.func
def fill(a: wp.array(dtype=wp.float32), x: wp.float32):
    a[0] = x
    a[1] = x * 2.0
    a[2] = 1.0


@wp.func
def first(a: wp.fixedarray(shape=3, dtype=wp.float32)):
    a[0] = a[0] + 1.0
    return a[0]


@wp.kernel
def passed(x: wp.array(dtype=wp.float32), y: wp.array(dtype=wp.float32)):
    i = wp.tid()
    t = wp.zeros(shape=3, dtype=wp.float32)
    fill(t, x[i])
    y[i] = dot_of(t, x[i]) + first(t) + t[0]


@wp.kernel
def each_turn(x: wp.array(dtype=wp.float32), y: wp.array(dtype=wp.float32), n: int):
    i = wp.tid()
    s = wp.float32(0.0)
    for j in range(wp.min(wp.abs(n), 5)):
        t = wp.zeros(shape=(2, 2), dtype=wp.float32)
        t[0, 0] = x[i] * wp.float32(j)
        t[1, 1] += t[0, 0] + 1.0
        s += t[0, 0] + t[1, 1] + t[0, 1]
    y[i] = s


@wp.struct
class Body:
    mass: wp.float32
    at: wp.vec3


@wp.func
def shift(a: wp.fixedarray(shape=2, dtype=wp.vec3), x: wp.float32):
    a[0].x += x
    a[1][2] = x
    a[1].y = a[0].x


@wp.func
def raise_all(a: wp.array(dtype=wp.vec3), x: wp.float32):
    a[0].x += x
    a[1][2] -= x


@wp.kernel
def parts(x: wp.array(dtype=wp.float32), y: wp.array(dtype=wp.float32)):
    i = wp.tid()
    t = wp.zeros(shape=2, dtype=wp.vec3)
    t[1].z = x[i]
    shift(t, x[i])
    raise_all(t, x[i] * 2.0)
    m = wp.zeros(shape=(1, 2), dtype=wp.mat22)
    m[0, 1][1, 0] += x[i]
    m[0, 0][1] = wp.vec2(x[i], 1.0)
    y[i] = t[0].x + t[1][2] + t[1].y + m[0, 1][1, 0] + m[0, 0][1, 0]


@wp.kernel
def bodies(x: wp.array(dtype=wp.float32), y: wp.array(dtype=wp.float32)):
    i = wp.tid()
    b = wp.zeros(shape=2, dtype=Body)
    b[0].mass = x[i]
    b[1].at = wp.vec3(x[i], 2.0, 3.0)
    b[1].at[1] += x[i]
    y[i] = b[0].mass + b[1].at[0] * 2.0 + b[1].at[1]


@wp.kernel
def copied(x: wp.array(dtype=wp.float32), y: wp.array(dtype=wp.float32)):
    i = wp.tid()
    t = wp.zeros(shape=2, dtype=wp.float32)
    t[0] = x[i]
    u = t
    t[0] = x[i] * 3.0
    u[1] = 2.0
    y[i] = u[0] + t[1] * 5.0 + u[1] + t[0]


@wp.func_native("return ((float *)address)[i];")
def value_at(address: wp.uint64, i: int) -> float: ...


@wp.kernel
def address_of_local(out: wp.array(dtype=float)):
    local = wp.zeros(shape=4, dtype=float)
    local[1] = out[0]
    out[1] = value_at(local.ptr, 1)
