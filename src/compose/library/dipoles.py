# SPDX-License-Identifier: Apache-2.0
"""Electric fields of dipoles."""

field("electric dipoles", element="probe probes", other="dipole dipoles", apart=True, share=1)

dipole_position = quantity(vec3, "m", "position", one="y", many="dipole_positions")
dipole_moment = quantity(vec3, "nC m", "dipole moment", one="p moment", many="moments dipoles")


@formula
def dipole_potential(x: probe_position, y: other.dipole_position, p: other.dipole_moment,
                     k: electric_constant, eps: softening_length) -> electric_potential:
    "{k} {p} . d / r^3, where d is the vector from {y} to {x} and r^2 is the squared length of d plus {eps}^2"
    d = x - y
    r = wp.sqrt(wp.dot(d, d) + eps * eps)
    return k * wp.dot(p, d) / (r * r * r)


@formula
def dipole_field(x: probe_position, y: other.dipole_position, p: other.dipole_moment,
                 k: electric_constant, eps: softening_length) -> electric_field:
    "{k} (3 d ({p} . d) / r^5 - {p} / r^3), where d goes from {y} to {x} and r^2 is the squared length of d plus {eps}^2"
    d = x - y
    r = wp.sqrt(wp.dot(d, d) + eps * eps)
    r3 = r * r * r
    return k * (3.0 * wp.dot(p, d) / (r3 * r * r) * d - p / r3)
