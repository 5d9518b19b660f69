# SPDX-License-Identifier: Apache-2.0
"""The material point method on plane grids: particles to the grid, the grid, and back."""

field("material points", element="particle particles", other="node nodes", group="body bodies", moves=True, state=True, share=5)

mpm_position = quantity(vec2, "m", "position", one="x xp", many="x particle_x positions", low=0.1, high=2.0, means="goal")
mpm_velocity = quantity(vec2, "m/s", "velocity", one="v vp", many="v particle_v velocities", means="length cap goal")
affine_velocity = quantity(mat22, "1/s", "affine velocity", one="C affine", many="C particle_C affine")
particle_deformation = quantity(mat22, "1", "deformation gradient", one="F", many="F particle_F deformation")
mpm_mass = quantity(float, "kg", "mass", one="mp mass", many="particle_mass masses", low=0.5, high=2.0)
mpm_volume = quantity(float, "m^2", "rest area", one="area a0", many="areas rest_areas particle_areas", low=0.1, high=1.0)
particle_volume_ratio = quantity(float, "1", "volume ratio", one="J", many="J volume_ratios", low=0.5, high=1.5, means="range")
grid_mass = quantity(float, "kg", "masses of the nodes", one="gm", many="grid_m grid_mass node_mass", low=0.1, high=2.0)
grid_momentum = quantity(vec2, "kg m/s", "momenta of the nodes", one="mv", many="grid_mv grid_momentum")
grid_velocity = quantity(vec2, "m/s", "velocities of the nodes", one="gv", many="grid_v grid_velocity node_v")
velocity_before = quantity(vec2, "m/s", "velocities of the nodes before the grid's update", one="gv", many="grid_v_old grid_v_before")
velocity_after = quantity(vec2, "m/s", "velocities of the nodes after the grid's update", one="gv", many="grid_v_new grid_v")
inverse_width = quantity(float, "1/m", "inverse of the cell width", one="inv_dx", low=1.0, high=2.0, uniform=True)
mpm_gravity = quantity(vec2, "m/s^2", "gravitational acceleration", one="gravity g", uniform=True)
kirchhoff_stress = quantity(mat22, "Pa", "Kirchhoff stress", one="tau stress", many="tau stresses")
mpm_shear_modulus = quantity(float, "Pa", "shear modulus", one="mu shear", many="mus", low=0.5, high=4.0, uniform=True)
first_lame = quantity(float, "Pa", "first Lame parameter", one="lam", low=0.5, high=4.0, uniform=True)
bulk_modulus = quantity(float, "Pa", "bulk modulus", one="bulk K", low=0.5, high=4.0, uniform=True)
water_exponent = quantity(float, "1", "exponent of the equation of state", one="gamma", low=2.0, high=7.0, uniform=True)
mpm_pressure = quantity(float, "Pa", "pressure", one="pressure pr", many="pressures", means="range")
wall_width = quantity(int, "1", "width of the walls in nodes", one="bound pad", low=1, high=2, uniform=True)
hardening = quantity(float, "1", "hardening", one="h hardening", many="hardenings", low=0.5, high=4.0)
plastic_ratio = quantity(float, "1", "plastic volume ratio", one="Jp", many="Jp plastic_J", low=0.8, high=1.2)
hardening_rate = quantity(float, "1", "hardening rate", one="xi rate", low=1.0, high=4.0, uniform=True)
smallest_node_mass = quantity(float, "kg", "smallest mass of a node that moves", one="min_mass mass_eps", low=0.1, high=0.5, uniform=True)
particle_heat = quantity(float, "K", "temperature", one="temp", many="temperatures particle_T", low=0.5, high=4.0)
grid_heat = quantity(float, "kg K", "mass-weighted temperatures of the nodes", one="mt", many="grid_mT node_mT")
seeded_position = quantity(vec2, "m", "seeded position", one="x", many="seeds seeded_x")
seeding_width = quantity(float, "m", "cell width", one="dx", low=0.25, high=1.0, uniform=True)
seeding_columns = quantity(int, "1", "number of cells in a row", one="cols", low=1, high=4, uniform=True)
flip_share = quantity(float, "1", "share of FLIP", one="flip alpha blend", low=0.5, high=0.95, uniform=True)


@function
def base_node(x: float, last: int):
    "the first of the three nodes that a point {x} cells from the origin reaches, the integer part of {x} - 0.5 clamped to the range from 0 to {last} - 2, where {last} is the index of the last node"
    return wp.clamp(int(wp.floor(x - 0.5)), 0, last - 2)


@function
def quadratic_weights(f: float):
    "the vector of the quadratic B-spline weights of three nodes, for a point {f} cells after the first: (1.5 - {f})^2 / 2, 0.75 - ({f} - 1)^2 and ({f} - 0.5)^2 / 2"
    a = 1.5 - f
    b = f - 1.0
    c = f - 0.5
    return wp.vec3(0.5 * a * a, 0.75 - b * b, 0.5 * c * c)


@function
def node_and_fraction(x: float, nodes: int):
    "two values: the integer part of {x}, clamped to the range from 0 to {nodes} - 2, and {x} minus it"
    cell = wp.clamp(int(wp.floor(x)), 0, nodes - 2)
    return cell, x - float(cell)


@function
def bilinear(a: vec2, b: vec2, c: vec2, d: vec2, fx: float, fy: float):
    "the mixture by {fx} of (the mixture of {a} and {b} by {fy}) and (that of {c} and {d} by {fy}), where a mixture by 0 is the first"
    return wp.lerp(wp.lerp(a, b, fy), wp.lerp(c, d, fy), fx)


@formula
def updated_deformation(F: particle_deformation, C: affine_velocity, dt: time_step) -> particle_deformation:
    "(I + {dt} {C}) {F}, where I is the identity"
    return F + dt * (C * F)


@formula
def updated_volume_ratio(J: particle_volume_ratio, C: affine_velocity, dt: time_step) -> particle_volume_ratio:
    "{J} times (1 + {dt} times the trace of {C})"
    return J * (1.0 + dt * wp.trace(C))


@formula
def fluid_pressure(J: particle_volume_ratio, K: bulk_modulus) -> mpm_pressure:
    "{K} times (1 - {J})"
    return K * (1.0 - J)


@formula(alone=True)
def water_pressure(J: particle_volume_ratio, K: bulk_modulus, gamma: water_exponent) -> mpm_pressure:
    "{K} times ({J} to the power of -{gamma}, minus 1)"
    return K * (wp.pow(J, -gamma) - 1.0)


@formula
def fluid_stress(J: particle_volume_ratio, pr: mpm_pressure) -> kirchhoff_stress:
    "the diagonal matrix whose two entries are both -{pr} times {J}"
    s = -pr * J
    return wp.mat22(s, 0.0, 0.0, s)


@formula
def neo_hookean_stress(F: particle_deformation, mu: mpm_shear_modulus, lam: first_lame) -> kirchhoff_stress:
    "{mu} (B - I) + {lam} log(J) I, where B is {F} times its transpose, I the identity and J the determinant of {F}, or 0.1 if that is smaller"
    J = wp.max(wp.determinant(F), 0.1)
    s = lam * wp.log(J) - mu
    return mu * (F * wp.transpose(F)) + wp.mat22(s, 0.0, 0.0, s)


@formula
def hardening_of(Jp: plastic_ratio, xi: hardening_rate) -> hardening:
    "exp({xi} (1 - {Jp}))"
    return wp.exp(xi * (1.0 - Jp))


@formula
def hardened_stress(F: particle_deformation, h: hardening, mu: mpm_shear_modulus, lam: first_lame) -> kirchhoff_stress:
    "{h} times the neo-Hookean stress, which is {mu} (B - I) + {lam} log(J) I, where B is {F} times its transpose, I the identity and J the determinant of {F}, or 0.1 if that is smaller"
    return h * neo_hookean_stress(F, mu, lam)


@formula
def move_particle(x: mpm_position, v: mpm_velocity, dt: time_step) -> mpm_position:
    "{x} plus {dt} times {v}"
    return x + dt * v


@algorithm(share=1)
def particles_to_grid(
    x: mpm_position, v: mpm_velocity, C: affine_velocity, m: mpm_mass, inv_dx: inverse_width,
    grid_mv: out.grid_momentum["r+3,c+3"], grid_m: out.grid_mass["r+3,c+3"],
):
    "each particle adds mass and momentum to the 3 by 3 nodes around it, atomically: w {m} to {grid_m}, and w {m} ({v} + {C} d) to {grid_mv}. Here w is the product of the node's quadratic B-spline weights along both axes, and d the vector from the particle to the node in meters. The particle's place in cells is {inv_dx} times {x}, whose first component counts along the first axis of the grids"
    p = thread()
    guard(p)
    pos = x[p] * inv_dx
    gx = pos[0]
    gy = pos[1]
    bx = base_node(gx, grid_m.shape[0] - 1)
    by = base_node(gy, grid_m.shape[1] - 1)
    fx = gx - float(bx)
    fy = gy - float(by)
    wx = quadratic_weights(fx)
    wy = quadratic_weights(fy)
    mass = m[p]
    vel = v[p]
    affine = C[p]
    for a in range(3):
        for b in range(3):
            share = wx[a] * wy[b] * mass
            d = wp.vec2(float(a) - fx, float(b) - fy) / inv_dx
            wp.atomic_add(grid_m, bx + a, by + b, share)
            wp.atomic_add(grid_mv, bx + a, by + b, share * (vel + affine * d))


@algorithm(share=1)
def stress_to_grid(
    x: mpm_position, tau: kirchhoff_stress, vol: mpm_volume, inv_dx: inverse_width, dt: time_step,
    grid_mv: out.grid_momentum["r+3,c+3"],
):
    "each particle adds to the momentum of the 3 by 3 nodes around it, atomically: -4 {dt} {vol} {inv_dx}^2 w {tau} d. Here w is the product of the node's quadratic B-spline weights along both axes, and d the vector from the particle to the node in meters"
    p = thread()
    guard(p)
    pos = x[p] * inv_dx
    gx = pos[0]
    gy = pos[1]
    bx = base_node(gx, grid_mv.shape[0] - 1)
    by = base_node(gy, grid_mv.shape[1] - 1)
    fx = gx - float(bx)
    fy = gy - float(by)
    wx = quadratic_weights(fx)
    wy = quadratic_weights(fy)
    push = tau[p] * (-4.0 * dt * vol[p] * inv_dx * inv_dx)
    for a in range(3):
        for b in range(3):
            d = wp.vec2(float(a) - fx, float(b) - fy) / inv_dx
            wp.atomic_add(grid_mv, bx + a, by + b, wx[a] * wy[b] * (push * d))


@algorithm(dims=2)
def update_grid(
    mv: grid_momentum["n,m"], gm: grid_mass["n,m"], g: mpm_gravity, dt: time_step, least: smallest_node_mass,
    bound: wall_width["", "1:3"], gv: out.grid_velocity["n,m"],
):
    "the velocity of each node: {mv} / {gm} + {dt} {g}, or zero where {gm} is below {least}; in the first {bound} rows its component 0 is at least zero, in the last {bound} rows at most zero, and likewise its component 1 in the first and last {bound} columns"
    i, j = thread()
    m = gm[i, j]
    if m < least:
        gv[i, j] = wp.vec2(0.0, 0.0)
        return
    u = mv[i, j] / m + dt * g
    vx = u[0]
    vy = u[1]
    if i < bound:
        vx = wp.max(vx, 0.0)
    if i >= gm.shape[0] - bound:
        vx = wp.min(vx, 0.0)
    if j < bound:
        vy = wp.max(vy, 0.0)
    if j >= gm.shape[1] - bound:
        vy = wp.min(vy, 0.0)
    gv[i, j] = wp.vec2(vx, vy)


@algorithm(share=2)
def grid_to_particles(
    x: mpm_position, gv: grid_velocity["r+3,c+3"], inv_dx: inverse_width, v_out: out.mpm_velocity,
    C_out: out.affine_velocity,
):
    "each particle takes from the 3 by 3 nodes around it, with the product w of their quadratic B-spline weights along both axes: {v_out}, the sum of w {gv}, and {C_out}, 4 {inv_dx} times the sum of w times the outer product of {gv} and the vector from the particle to the node in cells; its place in cells is {inv_dx} times {x}, whose first component counts along the first axis of {gv}"
    p = thread()
    guard(p)
    pos = x[p] * inv_dx
    gx = pos[0]
    gy = pos[1]
    bx = base_node(gx, gv.shape[0] - 1)
    by = base_node(gy, gv.shape[1] - 1)
    fx = gx - float(bx)
    fy = gy - float(by)
    wx = quadratic_weights(fx)
    wy = quadratic_weights(fy)
    new_v = wp.vec2(0.0, 0.0)
    B = wp.mat22(0.0, 0.0, 0.0, 0.0)
    for a in range(3):
        for b in range(3):
            u = gv[bx + a, by + b] * (wx[a] * wy[b])
            new_v += u
            B += wp.outer(u, wp.vec2(float(a) - fx, float(b) - fy))
    v_out[p] = new_v
    C_out[p] = B * (4.0 * inv_dx)


@algorithm(share=2)
def splat_mass(x: mpm_position, m: mpm_mass, inv_dx: inverse_width, grid_m: out.grid_mass["r+2,c+2"]):
    "each particle adds {m} to {grid_m} at the four nodes of its cell, atomically, with bilinear weights; its place in cells is {inv_dx} times {x}, whose first component counts along the first axis of {grid_m}"
    p = thread()
    guard(p)
    pos = x[p] * inv_dx
    mass = m[p]
    i, fx = node_and_fraction(pos[0], grid_m.shape[0])
    j, fy = node_and_fraction(pos[1], grid_m.shape[1])
    wp.atomic_add(grid_m, i, j, mass * (1.0 - fx) * (1.0 - fy))
    wp.atomic_add(grid_m, i + 1, j, mass * fx * (1.0 - fy))
    wp.atomic_add(grid_m, i, j + 1, mass * (1.0 - fx) * fy)
    wp.atomic_add(grid_m, i + 1, j + 1, mass * fx * fy)


@algorithm
def flip_pic_velocity(
    x: mpm_position, v: mpm_velocity, old: velocity_before["r+2,c+2"], new: velocity_after["r+2,c+2"],
    inv_dx: inverse_width, flip: flip_share, v_out: out.mpm_velocity,
):
    "the velocity of each particle, a blend of FLIP and PIC: {flip} ({v} + b - a) + (1 - {flip}) b, where a and b are the velocities that bilinear weights of the four nodes of its cell give in {old} and in {new}; its place in cells is {inv_dx} times {x}, whose first component counts along the first axis of the grids"
    p = thread()
    guard(p)
    pos = x[p] * inv_dx
    i, fx = node_and_fraction(pos[0], old.shape[0])
    j, fy = node_and_fraction(pos[1], old.shape[1])
    before = bilinear(old[i, j], old[i, j + 1], old[i + 1, j], old[i + 1, j + 1], fx, fy)
    after = bilinear(new[i, j], new[i, j + 1], new[i + 1, j], new[i + 1, j + 1], fx, fy)
    v_out[p] = flip * (v[p] + after - before) + (1.0 - flip) * after


@algorithm(share=2)
def splat_temperature(
    x: mpm_position, m: mpm_mass, temp: particle_heat, inv_dx: inverse_width, grid_mT: out.grid_heat["r+2,c+2"],
    grid_m: out.grid_mass["r+2,c+2"],
):
    "each particle adds to the four nodes of its cell, atomically and with their bilinear weights w: w {m} {temp} to {grid_mT} and w {m} to {grid_m}; its place in cells is {inv_dx} times {x}, whose first component counts along the first axis of the grids"
    p = thread()
    guard(p)
    pos = x[p] * inv_dx
    mass = m[p]
    heat = mass * temp[p]
    i, fx = node_and_fraction(pos[0], grid_m.shape[0])
    j, fy = node_and_fraction(pos[1], grid_m.shape[1])
    w00 = (1.0 - fx) * (1.0 - fy)
    w01 = (1.0 - fx) * fy
    w10 = fx * (1.0 - fy)
    w11 = fx * fy
    wp.atomic_add(grid_mT, i, j, w00 * heat)
    wp.atomic_add(grid_mT, i, j + 1, w01 * heat)
    wp.atomic_add(grid_mT, i + 1, j, w10 * heat)
    wp.atomic_add(grid_mT, i + 1, j + 1, w11 * heat)
    wp.atomic_add(grid_m, i, j, w00 * mass)
    wp.atomic_add(grid_m, i, j + 1, w01 * mass)
    wp.atomic_add(grid_m, i + 1, j, w10 * mass)
    wp.atomic_add(grid_m, i + 1, j + 1, w11 * mass)


@algorithm(share=2)
def seed_particles(dx: seeding_width, cols: seeding_columns, seed: thermostat_seed, x: out.seeded_position):
    "seeds four particles in each cell of the width {dx}, where {cols} cells make a row: particle i belongs to cell c = i / 4 and is number s = i modulo 4 in it, by integer division; its position is {dx} times (column + (s / 2 + a) / 2, row + (s modulo 2 + b) / 2) with the column c modulo {cols}, the row c / {cols}, both by integer division, as is s / 2, and two random numbers a and b from 0 to 1"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    cell = i // 4
    place = i % 4
    column = float(cell % cols)
    row = float(cell // cols)
    a = wp.randf(state)
    b = wp.randf(state)
    px = column + 0.5 * (float(place // 2) + a)
    py = row + 0.5 * (float(place % 2) + b)
    x[i] = dx * wp.vec2(px, py)
