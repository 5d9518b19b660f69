# SPDX-License-Identifier: Apache-2.0
"""Springs and cloth."""

field("springs and cloth", element="particle particles", other="particle particles", link="spring springs",
      group="cloth cloths", moves=True, state=True)

rest_length = quantity(float, "m", "rest length", one="rest l0 rest_length", many="rest_lengths rest_length", low=0.2, high=1.0)
stiffness = quantity(float, "N/m", "stiffness", one="k ke stiffness", many="stiffness ke spring_ke", low=1.0, high=8.0)
damping = quantity(float, "N s/m", "damping", one="kd damping c", many="damping kd spring_kd", low=0.1, high=1.0)


@formula(opposite=True)
def spring_force(x: position, y: other.position, rest: link.rest_length, k: link.stiffness) -> force:
    "{k} (r - {rest}) along the unit vector from {x} to {y}, where r is their distance"
    d = y - x
    length = wp.length(d)
    return k * (length - rest) * wp.normalize(d)


@formula(opposite=True)
def damped_spring_force(x: position, v: velocity, y: other.position, u: other.velocity, rest: link.rest_length, k: link.stiffness, c: link.damping) -> force:
    "{k} (r - {rest}) + {c} s along the unit vector n from {x} to {y}, where r is their distance and s the component of {u} - {v} along n"
    d = y - x
    length = wp.length(d)
    n = wp.normalize(d)
    rate = wp.dot(u - v, n)
    return (k * (length - rest) + c * rate) * n


@formula
def spring_energy(x: position, y: other.position, rest: link.rest_length, k: link.stiffness) -> potential_energy:
    "{k} (r - {rest})^2 / 4, half of the energy of the spring, where r is the distance between {x} and {y}"
    stretch = wp.length(x - y) - rest
    return 0.25 * k * stretch * stretch
