# SPDX-License-Identifier: Apache-2.0
"""The contacts of a simulation of rigid bodies, from pairs of shapes to impulses: how many there
are is known on the device alone, and a body of -1 is the world."""

field("contact pipelines", element="contact contacts", other="body bodies", link="pair pairs", dims=1, apart=True, share=12)

contact_counter = quantity(int, "1", "number of contacts", one="count", many="contact_count rigid_contact_count", low=0, high=12)
contact_shape_first = quantity(int, "1", "first shapes of the contacts", one="shape_a", many="contact_shape0 shape_a", low=0, high=3)
contact_shape_second = quantity(int, "1", "second shapes of the contacts", one="shape_b", many="contact_shape1 shape_b", low=0, high=3)
shape_owner = quantity(int, "1", "bodies of the shapes, -1 for the world", one="body", many="shape_body", low=-1, high=2)
shape_pose = quantity(transform, "", "poses of the shapes in their bodies", one="X_bs", many="shape_transform")
rigid_pose = quantity(transform, "", "poses of the bodies", one="X_wb", many="body_q")
rigid_velocity = quantity(spatial_vector, "m/s and rad/s", "velocities of the bodies, linear part on top", one="qd", many="body_qd")
rigid_com = quantity(vec3, "m", "centers of mass in the bodies", one="com", many="body_com")
rigid_force = quantity(spatial_vector, "N and N m", "forces on the bodies, linear part on top", one="f", many="body_f")
rigid_inverse_mass = quantity(float, "1/kg", "inverse masses of the bodies", one="inv_mass", many="body_inv_mass inv_mass", low=0.2, high=2.0)
rigid_inverse_inertia = quantity(mat33, "1/(kg m^2)", "inverse inertias of the bodies in the world", one="inv_I", many="body_inv_inertia")
point_on_first = quantity(vec3, "m", "contact points on the first bodies, in their frames", one="p_a", many="contact_point0 point_a_local")
point_on_second = quantity(vec3, "m", "contact points on the second bodies, in their frames", one="p_b", many="contact_point1 point_b_local")
contact_offset_first = quantity(vec3, "m", "points on the first shapes in the world", one="world_a", many="point_a_world contact_a")
contact_offset_second = quantity(vec3, "m", "points on the second shapes in the world", one="world_b", many="point_b_world contact_b")
normal_of_contact = quantity(vec3, "1", "unit normals of the contacts, towards the second shapes", one="n", many="contact_normal", unit_length=True)
margin_of_first = quantity(float, "m", "margins of the first shapes", one="margin_a", many="contact_thickness0 margin_a", low=0.01, high=0.2)
margin_of_second = quantity(float, "m", "margins of the second shapes", one="margin_b", many="contact_thickness1 margin_b", low=0.01, high=0.2)
body_of_first = quantity(int, "1", "first bodies of the contacts, -1 for the world", one="body_a", many="body_a contact_body0", low=-1, high=2)
body_of_second = quantity(int, "1", "second bodies of the contacts, -1 for the world", one="body_b", many="body_b contact_body1", low=-1, high=2)
contact_separation = quantity(float, "m", "distances of the contacts", one="dist", many="contact_dist contact_distance")
contact_velocity_bias = quantity(float, "m/s", "velocity biases of the contacts", one="bias", many="contact_bias")
shape_stiffness = quantity(float, "N/m", "stiffnesses of the shapes", one="ke", many="shape_material_ke", low=1.0, high=6.0)
shape_damping = quantity(float, "N s/m", "dampings of the shapes", one="kd", many="shape_material_kd", low=0.1, high=1.0)
shape_friction = quantity(float, "1", "friction coefficients of the shapes", one="mu", many="shape_material_mu", low=0.1, high=1.0)
shape_restitution = quantity(float, "1", "restitution coefficients of the shapes", one="e", many="shape_material_restitution", low=0.1, high=0.9)
contact_impulse_row = quantity(float, "N s", "impulses, three rows for each contact: normal, then two tangents", one="lam", many="contact_impulse lambdas")
friction_of_contact = quantity(float, "1", "friction coefficients of the contacts", one="mu", many="contact_friction contact_mu", low=0.1, high=1.0)
stiffness_of_contact = quantity(float, "N/m", "stiffnesses of the contacts", one="ke", many="contact_stiffness")
damping_of_contact = quantity(float, "N s/m", "dampings of the contacts", one="kd", many="contact_damping")
matched_contact = quantity(int, "1", "contacts of the last step that belong to these, -1 for new ones", one="match", many="match_index prev_index", low=-1, high=3)
old_impulse_row = quantity(float, "N s", "impulses of the last step, three rows for each contact", one="old", many="prev_impulse impulse_prev")
old_contact_point = quantity(vec3, "m", "contact points of the last step", one="old_point", many="prev_point point_prev", low=-0.5, high=0.5)
current_contact_point = quantity(vec3, "m", "contact points", one="point", many="contact_point contact_pos", low=-0.5, high=0.5)
match_radius = quantity(float, "m", "largest distance of a contact from that of the last step", one="tolerance match_dist", low=0.2, high=0.8, uniform=True)
erp_rate = quantity(float, "1/s", "rate at which penetrations are removed", one="erp_rate beta", low=0.5, high=4.0, uniform=True)
allowed_slop = quantity(float, "m", "allowed penetration", one="slop", low=0.01, high=0.1, uniform=True)
largest_bias = quantity(float, "m/s", "largest velocity bias", one="max_bias", low=0.5, high=2.0, uniform=True)
bounce_threshold = quantity(float, "m/s", "approach speed below which nothing bounces", one="threshold", low=0.1, high=0.8, uniform=True)
relaxation_of_solver = quantity(float, "1", "relaxation of the solver", one="omega relaxation", low=0.3, high=1.0, uniform=True)
effective_mass_row = quantity(float, "1/kg", "inverse effective masses along the normals", one="w", many="inv_effective_mass contact_w", low=0.4, high=3.0)
bodies_moved = quantity(spatial_vector, "m/s and rad/s", "velocity changes of the bodies, linear part on top", one="delta", many="body_delta body_deltas")
contacts_of_bodies = quantity(int, "1", "numbers of contacts of the bodies", one="n", many="body_contact_count", low=0, high=5)
world_of_contact_pair = quantity(int, "1", "worlds of the contacts", one="world", many="contact_world contact_worldid", low=0, high=2)
world_depth = quantity(float, "m", "largest penetrations of the worlds", one="depth", many="max_depth world_penetration")
row_start_of_contact = quantity(int, "1", "first rows of the contacts", one="row", many="row_start contact_row", low=0, high=3)
bound_of_row = quantity(float, "N s", "bounds of the rows", one="v", many="row_bound rows_bound")
contact_pair = quantity(vec2i, "1", "pairs of shapes", one="pair", many="contact_geom shape_pairs", low=0, high=3)
sphere_radius_of_shape = quantity(float, "m", "radii of the shapes", one="radius", many="shape_radius geom_rbound", low=0.2, high=0.8)
sphere_center_of_shape = quantity(vec3, "m", "centers of the shapes", one="center", many="geom_xpos shape_center", low=-1.0, high=1.0)
shape_group = quantity(int, "1", "collision groups of the shapes, -1 for all", one="group", many="shape_collision_group", low=-1, high=2)
gap_of_pair = quantity(float, "m", "gaps of the pairs", one="gap", many="pair_gap pair_dist")
contact_slip_velocity = quantity(vec3, "m/s", "relative velocities of the contacts", one="v", many="contact_vel rel_vel")
world_frame_force = quantity(vec3, "N", "contact forces on the second bodies", one="force", many="contact_force")
sensor_of_contact = quantity(float, "N", "summed normal forces of the shapes", one="total", many="shape_force sensor_force")


@function
def velocity_at(qd: spatial_vector, r: vec3):
    "the velocity of a point at {r} from the center of a body with the velocity {qd}, whose linear part is on top"
    return wp.spatial_top(qd) + wp.cross(wp.spatial_bottom(qd), r)


@function
def smooth_pair(a: float, b: float):
    "the harmonic mean of {a} and {b}"
    return 2.0 * a * b / (a + b)


@algorithm(share=5)
def contact_distances(
    count: contact_counter["1", "0:n+1"], a: body_of_first["n", "-1:o"], b: body_of_second["n", "-1:o"],
    p_a: point_on_first["n"], p_b: point_on_second["n"], n: normal_of_contact["n"], margin_a: margin_of_first["n"], margin_b: margin_of_second["n"],
    body_q: rigid_pose["o"], dist: out.contact_separation["n"],
):
    "measures the distance of each of the first `{count}[0]` contacts: the points {p_a} and {p_b} of the contact are moved by the poses of its bodies in {body_q}, where a body is not -1, and `{dist}[i]` gets the dot product of {n} and the vector from the first to the second, minus {margin_a} and {margin_b}; nothing is done for the other contacts"
    i = thread()
    if i >= count[0]:
        return
    x_a = p_a[i]
    x_b = p_b[i]
    body_a = a[i]
    body_b = b[i]
    if body_a >= 0:
        x_a = wp.transform_point(body_q[body_a], x_a)
    if body_b >= 0:
        x_b = wp.transform_point(body_q[body_b], x_b)
    dist[i] = wp.dot(n[i], x_b - x_a) - margin_a[i] - margin_b[i]


@algorithm(share=5)
def world_contact_points(
    count: contact_counter["1", "0:n+1"], shape_a: contact_shape_first["n", "0:s"], shape_body: shape_owner["s", "-1:o"],
    X_bs: shape_pose["s"], p_a: point_on_first["n", "", "contact points in the frames of the shapes"], body_q: rigid_pose["o"], world_a: out.contact_offset_first["n"],
):
    "moves the points of the first `{count}[0]` contacts to the world: `{p_a}[i]` is moved by the pose of the shape s = `{shape_a}[i]` in {X_bs}, and then by the pose of its body in {body_q}, if its entry of {shape_body} is not -1, and is stored in `{world_a}[i]`; nothing is done for the other contacts"
    i = thread()
    if i >= count[0]:
        return
    shape = shape_a[i]
    X_ws = X_bs[shape]
    body = shape_body[shape]
    if body >= 0:
        X_ws = wp.transform_multiply(body_q[body], X_ws)
    world_a[i] = wp.transform_point(X_ws, p_a[i])


@algorithm(share=5)
def combine_materials(
    count: contact_counter["1", "0:n+1"], shape_a: contact_shape_first["n", "0:s"], shape_b: contact_shape_second["n", "0:s"],
    ke: shape_stiffness["s"], kd: shape_damping["s"], mu: shape_friction["s"], ke_out: out.stiffness_of_contact["n"],
    kd_out: out.damping_of_contact["n"], mu_out: out.friction_of_contact["n"],
):
    "combines the materials of the two shapes of each of the first `{count}[0]` contacts: {ke_out} gets the harmonic mean of their stiffnesses in {ke}, {kd_out} the mean of their dampings in {kd}, and {mu_out} the square root of the product of their coefficients in {mu}; nothing is done for the other contacts"
    i = thread()
    if i >= count[0]:
        return
    s0 = shape_a[i]
    s1 = shape_b[i]
    ke_out[i] = smooth_pair(ke[s0], ke[s1])
    kd_out[i] = 0.5 * (kd[s0] + kd[s1])
    mu_out[i] = wp.sqrt(mu[s0] * mu[s1])


@algorithm(share=5)
def contact_velocity_biases(
    dist: contact_separation["n"], vn: contact_velocity_bias["n", "", "approach speeds of the contacts"], shape_a: contact_shape_first["n", "0:s"],
    restitution: shape_restitution["s"], erp_rate: erp_rate, slop: allowed_slop, max_bias: largest_bias, threshold: bounce_threshold,
    bias: out.contact_velocity_bias["n"],
):
    "computes the velocity bias of each contact: b is {erp_rate} times the larger one of -{dist} - {slop} and 0, but at most {max_bias}; if {vn} is above {threshold}, {vn} times the restitution of the first shape, the entry of {restitution} at `{shape_a}[i]`, is compared with b, and the larger one is taken; the result is stored in {bias}"
    i = thread()
    depth = wp.max(-dist[i] - slop, 0.0)
    b = wp.min(erp_rate * depth, max_bias)
    speed = vn[i]
    if speed > threshold:
        b = wp.max(b, restitution[shape_a[i]] * speed)
    bias[i] = b


@algorithm(share=6)
def solve_normal_impulses(
    count: contact_counter["1", "0:n+1"], a: body_of_first["n", "-1:o"], b: body_of_second["n", "-1:o"],
    r_a: contact_offset_first["n", "", "contact points from the centers of the first bodies"], r_b: contact_offset_second["n", "", "contact points from the centers of the second bodies"],
    n: normal_of_contact["n"], bias: contact_velocity_bias["n"], w: effective_mass_row["n"], body_qd: rigid_velocity["o"], omega: relaxation_of_solver,
    delta: out.contact_impulse_row["n", "", "normal impulses"],
):
    "the normal impulse of each of the first `{count}[0]` contacts: the relative velocity v is the velocity of the second body at {r_b} minus that of the first body at {r_a}, where a body of -1 has none; with u = {n} . v, `{delta}[i]` gets {omega} times the larger one of ({bias} - u) / {w} and 0; for the other contacts it gets 0"
    i = thread()
    if i >= count[0]:
        delta[i] = 0.0
        return
    v = wp.vec3(0.0)
    body_a = a[i]
    body_b = b[i]
    if body_b >= 0:
        v += velocity_at(body_qd[body_b], r_b[i])
    if body_a >= 0:
        v -= velocity_at(body_qd[body_a], r_a[i])
    u = wp.dot(n[i], v)
    delta[i] = omega * wp.max((bias[i] - u) / w[i], 0.0)


@algorithm(share=6)
def apply_contact_impulses(
    a: body_of_first["n", "-1:o"], b: body_of_second["n", "-1:o"], r_a: contact_offset_first["n", "", "contact points from the centers of the first bodies"],
    r_b: contact_offset_second["n", "", "contact points from the centers of the second bodies"], n: normal_of_contact["n"],
    lam: contact_impulse_row["n", "", "normal impulses"], inv_mass: rigid_inverse_mass["o"], inv_I: rigid_inverse_inertia["o"], delta: out.bodies_moved["o"],
):
    "applies the normal impulse of each contact to its bodies: with p = {lam} {n}, the second body, `{b}[i]`, gets its inverse mass times p as the linear part and its inverse inertia times {r_b} x p as the angular part, added atomically to its entry of {delta}; from the entry of the first body, `{a}[i]`, the same with {r_a} is subtracted; a body of -1 is left out"
    i = thread()
    impulse = lam[i] * n[i]
    body_a = a[i]
    body_b = b[i]
    if body_a >= 0:
        spin_a = inv_I[body_a] * wp.cross(r_a[i], impulse)
        wp.atomic_sub(delta, body_a, wp.spatial_vector(inv_mass[body_a] * impulse, spin_a))
    if body_b >= 0:
        spin_b = inv_I[body_b] * wp.cross(r_b[i], impulse)
        wp.atomic_add(delta, body_b, wp.spatial_vector(inv_mass[body_b] * impulse, spin_b))


@algorithm(share=6)
def project_friction_cone(
    count: contact_counter["1", "0:n+1"], mu: friction_of_contact["n"], lam: contact_impulse_row["3*n"], projected: out.contact_impulse_row["3*n", "", "impulses in the friction cones"],
):
    "brings the impulse of each of the first `{count}[0]` contacts into its friction cone: contact i has the rows 3 i (the normal one), 3 i + 1 and 3 i + 2 of {lam}; the normal part p is at least 0, and if the length t of the two tangential parts is above {mu} p, both are scaled by {mu} p / t; the rows of {projected} get the results"
    i = thread()
    if i >= count[0]:
        return
    row = 3 * i
    pn = wp.max(lam[row], 0.0)
    t0 = lam[row + 1]
    t1 = lam[row + 2]
    bound = mu[i] * pn
    length = wp.sqrt(t0 * t0 + t1 * t1)
    if length > bound:
        factor = bound / length
        t0 *= factor
        t1 *= factor
    projected[row] = pn
    projected[row + 1] = t0
    projected[row + 2] = t1


@algorithm(share=6)
def warm_start_impulses(
    match: matched_contact["n", "-1:o"], x: current_contact_point["n"], x_prev: old_contact_point["o"], lam_prev: old_impulse_row["3*o"],
    tolerance: match_radius, lam: out.contact_impulse_row["3*n"],
):
    "starts the impulses of each contact from the last step: if the contact k = `{match}[i]` of the last step is not -1 and `{x_prev}[k]` is not farther than {tolerance} from {x}, the rows 3 i, 3 i + 1 and 3 i + 2 of {lam} get the rows 3 k, 3 k + 1 and 3 k + 2 of {lam_prev}; else they get 0"
    i = thread()
    k = match[i]
    row = 3 * i
    if k >= 0 and wp.length(x[i] - x_prev[k]) <= tolerance:
        lam[row] = lam_prev[3 * k]
        lam[row + 1] = lam_prev[3 * k + 1]
        lam[row + 2] = lam_prev[3 * k + 2]
    else:
        lam[row] = 0.0
        lam[row + 1] = 0.0
        lam[row + 2] = 0.0


@algorithm(share=5)
def share_body_corrections(
    num: contacts_of_bodies["n", "0:6", "numbers of contacts of the bodies"], delta: bodies_moved["n"], body_qd: rigid_velocity["n"], body_qd_out: out.rigid_velocity["n"],
):
    "applies the summed changes of a Jacobi solver, with thread i for body i: {body_qd_out} gets {body_qd} plus {delta} over the number of contacts of the body, `{num}[i]`, or {body_qd} alone if it has none"
    i = thread()
    n = num[i]
    if n == 0:
        body_qd_out[i] = body_qd[i]
        return
    body_qd_out[i] = body_qd[i] + delta[i] / float(n)


@algorithm(share=4)
def deepest_contact_of_worlds(
    count: contact_counter["1", "0:n+1"], world: world_of_contact_pair["n", "0:w"], dist: contact_separation["n"], depth: out.world_depth["w"],
):
    "finds the deepest penetration of each world: for each of the first `{count}[0]` contacts whose distance {dist} is negative, the entry of {depth} at `{world}[i]` becomes the larger one of itself and -{dist}, atomically"
    i = thread()
    if i >= count[0]:
        return
    d = dist[i]
    if d < 0.0:
        wp.atomic_max(depth, world[i], -d)


@algorithm(share=5)
def narrow_sphere_pairs(
    count: pair_total["1", "0:n+1"], pairs: contact_pair["n", "0:s"], center: sphere_center_of_shape["s"], radius: sphere_radius_of_shape["s"], layer: shape_group["s", "-1:3"],
    gap: out.gap_of_pair["n"], x: out.current_contact_point["n"],
):
    "tests the spheres of each of the first `{count}[0]` pairs: the shapes of pair i are a = `{pairs}[i][0]` and b = `{pairs}[i][1]`; if their groups in {layer} differ and neither is -1, or both centers are the same, nothing is done; else `{gap}[i]` gets the distance of their centers minus both radii, and `{x}[i]` the point on the surface of a towards the center of b"
    i = thread()
    if i >= count[0]:
        return
    pair = pairs[i]
    a = pair[0]
    b = pair[1]
    group_a = layer[a]
    group_b = layer[b]
    if group_a >= 0 and group_b >= 0 and group_a != group_b:
        return
    d = center[b] - center[a]
    length = wp.length(d)
    if length == 0.0:
        return
    gap[i] = length - radius[a] - radius[b]
    x[i] = center[a] + d * (radius[a] / length)


@algorithm(share=5)
def contact_forces_of_bodies(
    count: contact_counter["1", "0:n+1"], dist: contact_separation["n"], n: normal_of_contact["n"], vel: contact_slip_velocity["n"],
    ke: stiffness_of_contact["n"], kd: damping_of_contact["n"], mu: friction_of_contact["n"], force: out.world_frame_force["n"],
):
    "the contact force of each of the first `{count}[0]` contacts: if {dist} is not negative, {force} gets zero; else the normal force p is -{ke} {dist} - {kd} u with u = {n} . {vel}, but at least 0, the tangential velocity t is {vel} - u {n}, and {force} gets p {n} minus t times the smaller one of {kd} and {mu} p over the length of t, or without this term if that length is below 0.001"
    i = thread()
    if i >= count[0]:
        return
    d = dist[i]
    if d >= 0.0:
        force[i] = wp.vec3(0.0)
        return
    normal = n[i]
    v = vel[i]
    vn = wp.dot(normal, v)
    fn = wp.max(-ke[i] * d - kd[i] * vn, 0.0)
    vt = v - vn * normal
    speed = wp.length(vt)
    f = fn * normal
    if speed >= 0.001:
        f -= vt * wp.min(kd[i], mu[i] * fn / speed)
    force[i] = f


@algorithm(share=4)
def add_contact_wrenches(
    count: contact_counter["1", "0:n+1"], a: body_of_first["n", "-1:o"], b: body_of_second["n", "-1:o"], x: current_contact_point["n"],
    force: world_frame_force["n"], body_q: rigid_pose["o"], com: rigid_com["o"], body_f: out.rigid_force["o"],
):
    "adds the forces of the first `{count}[0]` contacts to their bodies: for the second body, `{b}[i]`, the spatial vector of {force} and r x {force}, where r goes from the body's center of mass, its entry of {com} moved by its pose in {body_q}, to {x}, is added atomically to its entry of {body_f}; for the first body, `{a}[i]`, the same with -{force} is added; a body of -1 is left out"
    i = thread()
    if i >= count[0]:
        return
    f = force[i]
    p = x[i]
    body_a = a[i]
    body_b = b[i]
    if body_a >= 0:
        r_a = p - wp.transform_point(body_q[body_a], com[body_a])
        wp.atomic_sub(body_f, body_a, wp.spatial_vector(f, wp.cross(r_a, f)))
    if body_b >= 0:
        r_b = p - wp.transform_point(body_q[body_b], com[body_b])
        wp.atomic_add(body_f, body_b, wp.spatial_vector(f, wp.cross(r_b, f)))


@algorithm(share=4)
def scatter_contact_rows(
    count: contact_counter["1", "0:n+1"], start: row_start_of_contact["n", "distinct:n"], mu: friction_of_contact["n"], lam: contact_impulse_row["n", "", "normal impulses"],
    rows: out.bound_of_row["3*n"],
):
    "writes the bounds of the rows of the first `{count}[0]` contacts: with the row r = 3 `{start}[i]`, `{rows}[r]` gets 0, and `{rows}[r + 1]` and `{rows}[r + 2]` get {mu} times {lam}; no two entries of {start} are equal"
    i = thread()
    if i >= count[0]:
        return
    row = 3 * start[i]
    bound = mu[i] * lam[i]
    rows[row] = 0.0
    rows[row + 1] = bound
    rows[row + 2] = bound


@algorithm(share=4)
def sum_sensor_forces(
    count: contact_counter["1", "0:n+1"], pairs: contact_pair["n", "0:s"], n: normal_of_contact["n"], force: world_frame_force["n"], total: out.sensor_of_contact["s"],
):
    "sums up what each shape feels: for each of the first `{count}[0]` contacts the magnitude of {force} . {n} is added atomically to the entries of {total} of both shapes, `{pairs}[i][0]` and `{pairs}[i][1]`"
    i = thread()
    if i >= count[0]:
        return
    fn = wp.abs(wp.dot(force[i], n[i]))
    pair = pairs[i]
    wp.atomic_add(total, pair[0], fn)
    wp.atomic_add(total, pair[1], fn)
