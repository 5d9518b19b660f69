# SPDX-License-Identifier: Apache-2.0
"""Contacts of bodies: impulses, projection, wrenches of lists of contacts."""

field("contacts", element="body bodies", other="body bodies", link="contact contacts", state=True, share=10)

contact_normal = quantity(vec3, "1", "unit normal", one="n normal", many="contact_normal normals contact_normals", unit_length=True)
contact_point = quantity(vec3, "m", "contact point", one="cp point p", many="points contact_points contact_point")
contact_gap = quantity(float, "m", "signed distance", one="gap d c", many="gaps contact_dist")
contact_force = quantity(vec3, "N", "contact force", one="f force", many="contact_forces contact_f", sums=True, means="total length cap")
contact_ke = quantity(float, "N/m", "contact stiffness", one="ke k_contact contact_ke", many="shape_ke contact_ke", low=1.0, high=8.0, uniform=True)
contact_kd = quantity(float, "N s/m", "contact damping", one="kd contact_kd", many="shape_kd contact_kd", low=0.1, high=1.0, uniform=True)
contact_kf = quantity(float, "N s/m", "tangential damping", one="kf contact_kf", many="shape_kf", low=1.0, high=4.0, uniform=True)
contact_mu = quantity(float, "1", "friction coefficient", one="mu friction", many="mu friction shape_mu", low=0.1, high=1.0, uniform=True)
impulse_velocity = quantity(vec3, "m/s", "velocity change", one="dv delta_v", many="delta_v body_dv velocity_deltas", sums=True)
restitution = quantity(float, "1", "coefficient of restitution", one="restitution e", many="restitutions", low=0.1, high=1.0, uniform=True)
contact_margin = quantity(float, "m", "contact margin", one="margin thickness", many="margins", low=0.01, high=0.1, uniform=True)
weighted_normal = quantity(vec3, "m", "weighted normal", one="total", many="weighted_normals normal_sums")
contact_heat = quantity(float, "J", "friction heat", one="heat", many="friction_heat body_heat")
contact_pull = quantity(float, "N", "normal force", one="fn", many="normal_forces contact_fn", low=0.1, high=4.0)
contact_slip = quantity(vec3, "m/s", "slip velocity", one="vt", many="slip_velocities contact_slip")
contact_count = quantity(int, "1", "number of contacts", one="n_contacts", many="num_contacts contacts_per_body contact_counts", low=0, high=4)
center_velocity = quantity(vec3, "m/s", "velocity of the center", one="v vel", many="velocities body_v body_vel", means="length cap")
center_position = quantity(vec3, "m", "center", one="x center", many="body_x centers body_pos", low=-1.0, high=1.0, means="goal")
ground_height = quantity(float, "m", "height of the ground", one="ground ground_height ground_y", many="heights", uniform=True)
first_body = quantity(int, "1", "first body index (-1: the ground)", one="a", many="body_a contact_body0 body0", low=-1, high=3)
second_body = quantity(int, "1", "second body index (-1: the ground)", one="b", many="body_b contact_body1 body1", low=-1, high=3)


@formula
def bounce(v: center_velocity, n: contact_normal, e: restitution, mu: contact_mu) -> center_velocity:
    "{v} if its dot product with {n} is not negative; else its part along {n} times -{e}, plus its part at right angles to {n} times 1 - {mu}"
    vn = wp.dot(v, n)
    if vn >= 0.0:
        return v
    normal = n * vn
    tangent = v - normal
    return tangent * (1.0 - mu) - normal * e


@formula
def ground_contact(x: center_position, v: center_velocity, r: radius, ground: ground_height, ke: contact_ke, kd: contact_kd) -> contact_force:
    "zero if the ball of radius {r} at {x} does not reach below the height {ground}; else a force along y, {ke} times the depth of its lowest point below {ground}, minus {kd} times the y component of {v} if that is negative"
    depth = ground + r - x[1]
    if depth <= 0.0:
        return wp.vec3(0.0, 0.0, 0.0)
    push = ke * depth - kd * wp.min(v[1], 0.0)
    return wp.vec3(0.0, push, 0.0)


@formula(opposite=True)
def sphere_sphere_force(x: center_position, r: radius, y: other.center_position, s: other.radius, ke: contact_ke) -> contact_force:
    "zero if the spheres at {x} and {y} with the radii {r} and {s} do not overlap, else {ke} times the depth of their overlap, along the unit vector from {y} to {x}"
    d = x - y
    dist = wp.length(d)
    overlap = wp.max(r + s - dist, 0.0)
    return wp.normalize(d) * (ke * overlap)


@algorithm(over="link")
def eval_body_contacts(body0: link.first_body["-1:n"], body1: link.second_body["-1:n"], x: center_position, qd: body_twist, p: link.contact_point, n: link.contact_normal, depth: link.contact_gap, ke: contact_ke, kd: contact_kd, kf: contact_kf, mu: contact_mu, f: out.body_wrench):
    "for each contact with a negative signed distance {depth} the wrench on its two bodies {body0} and {body1}, -1 for the ground, which does not move; a contact of a body with itself is left out. The velocity of a body at {p} is the bottom of its {qd} plus the cross product of the top, its angular velocity, and the arm from its {x} to {p}; v is that of the first body minus that of the second. The force on the first body is {n} times fn = -{ke} {depth} - {kd} (v . {n}), but at least zero, minus the friction along the part of v at right angles to {n}, of the size {kf} times the length of this part, but at most {mu} times fn. The spatial vector of its torque, arm x force, and the force is added atomically to {f} of the first body; that with the arm of the second is subtracted from {f} of the second"
    c = thread()
    d = depth[c]
    if d >= 0.0:
        return
    a = body0[c]
    b = body1[c]
    if a == b:
        return
    point = p[c]
    normal = n[c]
    v_a = wp.vec3(0.0, 0.0, 0.0)
    v_b = wp.vec3(0.0, 0.0, 0.0)
    r_a = wp.vec3(0.0, 0.0, 0.0)
    r_b = wp.vec3(0.0, 0.0, 0.0)
    if a >= 0:
        twist_a = qd[a]
        r_a = point - x[a]
        v_a = wp.spatial_bottom(twist_a) + wp.cross(wp.spatial_top(twist_a), r_a)
    if b >= 0:
        twist_b = qd[b]
        r_b = point - x[b]
        v_b = wp.spatial_bottom(twist_b) + wp.cross(wp.spatial_top(twist_b), r_b)
    v = v_a - v_b
    vn = wp.dot(v, normal)
    vt = v - normal * vn
    fn = wp.max(-ke * d - kd * vn, 0.0)
    ft = wp.normalize(vt) * wp.min(kf * wp.length(vt), mu * fn)
    total = normal * fn - ft
    if a >= 0:
        wp.atomic_add(f, a, wp.spatial_vector(wp.cross(r_a, total), total))
    if b >= 0:
        wp.atomic_sub(f, b, wp.spatial_vector(wp.cross(r_b, total), total))


@algorithm(over="link")
def contact_impulses(body_a: link.first_body["-1:n"], body_b: link.second_body["-1:n"], v: center_velocity, inv_mass: inverse_mass, n: link.contact_normal, e: restitution, dv: out.impulse_velocity):
    "the change of velocity of the two bodies {body_a} and {body_b} of each contact, -1 for the ground, which does not move and has the inverse mass 0: with u the component along {n} of the velocity of the first minus that of the second, the impulse is -(1 + {e}) u divided by the sum of the two inverse masses; {n} times the impulse times the body's inverse mass is added atomically to {dv} of the first and subtracted from {dv} of the second; contacts with u not below zero, or whose inverse masses are both 0, do nothing"
    c = thread()
    a = body_a[c]
    b = body_b[c]
    normal = n[c]
    w_a = float(0.0)
    w_b = float(0.0)
    v_rel = wp.vec3(0.0, 0.0, 0.0)
    if a >= 0:
        w_a = inv_mass[a]
        v_rel += v[a]
    if b >= 0:
        w_b = inv_mass[b]
        v_rel -= v[b]
    vn = wp.dot(v_rel, normal)
    if vn >= 0.0 or w_a + w_b == 0.0:
        return
    j = -(1.0 + e) * vn / (w_a + w_b)
    if a >= 0:
        wp.atomic_add(dv, a, normal * (j * w_a))
    if b >= 0:
        wp.atomic_sub(dv, b, normal * (j * w_b))


@algorithm(over="link")
def count_body_contacts(body0: link.first_body["-1:n"], body1: link.second_body["-1:n"], depth: link.contact_gap, margin: contact_margin, num: out.contact_count):
    "for each contact whose distance {depth} is below {margin}, 1 is added atomically to {num} of each of its two bodies, {body0} and {body1}; -1 is the ground, which has no count"
    c = thread()
    if depth[c] >= margin:
        return
    a = body0[c]
    b = body1[c]
    if a >= 0:
        wp.atomic_add(num, a, 1)
    if b >= 0:
        wp.atomic_add(num, b, 1)


@algorithm
def project_positions(offsets: row_offsets, neighbors: link_to_other, x: center_position, r: radius, w: inverse_mass, x_new: out.center_position):
    "moves each ball i of radius {r} at {x} out of its neighbors, the balls `{neighbors}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`: each neighbor j other than i itself that it overlaps gives the depth of the overlap times {w}[i] / ({w}[i] + {w}[j]) along the unit vector from j to i, the others give zero, and the ball moves by the sum of these divided by its number of neighbors; balls without neighbors stay"
    i = thread()
    guard(i)
    own = x[i]
    begin = offsets[i]
    end = offsets[i + 1]
    if begin >= end:
        x_new[i] = own
        return
    r_own = r[i]
    w_own = w[i]
    move = wp.vec3(0.0, 0.0, 0.0)
    for k in range(begin, end):
        j = neighbors[k]
        d = own - x[j]
        overlap = r_own + r[j] - wp.length(d)
        if j != i and overlap > 0.0:
            move += wp.normalize(d) * (overlap * w_own / (w_own + w[j]))
    x_new[i] = own + move * (1.0 / float(end - begin))


@algorithm
def sum_contact_normals(offsets: row_offsets, n: link.contact_normal, gap: link.contact_gap, margin: contact_margin, sums: out.weighted_normal):
    "for each body i the sum of the normals {n} of its contacts, those from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, each normal times ({margin} - {gap}); contacts whose distance {gap} is {margin} or more are skipped"
    i = thread()
    guard(i)
    total = wp.vec3(0.0, 0.0, 0.0)
    for c in range(offsets[i], offsets[i + 1]):
        depth = margin - gap[c]
        if depth > 0.0:
            total += n[c] * depth
    sums[i] = total


@algorithm
def deepest_contact(offsets: row_offsets, gap: link.contact_gap, p: link.contact_point, deepest: out.contact_point):
    "stores for each body i the point {p} of the contact with the smallest signed distance {gap}, the first one if several are equal, among its contacts, those from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`; only contacts whose distance is below zero count, and bodies without one keep what is in {deepest}"
    i = thread()
    guard(i)
    best = int(-1)
    best_gap = float(0.0)
    for c in range(offsets[i], offsets[i + 1]):
        if gap[c] < best_gap:
            best_gap = gap[c]
            best = c
    if best >= 0:
        deepest[i] = p[best]


@algorithm(over="link")
def heat_of_friction(body0: link.first_body["-1:n"], body1: link.second_body["-1:n"], fn: link.contact_pull, vt: link.contact_slip, mu: contact_mu, dt: time_step, heat: out.contact_heat):
    "adds up the heat of friction: half of the heat {mu} {fn} |{vt}| {dt} of each contact is added atomically to {heat} of each of its two bodies, {body0} and {body1}; if one of them is -1, the ground, the other one gets all of the heat, and contacts of the ground with itself do nothing"
    c = thread()
    a = body0[c]
    b = body1[c]
    made = mu * fn[c] * wp.length(vt[c]) * dt
    if a >= 0 and b >= 0:
        made = 0.5 * made
    if a >= 0:
        wp.atomic_add(heat, a, made)
    if b >= 0:
        wp.atomic_add(heat, b, made)
