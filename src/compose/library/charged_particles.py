# SPDX-License-Identifier: Apache-2.0
"""Charged particles in electric and magnetic fields."""

field("charged particles", element="particle particles", other="particle particles", apart=True, state=True, share=1)

charge_of_particle = quantity(float, "C", "charge", one="q", many="q charges")
charged_velocity = quantity(vec3, "m/s", "velocity", one="v", many="v velocities", means="length cap goal")
magnetic_force = quantity(vec3, "N", "Lorentz force", one="f force", many="forces lorentz_forces", means="adds total length")
magnetic_field = quantity(vec3, "T", "magnetic field", one="b", many="b_field", uniform=True)
charged_mass = quantity(float, "kg", "mass", one="m", many="masses m", low=0.5, high=4.0)
cloud_position = quantity(vec2, "m", "position", one="x", many="positions particle_x", low=0.1, high=2.0)
inverse_cell = quantity(float, "1/m", "inverse of the cell width", one="inv_dx", low=1.0, high=2.0, uniform=True)
node_charge = quantity(float, "C", "charges of the nodes", one="q_node", many="grid_q node_charges")
node_field = quantity(vec2, "V/m", "electric field at the nodes", one="e_node", many="grid_e node_fields")
gathered_field = quantity(vec2, "V/m", "electric field", one="e", many="e_field gathered", means="length")
collision_frequency = quantity(float, "1/s", "collision frequency", one="nu collision_rate", low=1.0, high=8.0, uniform=True)
gyration_radius = quantity(float, "m", "gyration radius", one="radius", many="gyration_radii", means="peak")
speed_across_field = quantity(float, "m/s", "perpendicular speed", one="v_perp", many="speeds_across", low=0.1, high=4.0)
field_strength = quantity(float, "T", "strength of the magnetic field", one="b_abs", low=0.5, high=2.0, uniform=True)


@formula(first=True)
def lorentz_force(q: charge_of_particle, v: charged_velocity, e: electric_field,
                  b: magnetic_field) -> magnetic_force:
    "{q} ({e} + {v} x {b})"
    return q * (e + wp.cross(v, b))


@formula
def step_velocity_in_field(v: charged_velocity, f: magnetic_force, m: charged_mass, dt: time_step) -> charged_velocity:
    "{v} plus {dt} {f} / {m}"
    return v + f * (dt / m)


@formula
def gyration_radius_of(v: speed_across_field, q: charge_of_particle, m: charged_mass, b: field_strength) -> gyration_radius:
    "{m} {v} / ((|{q}| + 0.01) {b})"
    return m * v / ((wp.abs(q) + 0.01) * b)


@algorithm
def boris_push(
    q: charge_of_particle, m: charged_mass, v: charged_velocity, e: electric_field, b: magnetic_field,
    dt: time_step, v_out: out.charged_velocity,
):
    "the new velocity of each particle by the Boris scheme, d + h {e}, where h = {q} {dt} / (2 {m}), a = {v} + h {e}, t = h {b}, c = a + a x t and d = a + (2 / (1 + |t|^2)) (c x t)"
    i = thread()
    guard(i)
    h = 0.5 * dt * q[i] / m[i]
    kick = h * e[i]
    a = v[i] + kick
    t = h * b
    c = a + wp.cross(a, t)
    d = a + 2.0 / (1.0 + wp.dot(t, t)) * wp.cross(c, t)
    v_out[i] = d + kick


@function
def cell_and_fraction(x: float, nodes: int):
    "two values: the integer part of {x}, clamped to the range from 0 to {nodes} - 2, and {x} minus it"
    cell = wp.clamp(int(wp.floor(x)), 0, nodes - 2)
    return cell, x - float(cell)


@algorithm(share=2)
def deposit_charge(x: cloud_position, q: charge_of_particle, inv_dx: inverse_cell, grid_q: out.node_charge["r+2,c+2"]):
    "deposits charges, cloud in cell: each particle adds {q} to {grid_q} at the four nodes of its cell, atomically, with bilinear weights; its place in cells is {inv_dx} times {x}, whose first component counts along the first axis of {grid_q}"
    p = thread()
    guard(p)
    pos = x[p] * inv_dx
    charge = q[p]
    i, fx = cell_and_fraction(pos[0], grid_q.shape[0])
    j, fy = cell_and_fraction(pos[1], grid_q.shape[1])
    left = charge * (1.0 - fx)
    right = charge * fx
    wp.atomic_add(grid_q, i, j, left * (1.0 - fy))
    wp.atomic_add(grid_q, i, j + 1, left * fy)
    wp.atomic_add(grid_q, i + 1, j, right * (1.0 - fy))
    wp.atomic_add(grid_q, i + 1, j + 1, right * fy)


@algorithm
def gather_field(x: cloud_position, grid_e: node_field["r+2,c+2"], inv_dx: inverse_cell, e: out.gathered_field):
    "the electric field at each particle: {grid_e} of the four nodes of its cell, weighted bilinearly; its place in cells is {inv_dx} times {x}, whose first component counts along the first axis of {grid_e}"
    p = thread()
    guard(p)
    pos = x[p] * inv_dx
    i, fx = cell_and_fraction(pos[0], grid_e.shape[0])
    j, fy = cell_and_fraction(pos[1], grid_e.shape[1])
    low = wp.lerp(grid_e[i, j], grid_e[i, j + 1], fy)
    high = wp.lerp(grid_e[i + 1, j], grid_e[i + 1, j + 1], fy)
    e[p] = wp.lerp(low, high, fx)


@algorithm(share=2)
def collide_with_gas(v: charged_velocity, nu: collision_frequency, dt: time_step, seed: thermostat_seed, v_out: out.charged_velocity):
    "makes particles collide with a gas at rest: each draws a number from 0 to 1; if it is below 1 - exp(-{nu} {dt}) the particle keeps its speed and gets a new direction, a random unit vector that `wp.sample_unit_sphere_surface` draws after that, else it keeps {v}"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    vel = v[i]
    if wp.randf(state) >= 1.0 - wp.exp(-nu * dt):
        v_out[i] = vel
        return
    v_out[i] = wp.length(vel) * wp.sample_unit_sphere_surface(state)
