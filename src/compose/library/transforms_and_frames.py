# SPDX-License-Identifier: Apache-2.0
"""Poses, rotations, cameras and frames along curves."""

field("transforms and frames", element="frame frames", other="joint joints",
      link="influence influences", apart=True, state=True, share=3)

frame_rotation = quantity(quat, "1", "rotation", one="q rot", many="rotations quats")
frame_pose = quantity(transform, "1", "pose", one="xf pose", many="poses transforms")
parent_pose = quantity(transform, "1", "parent pose", one="parent", many="parent_poses")
joint_pose = quantity(transform, "1", "pose", one="X_joint", many="joint_poses X_joint")
local_point = quantity(vec3, "m", "local point", one="p", many="local_points")
cartesian_point = quantity(vec3, "m", "Cartesian point", one="x", many="cartesian_points cartesian")
unprojected_point = quantity(vec3, "m", "unprojected point", one="x", many="unprojected camera_points")
reference_point = quantity(vec3, "m", "reference point", one="p", many="reference_points ref_points")
frame_origin = quantity(vec3, "m", "origin", one="origin o", many="origins frame_origins")
posed_point = quantity(vec3, "m", "posed point", one="x", many="posed world_points", means="goal")
rotation_axis = quantity(vec3, "1", "rotation axis", one="axis", many="axes")
rotation_angle = quantity(float, "rad", "rotation angle", one="angle theta", many="angles")
euler_angles = quantity(vec3, "rad", "Euler angles", one="e", many="euler euler_angles")
rotation_matrix = quantity(mat33, "1", "rotation matrix", one="r_mat mat", many="matrices rot_matrices")
up_vector = quantity(vec3, "1", "up vector", one="up", uniform=True)
look_direction = quantity(vec3, "1", "viewing direction", one="d look", many="look_dirs")
curve_tangent = quantity(vec3, "1", "tangent", one="t tangent", many="tangents")
next_tangent = quantity(vec3, "1", "next tangent", one="u", many="next_tangents")
frame_normal = quantity(vec3, "1", "normal", one="r normal", many="frame_normals")
skin_weight = quantity(float, "1", "skinning weight", one="w", many="weights skin_weights",
                       low=0.1, high=1.0)
screw_twist = quantity(spatial_vector, "rad/s and m/s", "twist", one="twist", many="twists")
framed_twist = quantity(spatial_vector, "rad/s and m/s", "in-frame twist", one="twist_f", many="framed_twists local_twists")
moved_twist = quantity(spatial_vector, "rad/s and m/s", "moved twist", one="twist_p", many="moved_twists")
frame_velocity = quantity(vec3, "m/s", "point velocity", one="v", many="point_velocities", means="length")
target_pose = quantity(transform, "1", "target pose", one="target goal", many="target_poses goals")
pose_blend = quantity(float, "1", "blend factor", one="t blend", many="blends", low=0.1, high=0.9)
relative_transform = quantity(transform, "1", "relative pose", one="rel", many="relative_poses rel_poses")
frame_spin = quantity(vec3, "rad/s", "angular velocity", one="w omega", many="omegas ang_vel")
frame_focal_length = quantity(float, "1", "focal length", one="focal f", low=0.5, high=2.0, uniform=True)
image_point = quantity(vec2, "1", "image point", one="uv pixel", many="image_points pixels uvs", means="goal")
image_depth = quantity(float, "m", "depth", one="z depth", many="depths", low=0.5, high=4.0)
cylinder_radius = quantity(float, "m", "radius", one="radius r", many="radii", low=0.5, high=2.0)
cylinder_height = quantity(float, "m", "height", one="z height", many="heights")
frame_wrench = quantity(spatial_vector, "N m and N", "wrench", one="f wrench", many="body_f wrenches")
wrench_at_point = quantity(spatial_vector, "N m and N", "moved wrench", one="f_p", many="moved_wrenches")
frame_power = quantity(float, "W", "power", one="power", many="powers", sums=True, means="total zero")
rail_point = quantity(vec3, "m", "points of the rail", one="p", many="points rail")
rotation_spread = quantity(float, "rad", "spread of the rotations", one="spread sigma", low=0.05, high=0.5, uniform=True)
frame_position = quantity(vec3, "m", "position", one="x", many="positions frame_positions")
joint_place = quantity(vec3, "m", "position", one="c", many="joint_positions joint_x")
joint_load = quantity(spatial_vector, "N m and N", "load", one="load", many="joint_loads loads")
frame_force = quantity(vec3, "N", "force", one="f", many="forces frame_forces")
rail_pose = quantity(transform, "1", "rail pose", one="pose", many="poses rail_poses")


@formula
def compose_pose(parent: parent_pose, local: local_pose) -> frame_pose:
    "{parent} times {local}"
    return wp.transform_multiply(parent, local)


@formula
def pose_point(xf: frame_pose, p: local_point) -> posed_point:
    "{p} transformed by {xf}"
    return wp.transform_point(xf, p)


@formula
def rotate_point(q: frame_rotation, p: local_point) -> posed_point:
    "{p} rotated by {q}"
    return wp.quat_rotate(q, p)


@formula(undoes="pose_point")
def point_in_frame(xf: frame_pose, x: posed_point) -> local_point:
    "{x} transformed by the inverse of {xf}"
    return wp.transform_point(wp.transform_inverse(xf), x)


@formula
def rotate_about_axis(p: local_point, axis: rotation_axis, theta: rotation_angle) -> posed_point:
    "{p} rotated by {theta} about k, the unit vector along {axis}, by the formula of Rodrigues, which is {p} c + (k x {p}) s + k (k . {p}) (1 - c) with the cosine c and the sine s of {theta}"
    k = wp.normalize(axis)
    c = wp.cos(theta)
    s = wp.sin(theta)
    return p * c + wp.cross(k, p) * s + k * wp.dot(k, p) * (1.0 - c)


@formula(undoes="euler_from_rotation")
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
    "the 3 by 3 matrix of {q}"
    return wp.quat_to_matrix(q)


@formula
def rotate_by_matrix(r: rotation_matrix, p: local_point) -> posed_point:
    "{r} times {p}"
    return r * p


@formula
def look_at_matrix(d: look_direction, up: up_vector) -> rotation_matrix:
    "the matrix whose columns are the right, upper and backward axes of a camera that looks along {d}, where backward is minus the unit vector of {d}, right the unit vector along {up} x backward, upper the cross product of backward and right"
    back = -wp.normalize(d)
    right = wp.normalize(wp.cross(up, back))
    above = wp.cross(back, right)
    return wp.matrix_from_cols(right, above, back)


@formula
def euler_from_rotation(q: frame_rotation) -> euler_angles:
    "the vector of roll, pitch and yaw of {q}, the rotation with the components x, y, z, w; they are atan2(2 (w x + y z), 1 - 2 (x^2 + y^2)), asin(2 (w y - z x)) with its argument clamped to the range from -1 to 1, and atan2(2 (w z + x y), 1 - 2 (y^2 + z^2))"
    x = q[0]
    y = q[1]
    z = q[2]
    w = q[3]
    roll = wp.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    pitch = wp.asin(wp.clamp(2.0 * (w * y - z * x), -1.0, 1.0))
    yaw = wp.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    return wp.vec3(roll, pitch, yaw)


@formula
def transported_normal(r: frame_normal, t: curve_tangent, u: next_tangent) -> frame_normal:
    "{r} carried along a curve from the tangent {t} to the tangent {u}, both normalized, by the smallest rotation, which is {r} c + v x {r} + v (v . {r}) / (1 + c) with v = {t} x {u} and c = {t} . {u}, where 1 + c counts as 0.1 if it is smaller"
    a = wp.normalize(t)
    b = wp.normalize(u)
    v = wp.cross(a, b)
    c = wp.dot(a, b)
    return c * r + wp.cross(v, r) + v * (wp.dot(v, r) / wp.max(1.0 + c, 0.1))


@formula
def velocity_of_point(twist: screw_twist, p: reference_point) -> frame_velocity:
    "the velocity of the origin, the bottom of {twist}, plus the cross product of the angular velocity, its top, and {p}"
    w = wp.spatial_top(twist)
    v = wp.spatial_bottom(twist)
    return v + wp.cross(w, p)


@algorithm(element="point points", share=2)
def skin_points(offsets: row_offsets, joint_ids: link_to_other, w: link.skin_weight, p: local_point,
                poses: other.frame_pose, x: out.posed_point):
    "skins points by linear blending: each point i becomes the sum of {w}[k] times {p}[i] transformed by {poses} of the joint {joint_ids}[k], over k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`; points without joints keep {p}[i]"
    i = thread()
    guard(i)
    point = p[i]
    begin = offsets[i]
    end = offsets[i + 1]
    if begin >= end:
        x[i] = point
        return
    total = wp.vec3(0.0, 0.0, 0.0)
    for k in range(begin, end):
        total += w[k] * wp.transform_point(poses[joint_ids[k]], point)
    x[i] = total


@algorithm
def pose_on_parent(parents: element_to_other_or_none["the parent joint of each frame, or -1"], joint_poses: other.joint_pose,
                   local: local_pose, poses: out.frame_pose):
    "the pose of each frame: the pose of its parent joint, from {joint_poses}, times {local}; frames without a parent get {local} itself"
    i = thread()
    guard(i)
    pose = local[i]
    j = parents[i]
    if j >= 0:
        pose = wp.transform_multiply(joint_poses[j], pose)
    poses[i] = pose


@formula
def blended_pose(xf: frame_pose, target: target_pose, t: pose_blend) -> frame_pose:
    "that between {xf} and {target} at {t}, with the translation interpolated linearly and the rotation spherically"
    p = wp.lerp(wp.transform_get_translation(xf), wp.transform_get_translation(target), t)
    r = wp.quat_slerp(wp.transform_get_rotation(xf), wp.transform_get_rotation(target), t)
    return wp.transform(p, r)


@formula
def relative_pose(xf: frame_pose, target: target_pose) -> relative_transform:
    "the inverse of {xf} times {target}"
    return wp.transform_multiply(wp.transform_inverse(xf), target)


@formula
def pose_from_axis(axis: rotation_axis, theta: rotation_angle, p: frame_origin) -> frame_pose:
    "that with the translation {p} and the rotation by {theta} about the unit vector along {axis}"
    return wp.transform(p, wp.quat_from_axis_angle(wp.normalize(axis), theta))


@formula
def stepped_rotation(q: frame_rotation, w: frame_spin, dt: time_step) -> frame_rotation:
    "the unit quaternion along {q} + ({dt} / 2) W {q}, where W is the quaternion with the vector part {w} and the scalar part 0"
    return wp.normalize(q + (0.5 * dt) * (wp.quat(w, 0.0) * q))


@formula
def projected_point(p: posed_point, focal: frame_focal_length) -> image_point:
    "the image of {p} in a pinhole camera at the origin that looks along z, which is ({focal} x / d, {focal} y / d), where x, y and z are the components of {p} and d is z, but at least 0.1"
    d = wp.max(p[2], 0.1)
    return wp.vec2(focal * p[0] / d, focal * p[1] / d)


@formula(undoes="projected_point")
def unproject_point(p: image_point, z: image_depth, focal: frame_focal_length) -> unprojected_point:
    "the point at the depth {z} along z whose image in a pinhole camera with the focal length {focal} is {p}, which is ({z} p0 / {focal}, {z} p1 / {focal}, {z}) with the components p0 and p1 of {p}"
    return wp.vec3(z * p[0] / focal, z * p[1] / focal, z)


@formula
def cylinder_point(radius: cylinder_radius, theta: rotation_angle, z: cylinder_height) -> cartesian_point:
    "the point with the cylindrical coordinates {radius}, {theta} and {z}, which is ({radius} cos({theta}), {radius} sin({theta}), {z})"
    return wp.vec3(radius * wp.cos(theta), radius * wp.sin(theta), z)


@formula
def twist_in_frame(twist: screw_twist, xf: frame_pose) -> framed_twist:
    "{twist} seen from {xf}, with its angular part on top; with the translation p and the rotation R of {xf}, the top w and the bottom v of {twist} become the inverse of R applied to w, and to v + w x p"
    p = wp.transform_get_translation(xf)
    r = wp.transform_get_rotation(xf)
    w = wp.spatial_top(twist)
    v = wp.spatial_bottom(twist)
    return wp.spatial_vector(wp.quat_rotate_inv(r, w), wp.quat_rotate_inv(r, v + wp.cross(w, p)))


@formula
def moved_wrench(f: frame_wrench, p: reference_point) -> wrench_at_point:
    "{f} moved to an origin at {p}, with its torque on top, which is the torque minus {p} x force, and the force as it is"
    force = wp.spatial_bottom(f)
    return wp.spatial_vector(wp.spatial_top(f) - wp.cross(p, force), force)


@formula
def twist_about_point(twist: screw_twist, p: reference_point) -> moved_twist:
    "{twist} moved to an origin at {p}, with its angular part on top, which is the angular velocity as it is, and the velocity plus the angular velocity x {p}"
    w = wp.spatial_top(twist)
    return wp.spatial_vector(w, wp.spatial_bottom(twist) + wp.cross(w, p))


@formula
def wrench_power(f: frame_wrench, twist: screw_twist) -> frame_power:
    "the dot product of {f} and {twist}"
    return wp.dot(f, twist)


@algorithm(element="segment segments")
def poses_along_rail(points: rail_point["n+1"], up: up_vector, poses: out.rail_pose["n"]):
    "the pose at the beginning of each segment of a rail, from `{points}[i]` to `{points}[i + 1]`: its translation is `{points}[i]`, and its rotation that of the matrix with the columns f, s and f x s, where f is the unit vector along the segment and s the unit vector along {up} x f"
    i = thread()
    guard(i)
    p = points[i]
    f = wp.normalize(points[i + 1] - p)
    s = wp.normalize(wp.cross(up, f))
    poses[i] = wp.transform(p, wp.quat_from_matrix(wp.matrix_from_cols(f, s, wp.cross(f, s))))


@formula(alone=True, first=True)
def shaken_rotation(q: frame_rotation, sigma: rotation_spread, state: random_state) -> frame_rotation:
    "a random small rotation times {q}, where the small rotation is that about a random unit vector, which `wp.sample_unit_sphere_surface` draws, by {sigma} times a standard normal number, which is drawn after it"
    axis = wp.sample_unit_sphere_surface(state)
    angle = sigma * wp.randn(state)
    return wp.quat_from_axis_angle(axis, angle) * q


@algorithm(share=2)
def loads_on_joints(
    parents: element_to_other_or_none["the joint that carries each frame, or -1"], f: frame_force, x: frame_position,
    c: other.joint_place, loads: out_other.joint_load,
):
    "each frame loads the joint that carries it, its entry of {parents}: the spatial vector of the torque ({x} - {c} of the joint) x {f} and of {f} is added atomically to {loads} of the joint; frames with -1 do nothing"
    i = thread()
    guard(i)
    j = parents[i]
    if j < 0:
        return
    force = f[i]
    arm = x[i] - c[j]
    wp.atomic_add(loads, j, wp.spatial_vector(wp.cross(arm, force), force))
