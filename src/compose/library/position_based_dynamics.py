# SPDX-License-Identifier: Apache-2.0
"""Position based dynamics of cloth and ropes: constraints of distance, bending, contact, shape."""

field("position based dynamics", element="particle particles", other="particle particles",
      link="constraint constraints", group="cloth cloths", state=True, share=5)

xpbd_position = quantity(vec3, "m", "position", one="x p", many="x positions particle_x", low=-1.0, high=1.0)
predicted_position = quantity(vec3, "m", "predicted position", one="x_pred q", many="predicted x_pred", low=-1.0, high=1.0, means="goal")
particle_velocity = quantity(vec3, "m/s", "velocity", one="v", many="v velocities particle_v", means="length cap")
particle_inverse_mass = quantity(float, "1/kg", "inverse mass", one="w inv_m", many="inv_masses w particle_inv_mass", low=0.0, high=2.0)
position_correction = quantity(vec3, "m", "position correction", one="dx delta", many="deltas corrections delta_x", sums=True, means="adds length")
correction_count = quantity(int, "1", "number of corrections", one="n", many="counts correction_counts", low=0, high=4)
rest_distance = quantity(float, "m", "rest length", one="rest l0", many="rest_lengths spring_rest rest_length", low=0.2, high=1.5)
constraint_compliance = quantity(float, "m/N", "compliance", one="alpha compliance", many="compliances", low=0.01, high=0.5)
total_multiplier = quantity(float, "N s^2", "total multiplier", one="lam", many="lambdas lambda_total")
stretch_stiffness = quantity(float, "1", "stiffness from 0 to 1", one="stiffness k", low=0.1, high=1.0, uniform=True)
constraint_damping = quantity(float, "1/s", "damping rate", one="kd", many="constraint_kd damping_rates", low=0.1, high=1.0)
velocity_damping = quantity(float, "1/s", "damping rate", one="damping kd", low=0.1, high=1.0, uniform=True)
wind_drag_rate = quantity(float, "1/s", "drag rate", one="drag k_drag", low=0.1, high=1.0, uniform=True)
anchor_point = quantity(vec3, "m", "anchor point", one="anchor a", many="anchors targets")
handle_position = quantity(vec3, "m", "positions of the handles", one="h", many="handles handle_positions")
handle_index = quantity(int, "1", "handle index (-1: none)", one="handle", many="handle_ids handle_of_particle", low=-1, high=3)
tether_length = quantity(float, "m", "tether length", one="tether max_length", many="tether_lengths", low=0.2, high=1.5)
collider_center = quantity(vec3, "m", "center of the sphere", one="center c", uniform=True)
collider_radius = quantity(float, "m", "radius of the sphere", one="radius r", low=0.3, high=1.5, uniform=True)
cloth_floor_height = quantity(float, "m", "height of the floor", one="floor ground", low=-0.5, high=0.5, uniform=True)
least_distance = quantity(float, "m", "least distance between two particles", one="min_dist separation", low=0.5, high=1.5, uniform=True)
slide_friction = quantity(float, "1", "friction coefficient", one="mu friction", low=0.1, high=0.9, uniform=True)
relaxation_factor = quantity(float, "1", "relaxation factor", one="relax omega", low=0.3, high=1.0, uniform=True)
rest_bend = quantity(float, "m", "rest distance of the two neighbors", one="rest_bend", many="rest_bends bend_rest", low=0.2, high=1.5)
speed_limit = quantity(float, "m/s", "speed limit", one="max_speed v_max", low=0.5, high=3.0, uniform=True)
stretch_limit = quantity(float, "1", "largest stretch", one="max_stretch limit", low=1.05, high=2.0, uniform=True)
broken_flag = quantity(int, "1", "broken flag", one="broken", many="broken torn", low=0, high=1)
cloth_wind_velocity = quantity(vec3, "m/s", "wind velocity", one="wind", uniform=True)


@function
def distance_correction(xi: vec3, xj: vec3, wi: float, wj: float, rest: float):
    "two vectors, the shifts of points at {xi} and {xj} with the inverse masses {wi} and {wj} that bring them to the distance {rest}: with s = (|{xi} - {xj}| - {rest}) / ({wi} + {wj}) and the unit vector n from {xj} to {xi}, -s {wi} n and s {wj} n; both zero if the sum of the inverse masses is 0"
    w = wi + wj
    if w == 0.0:
        return wp.vec3(0.0, 0.0, 0.0), wp.vec3(0.0, 0.0, 0.0)
    d = xi - xj
    s = (wp.length(d) - rest) / w
    n = wp.normalize(d)
    return -s * wi * n, s * wj * n


@formula(alone=True)
def predict_position(x: xpbd_position, v: particle_velocity, dt: time_step) -> predicted_position:
    "{x} plus {dt} times {v}"
    return x + dt * v


@formula
def velocity_from_positions(q: predicted_position, x: xpbd_position, dt: time_step) -> particle_velocity:
    "({q} - {x}) / {dt}"
    return (q - x) / dt


@formula
def damped_particle_velocity(v: particle_velocity, kd: velocity_damping, dt: time_step) -> particle_velocity:
    "{v} times (1 - {kd} {dt}), where this factor is at least 0"
    return v * wp.max(1.0 - kd * dt, 0.0)


@formula
def capped_velocity(v: particle_velocity, limit: speed_limit) -> particle_velocity:
    "{v}, shortened to the length {limit} if it is longer"
    speed = wp.length(v)
    if speed > limit:
        return v * (limit / speed)
    return v


@formula
def carry_by_wind(v: particle_velocity, wind: cloth_wind_velocity, kd: wind_drag_rate, dt: time_step) -> particle_velocity:
    "{v} plus {dt} {kd} times ({wind} - {v})"
    return v + dt * kd * (wind - v)


@formula(opposite=True)
def stretch_correction(
    x: xpbd_position, y: other.xpbd_position, rest: link.rest_distance, k: stretch_stiffness,
) -> position_correction:
    "-({k} / 2) (|{x} - {y}| - {rest}) along the unit vector from {y} to {x}"
    d = x - y
    return wp.normalize(d) * (-0.5 * k * (wp.length(d) - rest))


@formula(opposite=True)
def damping_correction(
    v: particle_velocity, u: other.particle_velocity, x: xpbd_position, y: other.xpbd_position,
    kd: link.constraint_damping, dt: time_step,
) -> position_correction:
    "-{kd} {dt}^2 times the component of {v} - {u} along the unit vector from {y} to {x}, along that vector"
    n = wp.normalize(x - y)
    return n * (-kd * dt * dt * wp.dot(v - u, n))


@formula
def push_apart(x: xpbd_position, y: other.xpbd_position, h: least_distance) -> position_correction:
    "zero if the distance d between {x} and {y} is above {h}, else ({h} - d) / 2 along the unit vector from {y} to {x}"
    d = x - y
    overlap = wp.max(h - wp.length(d), 0.0)
    return wp.normalize(d) * (0.5 * overlap)


@formula
def tether_position(q: predicted_position, a: anchor_point, reach: tether_length) -> predicted_position:
    "{q}, or, if it is farther from {a} than {reach}, the point at the distance {reach} from {a} in the direction of {q}"
    d = q - a
    length = wp.length(d)
    if length <= reach:
        return q
    return a + d * (reach / length)


@formula
def clamp_to_floor(q: predicted_position, floor: cloth_floor_height) -> predicted_position:
    "{q} with its y component raised to {floor} if it is below"
    return wp.vec3(q[0], wp.max(q[1], floor), q[2])


@formula
def push_out_of_sphere(q: predicted_position, c: collider_center, r: collider_radius) -> predicted_position:
    "{q}, or, if it lies in the sphere of radius {r} around {c}, the nearest point of its surface"
    d = q - c
    depth = r - wp.length(d)
    if depth <= 0.0:
        return q
    return q + wp.normalize(d) * depth


@formula
def apply_averaged_correction(q: predicted_position, d: position_correction, n: correction_count, omega: relaxation_factor) -> predicted_position:
    "{q} plus {omega} times {d} divided by {n}, which counts as 1 if it is smaller"
    return q + d * (omega / float(wp.max(n, 1)))


@algorithm(over="link")
def solve_distance_constraints(
    ends: link_ends, x: predicted_position, w: particle_inverse_mass, rest: link.rest_distance,
    alpha: link.constraint_compliance, dt: time_step, lam: link.total_multiplier,
    delta: out.position_correction, lam_out: out.total_multiplier["e"],
):
    "makes an XPBD step of each constraint, with C = the distance of its ends minus {rest} and a = {alpha} / {dt}^2: the multiplier changes by (-C - a {lam}) / (W + a), where W is the sum of the inverse masses {w} of the ends; constraints whose W is 0 do nothing. The change times the end's {w} along the unit vector n from the second end to the first is added atomically to {delta} of the first end, and subtracted from that of the second with its {w}; {lam_out} is {lam} plus the change"
    k = thread()
    i = ends[k, 0]
    j = ends[k, 1]
    wi = w[i]
    wj = w[j]
    if wi + wj == 0.0:
        return
    d = x[i] - x[j]
    c = wp.length(d) - rest[k]
    n = wp.normalize(d)
    softness = alpha[k] / (dt * dt)
    old = lam[k]
    change = (-c - softness * old) / (wi + wj + softness)
    wp.atomic_add(delta, i, n * (wi * change))
    wp.atomic_sub(delta, j, n * (wj * change))
    lam_out[k] = old + change


@algorithm(over="link")
def project_distances(
    ends: link_ends, x: predicted_position, w: particle_inverse_mass, rest: link.rest_distance,
    stiffness: stretch_stiffness, delta: out.position_correction, n: out.correction_count,
):
    "each constraint adds {stiffness} times the corrections that bring its ends at {x} to the distance {rest} to {delta} of both ends, and 1 to {n} of both, atomically"
    k = thread()
    i = ends[k, 0]
    j = ends[k, 1]
    di, dj = distance_correction(x[i], x[j], w[i], w[j], rest[k])
    wp.atomic_add(delta, i, stiffness * di)
    wp.atomic_add(delta, j, stiffness * dj)
    wp.atomic_add(n, i, 1)
    wp.atomic_add(n, j, 1)


@algorithm
def relax_rope(
    x: predicted_position, w: particle_inverse_mass, rest: rest_distance, parity: sweep_color["", "0:2"],
    x_out: out.predicted_position,
):
    "makes one colored sweep over a rope, where segment s joins the particles s and s + 1: a segment with s modulo 2 equal to {parity} brings its two particles to the distance `{rest}[s]`. With W the sum of their inverse masses {w}, each moves along the line through both by its inverse mass over W of the difference; particles that no such segment joins stay, and so do both if W is 0"
    i = thread()
    guard(i)
    s = i
    j = i + 1
    if i % 2 != parity:
        s = i - 1
        j = i - 1
    p = x[i]
    x_out[i] = p
    if j < 0 or j >= count(element):
        return
    wi = w[i]
    both = wi + w[j]
    if both > 0.0:
        d = p - x[j]
        x_out[i] = p - wp.normalize(d) * (wi / both * (wp.length(d) - rest[s]))


@algorithm
def bend_rope(
    x: predicted_position, w: particle_inverse_mass, rest: rest_bend, k: stretch_stiffness,
    delta: out.position_correction,
):
    "bends a rope back: for each point but the first and the last, {k} times the corrections that bring its two neighbors to the distance {rest} of this point are added to their {delta}, atomically"
    i = thread()
    if i == 0 or i >= count(element) - 1:
        return
    da, db = distance_correction(x[i - 1], x[i + 1], w[i - 1], w[i + 1], rest[i])
    wp.atomic_add(delta, i - 1, k * da)
    wp.atomic_add(delta, i + 1, k * db)


@algorithm
def apply_corrections(
    q: predicted_position, delta: position_correction, n: correction_count, w: particle_inverse_mass,
    omega: relaxation_factor, x_out: out.predicted_position,
):
    "the new position of each particle: {q} plus {omega} {delta} / {n}; particles without corrections or with an inverse mass {w} of 0 stay"
    i = thread()
    guard(i)
    p = q[i]
    corrections = n[i]
    if corrections == 0 or w[i] == 0.0:
        x_out[i] = p
        return
    x_out[i] = p + delta[i] * (omega / float(corrections))


@algorithm
def finish_step(
    x: xpbd_position, q: predicted_position, floor: cloth_floor_height, mu: slide_friction, dt: time_step,
    x_out: out.xpbd_position, v_out: out.particle_velocity,
):
    "finishes a step: {x_out} gets {q}, but where its y component is below {floor}, that becomes {floor}, and the x and z components of the displacement from {x} to {q} are multiplied by 1 - {mu}; {v_out} gets the velocity, (the new position minus {x}) / {dt}"
    i = thread()
    guard(i)
    old = x[i]
    p = q[i]
    if p[1] < floor:
        slide = (1.0 - mu) * (p - old)
        p = wp.vec3(old[0] + slide[0], floor, old[2] + slide[2])
    x_out[i] = p
    v_out[i] = (p - old) / dt


@algorithm
def attach_particles(
    ids: handle_index["-1:h"], q: predicted_position, handles: handle_position["h"],
    k: stretch_stiffness, x_out: out.predicted_position,
):
    "moves each particle that has a handle, its entry of {ids} if that is not -1, from {q} towards the handle's entry of {handles} by the share {k} of the way; the others keep {q}"
    i = thread()
    guard(i)
    p = q[i]
    h = ids[i]
    if h < 0:
        x_out[i] = p
        return
    x_out[i] = wp.lerp(p, handles[h], k)


@algorithm
def correct_by_neighbors(
    offsets: row_offsets, ids: link_to_other, x: predicted_position, w: particle_inverse_mass,
    rest: link.rest_distance, omega: relaxation_factor, x_out: out.predicted_position,
):
    "makes a Jacobi step over the constraints k of each particle i, those from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, each with the neighbor j = `{ids}[k]`: {x}[i] plus {omega} times the mean of ({w}[i] / ({w}[i] + {w}[j])) ({rest}[k] - d) along the unit vector from j to i, where d is their distance; a particle without constraints, or whose inverse mass is 0, stays"
    i = thread()
    guard(i)
    begin = offsets[i]
    end = offsets[i + 1]
    xi = x[i]
    wi = w[i]
    if begin >= end or wi == 0.0:
        x_out[i] = xi
        return
    relax = omega / float(end - begin)
    p = wp.vec3(xi)
    for k in range(begin, end):
        j = ids[k]
        d = xi - x[j]
        share = relax * wi / (wi + w[j])
        p += wp.normalize(d) * (share * (rest[k] - wp.length(d)))
    x_out[i] = p


@algorithm(over="link", link="pair pairs")
def collide_pairs(
    ends: link_ends, q: predicted_position, x: xpbd_position, w: particle_inverse_mass, h: least_distance,
    mu: slide_friction, delta: out.position_correction,
):
    "resolves collisions of cloth with itself, with friction: each pair whose particles at {q} are nearer than {h}, with the unit vector n from the second to the first, the depth c = {h} minus their distance and the slip s, the part at right angles to n of the displacement {q} - {x} of the first minus that of the second, has the correction v = c n - min(|s|, {mu} c) s' / 2, where s' is the unit vector of s; with W the sum of their inverse masses {w}, v times its own inverse mass over W is added atomically to {delta} of the first, and subtracted from that of the second; pairs whose W is 0 do nothing"
    k = thread()
    i = ends[k, 0]
    j = ends[k, 1]
    both = w[i] + w[j]
    d = q[i] - q[j]
    depth = h - wp.length(d)
    if both == 0.0 or depth <= 0.0:
        return
    n = wp.normalize(d)
    relative = (q[i] - x[i]) - (q[j] - x[j])
    slip = relative - n * wp.dot(relative, n)
    drag = wp.min(wp.length(slip), mu * depth)
    v = n * depth - wp.normalize(slip) * (0.5 * drag)
    wp.atomic_add(delta, i, v * (w[i] / both))
    wp.atomic_sub(delta, j, v * (w[j] / both))


@algorithm(over="link")
def stretch_with_tearing(
    ends: link_ends, x: predicted_position, w: particle_inverse_mass, rest: link.rest_distance, stiffness: stretch_stiffness,
    limit: stretch_limit, delta: out.position_correction, broken: out.broken_flag["e"],
):
    "stretches constraints that may tear: one whose ends at {x} are farther from each other than {limit} times {rest} sets its entry of {broken} to 1 and does nothing else; any other adds {stiffness} times the corrections that bring its ends to the distance {rest} atomically to {delta} of both ends"
    k = thread()
    i = ends[k, 0]
    j = ends[k, 1]
    if wp.length(x[i] - x[j]) > limit * rest[k]:
        broken[k] = 1
        return
    di, dj = distance_correction(x[i], x[j], w[i], w[j], rest[k])
    wp.atomic_add(delta, i, stiffness * di)
    wp.atomic_add(delta, j, stiffness * dj)
