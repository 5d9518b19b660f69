# SPDX-License-Identifier: Apache-2.0
"""Motion."""

field("motion", element="particle particles", other="particle particles", link="pair pairs",
      group="body bodies", state=True)

position = quantity(vec, "m", "position", one="x p pos", many="positions pos x points", means="goal")
velocity = quantity(vec, "m/s", "velocity", one="v vel", many="velocities vel v", means="length cap goal blend")
acceleration = quantity(vec, "m/s^2", "acceleration", one="a acc accel", many="acc accelerations", means="adds length cap")
force = quantity(vec, "N", "force", one="f force", many="force f forces", sums=True, means="adds length cap total")
momentum = quantity(vec, "kg m/s", "momentum", one="p mom momentum", many="momenta momentum", sums=True, means="total length")
mass = quantity(float, "kg", "mass", one="m mass", many="mass masses m", low=0.5, high=4.0)
inverse_mass = quantity(float, "1/kg", "inverse mass", one="w inv_m inv_mass", many="inv_mass inv_masses w", low=0.25, high=2.0,
                        not_with="mass")
radius = quantity(float, "m", "radius", one="r radius", many="radius radii", low=0.25, high=1.0)
kinetic_energy = quantity(float, "J", "kinetic energy", one="ke energy", many="ke kinetic_energies energies", sums=True, means="total zero")
potential_energy = quantity(float, "J", "potential energy", one="pe energy", many="potential_energies pe energies", sums=True, means="total zero")
speed = quantity(float, "m/s", "speed", one="speed s", many="speeds speed", low=0.1, high=4.0, means="peak alarm bins range")
power = quantity(float, "W", "power", one="power p", many="powers power", sums=True, means="total zero")
time_step = quantity(float, "s", "time step", one="dt time_step", low=0.01, high=0.1, uniform=True)
gravity = quantity(vec, "m/s^2", "gravitational acceleration", one="gravity g", uniform=True)
drag_coefficient = quantity(float, "kg/s", "drag coefficient", one="drag c damping", low=0.1, high=1.0, uniform=True)
max_speed = quantity(float, "m/s", "speed limit", one="max_speed v_max speed_limit", low=1.0, high=4.0, uniform=True)


@formula
def gravity_force(m: mass, g: gravity) -> force:
    "{m} times {g}"
    return m * g


@formula
def drag_force(v: velocity, c: drag_coefficient) -> force:
    "minus {c} times {v}"
    return -c * v


@formula(undoes="gravity_force")
def acceleration_of(f: force, m: mass, g: gravity) -> acceleration:
    "{f} divided by {m}, plus {g}"
    return f / m + g


@formula
def acceleration_by_inverse_mass(f: force, w: inverse_mass) -> acceleration:
    "{f} times {w}"
    return f * w


@formula
def step_velocity(v: velocity, a: acceleration, dt: time_step) -> velocity:
    "{v} plus {a} times {dt}"
    return v + a * dt


@formula
def limit_speed(v: velocity, limit: max_speed) -> velocity:
    "{v}, shortened to the length {limit} if it is longer"
    speed = wp.length(v)
    if speed > limit:
        v = v * (limit / speed)
    return v


@formula
def step_position(x: position, v: velocity, dt: time_step) -> position:
    "{x} plus {v} times {dt}"
    return x + v * dt


@formula
def kinetic_energy_of(m: mass, v: velocity) -> kinetic_energy:
    "half of {m} times the squared length of {v}"
    return 0.5 * m * any_of(wp.dot(v, v), wp.length_sq(v))


@formula
def momentum_of(m: mass, v: velocity) -> momentum:
    "{m} times {v}"
    return m * v


@formula
def speed_of(v: velocity) -> speed:
    "the length of {v}"
    return wp.length(v)


@formula
def power_of(f: force, v: velocity) -> power:
    "the dot product of {f} and {v}"
    return wp.dot(f, v)
