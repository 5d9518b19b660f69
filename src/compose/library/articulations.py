# SPDX-License-Identifier: Apache-2.0
"""Articulated bodies: poses along chains of links, twists, wrenches, Jacobians. Each link has one
joint, to its parent body. Twists and wrenches have their angular parts on top; they are in the
world's frame and about its origin, unless they are called those of the center of mass."""

field("articulated bodies", element="link links", other="body bodies", link="pair pairs",
      group="articulation articulations", partner="parent body", state=True, share=1)

link_pose = quantity(transform, "1", "world pose", one="X_wl pose", many="X_wl link_X_w poses link_q")
kinematic_pose = quantity(transform, "1", "world pose", one="X_wl", many="X_wl link_X_w poses link_q")
pose_of_body = quantity(transform, "1", "world pose", one="X_wp", many="body_q X_wb body_poses")
tip_pose = quantity(transform, "1", "world pose of the last link", one="X pose", many="tip_poses end_poses")
joint_anchor = quantity(transform, "1", "parent-side anchor frame", one="X_pj", many="joint_X_p anchors parent_xforms")
measured_transform = quantity(transform, "1", "measured joint transform", one="X_m", many="measured_X X_measured")
joint_transform = quantity(transform, "1", "joint transform", one="X_j", many="joint_X X_joint")
child_anchor = quantity(transform, "1", "child-side anchor frame", one="X_cj", many="joint_X_c child_xforms")
typed_axis = quantity(vec3, "1", "joint axis", one="axis", many="joint_axis axes", unit_length=True)
hinge_axis = quantity(vec3, "1", "joint axis", one="axis", many="joint_axis axes", unit_length=True)
slide_axis = quantity(vec3, "1", "sliding axis", one="axis", many="joint_axis slide_axes", unit_length=True, not_with="hinge_axis")
hinge_angle = quantity(float, "rad", "joint angle", one="q angle", many="joint_q angles", low=-1.5, high=1.5, means="range goal")
hinge_acceleration = quantity(float, "rad/s^2", "joint acceleration", one="qdd", many="joint_qdd joint_accelerations", low=-2.0, high=2.0)
hinge_rate = quantity(float, "rad/s", "joint rate", one="qd rate", many="joint_qd rates", low=-2.0, high=2.0)
hinge_torque = quantity(float, "N m", "joint torque", one="tau", many="joint_tau torques", low=-2.0, high=2.0, means="adds range goal zero")
hinge_target = quantity(float, "rad", "target angle", one="target", many="targets joint_target", low=-1.0, high=1.0)
drive_stiffness = quantity(float, "N m/rad", "drive stiffness", one="ke", many="joint_target_ke ke", low=0.5, high=4.0)
drive_damping = quantity(float, "N m s/rad", "drive damping", one="kd", many="joint_target_kd kd", low=0.1, high=1.0)
link_twist = quantity(spatial_vector, "rad/s and m/s", "twist", one="twist v_s", many="twists v_s link_twists")
twist_of_body = quantity(spatial_vector, "rad/s and m/s", "twist", one="v_p", many="body_twists body_v")
motion_axis = quantity(spatial_vector, "1", "motion subspace", one="S", many="joint_S motion_subspaces")
com_twist = quantity(spatial_vector, "rad/s and m/s", "center-of-mass twist", one="twist v_c", many="com_twists v_com")
link_wrench = quantity(spatial_vector, "N m and N", "wrench", one="wrench f_s", many="wrenches f_s link_f", sums=True, means="adds")
com_wrench = quantity(spatial_vector, "N m and N", "center-of-mass wrench", one="f_com", many="com_wrenches com_f", sums=True, means="adds")
link_acceleration = quantity(spatial_vector, "rad/s^2 and m/s^2", "spatial acceleration", one="a_s", many="a_s accelerations link_a")
acceleration_of_body = quantity(spatial_vector, "rad/s^2 and m/s^2", "spatial acceleration", one="a_p", many="body_a body_accelerations")
bias_acceleration = quantity(spatial_vector, "rad/s^2 and m/s^2", "velocity-product acceleration", one="a_bias", many="bias_a bias_accelerations")
net_wrench = quantity(spatial_vector, "N m and N", "net wrench", one="net", many="net_wrenches f_net")
tip_force = quantity(vec3, "N", "force on the tip", one="f", many="tip_forces tip_f")
reset_flag = quantity(int, "1", "reset flag", one="reset", many="resets done", low=0, high=1)
default_angle = quantity(float, "rad", "default angle", one="q0", many="default_q joint_q0", low=-1.0, high=1.0)
angle_noise = quantity(float, "rad", "largest noise", one="noise", low=0.05, high=0.5, uniform=True)
subtree_mass = quantity(float, "kg", "subtree mass", one="total", many="subtree_masses tree_mass")
subtree_moment = quantity(vec3, "kg m", "subtree mass moment", one="moment", many="subtree_moments tree_moments")
com_acceleration = quantity(spatial_vector, "rad/s^2 and m/s^2", "spatial acceleration at the center of mass", one="a_c", many="com_a com_accelerations")
link_inertia = quantity(mat33, "kg m^2", "world-frame rotational inertia", one="I", many="inertias I_world link_I")
link_mass = quantity(float, "kg", "mass", one="m", many="mass masses link_mass", low=0.5, high=3.0)
link_offset = quantity(vec3, "m", "local center of mass", one="com", many="com coms link_com")
chain_tip = quantity(vec3, "m", "tip", one="tip", many="tips tip_points")
link_parent = quantity(int, "1", "parent link index (-1: none)", one="parent", many="parents parent_ids link_parent")
tip_or_none = quantity(int, "1", "tip index (-1: none)", one="k", many="tip_ids tip_of_link")
tool_point = quantity(vec3, "m", "tool point", one="p tip", many="tips tool_points")
jacobian_column = quantity(vec3, "m/rad", "Jacobian column", one="J", many="jacobian J")
column_of_joint = quantity(vec3, "m/rad or 1", "Jacobian column", one="J", many="jacobian J")
slide_direction = quantity(vec3, "1", "sliding direction", one="a", many="slide_directions", unit_length=True)
task_error = quantity(vec3, "m", "tool error", one="err", many="errors")
kinetic_share = quantity(float, "J", "kinetic energy", one="energy", many="kinetic_energies energies", sums=True, means="total zero")
mechanical_power = quantity(float, "W", "joint power", one="power", many="joint_power powers", sums=True, means="total zero")
field_gravity = quantity(vec3, "m/s^2", "gravitational acceleration", one="gravity g", uniform=True)
limit_ke = quantity(float, "N m/rad", "stiffness of the limits", one="limit_ke", low=0.5, high=4.0, uniform=True)
angle_low = quantity(float, "rad", "lower limit", one="lower", many="joint_limit_lower lowers", low=-1.0, high=-0.2)
angle_high = quantity(float, "rad", "upper limit", one="upper", many="joint_limit_upper uppers", low=0.2, high=1.0)
blend_share = quantity(float, "1", "blend factor", one="blend alpha", low=0.1, high=0.9, uniform=True)
transpose_gain = quantity(float, "rad/m^2", "gain of the Jacobian transpose", one="gain alpha", low=0.1, high=0.9, uniform=True)
slide_distance = quantity(float, "m", "joint displacement", one="q d", many="joint_q displacements", low=-1.0, high=1.0)
joint_coordinate = quantity(float, "rad or m", "joint coordinate", one="q", many="joint_q coordinates", low=-1.0, high=1.0)
joint_parent = quantity(int, "1", "parent body index (-1: the world)", one="parent p", many="joint_parent parents")
joint_child = quantity(int, "1", "child body index", one="child body", many="joint_child children")
unit_rotation = quantity(quat, "1", "rotation", one="r rot", many="rotations body_rot")
target_rotation = quantity(quat, "1", "target rotation", one="goal r_target", many="target_rot goals")
chain_start = quantity(int, "1", "first link of each chain, followed by the end of the last chain", one="start", many="articulation_start chain_start starts")
tip_of_joint = quantity(int, "1", "tip index", one="tip", many="tip_ids tip_of_link")
joint_type_id = quantity(int, "1", "joint type", one="kind", many="joint_type types", low=0, high=2)


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


@formula(alone=True)
def hinge_transform(axis: hinge_axis, q: hinge_angle) -> joint_transform:
    "the transform without translation that rotates by {q} about {axis}"
    return wp.transform(wp.vec3(0.0, 0.0, 0.0), wp.quat_from_axis_angle(axis, q))


@formula(alone=True)
def slider_transform(axis: slide_axis, q: slide_distance) -> joint_transform:
    "the transform without rotation that moves by {q} along {axis}"
    return wp.transform(axis * q, wp.quat_identity())


@formula
def child_pose(X_wp: other.pose_of_body, X_pj: joint_anchor, X_j: joint_transform) -> link_pose:
    "{X_wp}, the pose of the parent body, times {X_pj} times {X_j}"
    return X_wp * X_pj * X_j


@formula(undoes="child_pose")
def joint_transform_of(X_wp: other.pose_of_body, X_pj: joint_anchor, X_wl: link_pose) -> measured_transform:
    "the inverse of ({X_wp}, the pose of the parent body, times {X_pj}), times {X_wl}"
    return wp.transform_inverse(X_wp * X_pj) * X_wl


@formula(undoes="hinge_transform", alone=True)
def measured_hinge_angle(X_m: measured_transform, axis: hinge_axis) -> hinge_angle:
    "the angle by which {X_m} turns about {axis}, from -pi to pi, which is twice the atan2 of v . {axis} and w, where v is the vector part and w the scalar part of the rotation of {X_m}, both with the opposite sign if w is negative"
    r = wp.transform_get_rotation(X_m)
    s = wp.sign(r[3])
    return 2.0 * wp.atan2(s * wp.dot(wp.vec3(r[0], r[1], r[2]), axis), s * r[3])


@formula(alone=True)
def hinge_subspace(X: link_pose, axis: hinge_axis) -> motion_axis:
    "the spatial vector of a hinge through the origin of {X}, with w at its top, which is {axis} rotated by {X}, and the cross product of the translation of {X} and w at its bottom"
    w = wp.transform_vector(X, axis)
    return wp.spatial_vector(w, wp.cross(wp.transform_get_translation(X), w))


@formula
def twist_of_link(S: motion_axis, qd: hinge_rate, v_p: other.twist_of_body) -> link_twist:
    "{v_p}, the twist of the parent body, plus {qd} times {S}"
    return v_p + S * qd


@formula(alone=True)
def velocity_product(v: link_twist, S: motion_axis, qd: hinge_rate) -> bias_acceleration:
    "the motion cross product of {v} and {qd} times {S}"
    return cross_motion(v, S * qd)


@formula
def acceleration_of_link(a_p: other.acceleration_of_body, S: motion_axis, qdd: hinge_acceleration, c: bias_acceleration) -> link_acceleration:
    "{a_p}, the acceleration of the parent body, plus {qdd} times {S}, plus {c}"
    return a_p + S * qdd + c


@formula
def inertial_wrench(a: com_acceleration, I: link_inertia, m: link_mass) -> com_wrench:
    "the spatial vector of {I} times the top of {a}, and {m} times its bottom"
    return wp.spatial_vector(I * wp.spatial_top(a), m * wp.spatial_bottom(a))


@formula(alone=True)
def gyroscopic_wrench(v: com_twist, I: link_inertia, m: link_mass) -> com_wrench:
    "the force cross product of {v} and its momentum, the spatial vector of {I} times the top of {v} and {m} times its bottom"
    momentum = wp.spatial_vector(I * wp.spatial_top(v), m * wp.spatial_bottom(v))
    return cross_force(v, momentum)


@formula
def wrench_at_origin(f_c: com_wrench, X: link_pose, com: link_offset) -> link_wrench:
    "{f_c} moved from the center of mass to the world's origin, which adds p x f to its top, where p is the point {com} moved by {X}, and f the bottom of {f_c}"
    f = wp.spatial_bottom(f_c)
    p = wp.transform_point(X, com)
    return wp.spatial_vector(wp.spatial_top(f_c) + wp.cross(p, f), f)


@formula
def gravity_wrench(X: link_pose, com: link_offset, m: link_mass, g: field_gravity) -> link_wrench:
    "the spatial vector of p x f and f, where f = {m} {g} is the weight and p the point {com} moved by {X}, so that it is about the world's origin"
    f = m * g
    p = wp.transform_point(X, com)
    return wp.spatial_vector(wp.cross(p, f), f)


@formula(alone=True)
def wrench_torque(S: motion_axis, f: link_wrench) -> hinge_torque:
    "the dot product of {S} and {f}"
    return wp.dot(S, f)


@formula(alone=True)
def servo_torque(
    q: hinge_angle, qd: hinge_rate, target: hinge_target, ke: drive_stiffness, kd: drive_damping,
) -> hinge_torque:
    "{ke} ({target} - {q}) - {kd} {qd}"
    return ke * (target - q) - kd * qd


@formula(alone=True)
def limit_torque(q: hinge_angle, lo: angle_low, hi: angle_high, ke: limit_ke) -> hinge_torque:
    "{ke} ({lo} - {q}) if {q} is below {lo}, {ke} ({hi} - {q}) if it is above {hi}, else zero"
    if q < lo:
        return ke * (lo - q)
    if q > hi:
        return ke * (hi - q)
    return 0.0


@formula(alone=True)
def joint_power(tau: hinge_torque, qd: hinge_rate) -> mechanical_power:
    "{tau} times {qd}"
    return tau * qd


@formula
def energy_of_twist(v: com_twist, I: link_inertia, m: link_mass) -> kinetic_share:
    "(w . ({I} w) + {m} u . u) / 2, where w, the angular velocity, is the top and u, the velocity of the center of mass, the bottom of {v}"
    w = wp.spatial_top(v)
    u = wp.spatial_bottom(v)
    return 0.5 * (wp.dot(w, I * w) + m * wp.dot(u, u))


@formula(alone=True)
def hinge_column(X: link_pose, axis: hinge_axis, p: tool_point) -> jacobian_column:
    "the cross product of {axis} rotated by {X} and the vector from the translation of {X} to {p}"
    w = wp.transform_vector(X, axis)
    return wp.cross(w, p - wp.transform_get_translation(X))


@formula(alone=True)
def slider_direction(X: link_pose, axis: slide_axis) -> slide_direction:
    "{axis} rotated by {X}"
    return wp.transform_vector(X, axis)


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
    parents: joint_parent["-1:o"], X_pj: joint_anchor, X_cj: child_anchor, axis: typed_axis,
    q: joint_coordinate, poses: other.pose_of_body, kind: joint_type_id["0:3"], X_out: out.kinematic_pose,
):
    "the world pose of each link: the pose of its parent body, the entry of {poses} that {parents} names (the identity if that is -1), times {X_pj}, times the transform of its joint, times the inverse of {X_cj}; where {kind} is 0 the joint is a hinge, which rotates by {q} about {axis}; where it is 1 a slider, which moves by {q} along {axis}; and where it is 2 it is fixed"
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


@algorithm(element="articulation articulations", dims=1)
def chain_poses(
    start: chain_start["n+1", "rising:5"], X_pj: joint_anchor["5*n+5"],
    axis: hinge_axis["5*n+5"], q: hinge_angle["5*n+5"], tip: out.tip_pose["n"],
):
    "the pose of the last link of each articulation a, a chain of at most four links: from the identity on, the pose is multiplied from the right by {X_pj} and then by the transform that rotates by {q} about {axis}, for one link after the other of its chain, those from `{start}[a]` up to, but not including, `{start}[a + 1]`; links beyond the fourth do not count"
    a = thread()
    begin = start[a]
    end = start[a + 1]
    X = wp.transform_identity()
    for step in range(4):
        j = begin + step
        if j < end:
            turn = wp.transform(wp.vec3(0.0, 0.0, 0.0), wp.quat_from_axis_angle(axis[j], q[j]))
            X = X * X_pj[j] * turn
    tip[a] = X


@algorithm(share=2)
def velocities_of_links(
    parents: joint_parent["-1:o"], S: motion_axis, qd: hinge_rate, v_p: other.twist_of_body,
    v_out: out.link_twist, c_out: out.bias_acceleration,
):
    "carries velocities from bodies to links: {v_out} of each link is {qd} times {S}, plus the twist of its parent body, the entry of {v_p} that {parents} names, if that is not -1; {c_out} is the motion cross product of {v_out} and {qd} times {S}"
    i = thread()
    guard(i)
    own = S[i] * qd[i]
    p = parents[i]
    total = own
    if p >= 0:
        total = v_p[p] + own
    v_out[i] = total
    c_out[i] = cross_motion(total, own)


@algorithm(share=2)
def limited_joint_torques(
    S: motion_axis, f: link_wrench, q: hinge_angle, lo: angle_low, hi: angle_high, ke: limit_ke,
    tau: out.hinge_torque,
):
    "the torque of the joint of each link: minus the dot product of {S} and {f}, plus {ke} ({lo} - {q}) if {q} is below {lo}, or {ke} ({hi} - {q}) if it is above {hi}"
    i = thread()
    guard(i)
    t = -wp.dot(S[i], f[i])
    angle = q[i]
    lower = lo[i]
    upper = hi[i]
    if angle < lower:
        t += ke * (lower - angle)
    elif angle > upper:
        t += ke * (upper - angle)
    tau[i] = t


@algorithm
def joint_wrenches_to_links(
    parents: link_parent["-1:n"], f: link_wrench, net: out.net_wrench,
):
    "adds {f}, by which the joint of each link acts on the link, atomically to {net} of the link, and subtracts it atomically from {net} of its parent link, which {parents} names, if that is not -1"
    i = thread()
    guard(i)
    wrench = f[i]
    wp.atomic_add(net, i, wrench)
    p = parents[i]
    if p >= 0:
        wp.atomic_sub(net, p, wrench)


@algorithm
def jacobian_of_tip(
    X: link_pose, axis: typed_axis, tip: chain_tip["g"], chain: tip_of_joint["0:g"],
    kind: joint_type_id["0:3"], J: out.column_of_joint,
):
    "the Jacobian column of the joint of each link, for the tip that it moves, which is the entry of {tip} that {chain} names. With a = {axis} rotated by {X}, it is the cross product of a and the vector from the translation of {X} to the tip where {kind} is 0 (a hinge), a itself where {kind} is 1 (a slider), and zero where it is 2"
    i = thread()
    guard(i)
    pose = X[i]
    a = wp.transform_vector(pose, axis[i])
    if kind[i] == 0:
        J[i] = wp.cross(a, tip[chain[i]] - wp.transform_get_translation(pose))
    elif kind[i] == 1:
        J[i] = a
    else:
        J[i] = wp.vec3(0.0, 0.0, 0.0)


@algorithm
def joint_torques_from_tips(
    J: jacobian_column, f: tip_force["g"], tip: tip_or_none["-1:g"], tau: out.hinge_torque,
):
    "the torque of the joint of each link that balances the force on its tip: minus the dot product of {J} and the entry of {f} that {tip} names, or zero if that is -1"
    i = thread()
    guard(i)
    k = tip[i]
    if k < 0:
        tau[i] = 0.0
        return
    tau[i] = -wp.dot(J[i], f[k])


@algorithm(share=2)
def reset_joints(done: reset_flag, q: hinge_angle, qd: hinge_rate, q0: default_angle, lo: angle_low, hi: angle_high, noise: angle_noise, seed: thermostat_seed, q_out: out.hinge_angle, qd_out: out.hinge_rate):
    "resets joints: where {done} is not 0 the new angle is {q0} plus {noise} times a random number from -1 to 1, drawn by `wp.randf` with these bounds, clamped to the range from {lo} to {hi}, and the new rate is 0. Elsewhere the angle stays {q} and the rate stays {qd}"
    i = thread()
    guard(i)
    if done[i] == 0:
        q_out[i] = q[i]
        qd_out[i] = qd[i]
        return
    state = wp.rand_init(seed, i)
    angle = q0[i] + noise * wp.randf(state, -1.0, 1.0)
    q_out[i] = wp.clamp(angle, lo[i], hi[i])
    qd_out[i] = 0.0


@algorithm(share=2)
def subtree_masses(parents: link_parent["-1:n"], X: link_pose, com: link_offset, m: link_mass, total: out.subtree_mass, moment: out.subtree_moment):
    "sums masses over subtrees: each link adds {m}, and {m} times the point {com} moved by {X}, atomically to {total} and to {moment} of itself and of its parent, its parent's parent and so on, over at most four ancestors; {parents} is -1 at the root"
    i = thread()
    guard(i)
    mass = m[i]
    weighted = mass * wp.transform_point(X[i], com[i])
    wp.atomic_add(total, i, mass)
    wp.atomic_add(moment, i, weighted)
    p = parents[i]
    for ancestor in range(4):
        if p >= 0:
            wp.atomic_add(total, p, mass)
            wp.atomic_add(moment, p, weighted)
            p = parents[p]
