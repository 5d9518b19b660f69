# SPDX-License-Identifier: Apache-2.0
"""Solids of tetrahedra, whose corners are given by an array of indices."""

field("tetrahedral meshes", element="tet tets", other="node nodes", corners=4, state=True)

node_position = quantity(vec3, "m", "position", one="x p", many="positions x nodes")
tet_volume = quantity(float, "m^3", "signed volume", one="vol volume", many="volumes tet_volumes", sums=True, means="total zero")
edge_matrix = quantity(mat33, "m", "edge matrix", one="ds dm", many="edge_matrices shapes")
tet_inverse_rest = quantity(mat33, "1/m", "inverse rest edge matrix", one="dm_inv inv_dm", many="tet_poses rest_inverse inv_rest")
deformation_gradient = quantity(mat33, "1", "deformation gradient", one="f defgrad", many="deformation_gradients def_grads")
solid_strain = quantity(mat33, "1", "strain", one="strain e", many="tet_strains strains")
solid_stress = quantity(mat33, "Pa", "stress", one="s stress", many="stresses tet_stresses")
volume_ratio = quantity(float, "1", "volume ratio", one="j ratio", many="volume_ratios", low=0.2, high=2.0, means="range goal bins lowest")
energy_density = quantity(float, "J/m^3", "energy density", one="psi", many="energy_densities psi", low=0.1, high=4.0, means="peak alarm")
solid_energy = quantity(float, "J", "elastic energy", one="energy", many="tet_energies elastic_energies", sums=True, means="total zero")
rest_volume = quantity(float, "m^3", "rest volume", one="v0 rest_volume", many="rest_volumes", low=0.1, high=2.0, means="total")
shear_modulus = quantity(float, "Pa", "shear modulus", one="mu", low=0.5, high=4.0, uniform=True)
lame_modulus = quantity(float, "Pa", "first Lame parameter", one="lam", low=0.5, high=4.0, uniform=True)
node_value = quantity(float, "K", "temperature", one="t u", many="temperatures node_temps")
tet_gradient = quantity(vec3, "K/m", "temperature gradient", one="grad", many="tet_gradients grads", means="length")
conductivity = quantity(float, "W/(m K)", "conductivity", one="kappa cond", many="conductivities kappa", low=0.5, high=4.0)
tet_flux = quantity(vec3, "W/m^2", "heat flux", one="flux q", many="fluxes tet_fluxes", means="length")
probe_point = quantity(vec3, "m", "query point", one="q point", many="query_points probes")
tet_weights = quantity(vec3, "1", "barycentric coordinates", one="w bary", many="bary tet_weights")
node_force = quantity(vec3, "N", "force", one="f", many="forces node_forces")
node_mass = quantity(float, "kg", "mass", one="m", many="node_masses masses", share=True)
tet_mass = quantity(float, "kg", "mass", one="m", many="tet_masses masses", sums=True, means="total zero")
node_inverse_mass = quantity(float, "1/kg", "inverse mass", one="w", many="inv_masses w", low=0.25, high=2.0)
node_correction = quantity(vec3, "m", "position correction", one="dx", many="corrections deltas")
node_velocity = quantity(vec3, "m/s", "velocity", one="v", many="velocities node_velocities")
solid_density = quantity(float, "kg/m^3", "density", one="rho density", many="densities", low=0.5, high=4.0)
solid_momentum = quantity(vec3, "kg m/s", "momentum", one="p", many="tet_momenta momenta", sums=True, means="total length")
node_heat_rate = quantity(float, "W", "heat flow", one="rate", many="heat_rates rates")
corner_slot = quantity(int, "1", "nodes of the faces", one="node", many="surface_indices faces", low=0, high=3)
inverted_flag = quantity(int, "1", "inversion flag", one="inverted", many="flags inverted", low=0, high=1)
inverted_count = quantity(int, "1", "number of inverted tets", one="count", many="counts inverted_counts", low=0, high=4)
node_stress_sum = quantity(float, "J", "volume-weighted von Mises stress", one="total", many="stress_sums weighted_stresses")
node_volume = quantity(float, "m^3", "volume", one="vol", many="node_volumes lumped_volumes")
solid_gravity = quantity(vec3, "m/s^2", "gravitational acceleration", one="gravity g", uniform=True)
compliance = quantity(float, "m^4/kg", "scaled compliance", one="compliance alpha", low=0.1, high=1.0, uniform=True)


@formula
def volume_of_tet(a: first.node_position, b: second.node_position, c: third.node_position, d: fourth.node_position) -> tet_volume:
    "({b} - {a}) . (({c} - {a}) x ({d} - {a})) / 6"
    return wp.dot(b - a, wp.cross(c - a, d - a)) / 6.0


@formula
def tet_edges(a: first.node_position, b: second.node_position, c: third.node_position, d: fourth.node_position) -> edge_matrix:
    "the matrix with the columns {b} - {a}, {c} - {a} and {d} - {a}"
    return wp.matrix_from_cols(b - a, c - a, d - a)


@formula
def deformation_of(ds: edge_matrix, q: tet_inverse_rest) -> deformation_gradient:
    "{ds} times {q}"
    return ds * q


@formula
def deformation_of_tet(a: first.node_position, b: second.node_position, c: third.node_position, d: fourth.node_position,
                       q: tet_inverse_rest) -> deformation_gradient:
    "the matrix with the columns {b} - {a}, {c} - {a} and {d} - {a}, times {q}"
    ds = wp.matrix_from_cols(b - a, c - a, d - a)
    return ds * q


@formula(alone=True)
def green_strain(f: deformation_gradient) -> solid_strain:
    "the Green strain ({f}^T {f} - I) / 2, where ^T is the transpose and I the identity"
    return 0.5 * (wp.transpose(f) * f - wp.identity(n=3, dtype=float))


@formula(alone=True)
def small_strain(f: deformation_gradient) -> solid_strain:
    "the small strain ({f} + {f}^T) / 2 - I, where ^T is the transpose and I the identity"
    return 0.5 * (f + wp.transpose(f)) - wp.identity(n=3, dtype=float)


@formula
def stress_of_strain(e: solid_strain, mu: shear_modulus, lam: lame_modulus) -> solid_stress:
    "2 {mu} {e} + {lam} tr({e}) I, where tr is the trace and I the identity"
    return 2.0 * mu * e + lam * wp.trace(e) * wp.identity(n=3, dtype=float)


@formula(alone=True)
def stable_neo_hookean_stress(f: deformation_gradient, mu: shear_modulus, lam: lame_modulus) -> solid_stress:
    "the first Piola-Kirchhoff stress {mu} {f} + ({lam} (J - 1) - {mu}) K, where J is the determinant of {f} and K its cofactor matrix, whose rows are the cross products of rows 1 and 2, of 2 and 0 and of 0 and 1 of {f}"
    cofactor = wp.matrix_from_rows(wp.cross(f[1], f[2]), wp.cross(f[2], f[0]), wp.cross(f[0], f[1]))
    return mu * f + (lam * (wp.determinant(f) - 1.0) - mu) * cofactor


@formula
def volume_change(f: deformation_gradient) -> volume_ratio:
    "the determinant of {f}"
    return wp.determinant(f)


@formula
def solid_strain_energy(e: solid_strain, mu: shear_modulus, lam: lame_modulus) -> energy_density:
    "{mu} times the sum of the squares of all entries of {e}, plus ({lam} / 2) times the square of its trace"
    t = wp.trace(e)
    return mu * wp.ddot(e, e) + 0.5 * lam * t * t


@formula
def neo_hookean_energy(f: deformation_gradient, mu: shear_modulus, lam: lame_modulus) -> energy_density:
    "({mu} / 2) (s - 3) + ({lam} / 2) (J - 1 - {mu} / {lam})^2, where s is the sum of the squares of all entries of {f} and J its determinant"
    offset = wp.determinant(f) - 1.0 - mu / lam
    return 0.5 * mu * (wp.ddot(f, f) - 3.0) + 0.5 * lam * offset * offset


@formula
def energy_of_density(psi: energy_density, volume: rest_volume) -> solid_energy:
    "{psi} times {volume}"
    return psi * volume


@formula
def gradient_in_tet(a: first.node_position, b: second.node_position, c: third.node_position, d: fourth.node_position,
                    ua: first.node_value, ub: second.node_value, uc: third.node_value, ud: fourth.node_value) -> tet_gradient:
    "the gradient of a temperature that is linear in the tet and has the values {ua}, {ub}, {uc} and {ud} at {a}, {b}, {c} and {d}, which is the sum of ({ub} - {ua}) (e2 x e3), ({uc} - {ua}) (e3 x e1) and ({ud} - {ua}) (e1 x e2), divided by e1 . (e2 x e3), where e1, e2 and e3 are the edges from {a} to the others"
    e1 = b - a
    e2 = c - a
    e3 = d - a
    n1 = wp.cross(e2, e3)
    g = (ub - ua) * n1 + (uc - ua) * wp.cross(e3, e1) + (ud - ua) * wp.cross(e1, e2)
    return g / wp.dot(e1, n1)


@formula
def gradient_flux(g: tet_gradient, kappa: conductivity) -> tet_flux:
    "minus {kappa} times {g}"
    return -kappa * g


@formula
def barycentric_in_tet(a: first.node_position, b: second.node_position, c: third.node_position, d: fourth.node_position,
                       q: probe_point) -> tet_weights:
    "the coordinates of {q} that belong to {b}, {c} and {d}, each of which is the triple product of the edges from {a} with that to its corner replaced by {q} - {a}, divided by the triple product of the three edges"
    e1 = b - a
    e2 = c - a
    e3 = d - a
    r = q - a
    n = wp.cross(e2, e3)
    return wp.vec3(wp.dot(r, n), wp.dot(e1, wp.cross(r, e3)), wp.dot(e1, wp.cross(e2, r))) / wp.dot(e1, n)


@formula
def is_inverted(j: volume_ratio) -> inverted_flag:
    "1 if {j} is below zero, else 0"
    if j < 0.0:
        return 1
    return 0


@formula
def tet_momentum(a: first.node_position, b: second.node_position, c: third.node_position, d: fourth.node_position,
                    va: first.node_velocity, vb: second.node_velocity, vc: third.node_velocity, vd: fourth.node_velocity,
                    rho: solid_density) -> solid_momentum:
    "{rho} V times the mean of {va}, {vb}, {vc} and {vd}, where V is the volume of the tet, ({b} - {a}) . (({c} - {a}) x ({d} - {a})) / 6"
    volume = wp.dot(b - a, wp.cross(c - a, d - a)) / 6.0
    return rho * volume * (va + vb + vc + vd) / 4.0


@formula
def mass_of_tet(a: first.node_position, b: second.node_position, c: third.node_position, d: fourth.node_position,
                rho: solid_density) -> tet_mass:
    "{rho} times the volume of the tet, ({b} - {a}) . (({c} - {a}) x ({d} - {a})) / 6"
    return rho * wp.dot(b - a, wp.cross(c - a, d - a)) / 6.0


@formula
def quarter_of_mass(a: first.node_position, b: second.node_position, c: third.node_position, d: fourth.node_position,
                    rho: solid_density) -> node_mass:
    "a quarter of the mass of the tet, {rho} V / 4 with its volume V = ({b} - {a}) . (({c} - {a}) x ({d} - {a})) / 6"
    return rho * wp.dot(b - a, wp.cross(c - a, d - a)) / 24.0


@algorithm
def tet_forces(indices: element_quad_table, x: other.node_position, poses: tet_inverse_rest,
               mu: shear_modulus, lam: lame_modulus, forces: out_other.node_force):
    "adds up the elastic forces of tets: F is the matrix whose columns are the edges from the first corner to the other three, times {poses}; the stress is P = F (2 {mu} E + {lam} tr(E) I) with the Green strain E = (F^T F - I) / 2; the columns of H = -V P {poses}^T with the volume at rest V = 1 / (6 det({poses})) are added atomically to {forces} at the other three corners, and their sum is subtracted from {forces} at the first"
    t = thread()
    guard(t)
    i0 = indices[t, 0]
    i1 = indices[t, 1]
    i2 = indices[t, 2]
    i3 = indices[t, 3]
    pose = poses[t]
    x0 = x[i0]
    F = wp.matrix_from_cols(x[i1] - x0, x[i2] - x0, x[i3] - x0) * pose
    eye = wp.identity(n=3, dtype=float)
    strain = 0.5 * (wp.transpose(F) * F - eye)
    stress = F * (2.0 * mu * strain + lam * wp.trace(strain) * eye)
    volume = 1.0 / (6.0 * wp.determinant(pose))
    h = -volume * stress * wp.transpose(pose)
    f1 = wp.vec3(h[0, 0], h[1, 0], h[2, 0])
    f2 = wp.vec3(h[0, 1], h[1, 1], h[2, 1])
    f3 = wp.vec3(h[0, 2], h[1, 2], h[2, 2])
    wp.atomic_add(forces, i1, f1)
    wp.atomic_add(forces, i2, f2)
    wp.atomic_add(forces, i3, f3)
    wp.atomic_sub(forces, i0, f1 + f2 + f3)


@algorithm
def solve_volume_constraints(indices: element_quad, x: other.node_position, w: other.node_inverse_mass,
                             rest: rest_volume, alpha: compliance, deltas: out_other.node_correction):
    "makes a position-based step for the volume of each tet: with the gradients g1 = (x2 - x0) x (x3 - x0) / 6, g2 = (x3 - x0) x (x1 - x0) / 6, g3 = (x1 - x0) x (x2 - x0) / 6 and g0 = -(g1 + g2 + g3) of its corners x0 to x3 and the violation C = g1 . (x1 - x0) minus {rest}, each corner with the inverse mass w in {w} and the gradient g gets the correction -C / (S + {alpha}) w g, where S is the sum of w |g|^2 over the four corners; it is added atomically to {deltas}"
    t = thread()
    guard(t)
    n0 = indices[4 * t]
    n1 = indices[4 * t + 1]
    n2 = indices[4 * t + 2]
    n3 = indices[4 * t + 3]
    x0 = x[n0]
    w0 = w[n0]
    w1 = w[n1]
    w2 = w[n2]
    w3 = w[n3]
    e1 = x[n1] - x0
    e2 = x[n2] - x0
    e3 = x[n3] - x0
    g1 = wp.cross(e2, e3) / 6.0
    g2 = wp.cross(e3, e1) / 6.0
    g3 = wp.cross(e1, e2) / 6.0
    g0 = -(g1 + g2 + g3)
    violation = wp.dot(g1, e1) - rest[t]
    weight = w0 * wp.dot(g0, g0) + w1 * wp.dot(g1, g1) + w2 * wp.dot(g2, g2) + w3 * wp.dot(g3, g3)
    s = -violation / (weight + alpha)
    wp.atomic_add(deltas, n0, s * w0 * g0)
    wp.atomic_add(deltas, n1, s * w1 * g1)
    wp.atomic_add(deltas, n2, s * w2 * g2)
    wp.atomic_add(deltas, n3, s * w3 * g3)


@algorithm
def rest_shapes(indices: element_quad_table, x: other.node_position, poses: out.tet_inverse_rest,
                volumes: out.rest_volume):
    "the rest shape of each tet: {poses} gets the inverse of the matrix whose columns are the edges from its first corner to the other three, and {volumes} a sixth of that matrix's determinant; a tet whose determinant has a magnitude below 0.001 gets the identity and the volume 0"
    t = thread()
    guard(t)
    a = x[indices[t, 0]]
    dm = wp.matrix_from_cols(x[indices[t, 1]] - a, x[indices[t, 2]] - a, x[indices[t, 3]] - a)
    det = wp.determinant(dm)
    if wp.abs(det) < 0.001:
        poses[t] = wp.identity(n=3, dtype=float)
        volumes[t] = 0.0
        return
    poses[t] = wp.inverse(dm)
    volumes[t] = det / 6.0


@algorithm
def count_inverted_tets(indices: element_quad, x: other.node_position, counts: out_other.inverted_count):
    "adds 1 atomically to {counts} at all four corners of each tet whose signed volume, a sixth of the triple product of the edges from its first corner to the other three, is negative"
    t = thread()
    guard(t)
    a = x[indices[4 * t]]
    b = x[indices[4 * t + 1]]
    c = x[indices[4 * t + 2]]
    d = x[indices[4 * t + 3]]
    if volume_of_tet(a, b, c, d) < 0.0:
        for corner in range(4):
            wp.atomic_add(counts, indices[4 * t + corner], 1)


@algorithm
def faces_of_tets(indices: element_quad_table, faces: out.corner_slot["4*n,3"]):
    "writes the four triangles of tet `t` to the rows of {faces} from `4 * t` on: the corners 0 2 1, then 0 1 3, 0 3 2 and 1 2 3; those of a tet of positive volume look outwards"
    t = thread()
    guard(t)
    a = indices[t, 0]
    b = indices[t, 1]
    c = indices[t, 2]
    d = indices[t, 3]
    row = 4 * t
    faces[row, 0] = a
    faces[row, 1] = c
    faces[row, 2] = b
    faces[row + 1, 0] = a
    faces[row + 1, 1] = b
    faces[row + 1, 2] = d
    faces[row + 2, 0] = a
    faces[row + 2, 1] = d
    faces[row + 2, 2] = c
    faces[row + 3, 0] = b
    faces[row + 3, 1] = c
    faces[row + 3, 2] = d


@algorithm
def diffuse_in_tets(indices: element_quad, x: other.node_position, u: other.node_value,
                    kappa: conductivity, rates: out_other.node_heat_rate):
    "adds up the heat conduction by linear finite elements: the gradient of {u} in each tet times minus {kappa} and the tet's signed volume, dotted with the gradient of each corner's shape function, is added atomically to {rates} at that corner; with the edges e1, e2, e3 from the first corner and their triple product det the gradients of the other corners are e2 x e3, e3 x e1 and e1 x e2, over det, and that of the first is minus their sum"
    t = thread()
    guard(t)
    i0 = indices[4 * t]
    i1 = indices[4 * t + 1]
    i2 = indices[4 * t + 2]
    i3 = indices[4 * t + 3]
    x0 = x[i0]
    e1 = x[i1] - x0
    e2 = x[i2] - x0
    e3 = x[i3] - x0
    n1 = wp.cross(e2, e3)
    det = wp.dot(e1, n1)
    g1 = n1 / det
    g2 = wp.cross(e3, e1) / det
    g3 = wp.cross(e1, e2) / det
    u0 = u[i0]
    grad = (u[i1] - u0) * g1 + (u[i2] - u0) * g2 + (u[i3] - u0) * g3
    flow = -kappa[t] * det / 6.0 * grad
    wp.atomic_add(rates, i1, wp.dot(flow, g1))
    wp.atomic_add(rates, i2, wp.dot(flow, g2))
    wp.atomic_add(rates, i3, wp.dot(flow, g3))
    wp.atomic_sub(rates, i0, wp.dot(flow, g1 + g2 + g3))


@function
def von_mises(s: mat33):
    "the von Mises stress of the symmetric part S of {s}: the root of (3 / 2) times the sum of the squares of all entries of S - tr(S) / 3 I, where tr is the trace and I the identity, and 1e-6 is added under the root"
    sym = 0.5 * (s + wp.transpose(s))
    d = sym - wp.trace(sym) / 3.0 * wp.identity(n=3, dtype=float)
    return wp.sqrt(1.5 * wp.ddot(d, d) + 1.0e-6)


@algorithm(share=2)
def stress_to_nodes(indices: element_quad_table, stresses: solid_stress, volumes: rest_volume,
                    sums: out_other.node_stress_sum, weights: out_other.node_volume):
    "carries the stress from the tets to the nodes: a quarter of the tet's entry of {volumes} times the von Mises stress of {stresses} is added atomically to {sums} at its four corners, and a quarter of the volume to {weights} there"
    t = thread()
    guard(t)
    share = 0.25 * volumes[t]
    weighted = share * von_mises(stresses[t])
    for corner in range(4):
        node = indices[t, corner]
        wp.atomic_add(sums, node, weighted)
        wp.atomic_add(weights, node, share)


@algorithm
def weight_on_nodes(indices: element_quad, x: other.node_position, rho: solid_density, g: solid_gravity, forces: out_other.node_force):
    "shares the weight of each tet between its nodes: that is {rho} times its volume V = (x1 - x0) . ((x2 - x0) x (x3 - x0)) / 6 times {g}, with its corners x0 to x3, and a quarter of it is added atomically to {forces} at each corner; tets whose V is not above zero are left out"
    t = thread()
    guard(t)
    n0 = indices[4 * t]
    n1 = indices[4 * t + 1]
    n2 = indices[4 * t + 2]
    n3 = indices[4 * t + 3]
    volume = volume_of_tet(x[n0], x[n1], x[n2], x[n3])
    if volume <= 0.0:
        return
    weight = 0.25 * rho[t] * volume * g
    wp.atomic_add(forces, n0, weight)
    wp.atomic_add(forces, n1, weight)
    wp.atomic_add(forces, n2, weight)
    wp.atomic_add(forces, n3, weight)
