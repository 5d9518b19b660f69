# SPDX-License-Identifier: Apache-2.0
"""Hinges of cloth: two triangles with a common edge. Corners 0 and 1 lie opposite the edge, which
goes from corner 2 to corner 3."""

field("bending of cloth", element="hinge hinges", other="vertex vertices", corners=4, state=True)

hinge_position = quantity(vec3, "m", "position", one="x", many="x positions particle_q")
hinge_velocity = quantity(vec3, "m/s", "velocity", one="v", many="v velocities particle_qd")
hinge_force = quantity(vec3, "N", "force", one="f", many="forces particle_f f")
dihedral_angle = quantity(float, "rad", "dihedral angle", one="theta angle", many="angles dihedral_angles", low=0.1, high=3.0, means="alarm goal bins")
rest_angle = quantity(float, "rad", "rest angle", one="rest rest_angle", many="rest_angles edge_rest_angle", low=0.1, high=2.0)
bending_stiffness = quantity(float, "N m", "bending stiffness", one="ke stiffness", many="edge_ke bending_stiffness", low=0.5, high=4.0)
bending_damping = quantity(float, "N s/m", "bending damping", one="kd damping", low=0.1, high=1.0, uniform=True)
bending_energy = quantity(float, "J", "bending energy", one="energy e", many="bending_energies energies", sums=True, means="total zero")
bending_moment = quantity(float, "N m", "bending moment", one="moment m", many="moments bending_moments", means="range")
hinge_height = quantity(float, "m", "height", one="h height", many="heights", low=0.2, high=2.0)
hinge_curvature = quantity(float, "1/m", "curvature", one="kappa curvature", many="curvatures", low=0.1, high=4.0, means="alarm peak bins")
quadratic_weights = quantity(vec4, "1", "bending weights", one="k weights", many="bending_weights cot_weights")
hinge_bend = quantity(vec3, "m", "bending vector", one="bend", many="bends bending_vectors")
hinge_area = quantity(float, "m^2", "total area", one="area", many="areas hinge_areas", low=0.5, high=4.0)
crease_limit = quantity(float, "rad", "largest angle that is no crease", one="max_angle angle_limit", low=0.2, high=2.0, uniform=True)
crease_flag = quantity(int, "1", "crease flag", one="crease", many="creases is_crease", low=0, high=1)
yield_angle = quantity(float, "rad", "yield angle", one="yield_angle limit", low=0.1, high=1.0, uniform=True)
creep_rate = quantity(float, "1", "creep factor", one="creep rate", low=0.1, high=1.0, uniform=True)
vertex_bend_count = quantity(int, "1", "number of creases", one="count", many="counts crease_counts", low=0, high=4)


@formula
def angle_of_hinge(a: first.hinge_position, b: second.hinge_position, c: third.hinge_position, d: fourth.hinge_position) -> dihedral_angle:
    "the angle between the triangles on both sides of the edge from {c} to {d}, which is the atan2 of (n2 x n1) . e and n1 . n2, where n1 = ({c} - {a}) x ({d} - {a}) and n2 = ({d} - {b}) x ({c} - {b}), both normalized, and e is the unit vector from {c} to {d}"
    n1 = wp.normalize(wp.cross(c - a, d - a))
    n2 = wp.normalize(wp.cross(d - b, c - b))
    e = wp.normalize(d - c)
    return wp.atan2(wp.dot(wp.cross(n2, n1), e), wp.dot(n1, n2))


@formula
def energy_of_angle(theta: dihedral_angle, rest: rest_angle, k: bending_stiffness) -> bending_energy:
    "half of {k} times ({theta} - {rest})^2"
    return 0.5 * k * (theta - rest) * (theta - rest)


@formula
def moment_of_angle(theta: dihedral_angle, rest: rest_angle, k: bending_stiffness) -> bending_moment:
    "-{k} times the difference {theta} - {rest}"
    return -k * (theta - rest)


@formula
def curvature_of_hinge(theta: dihedral_angle, h: hinge_height) -> hinge_curvature:
    "2 times the tangent of half of {theta}, divided by {h}"
    return 2.0 * wp.tan(0.5 * theta) / h


@formula
def is_crease(theta: dihedral_angle, limit: crease_limit) -> crease_flag:
    "1 if the magnitude of {theta} is above {limit}, else 0"
    if wp.abs(theta) > limit:
        return 1
    return 0


@formula
def yielded_angle(theta: dihedral_angle, rest: rest_angle, limit: yield_angle, rate: creep_rate) -> rest_angle:
    "{rest} if {theta} differs from it by at most {limit}; else {rest} moved towards {theta} by {rate} times the part of the difference beyond {limit}"
    d = theta - rest
    if d > limit:
        return rest + rate * (d - limit)
    if d < -limit:
        return rest + rate * (d + limit)
    return rest


@formula
def hinge_weights(a: first.hinge_position, b: second.hinge_position, c: third.hinge_position, d: fourth.hinge_position) -> quadratic_weights:
    "with the edge e from {c} to {d} and the cotangents of the angles at {c} (k1 between e and {a} - {c}, k2 between e and {b} - {c}) and at {d} (k3 and k4 between -e and {a} - {d}, {b} - {d}), the vector (-k1 - k3, -k2 - k4, k3 + k4, k1 + k2); a cotangent is the dot product of the two vectors divided by the length of their cross product"
    e = d - c
    ca = a - c
    cb = b - c
    da = a - d
    db = b - d
    k1 = wp.dot(e, ca) / wp.length(wp.cross(e, ca))
    k2 = wp.dot(e, cb) / wp.length(wp.cross(e, cb))
    k3 = -wp.dot(e, da) / wp.length(wp.cross(e, da))
    k4 = -wp.dot(e, db) / wp.length(wp.cross(e, db))
    return wp.vec4(-k1 - k3, -k2 - k4, k3 + k4, k1 + k2)


@formula
def bend_of_hinge(a: first.hinge_position, b: second.hinge_position, c: third.hinge_position, d: fourth.hinge_position,
                  k: quadratic_weights) -> hinge_bend:
    "{k}[0] {a} + {k}[1] {b} + {k}[2] {c} + {k}[3] {d}"
    return a * k[0] + b * k[1] + c * k[2] + d * k[3]


@formula
def bend_energy(s: hinge_bend, k: bending_stiffness, area: hinge_area) -> bending_energy:
    "3 {k} / (2 {area}) times the dot product of {s} with itself"
    return 1.5 * k / area * wp.dot(s, s)


@algorithm
def bending_forces(indices: element_quad_table, x: other.hinge_position, rest: rest_angle,
                   ke: bending_stiffness, forces: out_other.hinge_force):
    "adds up forces against the bending of hinges: the corners x0 and x1 lie opposite the edge from x2 to x3, n1 = (x2 - x0) x (x3 - x0) and n2 = (x3 - x1) x (x2 - x1) are the normals, theta is the atan2 of (n2' x n1') . e' and n1' . n2', where ' means divided by the length and e = x3 - x2; the gradients of theta are d0 = |e| n1 / |n1|^2, d1 = |e| n2 / |n2|^2, and for the edge's ends d2 = (x0 - x3) . e' n1 / |n1|^2 + (x1 - x3) . e' n2 / |n2|^2 and d3 = (x2 - x0) . e' n1 / |n1|^2 + (x2 - x1) . e' n2 / |n2|^2; at each corner -{ke} (theta - {rest}) times its gradient is added atomically to {forces}; hinges with a normal shorter than 0.001 are left out"
    h = thread()
    guard(h)
    i0 = indices[h, 0]
    i1 = indices[h, 1]
    i2 = indices[h, 2]
    i3 = indices[h, 3]
    x0 = x[i0]
    x1 = x[i1]
    x2 = x[i2]
    x3 = x[i3]
    n1 = wp.cross(x2 - x0, x3 - x0)
    n2 = wp.cross(x3 - x1, x2 - x1)
    n1_length = wp.length(n1)
    n2_length = wp.length(n2)
    if n1_length < 0.001 or n2_length < 0.001:
        return
    e = x3 - x2
    e_length = wp.length(e)
    e_hat = e / e_length
    n1_hat = n1 / n1_length
    n2_hat = n2 / n2_length
    theta = wp.atan2(wp.dot(wp.cross(n2_hat, n1_hat), e_hat), wp.dot(n1_hat, n2_hat))
    m1 = n1_hat / n1_length
    m2 = n2_hat / n2_length
    d0 = e_length * m1
    d1 = e_length * m2
    d2 = wp.dot(x0 - x3, e_hat) * m1 + wp.dot(x1 - x3, e_hat) * m2
    d3 = wp.dot(x2 - x0, e_hat) * m1 + wp.dot(x2 - x1, e_hat) * m2
    moment = -ke[h] * (theta - rest[h])
    wp.atomic_add(forces, i0, moment * d0)
    wp.atomic_add(forces, i1, moment * d1)
    wp.atomic_add(forces, i2, moment * d2)
    wp.atomic_add(forces, i3, moment * d3)


@algorithm
def quadratic_bending_forces(indices: element_quad_table, x: other.hinge_position, weights: quadratic_weights,
                             areas: hinge_area, ke: bending_stiffness, forces: out_other.hinge_force):
    "adds up forces of the quadratic bending energy: with s the sum over the four corners of the corner's component of {weights} times its position, 3 {ke} / {areas} times this component times s is subtracted atomically from {forces} at each corner"
    h = thread()
    guard(h)
    k = weights[h]
    s = wp.vec3()
    for corner in range(4):
        s += k[corner] * x[indices[h, corner]]
    c = 3.0 * ke[h] / areas[h]
    for corner in range(4):
        wp.atomic_sub(forces, indices[h, corner], c * k[corner] * s)


@algorithm
def damp_hinges(indices: element_quad, x: other.hinge_position, v: other.hinge_velocity,
                kd: bending_damping, forces: out_other.hinge_force):
    "damps the motion of the two corners opposite the edge of each hinge along the normals n1 = (x2 - x0) x (x3 - x0) and n2 = (x3 - x1) x (x2 - x1), both normalized: with the rate r = v0 . n1 + v1 . n2 - ((v2 + v3) / 2) . (n1 + n2) the force -{kd} r n1 is added to {forces} at corner 0, -{kd} r n2 at corner 1, and minus half of their sum at each of the corners 2 and 3, all atomically"
    h = thread()
    guard(h)
    i0 = indices[4 * h]
    i1 = indices[4 * h + 1]
    i2 = indices[4 * h + 2]
    i3 = indices[4 * h + 3]
    x0 = x[i0]
    x1 = x[i1]
    x2 = x[i2]
    x3 = x[i3]
    n1 = wp.normalize(wp.cross(x2 - x0, x3 - x0))
    n2 = wp.normalize(wp.cross(x3 - x1, x2 - x1))
    middle = 0.5 * (v[i2] + v[i3])
    rate = wp.dot(v[i0], n1) + wp.dot(v[i1], n2) - wp.dot(middle, n1 + n2)
    f0 = -kd * rate * n1
    f1 = -kd * rate * n2
    wp.atomic_add(forces, i0, f0)
    wp.atomic_add(forces, i1, f1)
    half = 0.5 * (f0 + f1)
    wp.atomic_sub(forces, i2, half)
    wp.atomic_sub(forces, i3, half)


@algorithm
def count_creases(indices: element_quad_table, angles: dihedral_angle, limit: crease_limit,
                  counts: out_other.vertex_bend_count):
    "adds 1 atomically to {counts} at both ends of the edge, the corners 2 and 3, of each hinge whose angle is above {limit}"
    h = thread()
    guard(h)
    if angles[h] <= limit:
        return
    wp.atomic_add(counts, indices[h, 2], 1)
    wp.atomic_add(counts, indices[h, 3], 1)
