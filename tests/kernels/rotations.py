"""Quaternions, transforms and spatial vectors."""

import warp as wp


@wp.kernel
def quaternions(a: wp.array(dtype=wp.quat), v: wp.array(dtype=wp.vec3), angle: float):
    i = wp.tid()
    q = wp.quat(0.0, 0.0, 0.0, 1.0)
    q = q * a[i]
    q = wp.normalize(q)
    r = wp.quat_from_axis_angle(wp.vec3(0.0, 1.0, 0.0), angle)
    v[i] = wp.quat_rotate(q, v[i]) + wp.quat_rotate_inv(r, v[i])
    a[i] = wp.quat_inverse(q) * r + q * 0.5
    a[i + 1] = wp.quat_slerp(q, r, 0.5)
    a[i + 2] = wp.quat_identity()
    a[i + 3] = wp.quat_rpy(0.1, 0.2, 0.3)
    m = wp.quat_to_matrix(q)
    a[i + 4] = wp.quat_from_matrix(m)


@wp.kernel
def quaternion_components(a: wp.array(dtype=wp.quat), out: wp.array(dtype=float)):
    i = wp.tid()
    q = a[i]
    out[0] = q[0] + q[3] + q.x + q.w
    q[1] = 2.0
    a[i] = q


@wp.kernel
def axis_angle(a: wp.array(dtype=wp.quat), v: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    axis = wp.vec3()
    angle = float(0.0)
    wp.quat_to_axis_angle(a[i], axis, angle)
    v[i] = axis
    out[i] = angle


@wp.kernel
def transforms(t: wp.array(dtype=wp.transform), p: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    x = t[i]
    y = wp.transform(wp.vec3(1.0, 2.0, 3.0), wp.quat_identity())
    z = x * y
    z = wp.transform_multiply(z, wp.transform_inverse(x))
    p[i] = wp.transform_point(z, p[i]) + wp.transform_vector(x, p[i])
    p[i + 1] = wp.transform_get_translation(z)
    q = wp.transform_get_rotation(z)
    t[i] = wp.transform(p[i], q)
    t[i + 1] = wp.transform_identity()


@wp.kernel
def spatial(a: wp.array(dtype=wp.spatial_vector), v: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    s = a[i]
    t = wp.spatial_vector(v[i], v[i + 1])
    u = wp.spatial_vector(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    out[i] = wp.spatial_dot(s, t)
    v[i] = wp.spatial_top(s) + wp.spatial_bottom(u)
    a[i] = wp.spatial_cross(s, t) + wp.spatial_cross_dual(s, u)


@wp.kernel
def spatial_matrices(m: wp.array(dtype=wp.spatial_matrix), a: wp.array(dtype=wp.spatial_vector)):
    i = wp.tid()
    a[i] = m[i] * a[i]
    m[i] = wp.outer(a[i], a[i])


@wp.kernel
def double_precision(a: wp.array(dtype=wp.quatd), v: wp.array(dtype=wp.vec3d), t: wp.array(dtype=wp.transformd)):
    i = wp.tid()
    v[i] = wp.quat_rotate(a[i], v[i])
    v[i] = wp.transform_point(t[i], v[i])


@wp.kernel
def parts_changed(t: wp.array(dtype=wp.transform), q: wp.array(dtype=wp.quat), p: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    x = t[i]
    wp.transform_set_rotation(x, q[i])
    wp.transform_set_translation(x, p[i] * 2.0)
    x[4] += 2.0
    x.p += p[i]
    x.q = wp.normalize(x.q)
    wp.transform_set_translation(t[i], p[i])
    t[i] = x


@wp.kernel
def quaternion_slices(a: wp.array(dtype=wp.quat), v: wp.array(dtype=wp.vec3), t: wp.array(dtype=wp.transform)):
    i = wp.tid()
    q = a[i]
    x = t[i]
    v[i] = q[0:3] + x[2:5]
    q[1:4] = v[i]
    x[0:3] += v[i]
    x[5] -= q[-1]
    a[i] = q
    t[i] = x


@wp.kernel
def axis_and_angle(a: wp.array(dtype=wp.quat), v: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    axis, angle = wp.quat_to_axis_angle(a[i])
    v[i] = axis * angle
    a[i] = wp.quat_from_axis_angle(axis, angle * 0.5)


@wp.kernel
def quaternion_operators(a: wp.array(dtype=wp.quat), b: wp.array(dtype=wp.quat), out: wp.array(dtype=float)):
    i = wp.tid()
    s = wp.length(a[i]) + wp.length_sq(b[i]) + wp.dot(a[i], b[i])
    q = a[i] + b[i] - a[i] * s + s * b[i]
    q = -q / s + s / a[i]
    out[i] = s
    a[i] = wp.lerp(q, b[i], 0.25)
    b[i] = wp.quat_slerp(wp.normalize(a[i]), wp.normalize(b[i]), s)


@wp.kernel
def transform_operators(a: wp.array(dtype=wp.transform), b: wp.array(dtype=wp.transform), s: float):
    i = wp.tid()
    c = a[i] * b[i] + wp.transform_inverse(a[i]) - b[i] * s
    d = s * wp.transform_multiply(c, b[i])
    a[i] = wp.lerp(c, d, s)
    b[i] = wp.transform(wp.transform_get_translation(c), wp.transform_get_rotation(d))


@wp.kernel
def matrices_of_rotations(m: wp.array(dtype=wp.mat33), h: wp.array(dtype=wp.mat44), v: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    q = wp.quat_from_matrix(m[i]) * wp.quat_from_matrix(h[i])
    m[i] = wp.quat_to_matrix(q)
    v[i] = wp.transform_point(h[i], v[i]) + wp.transform_vector(h[i], v[i])


@wp.kernel
def spatial_parts(r: wp.array(dtype=wp.mat33), a: wp.array(dtype=wp.spatial_vector), m: wp.array(dtype=wp.spatial_matrix)):
    i = wp.tid()
    m[i] = wp.spatial_adjoint(r[i], r[i + 1])
    w = wp.spatial_bottom(a[i])
    a[i] = wp.spatial_vector(wp.cross(w, wp.spatial_top(a[i])), w) * wp.spatial_dot(a[i], a[i + 1])


@wp.kernel
def half_precision(a: wp.array(dtype=wp.quath), v: wp.array(dtype=wp.vec3h), t: wp.array(dtype=wp.transformh)):
    i = wp.tid()
    q = wp.normalize(a[i]) * wp.quat_rpy(v[i][0], v[i][1], v[i][2])
    v[i] = wp.quat_rotate(q, v[i]) - wp.quat_rotate_inv(a[i], v[i])
    t[i] = wp.transform_multiply(t[i], wp.transformh(v[i], q))
    a[i] = wp.quat_slerp(q, a[i], wp.float16(0.25))
