"""Programs after the patterns of real simulation code."""

import warp as wp


@wp.struct
class Contact:
    point: wp.vec3
    normal: wp.vec3
    depth: float
    pair: wp.vec2i


@wp.func
def contact_force(n: wp.vec3, v: wp.vec3, c: float, k_n: float, k_d: float, k_f: float, k_mu: float):
    vn = wp.dot(n, v)
    jn = c * k_n
    jd = min(vn, 0.0) * k_d
    fn = jn + jd
    vt = v - n * vn
    vs = wp.length(vt)
    if vs > 0.0:
        vt = vt / vs
    ft = wp.min(vs * k_f, k_mu * wp.abs(fn))
    return -n * fn - vt * ft


@wp.kernel
def particle_forces(
    x: wp.array(dtype=wp.vec3),
    v: wp.array(dtype=wp.vec3),
    f: wp.array(dtype=wp.vec3),
    radius: float,
    k_contact: float,
    k_damp: float,
):
    i = wp.tid()
    p = x[i]
    force = wp.vec3()
    n = wp.vec3(0.0, 1.0, 0.0)
    c = wp.dot(n, p)
    if c < 0.1:
        force = force + contact_force(n, v[i], c, k_contact, k_damp, 100.0, 0.5)
    for j in range(10):
        d = p - x[j]
        dist = wp.length(d) - radius * 2.0
        if dist <= 0.0 and i != j:
            force = force + contact_force(wp.normalize(d), v[i] - v[j], dist, k_contact, k_damp, 100.0, 0.5)
    f[i] = force


@wp.kernel
def wave(
    h_curr: wp.array2d(dtype=float), h_prev: wp.array2d(dtype=float), width: int, height: int, inv_cell: float,
    speed: float, damping: float, dt: float,
):
    i, j = wp.tid()
    if i == 0 or j == 0 or i == width - 1 or j == height - 1:
        return
    lap = (h_curr[i + 1, j] + h_curr[i - 1, j] + h_curr[i, j + 1] + h_curr[i, j - 1] - 4.0 * h_curr[i, j]) * inv_cell * inv_cell
    h_new = 2.0 * h_curr[i, j] - h_prev[i, j] + dt * dt * (speed * lap - damping * (h_curr[i, j] - h_prev[i, j]))
    h_prev[i, j] = h_new


@wp.kernel
def mandelbrot(out: wp.array2d(dtype=int), width: int, height: int, limit: int):
    i, j = wp.tid()
    cx = -2.0 + 3.0 * float(i) / float(width)
    cy = -1.5 + 3.0 * float(j) / float(height)
    zx = float(0.0)
    zy = float(0.0)
    n = int(0)
    while n < limit and zx * zx + zy * zy < 4.0:
        t = zx * zx - zy * zy + cx
        zy = 2.0 * zx * zy + cy
        zx = t
        n += 1
    out[i, j] = n


@wp.kernel
def matrix_product(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), c: wp.array2d(dtype=float), k: int):
    i, j = wp.tid()
    s = float(0.0)
    for l in range(k):
        s += a[i, l] * b[l, j]
    c[i, j] = s


@wp.kernel
def collect_contacts(contacts: wp.array(dtype=Contact), count: wp.array(dtype=int), x: wp.array(dtype=wp.vec3), limit: int):
    i, j = wp.tid()
    if i >= j:
        return
    d = x[i] - x[j]
    dist = wp.length(d)
    if dist < 0.5:
        slot = wp.atomic_add(count, 0, 1)
        if slot < limit:
            c = Contact()
            c.point = (x[i] + x[j]) * 0.5
            c.normal = d / wp.max(dist, 1.0e-6)
            c.depth = 0.5 - dist
            c.pair = wp.vec2i(i, j)
            contacts[slot] = c


@wp.kernel
def rigid_step(q: wp.array(dtype=wp.transform), qd: wp.array(dtype=wp.spatial_vector), inertia: wp.array(dtype=wp.mat33), dt: float):
    i = wp.tid()
    x = wp.transform_get_translation(q[i])
    r = wp.transform_get_rotation(q[i])
    w = wp.spatial_top(qd[i])
    v = wp.spatial_bottom(qd[i])
    torque = -wp.cross(w, inertia[i] * w)
    w = w + wp.inverse(inertia[i]) * torque * dt
    r = wp.normalize(r + wp.quat(w[0], w[1], w[2], 0.0) * r * 0.5 * dt)
    x = x + v * dt
    q[i] = wp.transform(x, r)
    qd[i] = wp.spatial_vector(w, v + wp.vec3(0.0, -9.81, 0.0) * dt)


@wp.kernel
def length_of_value(a: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    x = a[i]
    s = float(0.0)
    for j in range(x.length):
        s += x[j]
    for j in range(1, type(x).length):
        s -= x[j]
    n = x.length * 2
    s += float(n)
    a[i] = type(x)(s)


@wp.kernel
def functions_in_tuple(a: wp.array(dtype=float)):
    i = wp.tid()
    f, g = wp.sin, wp.cos
    a[i] = f(a[i]) * g(a[i])


@wp.func
def declared_quaternion(q: wp.quat, t: wp.transform):
    a = q + wp.quat_identity(dtype=float)
    b = wp.normalize(wp.quat_identity(dtype=float)) * 2.0
    return a, b, wp.transform_inverse(wp.transform_identity(dtype=float)) * t


@wp.func
def declared_transform(t: wp.transform):
    if t[0] > 0.0:
        return t
    return wp.transform_inverse(wp.transform_identity(dtype=float))


@wp.kernel
def types_of_python_float(q: wp.array(dtype=wp.quat), t: wp.array(dtype=wp.transform)):
    i = wp.tid()
    a, b, c = declared_quaternion(q[i], t[i])
    q[i] = a + b
    t[i] = declared_transform(c)


@wp.kernel
def exchanged(a: wp.array(dtype=float), b: wp.array(dtype=int), x: wp.array(dtype=float)):
    i = wp.tid()
    wp.atomic_exch(a, i, x[i] * 2.0)
    wp.atomic_cas(b, i, 3, i)


# with one thread per block, a tile makes Warp specialize a kernel for arrays without gaps


@wp.kernel
def linear_with_tile(a: wp.array2d(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(a, shape=(4, 4), offset=(0, 0))
    out[i] = wp.tile_extract(t, 0, 0)


@wp.kernel
def plain_without_tile(a: wp.array2d(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = a[i, 0]
