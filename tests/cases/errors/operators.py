"""Operators and calls on types that do not fit. operators.err holds what weft says to write."""

import warp as wp


@wp.kernel
def vectors(v: wp.vec3, w: wp.vec3, u: wp.vec2, d: wp.vec3d, s: float, i: int):
    a = v * w  # expect error: no-overload
    a = v / w  # expect error: no-overload
    a = v @ w  # expect error: no-overload
    a = v + 1.0  # expect error: no-overload
    a = s - v  # expect error: no-overload
    a = v * i  # expect error: mixed-types
    a = 2 * v  # expect error: mixed-types
    a = v**2.0  # expect error: no-overload
    b = d * s  # expect error: mixed-types
    b = wp.cross(v, d)  # expect error: mixed-types
    c = wp.dot(v, u)  # expect error: mixed-types
    c = wp.dot(s, s)  # expect error: no-overload
    v += 1.0  # expect error: no-overload


@wp.kernel
def matrices(m: wp.mat33, n: wp.mat33, q: wp.quat, t: wp.transform, v: wp.vec3):
    a = m + 1.0  # expect error: no-overload
    a = m / n  # expect error: no-overload
    b = q * v  # expect error: no-overload
    b = t * v  # expect error: no-overload
    b = wp.quat_rotate(v, q)  # expect error: no-overload
    b = wp.inverse(v)  # expect error: no-overload


@wp.kernel
def scalars(s: float, h: wp.float16, d: wp.float64, i: int, k: wp.int64, b: bool):
    x = s * i  # expect error: mixed-types
    x = s - 1  # expect error: mixed-types
    x = i / s  # expect error: mixed-types
    x = s**2  # expect error: no-overload
    y = h + 1.0  # expect error: mixed-types
    z = d * s  # expect error: mixed-types
    n = k + i  # expect error: mixed-types
    n = b + b  # expect error: no-overload
    n = s << 1  # expect error: no-overload
    o = b & b  # expect error: no-overload
    i += 1.0  # expect error: mixed-types
    s *= 2  # expect error: mixed-types


@wp.kernel
def arrays(x: wp.array(dtype=float), y: wp.array(dtype=float), s: float):
    a = x + y  # expect error: no-overload
    a = x * 2.0  # expect error: no-overload
    a = -x  # expect error: no-overload
    a = wp.sin(x)  # expect error: no-overload
    x += 1.0  # expect error: no-overload
    wp.atomic_add(x, s, 1.0)  # expect error: no-overload
    print("s = " + s)  # expect error: no-overload
    print("%f" % s)  # expect error: no-overload


@wp.kernel
def functions(v: wp.vec3, s: float, i: int, c: bool):
    a = wp.sin(i)  # expect error: no-overload
    a = wp.sqrt(2)  # expect error: no-overload
    a = wp.sin(v)  # expect error: no-overload
    a = wp.clamp(s, 0, 1)  # expect error: mixed-types
    a = wp.clamp(v, 0.0, 1.0)  # expect error: no-overload
    a = wp.min(v, 1.0)  # expect error: no-overload
    a = wp.where(c, 1.0, 2)  # expect error: mixed-types
    a = wp.where(s, 1.0, 2.0)  # expect error: no-overload
    a = wp.randf(i)  # expect error: no-overload
    a = wp.randf(wp.rand_init(1), 0, 1)  # expect error: no-overload
    a = wp.mesh_query_point(s, v, 1.0)  # expect error: no-overload
    a = max(s, 0)  # expect error: mixed-types
    a = len(s)  # expect error: no-overload
    a = float(v)  # expect error: no-overload


@wp.kernel
def constructors(v: wp.vec3, u: wp.vec2, q: wp.quat, i: int, x: wp.array(dtype=float)):
    a = wp.vec3(1.0, 2.0)  # expect error: constructor-count
    a = wp.vec3(u, 1.0)  # expect error: constructor-count
    a = wp.vec3(i, i, i)  # expect error: constructor-type
    a = wp.vec3(x)  # expect error: constructor-type
    b = wp.vec2(v)  # expect error: constructor-count
    c = wp.mat33(1.0, 2.0)  # expect error: constructor-count
    d = wp.quat(1.0, 2.0, 3.0)  # expect error: no-overload
    e = wp.transform(q, v)  # expect error: constructor-count
