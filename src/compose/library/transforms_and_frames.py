# SPDX-License-Identifier: Apache-2.0
"""Poses, rotations, cameras and frames along curves."""

field("transforms and frames", element="frame frames", other="joint joints",
      link="influence influences")

frame_rotation = quantity(quat, "1", "rotation", one="q rot", many="rotations quats")
frame_pose = quantity(transform, "1", "pose", one="xf pose", many="poses transforms")
parent_pose = quantity(transform, "1", "pose of the parent", one="parent", many="parent_poses")
local_point = quantity(vec3, "m", "local point", one="p", many="local_points")
posed_point = quantity(vec3, "m", "posed point", one="x", many="posed world_points")
rotation_axis = quantity(vec3, "1", "rotation axis", one="axis", many="axes")
rotation_angle = quantity(float, "1", "rotation angle", one="angle theta", many="angles")
euler_angles = quantity(vec3, "1", "Euler angles", one="e", many="euler angles")
rotation_matrix = quantity(mat33, "1", "rotation matrix", one="r mat", many="matrices rotations")
up_vector = quantity(vec3, "1", "up vector", one="up", uniform=True)
look_direction = quantity(vec3, "1", "viewing direction", one="d look", many="look_dirs")
curve_tangent = quantity(vec3, "1", "tangent of a curve", one="t tangent", many="tangents")
next_tangent = quantity(vec3, "1", "next tangent of a curve", one="u", many="next_tangents")
frame_normal = quantity(vec3, "1", "normal of a frame", one="r normal", many="frame_normals")
skin_weight = quantity(float, "1", "skinning weight", one="w", many="skin_weights weights",
                       low=0.1, high=1.0)
screw_twist = quantity(spatial_vector, "1", "twist", one="twist", many="twists")
frame_velocity = quantity(vec3, "m/s", "velocity of a point", one="v", many="point_velocities")


@formula
def compose_pose(parent: parent_pose, xf: frame_pose) -> frame_pose:
    "{parent} times {xf}"
    return wp.transform_multiply(parent, xf)


@formula
def pose_point(xf: frame_pose, p: local_point) -> posed_point:
    "{p} transformed by {xf}"
    return wp.transform_point(xf, p)


@formula
def rotate_point(q: frame_rotation, p: local_point) -> posed_point:
    "{p} rotated by {q}"
    return wp.quat_rotate(q, p)


@formula(undoes="pose_point")
def into_frame(xf: frame_pose, x: posed_point) -> local_point:
    "{x} transformed by the inverse of {xf}"
    return wp.transform_point(wp.transform_inverse(xf), x)



@formula
def rotate_about_axis(p: local_point, axis: rotation_axis, theta: rotation_angle) -> posed_point:
    "{p} rotated by {theta} about k, the unit vector along {axis}, by the formula of Rodrigues: {p} c + (k x {p}) s + k (k . {p}) (1 - c) with the cosine c and the sine s of {theta}"
    k = wp.normalize(axis)
    c = wp.cos(theta)
    s = wp.sin(theta)
    return p * c + wp.cross(k, p) * s + k * wp.dot(k, p) * (1.0 - c)


@formula
def matrix_from_euler(e: euler_angles) -> rotation_matrix:
    "the matrix Rz({e}[2]) Ry({e}[1]) Rx({e}[0]) of three turns about the axes, by the right-hand rule"
    cx = wp.cos(e[0])
    sx = wp.sin(e[0])
    cy = wp.cos(e[1])
    sy = wp.sin(e[1])
    cz = wp.cos(e[2])
    sz = wp.sin(e[2])
    return wp.mat33(
        cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx,
        sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx,
        -sy, cy * sx, cy * cx,
    )


@formula
def matrix_of_rotation(q: frame_rotation) -> rotation_matrix:
    "the rotation matrix of the unit quaternion along {q}"
    return wp.quat_to_matrix(wp.normalize(q))


@formula
def rotate_by_matrix(r: rotation_matrix, p: local_point) -> posed_point:
    "{r} times {p}"
    return r * p


@formula
def look_at_matrix(d: look_direction, up: up_vector) -> rotation_matrix:
    "the matrix whose columns are the right, upper and backward axes of a camera that looks along {d}: backward is minus the unit vector of {d}, right the unit vector along {up} x backward, upper the cross product of backward and right"
    back = -wp.normalize(d)
    right = wp.normalize(wp.cross(up, back))
    above = wp.cross(back, right)
    return wp.matrix_from_cols(right, above, back)


@formula
def euler_from_rotation(q: frame_rotation) -> euler_angles:
    "roll, pitch and yaw of the unit quaternion along {q} with the components x, y, z, w: atan2(2 (w x + y z), 1 - 2 (x^2 + y^2)), asin(2 (w y - z x)) with its argument clamped to the range from -0.999 to 0.999, atan2(2 (w z + x y), 1 - 2 (y^2 + z^2))"
    u = wp.normalize(q)
    x = u[0]
    y = u[1]
    z = u[2]
    w = u[3]
    roll = wp.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    pitch = wp.asin(wp.clamp(2.0 * (w * y - z * x), -0.999, 0.999))
    yaw = wp.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    return wp.vec3(roll, pitch, yaw)




@formula
def transported_normal(r: frame_normal, t: curve_tangent, u: next_tangent) -> frame_normal:
    "{r} carried along a curve from the tangent {t} to the tangent {u}, both normalized, by the smallest rotation: with v = t x u and c = t . u it is {r} c + v x {r} + v (v . {r}) / (1 + c), where 1 + c is at least 0.1"
    a = wp.normalize(t)
    b = wp.normalize(u)
    v = wp.cross(a, b)
    c = wp.dot(a, b)
    return c * r + wp.cross(v, r) + v * (wp.dot(v, r) / wp.max(1.0 + c, 0.1))


@formula
def velocity_of_point(twist: screw_twist, p: local_point) -> frame_velocity:
    "the last three components of {twist}, the velocity of the origin, plus the cross product of the first three, the angular velocity, and {p}"
    w = wp.spatial_top(twist)
    v = wp.spatial_bottom(twist)
    return v + wp.cross(w, p)


@algorithm
def skin_points(offsets: row_offsets, joint_ids: link_to_other, w: link.skin_weight, p: local_point,
                poses: other.frame_pose, x: out.posed_point):
    "linear blend skinning: each point i is the mean, weighted by {w}[k], of {p}[i] transformed by {poses} of the joint {joint_ids}[k], over k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`; points without joints keep {p}[i]"
    i = thread()
    guard(i)
    point = p[i]
    total = wp.vec3(0.0, 0.0, 0.0)
    norm = float(0.0)
    for k in range(offsets[i], offsets[i + 1]):
        weight = w[k]
        total += weight * wp.transform_point(poses[joint_ids[k]], point)
        norm += weight
    if norm > 0.0:
        x[i] = total / norm
    else:
        x[i] = point


@algorithm
def pose_on_parent(parents: element_to_other_or_none, parent_poses: other.parent_pose,
                   local: frame_pose, poses: out.frame_pose):
    "the pose of each frame: that of its parent times the local one; frames without a parent have the local one"
    i = thread()
    guard(i)
    pose = local[i]
    j = parents[i]
    if j >= 0:
        pose = wp.transform_multiply(parent_poses[j], pose)
    poses[i] = pose
