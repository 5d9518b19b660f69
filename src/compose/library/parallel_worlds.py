# SPDX-License-Identifier: Apache-2.0
"""Robots in many worlds at once: a row of each array is a world, tables of addresses say where a
joint, an actuator or a sensor has its entries in that row."""

field("robots in parallel worlds", element="world worlds", other="joint joints", dims=2, apart=True, pairs=True)

joint_position = quantity(float, "rad", "joint position", one="q", many="qpos joint_q", low=-1.5, high=1.5)
joint_velocity = quantity(float, "rad/s", "joint velocity", one="qd", many="qvel joint_qd", low=-2.0, high=2.0, means="range goal")
joint_acceleration = quantity(float, "rad/s^2", "joint acceleration", one="qdd", many="qacc joint_qdd")
joint_force = quantity(float, "N m", "joint force", one="tau", many="qfrc joint_f qfrc_applied")
passive_force = quantity(float, "N m", "passive joint forces", one="tau", many="qfrc_passive passive_f")
actuator_force = quantity(float, "N m", "actuator forces", one="f", many="actuator_force act_force")
control_value = quantity(float, "1", "controls", one="u ctrl", many="ctrl controls")
gear_ratio = quantity(float, "1", "gears of the actuators", one="gear", many="actuator_gear gears", low=0.5, high=3.0)
gain_value = quantity(float, "N m/rad", "position gains of the actuators", one="kp", many="actuator_gain gains", low=0.5, high=4.0)
bias_value = quantity(float, "N m s/rad", "damping gains of the actuators", one="kd", many="actuator_bias kds", low=0.1, high=1.0)
force_limit = quantity(float, "N m", "largest forces of the actuators", one="limit", many="force_limit actuator_limit", low=0.5, high=3.0)
joint_stiffness = quantity(float, "N m/rad", "stiffnesses of the joints", one="k", many="jnt_stiffness joint_stiffness", low=0.1, high=2.0)
dof_damping = quantity(float, "N m s/rad", "dampings of the joints", one="d", many="dof_damping damping", low=0.05, high=1.0)
dof_friction = quantity(float, "N m", "friction torques of the degrees of freedom", one="mu", many="dof_frictionloss frictionloss", low=0.1, high=1.0)
spring_reference = quantity(float, "rad", "rest positions of the springs", one="ref", many="qpos_spring spring_ref", low=-1.0, high=1.0)
robot_lower_limit = quantity(float, "rad", "lower limits of the joints", one="lo", many="jnt_lower limit_lower", low=-1.0, high=-0.2)
upper_limit = quantity(float, "rad", "upper limits of the joints", one="hi", many="jnt_upper limit_upper", low=0.2, high=1.0)
joint_kind = quantity(int, "1", "types of the joints", one="kind", many="jnt_type joint_type", low=0, high=2)
address_of_position = quantity(int, "1", "indices of the joints' positions", one="qadr", many="jnt_qposadr joint_q_start", low=0, high=2)
address_of_dof = quantity(int, "1", "degrees of freedom of the joints", one="dofadr", many="jnt_dofadr joint_qd_start", low=0, high=2)
actuator_joint = quantity(int, "1", "joints of the actuators", one="jnt", many="actuator_trnid actuator_joint", low=0, high=2)
sensor_kind = quantity(int, "1", "types of the sensors", one="kind", many="sensor_type sensor_kind", low=0, high=2)
sensor_object = quantity(int, "1", "joints that the sensors measure", one="obj", many="sensor_objid sensor_joint", low=0, high=2)
sensor_value = quantity(float, "rad, rad/s or N m", "sensor readings", one="reading", many="sensordata readings")
sensor_cutoff = quantity(float, "rad, rad/s or N m", "cutoffs of the sensors", one="cutoff", many="sensor_cutoff", low=0.0, high=1.5)
body_of_world = quantity(vec3, "m", "positions of the bodies", one="x", many="xpos body_pos")
parent_body = quantity(int, "1", "parents of the bodies, -1 for none", one="parent", many="body_parentid parents", low=-1, high=2)
root_body = quantity(int, "1", "roots of the bodies' trees", one="root", many="body_rootid roots", low=0, high=2)
body_mass_of_world = quantity(float, "kg", "masses of the bodies", one="m", many="body_mass masses", low=0.2, high=2.0)
mass_moment = quantity(vec3, "kg m", "mass moments of the trees", one="moment", many="subtree_moment moments")
tree_mass = quantity(float, "kg", "masses of the trees", one="total", many="subtree_mass tree_mass")
constraint_row_start = quantity(int, "1", "first constraints of the worlds", one="start", many="efc_start row_start")
constraint_dof = quantity(int, "1", "degrees of freedom of the constraints", one="dof", many="efc_dof row_dof")
constraint_force = quantity(float, "N m", "constraint forces", one="f", many="efc_force row_force")
energy_of_world = quantity(float, "J", "kinetic energies of the worlds", one="e", many="energy world_energy")
chain_length = quantity(float, "m", "lengths of the chains to the root", one="reach", many="reach chain_length")
largest_acceleration = quantity(float, "rad/s^2", "largest accelerations", one="worst", many="worst max_qacc")
episode_step = quantity(int, "1", "steps of the episodes", one="step", many="steps progress", low=0, high=9)
done_flag = quantity(int, "1", "end flags", one="done", many="done done_flags", low=0, high=1)
limit_flag = quantity(int, "1", "flags of the active limits", one="active", many="limit_active active_limits", low=0, high=1)
servo_target = quantity(float, "rad", "target positions of the actuators", one="u target", many="ctrl targets", low=-1.5, high=1.5)
world_reward = quantity(float, "1", "rewards", one="reward", many="rewards reward")
episode_length = quantity(int, "1", "length of an episode", one="max_steps", low=3, high=8, uniform=True)
control_cost = quantity(float, "1", "cost of controls", one="ctrl_cost", low=0.05, high=0.5, uniform=True)
default_position = quantity(float, "rad", "default positions of the joints", one="q0", many="qpos0 default_q", low=-1.0, high=1.0)
inertia_diagonal = quantity(float, "kg m^2", "inertias of the degrees of freedom", one="I", many="qM_diag dof_inertia", low=0.5, high=2.0)


@function
def beyond_limits(q: float, lo: float, hi: float):
    "two values: how far {q} is beyond the range from {lo} to {hi}, negative below it, and 1 if it is beyond, else 0"
    if q < lo:
        return q - lo, 1
    if q > hi:
        return q - hi, 1
    return 0.0, 0


@algorithm
def passive_forces(
    q: joint_position["n,r"], qd: joint_velocity["n,r"], k: joint_stiffness["m"], d: dof_damping["m"],
    ref: spring_reference["m"], qadr: address_of_position["m", "0:r"],
    dofadr: address_of_dof["m", "0:r"], tau: out.passive_force["n,r"],
):
    "the passive forces of the springs and dampers of all joints in all worlds, thread w, j for world w and joint j: with the joint's position in {q} at w and {qadr}[j], and its velocity in {qd} at w and dof = {dofadr}[j], -{k}[j] (position - {ref}[j]) - {d}[j] velocity is added atomically to {tau} at w and dof"
    world, joint = thread()
    qi = qadr[joint]
    dof = dofadr[joint]
    spring = k[joint] * (q[world, qi] - ref[joint])
    damper = d[joint] * qd[world, dof]
    wp.atomic_add(tau, world, dof, -(spring + damper))


@algorithm
def limit_forces(
    q: joint_position["n,r"], lo: robot_lower_limit["m"], hi: upper_limit["m"], k: joint_stiffness["m"],
    qadr: address_of_position["m", "0:r"], dofadr: address_of_dof["m", "0:r"],
    active: out.limit_flag["n,m"], tau: out.joint_force["n,r"],
):
    "the forces of joint limits, a thread for each world and joint: a joint whose position, {q} of the world at the joint's entry of {qadr}, is beyond the range from {lo} to {hi} has {active} 1 and adds -{k} times the distance beyond the range, which is negative below {lo}, atomically to {tau} of the world at its entry of {dofadr}; for all others {active} is 0"
    world, joint = thread()
    guard(world, joint)
    beyond, hit = beyond_limits(q[world, qadr[joint]], lo[joint], hi[joint])
    active[world, joint] = hit
    if hit == 0:
        return
    wp.atomic_add(tau, world, dofadr[joint], -k[joint] * beyond)


@algorithm
def actuator_forces(
    u: servo_target["n,m"], q: joint_position["n,r"], qd: joint_velocity["n,r"], kp: gain_value["m"],
    kd: bias_value["m"], limit: force_limit["m"], jnt: actuator_joint["m", "0:r"],
    f: out.actuator_force["n,m"],
):
    "position servos, a thread for each world and actuator: {kp} ({u} - {q}) - {kd} {qd} for the joint that {jnt} gives the actuator, clamped to plus and minus {limit}"
    world, a = thread()
    joint = jnt[a]
    force = kp[a] * (u[world, a] - q[world, joint]) - kd[a] * qd[world, joint]
    largest = limit[a]
    f[world, a] = wp.clamp(force, -largest, largest)


@algorithm
def transmit_forces(
    f: actuator_force["n,m"], gear: gear_ratio["m"], jnt: actuator_joint["m", "0:r"],
    tau: out.joint_force["n,r"],
):
    "a thread for each world and actuator adds {gear} times {f} atomically to {tau} of the world at the joint that {jnt} gives the actuator"
    world, a = thread()
    guard(world, a)
    wp.atomic_add(tau, world, jnt[a], gear[a] * f[world, a])


@algorithm
def friction_loss(
    qd: joint_velocity, mu: dof_friction["m"], tau: joint_force, tau_out: out.joint_force,
):
    "dry friction of each degree of freedom in each world: where the magnitude of {qd} is below 0.1, {tau} moved towards zero by {mu}, but not beyond zero; elsewhere {tau} minus {mu} times the sign of {qd}"
    world, dof = thread()
    guard(world, dof)
    v = qd[world, dof]
    f = tau[world, dof]
    loss = mu[dof]
    if wp.abs(v) < 0.1:
        tau_out[world, dof] = f - wp.clamp(f, -loss, loss)
    else:
        tau_out[world, dof] = f - loss * wp.sign(v)


@algorithm
def integrate_joints(
    q: joint_position, qd: joint_velocity, qdd: joint_acceleration, kind: joint_kind["m", "0:3"],
    lo: robot_lower_limit["m"], hi: upper_limit["m"], dt: time_step, q_out: out.joint_position,
    qd_out: out.joint_velocity,
):
    "semi-implicit Euler of each world and joint: a joint of {kind} 0 is locked, keeps its position and gets the velocity 0; the others get the velocity {qd} + {dt} {qdd} and {q} plus {dt} times that; a joint of {kind} 2 that would leave the range from {lo} to {hi} stops at its end with the velocity 0"
    world, joint = thread()
    guard(world, joint)
    at = q[world, joint]
    joint_type = kind[joint]
    if joint_type == 0:
        q_out[world, joint] = at
        qd_out[world, joint] = 0.0
        return
    v = qd[world, joint] + dt * qdd[world, joint]
    angle = at + dt * v
    lower = lo[joint]
    upper = hi[joint]
    if joint_type == 2 and (angle < lower or angle > upper):
        angle = wp.clamp(angle, lower, upper)
        v = 0.0
    q_out[world, joint] = angle
    qd_out[world, joint] = v


@algorithm
def read_sensors(
    kind: sensor_kind["m", "0:3"], obj: sensor_object["m", "0:r"], cutoff: sensor_cutoff["m"],
    q: joint_position["n,r"], qd: joint_velocity["n,r"], tau: joint_force["n,r"],
    data: out.sensor_value["n,m"],
):
    "the reading of each sensor in each world, of the joint that {obj} gives the sensor: the joint's position {q} if {kind} is 0, its velocity {qd} if it is 1, else its force {tau}; if the sensor's {cutoff} is above 0.2, the reading is clamped to the range from -{cutoff} to {cutoff}"
    world, s = thread()
    guard(world, s)
    joint = obj[s]
    sensor_type = kind[s]
    if sensor_type == 0:
        reading = q[world, joint]
    elif sensor_type == 1:
        reading = qd[world, joint]
    else:
        reading = tau[world, joint]
    limit = cutoff[s]
    if limit > 0.2:
        reading = wp.clamp(reading, -limit, limit)
    data[world, s] = reading


@algorithm
def subtree_moments(
    x: body_of_world, m: body_mass_of_world["m"], root: root_body["m", "0:r"],
    moment: out.mass_moment["n,r"], total: out.tree_mass["n,r"],
):
    "a thread for each world and body adds {m} {x} to {moment} of the world at the body's {root}, and {m} to {total} there, atomically"
    world, body = thread()
    at = root[body]
    mass = m[body]
    wp.atomic_add(moment, world, at, mass * x[world, body])
    wp.atomic_add(total, world, at, mass)


@algorithm
def length_to_root(
    parents: parent_body["m", "-1:m"], x: body_of_world, reach: out.chain_length["n,m"],
):
    "for each body in each world the length of the chain to the root: the sum of the distances of {x} between body and parent, from the body up to the root, whose entry in {parents} is -1, but over at most 8 parents"
    world, body = thread()
    length = float(0.0)
    b = int(body)
    for step in range(8):
        p = parents[b]
        if p >= 0:
            length += wp.length(x[world, b] - x[world, p])
            b = p
    reach[world, body] = length


@algorithm(dims=1)
def gather_constraint_forces(
    start: constraint_row_start["n+1", "rising:2"], dof: constraint_dof["2*n+2", "0:r"],
    f: constraint_force["2*n+2"], tau: out.joint_force["n,r"],
):
    "each world w adds {f} of its constraints, those from `{start}[w]` up to, but not including, `{start}[w + 1]`, atomically to row w of {tau} at the degree of freedom {dof} of the constraint"
    world = thread()
    for row in range(start[world], start[world + 1]):
        wp.atomic_add(tau, world, dof[row], f[row])


@algorithm(dims=1)
def accelerate_worlds(
    tau: joint_force["n,r"], I: inertia_diagonal["n,r"], qdd: out.joint_acceleration["n,r"],
    worst: out.largest_acceleration["n"],
):
    "the acceleration {tau} / {I} of all degrees of freedom of each world goes to {qdd}, and the largest magnitude among those of the world to {worst}"
    world = thread()
    guard(world)
    most = float(0.0)
    for d in range(tau.shape[1]):
        a = tau[world, d] / I[world, d]
        qdd[world, d] = a
        most = wp.max(most, wp.abs(a))
    worst[world] = most


@algorithm(dims=1)
def kinetic_energy_of_worlds(
    qd: joint_velocity["n,r"], I: inertia_diagonal["n,r"], e: out.energy_of_world["n"],
):
    "the kinetic energy of each world: half of the sum of {I} {qd}^2 over its degrees of freedom"
    world = thread()
    guard(world)
    total = float(0.0)
    for d in range(qd.shape[1]):
        v = qd[world, d]
        total += 0.5 * I[world, d] * v * v
    e[world] = total


@algorithm(dims=1)
def reward_of_worlds(
    u: control_value["n,r"], q: joint_position["n,r"], target: default_position["r"],
    cost: control_cost, reward: out.world_reward["n"],
):
    "the reward of each world: exp(-d) - {cost} c, where d is the sum of the squared differences of {q} and {target} and c the sum of the squared controls {u} over its degrees of freedom"
    world = thread()
    guard(world)
    miss = float(0.0)
    effort = float(0.0)
    for d in range(q.shape[1]):
        e = q[world, d] - target[d]
        miss += e * e
        control = u[world, d]
        effort += control * control
    reward[world] = wp.exp(-miss) - cost * effort


@algorithm(dims=1)
def end_episodes(
    step: episode_step["n"], x: body_of_world["n,r"], most: episode_length["", "3:9"],
    done: out.done_flag["n"], step_out: out.episode_step["n"],
):
    "ends episodes: if {step} + 1 reaches {most}, or the z component of the position {x} of the world's first body is below -0.5, {done} is 1 and {step_out} is 0; else {done} is 0 and {step_out} is {step} + 1"
    world = thread()
    guard(world)
    next = step[world] + 1
    if next >= most or x[world, 0][2] < -0.5:
        done[world] = 1
        step_out[world] = 0
    else:
        done[world] = 0
        step_out[world] = next


@algorithm
def reset_worlds(
    done: done_flag["n", "0:2"], q: joint_position, qd: joint_velocity, q0: default_position["m"],
    q_out: out.joint_position, qd_out: out.joint_velocity,
):
    "worlds whose {done} is 1 begin again: all their positions become {q0} and their velocities 0; the others keep theirs"
    world, d = thread()
    if done[world] == 0:
        q_out[world, d] = q[world, d]
        qd_out[world, d] = qd[world, d]
        return
    q_out[world, d] = q0[d]
    qd_out[world, d] = 0.0
