# SPDX-License-Identifier: Apache-2.0
"""Motion of rigid bodies: inertia, rotations, joints."""

field("rigid bodies", element="body bodies", other="body bodies", link="joint joints",
      group="articulation articulations", state=True, share=9)

body_pose = quantity(transform, "1", "pose", one="X_wb pose tf X", many="body_q poses body_poses transforms")
local_pose = quantity(transform, "1", "parent-relative pose", one="X_pc local", many="local_poses poses_in_parent")
tree_parent = quantity(int, "1", "parent body index (-1: none)", one="parent", many="parent body_parent parents", low=-1, high=3)
body_twist = quantity(spatial_vector, "rad/s and m/s", "twist", one="qd twist vel", many="body_qd twists body_vel")
body_wrench = quantity(spatial_vector, "N m and N", "wrench", one="wrench f_s", many="body_f wrenches body_wrench", sums=True, means="adds")
orientation = quantity(quat, "1", "orientation", one="q rot orientation", many="rot rotations orientations q")
angular_velocity = quantity(vec3, "rad/s", "angular velocity", one="omega w ang_vel", many="omegas angular_velocities ang_vel", means="length cap goal")
angular_acceleration = quantity(vec3, "rad/s^2", "angular acceleration", one="alpha ang_acc", many="angular_accelerations ang_acc alphas", means="length")
body_angular_momentum = quantity(vec3, "kg m^2/s", "angular momentum", one="L ang_mom", many="angular_momenta L", sums=True, means="length")
rotational_energy = quantity(float, "J", "rotational energy", one="energy e_rot", many="rotational_energies spin_energies", sums=True, means="total zero")
torque = quantity(vec3, "N m", "torque", one="tau torque t", many="tau torques body_t", sums=True, means="adds length")
inertia_tensor = quantity(mat33, "kg m^2", "body-frame inertia tensor", one="I inertia", many="body_inertia inertias I")
world_inertia_tensor = quantity(mat33, "kg m^2", "world-frame inertia tensor", one="I_w inertia", many="world_inertias inertias_w")
lever_arm = quantity(vec3, "m", "lever arm", one="r arm", many="lever_arms arms")
inverse_inertia = quantity(mat33, "1/(kg m^2)", "body-frame inverse inertia tensor", one="inv_I inv_inertia", many="body_inv_inertia inv_inertias")
world_inverse_inertia = quantity(mat33, "1/(kg m^2)", "world-frame inverse inertia tensor", one="inv_I inv_inertia", many="world_inv_inertias inv_inertias_w")
center_of_mass = quantity(vec3, "m", "local center of mass", one="com c", many="body_com coms centers")
body_point = quantity(vec3, "m", "local point", one="p r local", many="local_points points_local body_points")
world_point = quantity(vec3, "m", "world point", one="p x point", many="points world_points points_world", means="goal")
point_velocity = quantity(vec3, "m/s", "point velocity", one="v vel v_p", many="point_velocities point_vel", means="length")
half_extents = quantity(vec3, "m", "half extents", one="he half size", many="half_extents box_sizes sizes", low=0.25, high=1.0)
joint_axis = quantity(vec3, "1", "unit axis", one="axis", many="joint_axis axes joint_axes", unit_length=True)
joint_angle = quantity(float, "rad", "joint angle", one="angle theta q", many="joint_q angles joint_angles")
joint_target = quantity(float, "rad", "target angle", one="target", many="joint_target targets target_angles")
joint_ke = quantity(float, "N m/rad", "joint stiffness", one="ke k", many="joint_target_ke joint_ke", low=1.0, high=8.0)
joint_kd = quantity(float, "N m s/rad", "joint damping", one="kd", many="joint_target_kd joint_kd dampings", low=0.1, high=1.0)
child_body_pose = quantity(transform, "1", "child-body pose", one="X_wc", many="child_poses child_body_q")
joint_frame_parent = quantity(transform, "1", "parent-side joint frame", one="X_pj", many="joint_X_p parent_frames")
joint_frame_child = quantity(transform, "1", "child-side joint frame", one="X_cj", many="joint_X_c child_frames")
tree_depth = quantity(int, "1", "tree depth", one="depth", many="depth depths levels", low=0, high=7)
body_mass_moment = quantity(vec3, "kg m", "mass moment", one="moment", many="mass_moments moments", sums=True, means="total length")
thruster_body = quantity(int, "1", "body index (-1: none)", one="body", many="thruster_body body_ids")
thruster_point = quantity(vec3, "m", "local position", one="p", many="thruster_points thruster_pos")
thruster_axis = quantity(vec3, "1", "local direction", one="axis", many="thruster_axes thruster_dirs", unit_length=True)
thruster_force = quantity(float, "N", "largest thrust", one="max_thrust", many="max_thrusts thrust_limits", low=0.5, high=4.0)
throttle = quantity(float, "1", "throttle", one="u", many="throttles controls", low=-1.0, high=2.0)
body_push_chance = quantity(float, "1", "chance of a push", one="push_chance chance", low=0.2, high=0.8, uniform=True)
body_push_speed = quantity(float, "m/s", "largest speed of a push", one="push_speed", low=0.1, high=1.0, uniform=True)
gyro_bias = quantity(vec3, "rad/s", "gyroscope bias", one="bias", many="biases gyro_bias")
gyro_noise = quantity(float, "rad/s", "gyroscope noise", one="noise sigma", low=0.01, high=0.2, uniform=True)
gyro_reading = quantity(vec3, "rad/s", "gyroscope reading", one="reading", many="readings gyro_readings", means="length")
angular_damping = quantity(float, "1/s", "angular damping", one="angular_damping ang_damping", low=0.1, high=1.0, uniform=True)


@formula
def to_world(X: body_pose, p: body_point) -> world_point:
    "the point {p} moved by the rotation and then the translation of {X}"
    return wp.transform_point(X, p)


@formula(undoes="to_world", alone=True)
def to_body(X: body_pose, p: world_point) -> body_point:
    "the point {p} moved by the inverse of the transform {X}"
    return wp.transform_point(wp.transform_inverse(X), p)


@formula
def velocity_at_point(qd: body_twist, r: lever_arm) -> point_velocity:
    "the linear velocity, which is the bottom of {qd}, plus the cross product of the angular velocity, which is the top of {qd}, and {r}"
    omega = wp.spatial_top(qd)
    return wp.spatial_bottom(qd) + wp.cross(omega, r)


@formula(alone=True)
def wrench_of_force(f: force, r: lever_arm) -> body_wrench:
    "the spatial vector whose top is the cross product of {r} and {f} and whose bottom is {f}"
    return wp.spatial_vector(wp.cross(r, f), f)


@formula(alone=True)
def lever_arm_of(x: world_point, X: body_pose, com: center_of_mass) -> lever_arm:
    "the vector from the center of mass, {com} moved to the world by {X}, to {x}"
    return x - wp.transform_point(X, com)


@formula
def torque_of_force(f: force, r: lever_arm) -> torque:
    "the cross product of {r} and {f}"
    return wp.cross(r, f)


@formula
def gyroscopic_torque(inertia: world_inertia_tensor, w: angular_velocity) -> torque:
    "minus the cross product of {w} and the product of {inertia} and {w}"
    return -wp.cross(w, inertia * w)


@formula
def angular_momentum_of(inertia: world_inertia_tensor, w: angular_velocity) -> body_angular_momentum:
    "{inertia} times {w}"
    return inertia * w


@formula
def angular_acceleration_of(inv_I: world_inverse_inertia, tau: torque) -> angular_acceleration:
    "{inv_I} times {tau}"
    return inv_I * tau


@formula(undoes="gyroscopic_torque")
def euler_equation(inertia: world_inertia_tensor, inv_I: world_inverse_inertia, w: angular_velocity, tau: torque) -> angular_acceleration:
    "{inv_I} ({tau} - {w} x ({inertia} {w}))"
    return inv_I * (tau - wp.cross(w, inertia * w))


@formula
def step_angular_velocity(w: angular_velocity, alpha: angular_acceleration, dt: time_step) -> angular_velocity:
    "{w} plus {alpha} times {dt}"
    return w + alpha * dt


@formula
def damp_rotation(w: angular_velocity, damping: angular_damping, dt: time_step) -> angular_velocity:
    "{w} times (1 - {damping} {dt})"
    return w * (1.0 - damping * dt)


@formula
def step_orientation(q: orientation, w: angular_velocity, dt: time_step) -> orientation:
    "the unit quaternion along {q} + ({dt} / 2) W {q}, where W is the quaternion with the vector part {w} and the scalar part 0"
    dq = wp.quat(w, 0.0) * q
    return wp.normalize(q + dq * (0.5 * dt))


@formula(alone=True)
def world_inertia(inertia: inertia_tensor, q: orientation) -> world_inertia_tensor:
    "R times {inertia} times the transpose of R, where R is the rotation matrix of {q}"
    R = wp.quat_to_matrix(q)
    return R * inertia * wp.transpose(R)


@formula(alone=True)
def world_inverse_inertia_of(inv_I: inverse_inertia, q: orientation) -> world_inverse_inertia:
    "R times {inv_I} times the transpose of R, where R is the rotation matrix of {q}"
    R = wp.quat_to_matrix(q)
    return R * inv_I * wp.transpose(R)


@formula(alone=True)
def box_inertia(m: mass, half: half_extents) -> inertia_tensor:
    "the diagonal inertia tensor of a solid box of mass {m} with half extents {half}, which has for each axis {m} / 3 times the sum of the squares of the two other half extents"
    xx = half[0] * half[0]
    yy = half[1] * half[1]
    zz = half[2] * half[2]
    return wp.diag(wp.vec3(yy + zz, xx + zz, xx + yy) * (m / 3.0))


@formula
def shift_inertia(inertia: inertia_tensor, m: mass, d: center_of_mass) -> inertia_tensor:
    "{inertia} shifted by the parallel axis theorem, which is {inertia} plus {m} times (the dot product of {d} with itself times the identity, minus the outer product of {d} with itself)"
    shift = wp.diag(wp.vec3(wp.dot(d, d))) - wp.outer(d, d)
    return inertia + shift * m


@formula
def rotational_energy(inertia: inertia_tensor, q: orientation, w: angular_velocity) -> rotational_energy:
    "s . ({inertia} s) / 2, where s is {w} turned to the body's frame by the inverse of {q}"
    w_body = wp.quat_rotate_inv(q, w)
    return 0.5 * wp.dot(w_body, inertia * w_body)


@algorithm(share=2)
def integrate_bodies(body_q: body_pose, body_qd: body_twist, body_f: body_wrench, com: center_of_mass, inertia: inertia_tensor, inv_m: inverse_mass, inv_inertia: inverse_inertia, g: uniform.gravity, dt: time_step, q_new: out.body_pose, qd_new: out.body_twist):
    "makes a semi-implicit Euler step of the motion of each body, where twists and wrenches have their angular parts at the top: the linear velocity gains {dt} times (the force of {body_f} times {inv_m}, plus {g}), and the center of mass, {com} in the body's frame, moves by {dt} times the new linear velocity. In the body's frame, the angular velocity w gains {dt} {inv_inertia} (torque - w x ({inertia} w)); with the new w in the world's frame the rotation r becomes the unit quaternion along r + (w, 0) r {dt} / 2. {q_new} is the new pose, whose origin follows from the center of mass and the new rotation, and {qd_new} the new twist"
    i = thread()
    guard(i)
    X = body_q[i]
    twist = body_qd[i]
    wrench = body_f[i]
    x0 = wp.transform_get_translation(X)
    r0 = wp.transform_get_rotation(X)
    w0 = wp.spatial_top(twist)
    v0 = wp.spatial_bottom(twist)
    local_com = com[i]
    x_com = x0 + wp.quat_rotate(r0, local_com)
    v1 = v0 + (wp.spatial_bottom(wrench) * inv_m[i] + g) * dt
    x1 = x_com + v1 * dt
    wb = wp.quat_rotate_inv(r0, w0)
    tb = wp.quat_rotate_inv(r0, wp.spatial_top(wrench)) - wp.cross(wb, inertia[i] * wb)
    w1 = wp.quat_rotate(r0, wb + inv_inertia[i] * tb * dt)
    r1 = wp.normalize(r0 + wp.quat(w1, 0.0) * r0 * 0.5 * dt)
    q_new[i] = wp.transform(x1 - wp.quat_rotate(r1, local_com), r1)
    qd_new[i] = wp.spatial_vector(w1, v1)


@algorithm(over="link")
def revolute_joint_poses(parent: link.joint_parent["-1:n"], poses: body_pose, X_p: link.joint_frame_parent, X_c: link.joint_frame_child, axes: link.joint_axis, q: link.joint_angle, child_poses: out.child_body_pose["e"]):
    "the pose of the child body of each joint: the pose of its parent body, the entry of {poses} that {parent} names, or the identity if that is -1, times the frame {X_p}, times a rotation about {axes} by {q}, times the inverse of {X_c}"
    j = thread()
    p = parent[j]
    X_wp = wp.transform_identity()
    if p >= 0:
        X_wp = poses[p]
    turn = wp.quat_from_axis_angle(axes[j], q[j])
    X_j = wp.transform(wp.vec3(0.0, 0.0, 0.0), turn)
    child_poses[j] = X_wp * X_p[j] * X_j * wp.transform_inverse(X_c[j])


@algorithm(over="link")
def drive_joints(parent: link.joint_parent["-1:n"], child: link.joint_child["0:n"], poses: body_pose, twists: body_twist, axes: link.joint_axis, q: link.joint_angle, target: link.joint_target, ke: link.joint_ke, kd: link.joint_kd, wrenches: out.body_wrench):
    "drives each joint by a torque along its axis of {axes}, turned to the world by the pose of {parent} if that is not -1, the ground: {ke} ({target} - {q}) - {kd} r, where r is the component along the axis of the angular velocity of {child} minus that of {parent}, the tops of their {twists}; the ground does not turn. The spatial vector with the torque on top and zero below is added atomically to {wrenches} of {child} and subtracted from that of {parent}, if it is not the ground"
    j = thread()
    p = parent[j]
    c = child[j]
    axis = axes[j]
    w_p = wp.vec3(0.0, 0.0, 0.0)
    if p >= 0:
        axis = wp.transform_vector(poses[p], axis)
        w_p = wp.spatial_top(twists[p])
    rate = wp.dot(axis, wp.spatial_top(twists[c]) - w_p)
    t = axis * (ke[j] * (target[j] - q[j]) - kd[j] * rate)
    wrench = wp.spatial_vector(t, wp.vec3(0.0, 0.0, 0.0))
    wp.atomic_add(wrenches, c, wrench)
    if p >= 0:
        wp.atomic_sub(wrenches, p, wrench)


@algorithm(share=2)
def pose_along_chain(parent: tree_parent["-1:n"], local_poses: local_pose, world_poses: out.body_pose):
    "the pose of each body in the world: its entry of {local_poses}, multiplied from the left by those of its parent, its parent's parent and so on, over at most eight ancestors; {parent} is -1 at the root"
    i = thread()
    guard(i)
    X = local_poses[i]
    p = parent[i]
    for ancestor in range(8):
        if p >= 0:
            X = local_poses[p] * X
            p = parent[p]
    world_poses[i] = X


@algorithm
def depth_in_tree(parent: tree_parent["-1:n"], depth: out.tree_depth):
    "the number of ancestors of each body in the tree of {parent} indices, -1 at the root; counting ends at the number of bodies"
    i = thread()
    guard(i)
    steps = int(0)
    p = parent[i]
    while p >= 0 and steps < count(element):
        steps += 1
        p = parent[p]
    depth[i] = steps


@formula(alone=True)
def moment_of_mass(m: mass, X: body_pose, com: center_of_mass) -> body_mass_moment:
    "{m} times the point {com} moved by {X}"
    return m * wp.transform_point(X, com)


@formula(alone=True, first=True)
def gyroscope_reading(w: angular_velocity, q: orientation, bias: gyro_bias, sigma: gyro_noise, state: random_state) -> gyro_reading:
    "{w} turned to the body's frame by the inverse of {q}, plus {bias}, plus {sigma} times a vector of three standard normal numbers"
    error = wp.vec3(wp.randn(state), wp.randn(state), wp.randn(state))
    return wp.quat_rotate_inv(q, w) + bias + sigma * error


@algorithm(over="link", link="thruster thrusters", share=2)
def apply_thrusters(body: link.thruster_body["-1:n"], X: body_pose, com: center_of_mass, p: link.thruster_point, axis: link.thruster_axis, limit: link.thruster_force, u: link.throttle, f: out.body_wrench):
    "applies thrusters: each pushes the body that {body} names, if that is not -1, along {axis}, turned to the world by the body's pose {X}, with the force {limit} times {u} clamped to the range from 0 to 1; the torque is the cross product of the arm from {com} to {p}, also turned to the world, and this force. The spatial vector of the torque and the force is added atomically to {f} of the body"
    k = thread()
    b = body[k]
    if b < 0:
        return
    pose = X[b]
    force = wp.transform_vector(pose, axis[k]) * (limit[k] * wp.clamp(u[k], 0.0, 1.0))
    arm = wp.transform_vector(pose, p[k] - com[b])
    wp.atomic_add(f, b, wp.spatial_vector(wp.cross(arm, force), force))


@algorithm(share=2)
def push_at_random(qd: body_twist, chance: body_push_chance, speed: body_push_speed, seed: thermostat_seed, qd_new: out.body_twist):
    "pushes some bodies, so that a controller learns to stand: each draws a number from 0 to 1, and if that is below {chance}, an angle from 0 to 2 pi, by `wp.randf` with these bounds, and then a number from 0 to 1, and a vector in the x y plane, at this angle to the x axis and of the length {speed} times this number, is added to its linear velocity, the bottom of {qd}; the other bodies keep {qd}"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    twist = qd[i]
    if wp.randf(state) >= chance:
        qd_new[i] = twist
        return
    angle = wp.randf(state, 0.0, 2.0 * wp.pi)
    size = speed * wp.randf(state)
    push = wp.vec3(size * wp.cos(angle), size * wp.sin(angle), 0.0)
    qd_new[i] = twist + wp.spatial_vector(wp.vec3(0.0, 0.0, 0.0), push)
