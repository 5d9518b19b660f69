# SPDX-License-Identifier: Apache-2.0
"""Meshes of triangles, whose corners are given by an array of indices."""

field("triangle meshes", element="triangle triangles", other="vertex vertices", corners=3, share=5)

vertex_position = quantity(vec3, "m", "position", one="p x", many="points vertices positions")
triangle_normal = quantity(vec3, "1", "unit normal", one="n normal", many="normals face_normals", unit_length=True)
triangle_area = quantity(float, "m^2", "area", one="area", many="areas face_areas", low=0.1, high=2.0, sums=True, means="total zero")
triangle_center = quantity(vec3, "m", "centroid", one="center centroid", many="centroids centers")
wedge_volume = quantity(float, "m^3", "signed volume", one="vol", many="volumes signed_volumes", sums=True, means="total zero")
wedge_angle = quantity(float, "rad", "corner angle", one="angle theta", many="angles corner_angles", low=0.1, high=3.0, means="bins alarm lowest")
triangle_cotangent = quantity(float, "1", "cotangent weight", one="cot w", many="cotangents cot_weights", means="range")
surface_gradient = quantity(vec3, "1/m", "gradient", one="grad g", many="gradients grads", means="length")
vertex_scalar = quantity(float, "1", "scalar", one="u s", many="values u scalars")
vertex_vector = quantity(vec3, "m/s", "velocity", one="w", many="velocities vertex_velocities")
dirichlet_energy = quantity(float, "1", "Dirichlet energy", one="energy e_dirichlet", many="dirichlet_energies energies", sums=True, means="total zero")
surface_integral = quantity(float, "m^2", "surface integral", one="integral", many="integrals", sums=True, means="total zero")
surface_flux = quantity(float, "m^3/s", "volume flux", one="flux", many="fluxes", sums=True, means="total zero")
vertex_area = quantity(float, "m^2", "area", one="share", many="vertex_areas lumped_areas", share=True)
triangle_pressure = quantity(float, "Pa", "pressure", one="pressure", many="pressures face_pressures")
pressure_force = quantity(vec3, "N", "pressure force", one="f fp", many="pressure_forces", sums=True, means="total length")
vertex_pressure_force = quantity(vec3, "N", "pressure force", one="f fp", many="vertex_forces pressure_forces", share=True)
wind_velocity = quantity(vec3, "m/s", "velocity of the wind", one="wind air_velocity", uniform=True)
wind_drag = quantity(float, "kg/(m^2 s)", "drag coefficient of the cloth", one="drag k_drag", low=0.1, high=1.0, uniform=True)
wind_force = quantity(vec3, "N", "wind force", one="fw", many="wind_forces", sums=True, means="total length")
vertex_wind_force = quantity(vec3, "N", "wind force", one="fw", many="vertex_wind_forces wind_forces", share=True)
barycentric_weights = quantity(vec2, "1", "barycentric coordinates of a point", one="b bary", many="bary barycentrics", low=0.05, high=0.5)
surface_point = quantity(vec3, "m", "surface point", one="q point", many="surface_points samples")
triangle_value = quantity(float, "1", "interpolated value", one="value", many="interpolated face_values", means="range goal")
view_point = quantity(vec3, "m", "viewpoint", one="eye camera_pos viewpoint", uniform=True)
facing_flag = quantity(int, "1", "visibility flag", one="front", many="facing visible front_facing", low=0, high=1)
triangle_flag = quantity(int, "1", "flag", one="flag", many="flags face_flags", low=0, high=1)
triangle_lower_bound = quantity(vec3, "m", "lower box corner", one="lower", many="lowers lower_bounds")
triangle_upper_bound = quantity(vec3, "m", "upper box corner", one="upper", many="uppers upper_bounds")
box_margin = quantity(float, "m", "margin of the box", one="margin", low=0.01, high=0.2, uniform=True)
uv_coordinate = quantity(vec2, "1", "texture coordinates", one="uv", many="uvs texcoords")
triangle_tangent = quantity(vec3, "1", "tangent", one="t tangent", many="tangents")
inverse_rest_shape = quantity(mat22, "1/m", "inverse rest edge matrix", one="dm_inv inv_dm", many="rest_inverse tri_poses")
membrane_strain = quantity(mat22, "1", "Green strain", one="strain e", many="strains")
membrane_energy = quantity(float, "J", "elastic energy", one="energy", many="membrane_energies", sums=True, means="total zero")
rest_area = quantity(float, "m^2", "rest area", one="a0 rest_area", many="rest_areas", low=0.1, high=2.0)
lame_mu = quantity(float, "N/m", "shear modulus of the membrane", one="mu", low=0.5, high=4.0, uniform=True)
lame_lambda = quantity(float, "N/m", "first Lame parameter of the membrane", one="lam", low=0.5, high=4.0, uniform=True)
vertex_normal = quantity(vec3, "1", "normal", one="n", many="normals vertex_normals")
area_normal = quantity(vec3, "m^2", "area-weighted normal", one="n", many="vertex_normals area_normals")
vertex_laplacian = quantity(float, "1", "Laplacian", one="lap", many="laplacian lap")
vertex_force = quantity(vec3, "N", "force", one="f", many="forces vertex_forces")
vertex_valence = quantity(int, "1", "number of triangles", one="count", many="counts valence", low=0, high=6)
neighbor_count = quantity(int, "1", "number of neighbor positions", one="count", many="counts neighbor_counts", low=0, high=6)
soup_point = quantity(vec3, "m", "positions of the corners of the soup", one="p", many="soup soup_points")
soup_normal = quantity(vec3, "1", "normals at the corners of the soup", one="n", many="soup_normals corner_normals")
half_edge_weight = quantity(float, "1", "cotangent weights of the half-edges", one="w", many="weights half_edge_weights")
vertex_position_sum = quantity(vec3, "m", "neighbor position sum", one="total", many="sums neighbor_sums")
random_point = quantity(vec3, "m", "random point", one="q", many="random_points samples")
part_volume = quantity(float, "m^3", "volumes of the parts", one="vol", many="part_volumes volumes")
part_moment = quantity(vec3, "m^4", "first moments of the parts", one="moment", many="part_moments first_moments")
part_label = quantity(int, "1", "part", one="part", many="parts part_ids")
vertex_angle_sum = quantity(float, "rad", "angle sum", one="total", many="angle_sums vertex_angles")
smallest_area = quantity(float, "m^2", "smallest area", one="min_area area_eps", low=0.1, high=0.5, uniform=True)
cut_normal = quantity(vec3, "1", "normal of the plane", one="plane_normal axis", uniform=True, unit_length=True)
cut_offset = quantity(float, "m", "offset of the plane", one="offset plane_offset", uniform=True)
half_edge_key = quantity(int, "1", "keys of the half-edges", one="key", many="keys edge_keys", low=0, high=1000)
vertex_label = quantity(int, "1", "label", one="label", many="labels", low=0, high=9)
seen_triangle = quantity(int, "1", "last triangle index", one="last", many="last_triangle owner", low=0, high=3)


@formula
def normal_of_triangle(a: first.vertex_position, b: second.vertex_position, c: third.vertex_position) -> triangle_normal:
    "the unit vector along ({b} - {a}) x ({c} - {a})"
    return wp.normalize(wp.cross(b - a, c - a))


@formula
def triangle_centroid(a: first.vertex_position, b: second.vertex_position, c: third.vertex_position) -> triangle_center:
    "a third of the sum of {a}, {b} and {c}"
    return (a + b + c) / 3.0


@formula
def volume_to_origin(a: first.vertex_position, b: second.vertex_position, c: third.vertex_position) -> wedge_volume:
    "the volume between the triangle and the origin, {a} . ({b} x {c}) / 6"
    return wp.dot(a, wp.cross(b, c)) / 6.0


@formula
def angle_at_corner(a: first.vertex_position, b: second.vertex_position, c: third.vertex_position) -> wedge_angle:
    "the angle at {a} between the edges to {b} and to {c}, as the atan2 of the length of their cross product and their dot product"
    u = b - a
    v = c - a
    return wp.atan2(wp.length(wp.cross(u, v)), wp.dot(u, v))


@formula
def cotangent_at_corner(a: first.vertex_position, b: second.vertex_position, c: third.vertex_position) -> triangle_cotangent:
    "the dot product of the edges from {a} to {b} and to {c}, divided by the length of their cross product, which counts as at least 1e-6"
    u = b - a
    v = c - a
    return wp.dot(u, v) / wp.max(wp.length(wp.cross(u, v)), 1.0e-6)


@formula
def gradient_on_triangle(a: first.vertex_position, b: second.vertex_position, c: third.vertex_position,
                         ua: first.vertex_scalar, ub: second.vertex_scalar, uc: third.vertex_scalar) -> surface_gradient:
    "that of the function that is linear on the triangle and has the values {ua}, {ub} and {uc} at {a}, {b} and {c}, which is the sum of each value times the cross product of n and the edge opposite its corner ({c} - {b} for the first, then {a} - {c} and {b} - {a}), divided by the dot product of n with itself, where n = ({b} - {a}) x ({c} - {a})"
    n = wp.cross(b - a, c - a)
    g = ua * wp.cross(n, c - b) + ub * wp.cross(n, a - c) + uc * wp.cross(n, b - a)
    return g / wp.dot(n, n)


@formula
def energy_of_gradient(g: surface_gradient, area: triangle_area) -> dirichlet_energy:
    "half of {area} times the squared length of {g}"
    return 0.5 * area * wp.dot(g, g)


@formula
def integral_of_scalar(a: first.vertex_position, b: second.vertex_position, c: third.vertex_position,
                       ua: first.vertex_scalar, ub: second.vertex_scalar, uc: third.vertex_scalar) -> surface_integral:
    "the mean of {ua}, {ub} and {uc} times the area of the triangle with the corners {a}, {b} and {c}"
    area = 0.5 * wp.length(wp.cross(b - a, c - a))
    return area * (ua + ub + uc) / 3.0


@formula
def flux_through_triangle(a: first.vertex_position, b: second.vertex_position, c: third.vertex_position,
                          wa: first.vertex_vector, wb: second.vertex_vector, wc: third.vertex_vector) -> surface_flux:
    "the dot product of the mean of {wa}, {wb} and {wc} with the area vector ({b} - {a}) x ({c} - {a}) / 2"
    area_vector = 0.5 * wp.cross(b - a, c - a)
    return wp.dot((wa + wb + wc) / 3.0, area_vector)


@formula
def force_of_pressure(a: first.vertex_position, b: second.vertex_position, c: third.vertex_position,
                      p: triangle_pressure) -> pressure_force:
    "the force on the triangle, -{p} ({b} - {a}) x ({c} - {a}) / 2"
    return -0.5 * p * wp.cross(b - a, c - a)


@formula
def force_of_wind(a: first.vertex_position, b: second.vertex_position, c: third.vertex_position,
                  va: first.vertex_vector, vb: second.vertex_vector, vc: third.vertex_vector,
                  wind: wind_velocity, k: wind_drag) -> wind_force:
    "{k} s n / 2 with n = ({b} - {a}) x ({c} - {a}), where s is the component along n of {wind} minus the mean of {va}, {vb} and {vc}"
    normal = wp.cross(b - a, c - a)
    relative = wind - (va + vb + vc) / 3.0
    return normal * (0.5 * k * wp.dot(relative, wp.normalize(normal)))


@formula
def share_of_pressure(a: first.vertex_position, b: second.vertex_position, c: third.vertex_position,
                      p: triangle_pressure) -> vertex_pressure_force:
    "a third of the force on the triangle, -{p} ({b} - {a}) x ({c} - {a}) / 6"
    return -p * wp.cross(b - a, c - a) / 6.0


@formula
def share_of_wind(a: first.vertex_position, b: second.vertex_position, c: third.vertex_position,
                  va: first.vertex_vector, vb: second.vertex_vector, vc: third.vertex_vector,
                  wind: wind_velocity, k: wind_drag) -> vertex_wind_force:
    "a third of that on the triangle, {k} s n / 6 with n = ({b} - {a}) x ({c} - {a}), where s is the component along n of {wind} minus the mean of {va}, {vb} and {vc}"
    normal = wp.cross(b - a, c - a)
    relative = wind - (va + vb + vc) / 3.0
    return normal * (k * wp.dot(relative, wp.normalize(normal)) / 6.0)


@formula
def point_on_triangle(a: first.vertex_position, b: second.vertex_position, c: third.vertex_position,
                      w: barycentric_weights) -> surface_point:
    "{a} + {w}[0] ({b} - {a}) + {w}[1] ({c} - {a})"
    return a + w[0] * (b - a) + w[1] * (c - a)


@formula
def value_on_triangle(ua: first.vertex_scalar, ub: second.vertex_scalar, uc: third.vertex_scalar,
                      w: barycentric_weights) -> triangle_value:
    "{ua} + {w}[0] ({ub} - {ua}) + {w}[1] ({uc} - {ua})"
    return ua + w[0] * (ub - ua) + w[1] * (uc - ua)


@formula
def is_facing(n: triangle_normal, c: triangle_center, eye: view_point) -> facing_flag:
    "1 if {n} and the vector from {c} to {eye} have a positive dot product, so that the triangle is seen from its front, else 0"
    if wp.dot(n, eye - c) > 0.0:
        return 1
    return 0


@formula
def low_corner(a: first.vertex_position, b: second.vertex_position, c: third.vertex_position, m: box_margin) -> triangle_lower_bound:
    "the componentwise minimum of {a}, {b} and {c}, minus {m} in each component"
    lower = wp.min(wp.min(a, b), c)
    return lower - wp.vec3(m, m, m)


@formula
def high_corner(a: first.vertex_position, b: second.vertex_position, c: third.vertex_position, m: box_margin) -> triangle_upper_bound:
    "the componentwise maximum of {a}, {b} and {c}, plus {m} in each component"
    upper = wp.max(wp.max(a, b), c)
    return upper + wp.vec3(m, m, m)


@formula
def texture_tangent(a: first.vertex_position, b: second.vertex_position, c: third.vertex_position,
                       ua: first.uv_coordinate, ub: second.uv_coordinate, uc: third.uv_coordinate) -> triangle_tangent:
    "the unit vector along dv2 times ({b} - {a}) minus dv1 times ({c} - {a}), reversed if the determinant du1 * dv2 - dv1 * du2 is negative, where (du1, dv1) is {ub} minus {ua} and (du2, dv2) is {uc} minus {ua}"
    d1 = ub - ua
    d2 = uc - ua
    tangent = wp.normalize((b - a) * d2[1] - (c - a) * d1[1])
    if d1[0] * d2[1] - d1[1] * d2[0] < 0.0:
        tangent = -tangent
    return tangent


@formula
def strain_of_membrane(a: first.vertex_position, b: second.vertex_position, c: third.vertex_position,
                       q: inverse_rest_shape) -> membrane_strain:
    "(F^T F - I) / 2 with the identity I, where the columns of F are the edges e1 = {b} - {a} and e2 = {c} - {a} times {q}, which are e1 {q}[0, 0] + e2 {q}[1, 0] and e1 {q}[0, 1] + e2 {q}[1, 1]"
    e1 = b - a
    e2 = c - a
    f1 = e1 * q[0, 0] + e2 * q[1, 0]
    f2 = e1 * q[0, 1] + e2 * q[1, 1]
    shear = 0.5 * wp.dot(f1, f2)
    return wp.mat22(0.5 * (wp.dot(f1, f1) - 1.0), shear, shear, 0.5 * (wp.dot(f2, f2) - 1.0))


@formula
def strain_energy(e: membrane_strain, area: rest_area, mu: lame_mu, lam: lame_lambda) -> membrane_energy:
    "{area} ({mu} s + ({lam} / 2) t^2), where s is the sum of the squares of all entries of {e} and t its trace"
    t = wp.trace(e)
    return area * (mu * wp.ddot(e, e) + 0.5 * lam * t * t)


@algorithm
def accumulate_vertex_normals(indices: element_triangle, points: other.vertex_position,
                              normals: out_other.area_normal):
    "adds the cross product of the edges from the first corner of each triangle to the second and to the third, which is the normal weighted by twice the area, atomically to {normals} at the three corners"
    f = thread()
    guard(f)
    i = indices[3 * f + 0]
    j = indices[3 * f + 1]
    k = indices[3 * f + 2]
    p = points[i]
    n = wp.cross(points[j] - p, points[k] - p)
    wp.atomic_add(normals, i, n)
    wp.atomic_add(normals, j, n)
    wp.atomic_add(normals, k, n)


@algorithm
def accumulate_angle_weighted_normals(indices: element_triangle, points: other.vertex_position,
                                      normals: out_other.vertex_normal):
    "adds atomically to {normals} at each corner of each triangle the unit normal of the triangle times the angle of the triangle at this corner"
    f = thread()
    guard(f)
    i = indices[3 * f]
    j = indices[3 * f + 1]
    k = indices[3 * f + 2]
    a = points[i]
    b = points[j]
    c = points[k]
    n = normal_of_triangle(a, b, c)
    wp.atomic_add(normals, i, angle_at_corner(a, b, c) * n)
    wp.atomic_add(normals, j, angle_at_corner(b, c, a) * n)
    wp.atomic_add(normals, k, angle_at_corner(c, a, b) * n)


@algorithm
def apply_pressure(indices: element_triangle_table, points: other.vertex_position,
                   pressures: triangle_pressure, forces: out_other.vertex_force):
    "shares the force on each triangle, minus half of its pressure times the cross product of the edges from its first corner to its second and third, equally between its three corners: a third of it is added atomically to {forces} of each; triangles with the pressure 0 are left out"
    t = thread()
    guard(t)
    p = pressures[t]
    if p == 0.0:
        return
    a = points[indices[t, 0]]
    ab = points[indices[t, 1]] - a
    ac = points[indices[t, 2]] - a
    force = -p * wp.cross(ab, ac) / 6.0
    for corner in range(3):
        wp.atomic_add(forces, indices[t, corner], force)


@algorithm
def cotangent_laplacian(indices: element_triangle, points: other.vertex_position,
                        u: other.vertex_scalar, lap: out_other.vertex_laplacian):
    "the cotangent Laplacian of {u}: for each corner v of a triangle, whose next corners are i and j, half of the cotangent of the angle at v times {u}[j] - {u}[i] is added atomically to {lap}[i] and subtracted from {lap}[j]; the cotangent is the dot product of the edges from v to i and j divided by the length of their cross product, which counts as at least 1e-6"
    f = thread()
    guard(f)
    for corner in range(3):
        v = indices[3 * f + corner]
        i = indices[3 * f + (corner + 1) % 3]
        j = indices[3 * f + (corner + 2) % 3]
        w = 0.5 * cotangent_at_corner(points[v], points[i], points[j])
        d = w * (u[j] - u[i])
        wp.atomic_add(lap, i, d)
        wp.atomic_sub(lap, j, d)


@algorithm
def voronoi_areas(indices: element_triangle, points: other.vertex_position,
                  areas: out_other.vertex_area):
    "the Voronoi areas of the vertices by the cotangent formula: the squared length of each edge of each triangle times the cotangent of the angle opposite it, divided by 8, is added atomically to {areas} at both ends of the edge; the cotangent is the dot product of the edges that meet at the angle divided by the length of their cross product, which counts as at least 1e-6"
    f = thread()
    guard(f)
    for corner in range(3):
        v = indices[3 * f + corner]
        i = indices[3 * f + (corner + 1) % 3]
        j = indices[3 * f + (corner + 2) % 3]
        edge = points[j] - points[i]
        part = wp.dot(edge, edge) * cotangent_at_corner(points[v], points[i], points[j]) / 8.0
        wp.atomic_add(areas, i, part)
        wp.atomic_add(areas, j, part)


@algorithm
def half_edge_cotangents(indices: element_triangle, points: other.vertex_position,
                         weights: out.half_edge_weight["3*n"]):
    "for each half-edge `3 * f + c` of triangle `f`, from its corner c to the next, half of the cotangent of the angle at the corner that is left: the dot product of the edges from there divided by the length of their cross product, which counts as at least 1e-6"
    f = thread()
    guard(f)
    a = points[indices[3 * f]]
    b = points[indices[3 * f + 1]]
    c = points[indices[3 * f + 2]]
    weights[3 * f] = 0.5 * cotangent_at_corner(c, a, b)
    weights[3 * f + 1] = 0.5 * cotangent_at_corner(a, b, c)
    weights[3 * f + 2] = 0.5 * cotangent_at_corner(b, c, a)


@algorithm
def count_large_triangles(indices: element_triangle, areas: triangle_area, least: smallest_area,
                          counts: out_other.vertex_valence):
    "counts large triangles by vertex: each triangle whose area is at least {least} adds 1 atomically to {counts} at its three corners"
    f = thread()
    guard(f)
    if areas[f] < least:
        return
    for corner in range(3):
        wp.atomic_add(counts, indices[3 * f + corner], 1)


@algorithm
def triangles_cut_by_plane(indices: element_triangle, points: other.vertex_position, n: cut_normal,
                           d: cut_offset, flags: out.triangle_flag):
    "1 for each triangle of which some corners, but not all, have a dot product with {n} of at least {d}, so that the plane cuts it, else 0"
    f = thread()
    guard(f)
    above = int(0)
    for corner in range(3):
        p = points[indices[3 * f + corner]]
        if wp.dot(p, n) >= d:
            above += 1
    if above == 0 or above == 3:
        flags[f] = 0
    else:
        flags[f] = 1


@algorithm
def sum_neighbor_positions(indices: element_triangle, points: other.vertex_position,
                           sums: out_other.vertex_position_sum, counts: out_other.neighbor_count):
    "sums positions for umbrella smoothing: for each corner of each triangle the sum of the positions of the other two corners is added atomically to {sums} at its vertex, and 2 to {counts} there"
    f = thread()
    guard(f)
    i = indices[3 * f]
    j = indices[3 * f + 1]
    k = indices[3 * f + 2]
    pi = points[i]
    pj = points[j]
    pk = points[k]
    wp.atomic_add(sums, i, pj + pk)
    wp.atomic_add(sums, j, pk + pi)
    wp.atomic_add(sums, k, pi + pj)
    wp.atomic_add(counts, i, 2)
    wp.atomic_add(counts, j, 2)
    wp.atomic_add(counts, k, 2)


@algorithm
def keys_of_edges(indices: element_triangle, keys: out.half_edge_key["3*n"]):
    "for each half-edge `3 * f + c`, from corner c of triangle `f` to the next corner, a key that both directions share: the smaller index of its two vertices times 1024, plus the larger one"
    f = thread()
    guard(f)
    for corner in range(3):
        u = indices[3 * f + corner]
        v = indices[3 * f + (corner + 1) % 3]
        keys[3 * f + corner] = wp.min(u, v) * 1024 + wp.max(u, v)


@algorithm
def gather_triangle_soup(indices: element_triangle, points: other.vertex_position,
                         soup: out.soup_point["3*n"], normals: out.soup_normal["3*n"]):
    "copies the positions of the three corners of triangle `f` to the entries of {soup} from `3 * f` on, and the unit normal of the triangle to the same entries of {normals}, so that no vertex is shared"
    f = thread()
    guard(f)
    a = points[indices[3 * f]]
    b = points[indices[3 * f + 1]]
    c = points[indices[3 * f + 2]]
    n = normal_of_triangle(a, b, c)
    soup[3 * f] = a
    soup[3 * f + 1] = b
    soup[3 * f + 2] = c
    for corner in range(3):
        normals[3 * f + corner] = n


@algorithm
def membrane_forces(indices: element_triangle_table, points: other.vertex_position,
                    rest: inverse_rest_shape, areas: rest_area, mu: lame_mu, lam: lame_lambda,
                    forces: out_other.vertex_force):
    "the Saint Venant-Kirchhoff forces of a membrane: with the deformation gradient F, whose two columns are the edges from the first corner to the second and third times {rest}, the Green strain E = (F^T F - I) / 2 and the stress S = 2 {mu} E + {lam} tr(E) I, the columns of G = -{areas} F S {rest}^T are the forces on the second and third corner, and minus their sum the force on the first; they are added atomically to {forces}"
    t = thread()
    guard(t)
    i = indices[t, 0]
    j = indices[t, 1]
    k = indices[t, 2]
    q = rest[t]
    area = areas[t]
    a = points[i]
    e1 = points[j] - a
    e2 = points[k] - a
    f1 = e1 * q[0, 0] + e2 * q[1, 0]
    f2 = e1 * q[0, 1] + e2 * q[1, 1]
    exx = 0.5 * (wp.dot(f1, f1) - 1.0)
    eyy = 0.5 * (wp.dot(f2, f2) - 1.0)
    exy = 0.5 * wp.dot(f1, f2)
    spread = lam * (exx + eyy)
    sxx = 2.0 * mu * exx + spread
    syy = 2.0 * mu * eyy + spread
    sxy = 2.0 * mu * exy
    p1 = f1 * sxx + f2 * sxy
    p2 = f1 * sxy + f2 * syy
    g1 = -area * (p1 * q[0, 0] + p2 * q[0, 1])
    g2 = -area * (p1 * q[1, 0] + p2 * q[1, 1])
    wp.atomic_add(forces, j, g1)
    wp.atomic_add(forces, k, g2)
    wp.atomic_sub(forces, i, g1 + g2)


@algorithm
def last_triangle_of_vertices(indices: element_triangle, owner: out_other.seen_triangle):
    "raises the entry of each corner of each triangle in {owner} to the triangle's index by an atomic maximum, so that in the end a vertex has the largest index of the triangles that meet there"
    f = thread()
    guard(f)
    for corner in range(3):
        wp.atomic_max(owner, indices[3 * f + corner], f)


@algorithm
def spread_vertex_labels(indices: element_triangle, labels: other.vertex_label, spread: out_other.vertex_label):
    "makes one step of labeling connected parts: for each corner of each triangle it lowers the entry of its vertex in {spread} to the smallest of the three {labels} of the triangle's corners by an atomic minimum"
    f = thread()
    guard(f)
    i = indices[3 * f]
    j = indices[3 * f + 1]
    k = indices[3 * f + 2]
    least = wp.min(labels[i], wp.min(labels[j], labels[k]))
    wp.atomic_min(spread, i, least)
    wp.atomic_min(spread, j, least)
    wp.atomic_min(spread, k, least)


@formula(alone=True)
def random_point_in(a: first.vertex_position, b: second.vertex_position, c: third.vertex_position, state: random_state) -> random_point:
    "(1 - s) {a} + s (1 - t) {b} + s t {c}, where s is the root of a random number from 0 to 1 and t a second one"
    s = wp.sqrt(wp.randf(state))
    t = wp.randf(state)
    return (1.0 - s) * a + s * (1.0 - t) * b + s * t * c


@algorithm(share=2)
def mass_properties_of_parts(indices: element_triangle, points: other.vertex_position, parts: part_label["-1:p"],
                             volumes: out.part_volume["p"], moments: out.part_moment["p"]):
    "adds up the volume and the first moment of closed parts of the mesh: with the corners a, b and c of each triangle and V = a . (b x c) / 6, the signed volume of its tetrahedron with the origin, V is added atomically to {volumes} of the triangle's part, its entry of {parts}, and V (a + b + c) / 4 to {moments} of the part; triangles with the part -1 do nothing"
    f = thread()
    guard(f)
    part = parts[f]
    if part < 0:
        return
    a = points[indices[3 * f]]
    b = points[indices[3 * f + 1]]
    c = points[indices[3 * f + 2]]
    volume = volume_to_origin(a, b, c)
    wp.atomic_add(volumes, part, volume)
    wp.atomic_add(moments, part, 0.25 * volume * (a + b + c))


@algorithm
def angle_sums_of_vertices(indices: element_triangle_table, points: other.vertex_position, sums: out_other.vertex_angle_sum):
    "adds the angle at each corner of each triangle atomically to {sums} at the corner's vertex"
    f = thread()
    guard(f)
    i = indices[f, 0]
    j = indices[f, 1]
    k = indices[f, 2]
    a = points[i]
    b = points[j]
    c = points[k]
    wp.atomic_add(sums, i, angle_at_corner(a, b, c))
    wp.atomic_add(sums, j, angle_at_corner(b, c, a))
    wp.atomic_add(sums, k, angle_at_corner(c, a, b))
