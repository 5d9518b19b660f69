# SPDX-License-Identifier: Apache-2.0
"""Grains, which find their neighbors by a hash grid."""

field("grains", element="grain grains", other="grain grains", link="contact contacts", moves=True, state=True, share=1)

grain_position = quantity(vec3, "m", "position", one="x p", many="positions x grain_x")
grain_velocity = quantity(vec3, "m/s", "velocity", one="v vel", many="velocities v grain_v")
grain_radius = quantity(float, "m", "radius of the grains", one="grain_radius", low=0.25, high=1.0, uniform=True, touch=True)
grain_stiffness = quantity(float, "N/m", "contact stiffness", one="k_contact ke", low=0.5, high=4.0, uniform=True)
grain_damping = quantity(float, "N s/m", "contact damping", one="k_damp kd", low=0.1, high=1.0, uniform=True)
grain_friction = quantity(float, "1", "friction coefficient", one="k_mu mu", low=0.1, high=1.0, uniform=True)
heat_of_grain = quantity(float, "K", "temperature", one="temp", many="temperatures temps", low=0.5, high=4.0)
heating_rate = quantity(float, "K/s", "heating rate", one="rate", many="heating rates", sums=True, means="adds zero")
grain_force = quantity(vec3, "N", "contact force", one="f", many="forces contact_forces f", sums=True, means="adds length cap")
packing_origin = quantity(vec3, "m", "lower corner of the packing", one="lower corner", uniform=True)
packing_spacing = quantity(float, "m", "spacing of the packing", one="spacing", low=0.3, high=1.0, uniform=True)
packing_jitter = quantity(float, "m", "largest jitter", one="jitter", low=0.01, high=0.1, uniform=True)
packing_rows = quantity(int, "1", "number of grains along an axis", one="side", low=1, high=4, uniform=True)
bin_floor = quantity(float, "m", "height of the outlet", one="outlet_height outlet_y", low=-1.0, high=1.0, uniform=True)
hopper_height = quantity(float, "m", "height of the inlet", one="inlet_height inlet_y", low=1.5, high=3.0, uniform=True)
hopper_radius = quantity(float, "m", "radius of the inlet", one="inlet_radius", low=0.3, high=1.5, uniform=True)
heat_exchange = quantity(float, "1/(m s)", "heat exchange coefficient", one="k_heat exchange", low=0.1, high=1.0, uniform=True)


@formula
def grain_repulsion(x: grain_position, y: other.grain_position, v: grain_velocity, u: other.grain_velocity,
                        r: grain_radius, ke: grain_stiffness, kd: grain_damping) -> grain_force:
    "zero if two grains of radius {r} at {x} and {y} do not overlap, else {ke} c - {kd} s along the unit vector n from {y} to {x}, where c is the depth of the overlap and s the component of {v} - {u} along n"
    d = x - y
    depth = 2.0 * r - wp.length(d)
    if depth < 0.0:
        return wp.vec3()
    n = wp.normalize(d)
    return n * (ke * depth - kd * wp.dot(v - u, n))


@formula(alone=True)
def contact_heating(x: grain_position, y: other.grain_position, t: heat_of_grain, t_j: other.heat_of_grain,
                    r: grain_radius, k: heat_exchange) -> heating_rate:
    "zero if two grains of radius {r} at {x} and {y} do not overlap, else {k} ({t_j} - {t}) times the depth of their overlap"
    overlap = wp.max(2.0 * r - wp.length(x - y), 0.0)
    return k * (t_j - t) * overlap


@algorithm
def contact_forces_of_grains(grid: grid_id, x: grain_position, v: grain_velocity, r: grain_radius, ke: grain_stiffness,
                             kd: grain_damping, mu: grain_friction, f: out.grain_force):
    "computes contact forces between grains of the radius {r}, found by {grid} within twice {r}: for each other grain with the overlap c > 0, the normal force fn = {ke} c - {kd} u along the unit vector n from the other grain to this one, where u is the component along n of the relative velocity, this grain's minus the other's, and the friction {mu} |fn| opposite to the tangential relative velocity"
    i = thread()
    guard(i)
    xi = x[i]
    vi = v[i]
    force = wp.vec3()
    for j in wp.hash_grid_query(grid, xi, 2.0 * r):
        if j == i:
            continue
        d = xi - x[j]
        overlap = 2.0 * r - wp.length(d)
        if overlap > 0.0:
            n = wp.normalize(d)
            relative = vi - v[j]
            vn = wp.dot(relative, n)
            fn = ke * overlap - kd * vn
            slip = wp.normalize(relative - n * vn)
            force += n * fn - slip * (mu * wp.abs(fn))
    f[i] = force


@algorithm(share=2)
def jittered_packing(lower: packing_origin, spacing: packing_spacing, jitter: packing_jitter, side: packing_rows, seed: thermostat_seed, x: out.grain_position):
    "puts the grains on a cubic lattice with {side} places along x and {side} along y: grain i stands at {lower} plus {spacing} times (i modulo {side}, i / {side} modulo {side}, i / {side}^2), all by integer division, plus {jitter} times a vector of three random numbers from -1 to 1, drawn by `wp.randf(state, -1.0, 1.0)`"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    column = i % side
    row = (i // side) % side
    layer = i // (side * side)
    place = wp.vec3(float(column), float(row), float(layer))
    shake = wp.vec3(wp.randf(state, -1.0, 1.0), wp.randf(state, -1.0, 1.0), wp.randf(state, -1.0, 1.0))
    x[i] = lower + spacing * place + jitter * shake


@algorithm(share=2)
def refill_hopper(x: grain_position, v: grain_velocity, outlet: bin_floor, inlet: hopper_height, inlet_radius: hopper_radius, seed: thermostat_seed, x_out: out.grain_position, v_out: out.grain_velocity):
    "brings each grain whose y component is below {outlet} back to the inlet, a disk of the radius {inlet_radius} around the y axis at the height {inlet}, with the velocity zero: its x and z components are {inlet_radius} times the point of the unit disk that `wp.sample_unit_disk` draws; other grains keep {x} and {v}"
    i = thread()
    guard(i)
    p = x[i]
    if p[1] >= outlet:
        x_out[i] = p
        v_out[i] = v[i]
        return
    state = wp.rand_init(seed, i)
    disk = inlet_radius * wp.sample_unit_disk(state)
    x_out[i] = wp.vec3(disk[0], inlet, disk[1])
    v_out[i] = wp.vec3(0.0, 0.0, 0.0)
