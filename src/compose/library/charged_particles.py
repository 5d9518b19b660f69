# SPDX-License-Identifier: Apache-2.0
"""Charged particles in electric and magnetic fields."""

field("charged particles", element="particle particles", other="particle particles", apart=True)

charge_of_particle = quantity(float, "C", "charge", one="q", many="q charges")
charged_velocity = quantity(vec3, "m/s", "velocity", one="v", many="v velocities", means="length cap goal")
magnetic_force = quantity(vec3, "N", "Lorentz force", one="f force", many="forces lorentz_forces", means="adds total length")
magnetic_field = quantity(vec3, "T", "magnetic field", one="b", many="b_field", uniform=True)
charged_mass = quantity(float, "kg", "mass", one="m", many="masses m", low=0.5, high=4.0)
gyration_radius = quantity(float, "m", "gyration radius", one="radius", many="gyration_radii", means="peak")
speed_across_field = quantity(float, "m/s", "perpendicular speed", one="v_perp", many="speeds_across", low=0.1, high=4.0)
field_strength = quantity(float, "T", "strength of the magnetic field", one="b_abs", low=0.5, high=2.0, uniform=True)


@formula
def lorentz_force(q: charge_of_particle, v: charged_velocity, e: electric_field,
                  b: magnetic_field) -> magnetic_force:
    "{q} ({e} + {v} x {b})"
    return q * (e + wp.cross(v, b))


@formula
def accelerated_by_field(v: charged_velocity, f: magnetic_force, m: charged_mass, dt: time_step) -> charged_velocity:
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
    "the new velocity of each particle by the Boris scheme: with h = {q} {dt} / (2 {m}), a = {v} + h {e}, t = h {b}, c = a + a x t and d = a + 2 / (1 + |t|^2) c x t it is d + h {e}"
    i = thread()
    guard(i)
    h = 0.5 * dt * q[i] / m[i]
    kick = h * e[i]
    a = v[i] + kick
    t = h * b
    c = a + wp.cross(a, t)
    d = a + 2.0 / (1.0 + wp.dot(t, t)) * wp.cross(c, t)
    v_out[i] = d + kick
