"""Vectors: constructors, indexing, swizzles, component stores, operators."""

import warp as wp

vec5 = wp.types.vector(length=5, dtype=float)
vec3d = wp.types.vector(length=3, dtype=wp.float64)
vec8i = wp.types.vector(length=8, dtype=wp.int32)


@wp.kernel
def constructors(a: wp.array(dtype=wp.vec3), b: wp.array(dtype=wp.vec2), c: wp.array(dtype=wp.vec4)):
    i = wp.tid()
    a[i] = wp.vec3()
    a[i + 1] = wp.vec3(1.0)
    a[i + 2] = wp.vec3(1.0, 2.0, 3.0)
    b[i] = wp.vec2(1.0, float(i))
    c[i] = wp.vec4(1.0, 2.0, 3.0, 4.0)
    a[i + 3] = wp.vec3(b[i][0], b[i][1], 0.0)


@wp.kernel
def other_scalars(a: wp.array(dtype=wp.vec3d), b: wp.array(dtype=wp.vec3h), c: wp.array(dtype=wp.vec3i)):
    i = wp.tid()
    a[i] = wp.vec3d(wp.float64(1.0), wp.float64(2.0), wp.float64(3.0)) * wp.float64(2.0)
    b[i] = wp.vec3h(wp.float16(1.0), wp.float16(2.0), wp.float16(3.0))
    c[i] = wp.vec3i(1, 2, 3) + c[i]


@wp.kernel
def any_length(a: wp.array(dtype=vec5), b: wp.array(dtype=vec3d), c: wp.array(dtype=vec8i)):
    i = wp.tid()
    x = vec5(1.0, 2.0, 3.0, 4.0, 5.0)
    a[i] = a[i] + x * 2.0
    b[i] = vec3d(wp.float64(1.0), wp.float64(2.0), wp.float64(3.0))
    c[i][3] = c[i][4] + 1


@wp.kernel
def anonymous(a: wp.array(dtype=float)):
    i = wp.tid()
    v = wp.vector(1.0, 2.0, a[i])
    w = wp.vector(a[i], length=4)
    a[i] = v[2] + w[3]


@wp.kernel
def indexing(a: wp.array(dtype=wp.vec3), out: wp.array(dtype=float), k: int):
    i = wp.tid()
    v = a[i]
    out[i] = v[0] + v[1] * v[2] + v[k]
    v[k] = 5.0
    v[0] = v[1]
    a[i] = v


@wp.kernel
def swizzles(a: wp.array(dtype=wp.vec4), b: wp.array(dtype=wp.vec2), c: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    v = a[i]
    b[i] = wp.vec2(v.x, v.y)
    c[i] = wp.vec3(v.z, v.y, v.x)
    x = v.x + v.w
    v.y = x
    v.z = x * 2.0
    a[i] = v


@wp.kernel
def operators(a: wp.array(dtype=wp.vec3), b: wp.array(dtype=wp.vec3), s: float):
    i = wp.tid()
    x = a[i]
    y = b[i]
    x = x + y
    x = x - y * s
    x = s * x
    x = x / s
    x = -x
    x += y
    x -= y
    x *= 2.0
    a[i] = x


@wp.kernel
def builtins(a: wp.array(dtype=wp.vec3), b: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    x = a[i]
    y = b[i]
    out[0] = wp.dot(x, y)
    out[1] = wp.length(x)
    out[2] = wp.length_sq(x)
    a[i] = wp.cross(x, y) + wp.normalize(x) + wp.cw_mul(x, y) + wp.cw_div(x, y)
    b[i] = wp.min(x, y) + wp.max(x, y)
    out[3] = wp.min(x) + wp.max(y)


@wp.kernel
def in_loop(a: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    s = float(0.0)
    for k in range(3):
        s += a[i][k]
    out[i] = s


@wp.kernel
def comparison(a: wp.array(dtype=wp.vec3), b: wp.array(dtype=wp.vec3), out: wp.array(dtype=int)):
    i = wp.tid()
    if a[i] == b[i]:
        out[i] = 1
