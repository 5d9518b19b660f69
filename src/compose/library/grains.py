# SPDX-License-Identifier: Apache-2.0
"""Grains, which find their neighbors by a hash grid."""

field("grains", element="grain grains", other="grain grains", link="contact contacts", moves=True)

grain_position = quantity(vec3, "m", "position", one="x p", many="positions x grain_x")
grain_velocity = quantity(vec3, "m/s", "velocity", one="v vel", many="velocities v grain_v")
grain_radius = quantity(float, "m", "radius of the grains", one="grain_radius", low=0.25, high=1.0, uniform=True)
grain_stiffness = quantity(float, "N/m", "contact stiffness", one="k_contact ke", low=0.5, high=4.0, uniform=True)
grain_damping = quantity(float, "N s/m", "contact damping", one="k_damp kd", low=0.1, high=1.0, uniform=True)
grain_friction = quantity(float, "1", "friction coefficient", one="k_mu mu", low=0.1, high=1.0, uniform=True)
heat_of_grain = quantity(float, "K", "temperature", one="temp", many="temperatures temps", low=0.5, high=4.0)
heat_change = quantity(float, "K/s", "rate of change of the temperature", one="rate", many="heating rates", sums=True, means="adds zero")
grain_force = quantity(vec3, "N", "contact force", one="f", many="contact_forces forces f", sums=True, means="adds length cap")
heat_exchange = quantity(float, "1/(m s)", "heat exchange coefficient", one="k_heat exchange", low=0.1, high=1.0, uniform=True)


@formula
def repulsion_of_grains(x: grain_position, y: other.grain_position, v: grain_velocity, u: other.grain_velocity,
                        r: grain_radius, ke: grain_stiffness, kd: grain_damping) -> grain_force:
    "{ke} c - {kd} s along the unit vector n from {y} to {x}, where c is the depth by which two grains of radius {r} at {x} and {y} overlap and s the component of {v} - {u} along n, or zero if they do not overlap"
    d = x - y
    depth = 2.0 * r - wp.length(d)
    if depth < 0.0:
        return wp.vec3()
    n = wp.normalize(d)
    return n * (ke * depth - kd * wp.dot(v - u, n))


@formula
def contact_heating(x: grain_position, y: other.grain_position, a: heat_of_grain, b: other.heat_of_grain,
                    r: grain_radius, k: heat_exchange) -> heat_change:
    "{k} ({b} - {a}) times the depth by which two grains of radius {r} at {x} and {y} overlap, or zero if they do not"
    depth = wp.max(2.0 * r - wp.length(x - y), 0.0)
    return k * (b - a) * depth


@algorithm
def contact_forces_of_grains(grid: grid_id, x: grain_position, v: grain_velocity, r: grain_radius, ke: grain_stiffness,
                             kd: grain_damping, mu: grain_friction, f: out.grain_force):
    "contact forces between grains of the radius {r}, found by the hash grid {grid} within twice {r}: for each other grain with the overlap c > 0 along the unit vector n towards the grain, the normal force fn = {ke} c - {kd} vn with the normal component vn of the relative velocity, along n, and friction {mu} |fn| against the direction of the tangential relative velocity"
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
