# SPDX-License-Identifier: Apache-2.0
"""Robots in many worlds at once: a row of each array is a world, tables of addresses say where a
joint, an actuator or a sensor has its entries in that row."""

field("robots in parallel worlds", element="world worlds", other="joint joints", dims=2, apart=True, pairs=True, share=14)

joint_position = quantity(float, "rad", "joint positions", one="q", many="qpos", low=-1.5, high=1.5)
joint_velocity = quantity(float, "rad/s", "joint velocities", one="qd", many="qvel", low=-2.0, high=2.0, means="range goal")
joint_acceleration = quantity(float, "rad/s^2", "joint accelerations", one="qdd", many="qacc")
joint_force = quantity(float, "N m", "joint torques", one="tau", many="qfrc")
passive_force = quantity(float, "N m", "passive joint torques", one="tau", many="qfrc_passive")
actuator_force = quantity(float, "N m", "actuator torques", one="f", many="actuator_force")
control_value = quantity(float, "1", "controls", one="u ctrl", many="ctrl")
gear_ratio = quantity(float, "1", "gears of the actuators", one="gear", many="actuator_gear", low=0.5, high=3.0)
gain_value = quantity(float, "N m/rad", "position gains of the actuators", one="kp", many="actuator_kp kp", low=0.5, high=4.0)
bias_value = quantity(float, "N m s/rad", "damping gains of the actuators", one="kd", many="kd actuator_kd", low=0.1, high=1.0)
force_limit = quantity(float, "N m", "largest torques of the actuators", one="limit", many="force_limit", low=0.5, high=3.0)
joint_stiffness = quantity(float, "N m/rad", "stiffnesses of the joints", one="k", many="jnt_stiffness", low=0.1, high=2.0)
dof_damping = quantity(float, "N m s/rad", "dampings of the joints", one="d", many="dof_damping", low=0.05, high=1.0)
dof_friction = quantity(float, "N m", "friction torques of the degrees of freedom", one="mu", many="dof_frictionloss", low=0.1, high=1.0)
spring_reference = quantity(float, "rad", "rest positions of the springs", one="ref", many="qpos_spring", low=-1.0, high=1.0)
robot_lower_limit = quantity(float, "rad", "lower limits of the joints", one="lo", many="jnt_lower", low=-1.0, high=-0.2)
upper_limit = quantity(float, "rad", "upper limits of the joints", one="hi", many="jnt_upper", low=0.2, high=1.0)
joint_kind = quantity(int, "1", "types of the joints", one="kind", many="jnt_type", low=0, high=2)
address_of_position = quantity(int, "1", "columns of the joints' positions", one="qadr", many="jnt_qposadr", low=0, high=2)
address_of_dof = quantity(int, "1", "degrees of freedom of the joints", one="dofadr", many="jnt_dofadr", low=0, high=2)
actuator_joint = quantity(int, "1", "joints of the actuators", one="jnt", many="actuator_trnid actuator_jnt", low=0, high=2)
sensor_kind = quantity(int, "1", "types of the sensors", one="kind", many="sensor_type", low=0, high=2)
sensor_object = quantity(int, "1", "joints that the sensors measure", one="obj", many="sensor_jnt sensor_objid", low=0, high=2)
sensor_value = quantity(float, "rad, rad/s or N m", "sensor readings", one="reading", many="sensordata")
sensor_cutoff = quantity(float, "rad, rad/s or N m", "cutoffs of the sensors", one="cutoff", many="sensor_cutoff", low=0.0, high=1.5)
body_of_world = quantity(vec3, "m", "positions of the bodies", one="x", many="xpos")
parent_body = quantity(int, "1", "parents of the bodies, -1 for none", one="parent", many="body_parentid", low=-1, high=2)
root_body = quantity(int, "1", "roots of the bodies' trees", one="root", many="body_rootid", low=0, high=2)
body_mass_of_world = quantity(float, "kg", "masses of the bodies", one="m", many="body_mass", low=0.2, high=2.0)
mass_moment = quantity(vec3, "kg m", "sums of mass times position of the trees", one="moment", many="subtree_moment")
tree_mass = quantity(float, "kg", "masses of the trees", one="total", many="subtree_mass")
world_of_constraint = quantity(int, "1", "worlds of the constraints, -1 for unused entries", one="world", many="efc_worldid", low=-1, high=2)
constraint_dof = quantity(int, "1", "degrees of freedom of the constraints", one="dof", many="efc_dof")
constraint_force = quantity(float, "N m", "constraint torques", one="f", many="efc_force")
energy_of_world = quantity(float, "J", "kinetic energies of the worlds", one="e", many="world_energy")
chain_length = quantity(float, "m", "lengths of the chains to the root", one="reach", many="chain_length")
largest_acceleration = quantity(float, "rad/s^2", "largest accelerations", one="worst", many="max_qacc")
episode_step = quantity(int, "1", "steps of the episodes", one="step", many="episode_steps", low=0, high=9)
done_flag = quantity(int, "1", "end flags", one="done", many="done", low=0, high=1)
limit_flag = quantity(int, "1", "flags of the active limits", one="active", many="limit_active", low=0, high=1)
servo_target = quantity(float, "rad", "target positions of the actuators", one="u target", many="ctrl", low=-1.5, high=1.5)
world_reward = quantity(float, "1", "rewards", one="reward", many="rewards")
episode_length = quantity(int, "1", "length of an episode", one="max_steps", low=3, high=8, uniform=True)
control_cost = quantity(float, "1", "cost of controls", one="ctrl_cost", low=0.05, high=0.5, uniform=True)
default_position = quantity(float, "rad", "default positions of the joints", one="q0", many="qpos0", low=-1.0, high=1.0)
inertia_diagonal = quantity(float, "kg m^2", "inertias of the degrees of freedom", one="I", many="dof_inertia", low=0.5, high=2.0)
reset_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)
mass_spread = quantity(float, "1", "largest relative change of a mass", one="spread", low=0.05, high=0.4, uniform=True)
randomized_mass = quantity(float, "kg", "randomized masses, by world and body", one="m", many="world_mass", low=0.2, high=2.0)
start_noise = quantity(float, "rad", "largest change of a start position", one="noise", low=0.05, high=0.3, uniform=True)
velocity_noise = quantity(float, "rad/s", "standard deviation of the start velocities", one="vel_noise", low=0.05, high=0.3, uniform=True)
measured_reading = quantity(float, "1", "sensor readings", one="reading", many="readings")
last_reading = quantity(float, "1", "readings of the step before", one="last", many="last_readings")
noisy_reading = quantity(float, "1", "noisy readings", one="noisy", many="noisy_readings")
sensor_noise = quantity(float, "1", "standard deviations of the sensors", one="sigma", many="sensor_noise", low=0.05, high=0.5)
lost_reading_chance = quantity(float, "1", "chance that a reading is lost", one="p_lost", low=0.1, high=0.5, uniform=True)
robot_push_chance = quantity(float, "1", "chance of a push", one="p_push", low=0.2, high=0.8, uniform=True)
robot_push_speed = quantity(float, "m/s", "speed that a push adds", one="push_speed", low=0.2, high=1.0, uniform=True)
base_velocity = quantity(vec3, "m/s", "velocities of the bases", one="v", many="base_vel")
robot_contact_distance = quantity(float, "m", "distances of the contacts", one="dist", many="contact_dist")
robot_contact_margin = quantity(float, "m", "margin of the contacts", one="margin", low=0.05, high=0.5, uniform=True)
contact_number = quantity(int, "1", "numbers of active contacts of the worlds", one="n", many="num_contacts", low=0, high=3)
summed_depth = quantity(float, "m", "summed depths of the worlds", one="depth", many="total_depth")
world_of_contact = quantity(int, "1", "worlds of the contacts, -1 for unused entries", one="world", many="contact_worldid", low=-1, high=2)


@function
def beyond_limits(q: float, lo: float, hi: float):
    "two values: how far {q} is beyond the range from {lo} to {hi}, negative below it and 0 inside, and 1 if it is beyond it, else 0"
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
    "the passive torques of the springs and dampers of all joints in all worlds, with thread w, j for world w and joint j: the joint's position p is `{q}[w, a]` with a = `{qadr}[j]`, its velocity v is `{qd}[w, d]` with d = `{dofadr}[j]`, and -{k} (p - {ref}) - {d} v, with {k}, {ref} and {d} of joint j, is added atomically to `{tau}[w, d]`"
    world, joint = thread()
    qi = qadr[joint]
    dof = dofadr[joint]
    spring = k[joint] * (q[world, qi] - ref[joint])
    damper = d[joint] * qd[world, dof]
    wp.atomic_add(tau, world, dof, -(spring + damper))


@algorithm
def joint_limit_torques(
    q: joint_position["n,r"], lo: robot_lower_limit["m"], hi: upper_limit["m"], k: joint_stiffness["m"],
    qadr: address_of_position["m", "0:r"], dofadr: address_of_dof["m", "0:r"],
    active: out.limit_flag["n,m"], tau: out.joint_force["n,r"],
):
    "the torques of joint limits, with thread w, j for world w and joint j: if the joint's position, `{q}[w, a]` with a = `{qadr}[j]`, is beyond the range from {lo} to {hi}, `{active}[w, j]` gets 1, and -{k} times the distance beyond the range, which is negative below {lo}, is added atomically to `{tau}[w, d]` with d = `{dofadr}[j]`; else `{active}[w, j]` gets 0"
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
    "computes the torques of position servos, with thread w, a for world w and actuator a: {kp} ({u} - p) - {kd} v, clamped to the range from -{limit} to {limit}, where p and v are `{q}[w, j]` and `{qd}[w, j]` with the joint j = `{jnt}[a]`"
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
    "transmits the torques of actuators to the joints: for world w and actuator a {gear} times {f} is added atomically to `{tau}[w, j]`, where j is `{jnt}[a]`; thread w, a does it"
    world, a = thread()
    guard(world, a)
    wp.atomic_add(tau, world, jnt[a], gear[a] * f[world, a])


@algorithm
def friction_loss(
    qd: joint_velocity["n,m"], mu: dof_friction["m"], tau: joint_force["n,m"], tau_out: out.joint_force["n,m"],
):
    "applies dry friction to each degree of freedom in each world: where the magnitude of {qd} is below 0.1, {tau} is moved towards 0 by {mu}, but not beyond 0; elsewhere {mu} times the sign of {qd} is subtracted from it"
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
    q: joint_position["n,m"], qd: joint_velocity["n,m"], qdd: joint_acceleration["n,m"],
    kind: joint_kind["m", "0:3"], lo: robot_lower_limit["m"], hi: upper_limit["m"], dt: time_step,
    q_out: out.joint_position["n,m"], qd_out: out.joint_velocity["n,m"],
):
    "makes a step of semi-implicit Euler for each joint in each world: a joint whose entry of {kind} is 0 is locked, keeps its position and gets the velocity 0; all others get the velocity v = {qd} + {dt} {qdd} and the position {q} + {dt} v; a joint with 2 in {kind} that would leave the range from {lo} to {hi} by this stops at the end of the range, with the velocity 0"
    world, joint = thread()
    guard(world, joint)
    at = q[world, joint]
    mode = kind[joint]
    if mode == 0:
        q_out[world, joint] = at
        qd_out[world, joint] = 0.0
        return
    v = qd[world, joint] + dt * qdd[world, joint]
    angle = at + dt * v
    lower = lo[joint]
    upper = hi[joint]
    if mode == 2 and (angle < lower or angle > upper):
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
    "the reading of each sensor in each world, with thread w, s for world w and sensor s, which measures the joint j = `{obj}[s]`: `{q}[w, j]` if `{kind}[s]` is 0, `{qd}[w, j]` if it is 1, else `{tau}[w, j]`; if {cutoff} of the sensor is above 0, the reading is clamped to the range from -{cutoff} to {cutoff}"
    world, s = thread()
    guard(world, s)
    joint = obj[s]
    measured = kind[s]
    if measured == 0:
        reading = q[world, joint]
    elif measured == 1:
        reading = qd[world, joint]
    else:
        reading = tau[world, joint]
    limit = cutoff[s]
    if limit > 0.0:
        reading = wp.clamp(reading, -limit, limit)
    data[world, s] = reading


@algorithm
def subtree_moments(
    x: body_of_world["n,m"], m: body_mass_of_world["m"], root: root_body["m", "0:r"],
    moment: out.mass_moment["n,r"], total: out.tree_mass["n,r"],
):
    "adds up what the centers of mass of trees of bodies need: for world w and body b, whose tree has the root t = `{root}[b]`, {m} times {x} is added atomically to `{moment}[w, t]`, and {m} to `{total}[w, t]`; thread w, b does it"
    world, body = thread()
    at = root[body]
    mass = m[body]
    wp.atomic_add(moment, world, at, mass * x[world, body])
    wp.atomic_add(total, world, at, mass)


@algorithm
def length_to_root(
    parents: parent_body["m", "-1:m"], x: body_of_world["n,m"], reach: out.chain_length["n,m"],
):
    "computes for each body in each world the length of the chain to the root: the sum of the distances in {x} between a body and its parent, from the body up to the root, which has -1 in {parents}, but over at most 8 parents"
    world, body = thread()
    length = float(0.0)
    b = int(body)
    for step in range(8):
        p = parents[b]
        if p >= 0:
            length += wp.length(x[world, b] - x[world, p])
            b = p
    reach[world, body] = length


@algorithm(dims=1, element="constraint constraints")
def scatter_constraint_forces(
    world_of: world_of_constraint["n", "-1:w"], dof: constraint_dof["n", "0:r"],
    f: constraint_force["n"], tau: out.joint_force["w,r"],
):
    "adds the torques of constraints to the joints: for constraint i `{f}[i]` is added atomically to {tau}, in the row `{world_of}[i]` and the column `{dof}[i]`; constraints whose world is negative are unused and add nothing"
    i = thread()
    guard(i)
    world = world_of[i]
    if world < 0:
        return
    wp.atomic_add(tau, world, dof[i], f[i])


@algorithm(dims=1)
def accelerate_worlds(
    tau: joint_force["n,r"], I: inertia_diagonal["n,r"], qdd: out.joint_acceleration["n,r"],
    worst: out.largest_acceleration["n"],
):
    "computes the accelerations of all degrees of freedom of each world, a row of the arrays: {tau} / {I} goes to {qdd}, and the largest magnitude among these of the world to {worst}"
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
    "the kinetic energy of each world: half of the sum of {I} {qd}^2 over its degrees of freedom, the columns of its row"
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
    "the reward of each world, exp(-d) - {cost} c, where d is the sum of the squared differences of {q} and {target}, and c the sum of the squares of the controls {u}, both over the columns of its row"
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
    "ends episodes: if {step} + 1 is at least {most}, or the z component of the world's first entry in {x} is below -0.5, {done} gets 1 and {step_out} 0; else {done} gets 0 and {step_out} gets {step} + 1"
    world = thread()
    guard(world)
    taken = step[world] + 1
    if taken >= most or x[world, 0][2] < -0.5:
        done[world] = 1
        step_out[world] = 0
    else:
        done[world] = 0
        step_out[world] = taken


@algorithm
def reset_worlds(
    done: done_flag["n", "0:2"], q: joint_position["n,m"], qd: joint_velocity["n,m"],
    q0: default_position["m"], q_out: out.joint_position["n,m"], qd_out: out.joint_velocity["n,m"],
):
    "resets the worlds with 1 in {done}: their joints get the positions {q0} and the velocities 0; in the other worlds all joints keep {q} and {qd}"
    world, d = thread()
    if done[world] == 0:
        q_out[world, d] = q[world, d]
        qd_out[world, d] = qd[world, d]
        return
    q_out[world, d] = q0[d]
    qd_out[world, d] = 0.0


@algorithm
def randomize_masses(
    m: body_mass_of_world["m"], spread: mass_spread, seed: reset_seed, mass: out.randomized_mass["n,m"],
):
    "randomizes the masses of the bodies in each world: for world w and body b {m} of the body is multiplied by 1 + {spread} (2 u - 1), where u is a random number from 0 to 1; thread w, b does it"
    world, body = thread()
    state = wp.rand_init(seed, world * mass.shape[1] + body)
    mass[world, body] = m[body] * (1.0 + spread * (2.0 * wp.randf(state) - 1.0))


@algorithm
def reset_with_noise(
    done: done_flag["n", "0:2"], q: joint_position["n,m"], qd: joint_velocity["n,m"],
    q0: default_position["m"], noise: start_noise, vel_noise: velocity_noise, seed: reset_seed,
    q_out: out.joint_position["n,m"], qd_out: out.joint_velocity["n,m"],
):
    "resets the worlds with 1 in {done}: their joints get the positions {q0} + {noise} (2 u - 1), where u is a random number from 0 to 1, and then the velocities {vel_noise} times a standard normal number; in the other worlds all joints keep {q} and {qd}"
    world, d = thread()
    guard(world, d)
    if done[world] == 0:
        q_out[world, d] = q[world, d]
        qd_out[world, d] = qd[world, d]
        return
    state = wp.rand_init(seed, world * q_out.shape[1] + d)
    q_out[world, d] = q0[d] + noise * (2.0 * wp.randf(state) - 1.0)
    qd_out[world, d] = vel_noise * wp.randn(state)


@algorithm
def add_sensor_noise(
    reading: measured_reading["n,m"], last: last_reading["n,m"], sigma: sensor_noise["m"],
    p_lost: lost_reading_chance, seed: reset_seed, noisy: out.noisy_reading["n,m"],
):
    "adds noise to the readings of the sensors in each world: if a random number from 0 to 1 is below {p_lost}, the reading is lost and {last} is kept in its place; else the reading is {reading} plus {sigma} of the sensor times a standard normal number"
    world, s = thread()
    guard(world, s)
    state = wp.rand_init(seed, world * noisy.shape[1] + s)
    if wp.randf(state) < p_lost:
        noisy[world, s] = last[world, s]
        return
    noisy[world, s] = reading[world, s] + sigma[s] * wp.randn(state)


@algorithm(dims=1)
def push_robots(
    v: base_velocity["n"], p_push: robot_push_chance, push: robot_push_speed, seed: reset_seed,
    v_out: out.base_velocity["n"],
):
    "pushes the robots of some worlds: if a random number from 0 to 1 is below {p_push}, a horizontal vector of the length {push} is added to {v} of the world, (cos(a), sin(a), 0) times {push} with an angle a that is a second random number from 0 to 1, times 2 pi; in the other worlds {v} stays as it is"
    world = thread()
    guard(world)
    state = wp.rand_init(seed, world)
    velocity = v[world]
    if wp.randf(state) < p_push:
        angle = 2.0 * wp.pi * wp.randf(state)
        velocity = velocity + push * wp.vec3(wp.cos(angle), wp.sin(angle), 0.0)
    v_out[world] = velocity


@algorithm(dims=1, element="contact contacts")
def count_active_contacts(
    world_of: world_of_contact["n", "-1:w"], dist: robot_contact_distance["n"], margin: robot_contact_margin,
    counts: out.contact_number["w"], depth: out.summed_depth["w"],
):
    "counts the active contacts of the worlds: for each contact whose distance {dist} is below {margin}, 1 is added atomically to the entry of {counts} for its world, and {margin} - {dist} to the entry of {depth} for it; contacts whose world is negative are unused and left out"
    i = thread()
    guard(i)
    world = world_of[i]
    if world < 0:
        return
    gap = margin - dist[i]
    if gap <= 0.0:
        return
    wp.atomic_add(counts, world, 1)
    wp.atomic_add(depth, world, gap)
