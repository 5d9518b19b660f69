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
