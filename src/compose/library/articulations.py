# SPDX-License-Identifier: Apache-2.0
"""Articulated bodies: poses along chains of joints, twists, wrenches, Jacobians."""

field("articulated bodies", element="joint joints", other="body bodies", link="pair pairs",
      group="articulation articulations")

link_pose = quantity(transform, "1", "world pose", one="X_wb pose", many="link_poses X_world body_q")
joint_anchor = quantity(transform, "1", "parent-side anchor frame", one="X_pj", many="joint_X_p anchors parent_xforms")
joint_transform = quantity(transform, "1", "joint transform", one="X_j", many="joint_X X_joint")
child_anchor = quantity(transform, "1", "child-side anchor frame", one="X_cj", many="joint_X_c child_xforms")
hinge_axis = quantity(vec3, "1", "unit axis", one="axis", many="joint_axis axes", unit_length=True)
hinge_angle = quantity(float, "rad", "joint angle", one="q angle", many="joint_q angles", low=-1.5, high=1.5, means="range goal")
hinge_rate = quantity(float, "rad/s", "joint rate", one="qd rate", many="joint_qd rates", low=-2.0, high=2.0)
hinge_torque = quantity(float, "N m", "joint torque", one="tau", many="joint_tau torques", low=-2.0, high=2.0, means="adds range goal zero")
hinge_target = quantity(float, "rad", "target angle", one="target", many="targets joint_target", low=-1.0, high=1.0)
drive_stiffness = quantity(float, "N m/rad", "drive stiffness", one="ke", many="joint_target_ke ke", low=0.5, high=4.0)
drive_damping = quantity(float, "N m s/rad", "drive damping", one="kd", many="joint_target_kd kd", low=0.1, high=1.0)
link_twist = quantity(spatial_vector, "rad/s and m/s", "twist", one="twist v_s", many="twists body_qd")
motion_axis = quantity(spatial_vector, "1", "motion subspace", one="S", many="joint_S motion_axes")
com_twist = quantity(spatial_vector, "rad/s and m/s", "center-of-mass twist", one="twist v_c", many="com_twists body_qd")
link_wrench = quantity(spatial_vector, "N m and N", "wrench", one="wrench f_s", many="wrenches joint_wrenches", sums=True, means="adds")
link_acceleration = quantity(spatial_vector, "rad/s^2 and m/s^2", "spatial acceleration", one="a_s", many="accelerations_s spatial_acc")
link_inertia = quantity(mat33, "kg m^2", "rotational inertia", one="I", many="inertias link_I")
link_mass = quantity(float, "kg", "link mass", one="m", many="link_masses masses", low=0.5, high=3.0)
link_offset = quantity(vec3, "m", "center of mass", one="com", many="coms link_com")
tool_point = quantity(vec3, "m", "tool point", one="p tip", many="tips tool_points")
jacobian_column = quantity(vec3, "m/rad or 1", "Jacobian column", one="J", many="jacobian J")
task_error = quantity(vec3, "m", "tool error", one="err", many="errors")
kinetic_share = quantity(float, "J", "kinetic energy", one="ke_body", many="kinetic link_ke", sums=True, means="total zero")
mechanical_power = quantity(float, "W", "power", one="power", many="joint_power powers", sums=True, means="total zero")
field_gravity = quantity(vec3, "m/s^2", "gravitational acceleration", one="gravity g", uniform=True)
limit_ke = quantity(float, "N m/rad", "stiffness of the limits", one="limit_ke", low=0.5, high=4.0, uniform=True)
angle_low = quantity(float, "rad", "lower limit", one="lower", many="joint_limit_lower lowers", low=-1.0, high=-0.2)
angle_high = quantity(float, "rad", "upper limit", one="upper", many="joint_limit_upper uppers", low=0.2, high=1.0)
blend_share = quantity(float, "1", "blend factor", one="blend alpha", low=0.1, high=0.9, uniform=True)
transpose_gain = quantity(float, "rad/m^2", "gain of the Jacobian transpose", one="gain alpha", low=0.1, high=0.9, uniform=True)
slide_distance = quantity(float, "m", "joint displacement", one="q d", many="joint_q displacements", low=-1.0, high=1.0)
joint_coordinate = quantity(float, "rad or m", "joint coordinate", one="q", many="joint_q coordinates", low=-1.0, high=1.0)
joint_parent = quantity(int, "1", "parent body index (-1: none)", one="parent p", many="joint_parent parents")
joint_child = quantity(int, "1", "child body index", one="child body", many="joint_child children")
unit_rotation = quantity(quat, "1", "rotation", one="r rot", many="rotations body_rot")
target_rotation = quantity(quat, "1", "target rotation", one="goal r_target", many="target_rot goals")
chain_start = quantity(int, "1", "first joint of each chain, followed by the end of the last chain", one="start", many="chain_start articulation_start starts")
tip_of_joint = quantity(int, "1", "tip index", one="tip", many="tip_ids tip_of_joint")
joint_type_id = quantity(int, "1", "joint types", one="kind", many="joint_type types", low=0, high=2)


@function
def cross_motion(a: spatial_vector, b: spatial_vector):
    "the motion cross product of {a} and {b}: with w and v the top and the bottom of {a}, and r and s those of {b}, the spatial vector of w x r and v x r + w x s"
    w = wp.spatial_top(a)
    v = wp.spatial_bottom(a)
    r = wp.spatial_top(b)
    s = wp.spatial_bottom(b)
    return wp.spatial_vector(wp.cross(w, r), wp.cross(v, r) + wp.cross(w, s))


@function
def cross_force(a: spatial_vector, f: spatial_vector):
    "the force cross product of {a} and {f}: with w and v the top and the bottom of {a}, and t and g those of {f}, the spatial vector of w x t + v x g and w x g"
    w = wp.spatial_top(a)
    v = wp.spatial_bottom(a)
    t = wp.spatial_top(f)
    g = wp.spatial_bottom(f)
    return wp.spatial_vector(wp.cross(w, t) + wp.cross(v, g), wp.cross(w, g))


@formula
def hinge_transform(axis: hinge_axis, q: hinge_angle) -> joint_transform:
    "the transform without translation that rotates by {q} about {axis}"
    return wp.transform(wp.vec3(0.0, 0.0, 0.0), wp.quat_from_axis_angle(axis, q))


@formula
def slider_transform(axis: hinge_axis, q: slide_distance) -> joint_transform:
    "the transform without rotation that moves by {q} along {axis}"
    return wp.transform(axis * q, wp.quat_identity())


@formula
def child_pose(X_wp: other.link_pose, X_pj: joint_anchor, X_j: joint_transform) -> link_pose:
    "the product of {X_wp}, {X_pj} and {X_j}"
    return X_wp * X_pj * X_j


@formula
def relative_joint_pose(X_wp: other.link_pose, X_wc: link_pose) -> joint_transform:
    "the inverse of {X_wp} times {X_wc}"
    return wp.transform_inverse(X_wp) * X_wc


@formula
def hinge_subspace(X: link_pose, axis: hinge_axis) -> motion_axis:
    "the spatial vector of a hinge through the origin of {X}: its top is w, {axis} rotated by {X}, its bottom the cross product of the translation of {X} and w"
    w = wp.transform_vector(X, axis)
    return wp.spatial_vector(w, wp.cross(wp.transform_get_translation(X), w))


@formula
def twist_of_joint(S: motion_axis, qd: hinge_rate, v: other.link_twist) -> link_twist:
    "{v} plus {qd} times {S}"
    return v + S * qd


@formula
def velocity_product(v: link_twist, S: motion_axis, qd: hinge_rate) -> link_acceleration:
    "the velocity product of the joint, the motion cross product of {v} and {qd} {S}"
    return cross_motion(v, S * qd)


@formula
def inertial_wrench(a: link_acceleration, I: link_inertia, m: link_mass) -> link_wrench:
    "the spatial vector of {I} times the top of {a}, and {m} times its bottom"
    return wp.spatial_vector(I * wp.spatial_top(a), m * wp.spatial_bottom(a))


@formula
def gyroscopic_wrench(v: com_twist, I: link_inertia, m: link_mass) -> link_wrench:
    "the force cross product of {v} and its momentum, the spatial vector of {I} times the top of {v} and {m} times its bottom"
    momentum = wp.spatial_vector(I * wp.spatial_top(v), m * wp.spatial_bottom(v))
    return cross_force(v, momentum)


@formula
def gravity_wrench(X: link_pose, com: link_offset, m: link_mass, g: field_gravity) -> link_wrench:
    "the spatial vector with the top p x f and the bottom f of the weight f = {m} {g} at p, the point {com} moved by {X}"
    f = m * g
    p = wp.transform_point(X, com)
    return wp.spatial_vector(wp.cross(p, f), f)


@formula
def torque_of_wrench(S: motion_axis, f: link_wrench) -> hinge_torque:
    "the dot product of {S} and {f}"
    return wp.dot(S, f)


@formula
def servo_torque(
    q: hinge_angle, qd: hinge_rate, target: hinge_target, ke: drive_stiffness, kd: drive_damping,
) -> hinge_torque:
    "{ke} ({target} - {q}) - {kd} {qd}"
    return ke * (target - q) - kd * qd


@formula
def limit_torque(q: hinge_angle, lo: angle_low, hi: angle_high, ke: limit_ke) -> hinge_torque:
    "{ke} ({lo} - {q}) if {q} is below {lo}, {ke} ({hi} - {q}) if it is above {hi}, else zero"
    if q < lo:
        return ke * (lo - q)
    if q > hi:
        return ke * (hi - q)
    return 0.0


@formula
def power_of_joint(tau: hinge_torque, qd: hinge_rate) -> mechanical_power:
    "{tau} times {qd}"
    return tau * qd


@formula
def energy_of_twist(v: com_twist, I: link_inertia, m: link_mass) -> kinetic_share:
    "(w . ({I} w) + {m} u . u) / 2, where w, the angular velocity, is the top and u, the velocity of the center of mass, the bottom of {v}"
    w = wp.spatial_top(v)
    u = wp.spatial_bottom(v)
    return 0.5 * (wp.dot(w, I * w) + m * wp.dot(u, u))


@formula
def column_of_hinge(X: link_pose, axis: hinge_axis, p: tool_point) -> jacobian_column:
    "the cross product of {axis} rotated by {X} and the vector from the translation of {X} to {p}"
    w = wp.transform_vector(X, axis)
    return wp.cross(w, p - wp.transform_get_translation(X))


@formula
def transposed_step(J: jacobian_column, e: task_error, q: hinge_angle, gain: transpose_gain) -> hinge_angle:
    "a step of the Jacobian transpose method, {q} + {gain} ({J} . {e})"
    return q + gain * wp.dot(J, e)


@formula
def blended_rotation(r: unit_rotation, goal: target_rotation, blend: blend_share) -> unit_rotation:
    "the spherical interpolation from {r} to {goal} at {blend}"
    return wp.quat_slerp(r, goal, blend)


@algorithm(share=2)
def forward_kinematics(
    parents: joint_parent["-1:o"], X_pj: joint_anchor, X_cj: child_anchor, axis: hinge_axis,
    q: joint_coordinate, poses: other.link_pose, kind: joint_type_id["n", "0:3"], X_out: out.link_pose["n"],
):
    "the world pose of the child body of each joint: that of its parent body, the entry of {poses} that {parents} names (the identity if that is -1), times {X_pj}, times the transform of the joint, times the inverse of {X_cj}; {kind} 0 is a hinge, which rotates by {q} about {axis}, 1 a slider, which moves by {q} along {axis}, and 2 is fixed"
    i = thread()
    guard(i)
    p = parents[i]
    X = X_pj[i]
    if p >= 0:
        X = poses[p] * X
    if kind[i] == 0:
        X = X * wp.transform(wp.vec3(0.0, 0.0, 0.0), wp.quat_from_axis_angle(axis[i], q[i]))
    elif kind[i] == 1:
        X = X * wp.transform(axis[i] * q[i], wp.quat_identity())
    X_out[i] = X * wp.transform_inverse(X_cj[i])


@algorithm(dims=1)
def chain_poses(
    start: chain_start["n+1", "rising:2"], X_pj: joint_anchor["2*n+2"],
    axis: hinge_axis["2*n+2"], q: hinge_angle["2*n+2"], tip: out.link_pose["n"],
):
    "the pose of the last link of each articulation a: from the identity on, the pose is multiplied from the right by {X_pj} and then by the transform that rotates by {q} about {axis}, for one joint after the other of its chain, those from `{start}[a]` up to, but not including, `{start}[a + 1]`"
    a = thread()
    X = wp.transform_identity()
    for j in range(start[a], start[a + 1]):
        turn = wp.transform(wp.vec3(0.0, 0.0, 0.0), wp.quat_from_axis_angle(axis[j], q[j]))
        X = X * X_pj[j] * turn
    tip[a] = X


@algorithm(share=2)
def velocities_of_bodies(
    parents: joint_parent["-1:o"], S: motion_axis, qd: hinge_rate, v: other.link_twist,
    v_out: out.link_twist["n"], c_out: out.link_acceleration["n"],
):
    "the twists of the child bodies: {v_out} of each joint is {qd} {S}, plus the twist {v} of its parent body, which {parents} names, if that is not -1, and {c_out} is the motion cross product of {v_out} and {qd} {S}"
    i = thread()
    guard(i)
    own = S[i] * qd[i]
    p = parents[i]
    total = own
    if p >= 0:
        total = v[p] + own
    v_out[i] = total
    c_out[i] = cross_motion(total, own)


@algorithm(share=2)
def torques_of_joints(
    bodies: joint_child["0:o"], S: motion_axis, f: other.link_wrench, q: hinge_angle,
    lo: angle_low, hi: angle_high, ke: limit_ke, tau: out.hinge_torque,
):
    "the torque of each joint: minus the dot product of {S} and the wrench {f} of the body {bodies} that it moves, plus {ke} ({lo} - {q}) if {q} is below {lo}, or {ke} ({hi} - {q}) if it is above {hi}"
    i = thread()
    guard(i)
    body = bodies[i]
    t = -wp.dot(S[i], f[body])
    angle = q[i]
    lower = lo[i]
    upper = hi[i]
    if angle < lower:
        t += ke * (lower - angle)
    elif angle > upper:
        t += ke * (upper - angle)
    tau[i] = t


@algorithm
def wrenches_to_parents(
    bodies: joint_child["0:o"], parents: joint_parent["-1:o"], f: link_wrench,
    out_f: out_other.link_wrench,
):
    "each joint adds {f} atomically to the entry of {out_f} of the body {bodies} that it moves, and subtracts it atomically from that of its parent body {parents}, if that is not -1"
    i = thread()
    guard(i)
    wp.atomic_add(out_f, bodies[i], f[i])
    p = parents[i]
    if p >= 0:
        wp.atomic_sub(out_f, p, f[i])


@algorithm
def jacobian_of_tip(
    bodies: joint_child["0:o"], X: other.link_pose, axis: hinge_axis, tip: tool_point["g"],
    chain: tip_of_joint["n", "0:g"], kind: joint_type_id["n", "0:3"], J: out.jacobian_column["n"],
):
    "the Jacobian column of each joint for the tip that it moves, the entry of {tip} which {chain} names: with a the joint's {axis} rotated by the pose {X} of its body, which {bodies} names, it is the cross product of a and the vector from the body's origin to the tip if {kind} is 0, a hinge, a itself if it is 1, a slider, and zero if it is 2"
    i = thread()
    guard(i)
    pose = X[bodies[i]]
    a = wp.transform_vector(pose, axis[i])
    if kind[i] == 0:
        J[i] = wp.cross(a, tip[chain[i]] - wp.transform_get_translation(pose))
    elif kind[i] == 1:
        J[i] = a
    else:
        J[i] = wp.vec3(0.0, 0.0, 0.0)
