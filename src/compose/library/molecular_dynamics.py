# SPDX-License-Identifier: Apache-2.0
"""Molecules: forces between atoms, bonds, angles, periodic boxes, thermostats."""

field("molecular dynamics", element="atom atoms", other="atom atoms", link="pair pairs",
      group="molecule molecules", state=True, share=1)

atom_position = quantity(vec3, "nm", "position", one="r x", many="positions r coords", low=-1.0, high=1.0, means="goal")
atom_velocity = quantity(vec3, "nm/ps", "velocity", one="v vel", many="velocities v vel", means="length cap")
atom_force = quantity(vec3, "kJ/mol/nm", "force", one="f force", many="forces f", sums=True, means="adds length cap")
atom_mass = quantity(float, "u", "mass", one="m mass", many="masses m atom_mass", low=0.5, high=4.0)
atom_charge = quantity(float, "e", "charge", one="q", many="charges q partial_charges", low=-1.0, high=1.0)
atom_energy = quantity(float, "kJ/mol", "potential energy", one="u pot", many="energies pot_energy", sums=True, means="total zero")
atom_kinetic = quantity(float, "kJ/mol", "kinetic energy", one="ekin", many="kinetic_energies ekin", sums=True, means="total zero")
well_depth = quantity(float, "kJ/mol", "well depth", one="eps", many="epsilons well_depths", low=0.2, high=2.0)
atom_diameter = quantity(float, "nm", "diameter", one="sigma", many="sigmas diameters", low=0.4, high=0.8)
common_depth = quantity(float, "kJ/mol", "well depth of all atoms", one="epsilon eps", low=0.5, high=2.0, uniform=True)
repulsion_strength = quantity(float, "kJ/mol/nm", "strength of the repulsion", one="strength a_rep", low=0.5, high=2.0, uniform=True)
common_diameter = quantity(float, "nm", "diameter of all atoms", one="sigma", low=0.4, high=0.8, uniform=True)
atom_cutoff = quantity(float, "nm", "cutoff distance", one="cutoff r_cut rc", low=1.0, high=2.0, uniform=True, reach=True)
box_length = quantity(float, "nm", "box length", one="box box_length side", low=1.5, high=3.0, uniform=True)
bond_length = quantity(float, "nm", "bond length", one="r0 length", many="bond_lengths r0", low=0.3, high=1.2)
bond_strength = quantity(float, "kJ/mol/nm^2", "bond stiffness", one="k", many="bond_k bond_strengths", low=0.5, high=4.0)
morse_width = quantity(float, "1/nm", "Morse width", one="a alpha", many="morse_a widths", low=0.5, high=2.0)
morse_depth = quantity(float, "kJ/mol", "Morse depth", one="depth d_e", many="morse_d depths", low=0.5, high=3.0)
coulomb_constant = quantity(float, "kJ nm/mol/e^2", "Coulomb constant of the medium", one="ke k_coulomb", low=0.5, high=2.0, uniform=True)
screening_length = quantity(float, "nm", "screening length", one="lam debye", low=0.5, high=2.0, uniform=True)
atom_friction_rate = quantity(float, "1/ps", "friction rate", one="gamma friction", low=0.1, high=2.0, uniform=True)
atom_thermal_energy = quantity(float, "kJ/mol", "thermal energy", one="kT", low=0.2, high=2.0, uniform=True)
thermostat_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)
md_time_step = quantity(float, "ps", "time step", one="dt h time_step", low=0.01, high=0.1, uniform=True)
heat_scaling = quantity(float, "1", "velocity scaling", one="scale lam", low=0.8, high=1.2, uniform=True, varies=True)
atom_rest_angle = quantity(float, "rad", "rest angle", one="theta0", many="theta0 rest_angles", low=1.2, high=2.6)
angle_strength = quantity(float, "kJ/mol/rad^2", "angle stiffness", one="k_theta", many="angle_k k_theta", low=0.5, high=3.0)
coordination = quantity(float, "1", "coordination number", one="coord", many="coordination", sums=True)
contact_distance = quantity(float, "nm", "distance that counts as half a contact", one="r_half r0", low=0.4, high=0.9, uniform=True)
angle_atom = quantity(int, "1", "end atoms of the angles", one="end", many="angle_ends angles")
neighbor_list_start = quantity(int, "1", "start of each atom's list of neighbors, followed by the end of the last", one="start", many="offsets list_starts first_neighbor")
listed_neighbor = quantity(int, "1", "neighbors of all atoms", one="j", many="neighbors neighbor_list nlist")
atom_virial = quantity(float, "kJ/mol", "virial", one="w virial", many="virials", sums=True, means="total zero")
wrapped_atom = quantity(vec3, "nm", "wrapped position", one="wrapped", many="wrapped_positions images")
initial_velocity = quantity(vec3, "nm/ps", "initial velocity", one="v0", many="v0 initial_velocities", means="length")
atom_dipole = quantity(vec3, "e nm", "dipole moment", one="dip", many="dipoles dipole_moments", sums=True, means="total length")
pair_drag = quantity(float, "u/ps", "friction of the pairs", one="gamma drag", low=0.1, high=2.0, uniform=True)
lattice_site = quantity(vec3, "nm", "lattice site", one="site", many="sites lattice", low=-1.0, high=1.0)
site_strength = quantity(float, "kJ/mol/nm^2", "stiffness of the sites", one="k_site", low=0.5, high=4.0, uniform=True)
move_width = quantity(float, "nm", "largest move along an axis", one="width max_move", low=0.1, high=0.5, uniform=True)
collision_rate = quantity(float, "1/ps", "collision rate", one="nu collision_rate", low=1.0, high=8.0, uniform=True)


@function
def nearest_image(d: vec3, box: float):
    "the nearest image of {d} in a periodic box with the side {box}: each component c of {d} becomes c - {box} round(c / {box})"
    return wp.vec3(
        d[0] - box * wp.round(d[0] / box),
        d[1] - box * wp.round(d[1] / box),
        d[2] - box * wp.round(d[2] / box),
    )


@function
def lennard_jones(r2: float, eps: float, sigma: float):
    "two values, with s6 = ({sigma}^2 / {r2})^3: the energy 4 {eps} (s6^2 - s6), and the factor 24 {eps} (2 s6^2 - s6) / {r2} that times the vector between the atoms is the force"
    s2 = sigma * sigma / r2
    s6 = s2 * s2 * s2
    return 4.0 * eps * (s6 * s6 - s6), 24.0 * eps * (2.0 * s6 * s6 - s6) / r2


@formula(opposite=True)
def soft_repulsion(r: atom_position, r_j: other.atom_position, a: repulsion_strength, rc: atom_cutoff) -> atom_force:
    "zero if the distance d between {r} and {r_j} is above {rc}, else {a} (1 - d / {rc}) along the unit vector from {r_j} to {r}"
    d = r - r_j
    strength = a * wp.max(1.0 - wp.length(d) / rc, 0.0)
    return wp.normalize(d) * strength


@formula(opposite=True)
def harmonic_bond(r: atom_position, r_j: other.atom_position, r0: link.bond_length, k: link.bond_strength) -> atom_force:
    "-{k} (d - {r0}) along the unit vector from {r_j} to {r}, where d is their distance"
    d = r - r_j
    return wp.normalize(d) * (-k * (wp.length(d) - r0))


@formula(alone=True)
def bond_energy(r: atom_position, r_j: other.atom_position, r0: link.bond_length, k: link.bond_strength) -> atom_energy:
    "{k} (d - {r0})^2 / 4, half of the energy of the bond, where d is the distance between {r} and {r_j}"
    stretch = wp.length(r - r_j) - r0
    return 0.25 * k * stretch * stretch


@formula(opposite=True)
def morse_bond(
    r: atom_position, r_j: other.atom_position, r0: link.bond_length, a: link.morse_width, d: link.morse_depth,
) -> atom_force:
    "-2 {a} {d} e (1 - e) along the unit vector from {r_j} to {r}, with e = exp(-{a} (x - {r0})) for their distance x"
    dr = r - r_j
    e = wp.exp(-a * (wp.length(dr) - r0))
    return wp.normalize(dr) * (-2.0 * a * d * e * (1.0 - e))


@formula(opposite=True)
def screened_coulomb(
    r: atom_position, q: atom_charge, r_j: other.atom_position, q_j: other.atom_charge, k: coulomb_constant,
    lam: screening_length,
) -> atom_force:
    "{k} {q} {q_j} exp(-d / {lam}) (1 / d + 1 / {lam}) / d^2 times the vector from {r_j} to {r}, where d^2 is its squared length plus 0.01 nm^2"
    dr = r - r_j
    d = wp.sqrt(wp.dot(dr, dr) + 0.01)
    return dr * (k * q * q_j * wp.exp(-d / lam) * (1.0 / d + 1.0 / lam) / (d * d))


@formula(alone=True)
def screened_energy(
    r: atom_position, q: atom_charge, r_j: other.atom_position, q_j: other.atom_charge, k: coulomb_constant,
    lam: screening_length,
) -> atom_energy:
    "{k} {q} {q_j} exp(-d / {lam}) / (2 d), half of the energy of the pair, where d^2 is the squared distance between {r} and {r_j} plus 0.01 nm^2"
    dr = r - r_j
    d = wp.sqrt(wp.dot(dr, dr) + 0.01)
    return 0.5 * k * q * q_j * wp.exp(-d / lam) / d


@formula(alone=True)
def smooth_contact(r: atom_position, r_j: other.atom_position, r0: contact_distance) -> coordination:
    "1 / (1 + (d / {r0})^6), where d is the distance between {r} and {r_j}"
    dr = r - r_j
    ratio = wp.dot(dr, dr) / (r0 * r0)
    return 1.0 / (1.0 + ratio * ratio * ratio)


@formula
def half_kick(v: atom_velocity, f: atom_force, m: atom_mass, dt: md_time_step) -> atom_velocity:
    "{v} plus ({dt} / 2) ({f} / {m})"
    return v + f * (0.5 * dt / m)


@formula
def drift_atom(r: atom_position, v: atom_velocity, dt: md_time_step) -> atom_position:
    "{r} plus {dt} times {v}"
    return r + dt * v


@formula(first=True)
def langevin_force(f: atom_force, v: atom_velocity, m: atom_mass, gamma: atom_friction_rate) -> atom_force:
    "{f} - {gamma} {m} {v}, with the friction of a Langevin thermostat"
    return f - gamma * m * v


@formula
def thermal_kick(
    v: atom_velocity, m: atom_mass, gamma: atom_friction_rate, kT: atom_thermal_energy, dt: md_time_step,
    state: random_state,
) -> atom_velocity:
    "c {v} + sqrt((1 - c^2) {kT} / {m}) z, with c = exp(-{gamma} {dt}) and a vector z of three standard normal numbers"
    c = wp.exp(-gamma * dt)
    noise = wp.vec3(wp.randn(state), wp.randn(state), wp.randn(state))
    return c * v + wp.sqrt((1.0 - c * c) * kT / m) * noise


@formula
def rescaled_velocity(v: atom_velocity, s: heat_scaling) -> atom_velocity:
    "{s} times {v}"
    return s * v


@formula
def atom_kinetic_energy(v: atom_velocity, m: atom_mass) -> atom_kinetic:
    "half of {m} times the squared length of {v}"
    return 0.5 * m * wp.dot(v, v)


@formula(alone=True, first=True)
def virial_of_atom(r: atom_position, f: atom_force) -> atom_virial:
    "minus half of the dot product of {r} and {f}"
    return -0.5 * wp.dot(r, f)


@formula(alone=True, first=True)
def wrapped_position(r: atom_position, box: box_length) -> wrapped_atom:
    "the copy of the atom in the box from 0 to {box}, in which each component c of {r} becomes c - {box} floor(c / {box})"
    x = r[0] - box * wp.floor(r[0] / box)
    y = r[1] - box * wp.floor(r[1] / box)
    z = r[2] - box * wp.floor(r[2] / box)
    return wp.vec3(x, y, z)


@algorithm
def lennard_jones_forces(
    offsets: neighbor_list_start["n+1", "rising:3"], ids: listed_neighbor["3*n+3", "0:n"], r: atom_position, eps: common_depth, sigma: common_diameter,
    box: box_length, rc: atom_cutoff, f: out.atom_force, u: out.atom_energy,
):
    "{f} gets the Lennard-Jones force on each atom i and {u} half of its energy, both summed over its neighbors, which are `{ids}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, by the nearest image of the vector from the neighbor to the atom, for neighbors nearer than {rc}; 0.01 is added to the squared distance, so that the force stays finite"
    i = thread()
    guard(i)
    own = r[i]
    force = wp.vec3(0.0, 0.0, 0.0)
    energy = float(0.0)
    for k in range(offsets[i], offsets[i + 1]):
        d = nearest_image(own - r[ids[k]], box)
        r2 = wp.dot(d, d)
        if r2 < rc * rc:
            e, strength = lennard_jones(r2 + 0.01, eps, sigma)
            force += strength * d
            energy += 0.5 * e
    f[i] = force
    u[i] = energy


@algorithm
def mixed_lennard_jones(
    neighbors: neighbor_table, r: atom_position, eps: well_depth, sigma: atom_diameter, f: out.atom_force,
    u: out.atom_energy,
):
    "{f} gets the Lennard-Jones force on each atom and {u} half of its energy, both summed over its up to four neighbors, those in its row of {neighbors}, where -1 stands for none. A pair has the root of the product of both {eps} and the mean of both {sigma}, by the rules of Lorentz and Berthelot; 0.01 is added to the squared distance, so that the force stays finite"
    i = thread()
    guard(i)
    own = r[i]
    eps_i = eps[i]
    sigma_i = sigma[i]
    total = wp.vec3(0.0, 0.0, 0.0)
    energy = float(0.0)
    for slot in range(4):
        j = neighbors[i, slot]
        if j >= 0:
            d = own - r[j]
            r2 = wp.dot(d, d) + 0.01
            depth = wp.sqrt(eps_i * eps[j])
            e, strength = lennard_jones(r2, depth, 0.5 * (sigma_i + sigma[j]))
            total += strength * d
            energy += 0.5 * e
    f[i] = total
    u[i] = energy


@algorithm(over="link", link="bond bonds")
def bond_forces(
    ends: link_ends, r: atom_position, r0: link.bond_length, k: link.bond_strength, box: box_length,
    f: out.atom_force, u: out.atom_energy["1"],
):
    "adds up the forces and the energy of harmonic bonds in a periodic box: the force -{k} (d - {r0}) along the unit vector of the nearest image of the vector from the second to the first atom of each bond, whose length is d, is added atomically to {f} of the first and subtracted from {f} of the second; half of {k} (d - {r0})^2 is added atomically to {u}[0]"
    b = thread()
    i = ends[b, 0]
    j = ends[b, 1]
    d = nearest_image(r[i] - r[j], box)
    stretch = wp.length(d) - r0[b]
    strength = k[b]
    pull = wp.normalize(d) * (-strength * stretch)
    wp.atomic_add(f, i, pull)
    wp.atomic_sub(f, j, pull)
    wp.atomic_add(u, 0, 0.5 * strength * stretch * stretch)


@algorithm
def energy_of_angle(
    ends: angle_atom["n,2", "0:n"], r: atom_position, theta0: atom_rest_angle, k: angle_strength,
    u: out.atom_energy,
):
    "the energy of the angle at each atom between the two atoms in its row of {ends}: half of {k} times the square of the difference of the angle and {theta0}; the cosine of the angle is clamped to the range from -0.99 to 0.99"
    i = thread()
    guard(i)
    own = r[i]
    a = wp.normalize(r[ends[i, 0]] - own)
    b = wp.normalize(r[ends[i, 1]] - own)
    theta = wp.acos(wp.clamp(wp.dot(a, b), -0.99, 0.99))
    off = theta - theta0[i]
    u[i] = 0.5 * k[i] * off * off


@algorithm
def andersen_thermostat(
    v: atom_velocity, m: atom_mass, kT: atom_thermal_energy, nu: collision_rate, dt: md_time_step,
    seed: thermostat_seed, v_out: out.atom_velocity,
):
    "applies the Andersen thermostat: each atom draws a number from 0 to 1; if it is below {nu} {dt} the atom gets a new velocity, the root of ({kT} / {m}), times a vector of three standard normal numbers, else it keeps {v}"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    if wp.randf(state) >= nu * dt:
        v_out[i] = v[i]
        return
    width = wp.sqrt(kT / m[i])
    v_out[i] = width * wp.vec3(wp.randn(state), wp.randn(state), wp.randn(state))


@algorithm
def velocity_verlet_first(
    r: atom_position, v: atom_velocity, f: atom_force, m: atom_mass, box: box_length, dt: md_time_step,
    r_out: out.atom_position, v_out: out.atom_velocity,
):
    "makes the first half of a velocity Verlet step: {v_out} is {v} plus half of {dt} {f} / {m}, and {r_out} is {r} plus {dt} {v_out}, moved into the periodic box around the origin as its nearest image"
    i = thread()
    guard(i)
    half = v[i] + f[i] * (0.5 * dt / m[i])
    v_out[i] = half
    r_out[i] = nearest_image(r[i] + dt * half, box)


@formula(alone=True, first=True)
def dipole_of_atom(q: atom_charge, r: atom_position) -> atom_dipole:
    "{q} times {r}"
    return q * r


@formula(alone=True, first=True)
def maxwell_velocity(m: atom_mass, kT: atom_thermal_energy, state: random_state) -> initial_velocity:
    "a velocity of the Maxwell distribution, the root of ({kT} / {m}) times a vector of three standard normal numbers"
    return wp.sqrt(kT / m) * wp.vec3(wp.randn(state), wp.randn(state), wp.randn(state))


@algorithm(over="link", share=2)
def dpd_forces(
    ends: link_ends, r: atom_position, v: atom_velocity, a: repulsion_strength, gamma: pair_drag,
    kT: atom_thermal_energy, rc: atom_cutoff, dt: md_time_step, seed: thermostat_seed, f: out.atom_force,
):
    "adds up the forces of dissipative particle dynamics: with the vector d from the second to the first atom of each pair, its unit vector e, the weight w = 1 - |d| / {rc} and the velocity u of the first atom minus that of the second, the force F = ({a} w - {gamma} w^2 (u . e) + s w z) e, where s is the root of 2 {gamma} {kT} / {dt} and z a standard normal number, is added atomically to {f} of the first atom and subtracted from {f} of the second; pairs at the distance {rc} or more do nothing"
    k = thread()
    i = ends[k, 0]
    j = ends[k, 1]
    d = r[i] - r[j]
    w = 1.0 - wp.length(d) / rc
    if w <= 0.0:
        return
    state = wp.rand_init(seed, k)
    e = wp.normalize(d)
    rate = wp.dot(v[i] - v[j], e)
    thermal = wp.sqrt(2.0 * gamma * kT / dt)
    total = e * (a * w - gamma * w * w * rate + thermal * w * wp.randn(state))
    wp.atomic_add(f, i, total)
    wp.atomic_sub(f, j, total)


@algorithm(share=2)
def metropolis_moves(
    r: atom_position, site: lattice_site, k: site_strength, kT: atom_thermal_energy, width: move_width,
    seed: thermostat_seed, r_out: out.atom_position,
):
    "makes one Metropolis step of atoms that springs hold at their sites, with the energy {k} / 2 |{r} - {site}|^2: each atom tries the move to {r} plus {width} times a vector of three random numbers from -1 to 1, drawn by `wp.randf(state, -1.0, 1.0)`; it makes the move if the energy does not grow, or if a fourth number from 0 to 1 is below exp(-(the growth) / {kT}), and else stays"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    own = r[i]
    move = wp.vec3(wp.randf(state, -1.0, 1.0), wp.randf(state, -1.0, 1.0), wp.randf(state, -1.0, 1.0))
    trial = own + width * move
    before = own - site[i]
    after = trial - site[i]
    growth = 0.5 * k * (wp.dot(after, after) - wp.dot(before, before))
    r_out[i] = own
    if growth <= 0.0 or wp.randf(state) < wp.exp(-growth / kT):
        r_out[i] = trial
