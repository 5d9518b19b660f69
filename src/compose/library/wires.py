# SPDX-License-Identifier: Apache-2.0
"""Magnetic fields of wires."""

field("magnetic fields of wires", element="probe probes", other="segment segments", apart=True, share=1)

wire_position = quantity(vec3, "m", "position", one="y", many="segment_positions wire_points")
current_element = quantity(vec3, "A m", "current element", one="idl", many="currents")
induced_field = quantity(vec3, "T", "magnetic field", one="b", many="b_fields induced", sums=True, means="adds length")
magnetic_constant = quantity(float, "T m/A", "magnetic constant over 4 pi", one="k_m mu0_4pi", low=0.5, high=2.0, uniform=True)
field_energy_density = quantity(float, "J/m^3", "magnetic energy density", one="u", many="energy_densities", means="peak")
magnetic_permeability = quantity(float, "T m/A", "permeability", one="mu_perm", low=0.5, high=2.0, uniform=True)


@formula
def biot_savart(x: probe_position, y: other.wire_position, idl: other.current_element,
                k: magnetic_constant, eps: softening_length) -> induced_field:
    "{k} ({idl} x d) / r^3, where d is the vector from {y} to {x} and r^2 is the squared length of d plus {eps}^2"
    d = x - y
    r = wp.sqrt(wp.dot(d, d) + eps * eps)
    return k * wp.cross(idl, d) / (r * r * r)


@formula
def magnetic_field_energy(b: induced_field, mu: magnetic_permeability) -> field_energy_density:
    "the squared length of {b}, divided by 2 {mu}"
    return wp.length_sq(b) / (2.0 * mu)
