# SPDX-License-Identifier: Apache-2.0
"""Laws of contact: normal forces, friction, restitution, for one contact each."""

field("laws of contact", element="contact contacts", other="body bodies", group="body bodies", state=True, share=8)

contact_penetration = quantity(float, "m", "penetration depth", one="depth penetration pen", many="depths penetrations contact_depth", low=0.01, high=0.2)
normal_force = quantity(float, "N", "normal force", one="fn normal_force", many="normal_forces fn", low=0.1, high=4.0, means="total peak alarm zero")
tangent_force = quantity(vec3, "N", "tangential force", one="ft", many="tangent_forces ft", sums=True, means="total length")
normal_speed = quantity(float, "m/s", "normal speed", one="vn v_n", many="normal_speeds vn")
slip_velocity = quantity(vec3, "m/s", "slip velocity", one="vt slip", many="slip_velocities slips vt", means="length")
relative_velocity = quantity(vec3, "m/s", "relative velocity", one="v_rel rel_vel vr", many="relative_velocities rel_vel")
contact_impulse = quantity(float, "N s", "normal impulse", one="jn lam impulse", many="normal_impulses lambdas impulses", means="total zero")
barrier_stiffness = quantity(float, "N/m^2", "barrier stiffness", one="ke k_barrier", low=1.0, high=8.0, uniform=True)
force_of_contact = quantity(vec3, "N", "contact force", one="f force", many="contact_forces contact_f", sums=True, means="total length cap")
barrier_energy = quantity(float, "J", "barrier energy", one="energy e_barrier", many="barrier_energies energies", sums=True, means="total zero")
asperity_noise = quantity(float, "1", "roughness of the surface", one="rough roughness", low=0.05, high=0.5, uniform=True)
rough_normal = quantity(vec3, "1", "rough normal", one="n", many="rough_normals")
effective_mass = quantity(float, "kg", "effective mass", one="m m_eff", many="effective_masses m_eff", low=0.5, high=4.0)
impulse_vector = quantity(vec3, "N s", "impulse", one="impulse j_c", many="contact_impulses impulses", sums=True, means="total length")


@formula
def penalty_force(depth: contact_penetration, vn: normal_speed, ke: contact_ke, kd: contact_kd) -> normal_force:
    "{ke} {depth} - {kd} {vn}, but not below zero"
    return wp.max(ke * depth - kd * vn, 0.0)


@formula
def speed_along_normal(v: relative_velocity, n: contact_normal) -> normal_speed:
    "the dot product of {v} and {n}"
    return wp.dot(v, n)


@formula
def slip_of(v: relative_velocity, n: contact_normal) -> slip_velocity:
    "the part of {v} at right angles to {n}, which is {v} minus {n} times their dot product"
    return v - n * wp.dot(v, n)


@formula
def coulomb_friction(vt: slip_velocity, fn: normal_force, mu: contact_mu, kf: contact_kf) -> tangent_force:
    "a vector opposite to {vt}, whose length is {kf} times that of {vt}, but at most {mu} times {fn}"
    slip = wp.length(vt)
    return -wp.min(kf * slip, mu * fn) * wp.normalize(vt)


@formula
def clamp_to_friction_cone(ft: tangent_force, fn: normal_force, mu: contact_mu) -> tangent_force:
    "{ft}, shortened to the length {mu} times {fn} if it is longer"
    limit = mu * fn
    size = wp.length(ft)
    if size > limit:
        return ft * (limit / size)
    return ft


@formula
def normal_and_tangent_force(fn: normal_force, n: contact_normal, ft: tangent_force) -> force_of_contact:
    "{n} times {fn}, plus {ft}"
    return n * fn + ft


@formula(alone=True)
def restitution_impulse(vn: normal_speed, m: effective_mass, e: restitution) -> contact_impulse:
    "-(1 + {e}) {m} {vn} if {vn} is negative, else zero"
    if vn >= 0.0:
        return 0.0
    return -(1.0 + e) * vn * m


@formula(alone=True)
def cubic_barrier(gap: contact_gap, margin: contact_margin, ke: barrier_stiffness) -> barrier_energy:
    "{ke} ({margin} - {gap})^3 / 3, or zero if {gap} is above {margin}"
    if gap > margin:
        return 0.0
    x = margin - gap
    return ke * x * x * x / 3.0


@formula(alone=True)
def impulse_along_normal(jn: contact_impulse, n: contact_normal) -> impulse_vector:
    "{n} times {jn}"
    return n * jn


@formula(alone=True)
def roughened_normal(n: contact_normal, rough: asperity_noise, state: random_state) -> rough_normal:
    "the unit vector along {n} plus {rough} times a vector of three standard normal numbers"
    return wp.normalize(n + rough * wp.vec3(wp.randn(state), wp.randn(state), wp.randn(state)))
