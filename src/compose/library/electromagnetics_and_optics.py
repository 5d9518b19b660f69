# SPDX-License-Identifier: Apache-2.0
"""Electric fields of charges."""

field("electrostatics", element="probe probes", other="charge charges",
      link="pair pairs", apart=True)

probe_position = quantity(vec3, "m", "position", one="x p", many="probes probe_positions")
charge_position = quantity(vec3, "m", "position", one="y q_pos", many="charge_positions")
point_charge = quantity(float, "C", "electric charge", one="q charge", many="charges q")
electric_field = quantity(vec3, "V/m", "electric field", one="e field", many="e_field fields",
                          sums=True, means="length adds")
electric_potential = quantity(float, "V", "electric potential", one="phi", many="phi potentials",
                              sums=True, means="adds goal")
softening_length = quantity(float, "m", "softening length", one="eps softening", low=0.1, high=0.5,
                            uniform=True)
electric_constant = quantity(float, "V m/C", "Coulomb constant", one="k_e coulomb", low=0.5, high=4.0, uniform=True)


@formula
def coulomb_field(x: probe_position, y: other.charge_position, q: other.point_charge,
                  k: electric_constant, eps: softening_length) -> electric_field:
    "{k} {q} d / r^3, where d is the vector from {y} to {x} and r the root of its squared length plus {eps}^2"
    d = x - y
    r = wp.sqrt(wp.dot(d, d) + eps * eps)
    return k * q * d / (r * r * r)


@formula
def coulomb_potential(x: probe_position, y: other.charge_position, q: other.point_charge,
                      k: electric_constant, eps: softening_length) -> electric_potential:
    "{k} {q} / r, where r is the root of the squared distance of {x} and {y} plus {eps}^2"
    d = x - y
    return k * q / wp.sqrt(wp.dot(d, d) + eps * eps)


@algorithm
def field_of_listed_charges(offsets: row_offsets, ids: link_to_other, x: probe_position,
                            y: other.charge_position, q: other.point_charge,
                            k_e: electric_constant, eps: softening_length, e: out.electric_field,
                            phi: out.electric_potential):
    "the sums of the field, {k_e} {q} d / r^3, and of the potential, {k_e} {q} / r, at each probe i of the charges `{ids}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, where d is the vector from {y} to {x} and r the root of its squared length plus {eps}^2; charges that are not farther away than {eps} are left out"
    i = thread()
    guard(i)
    at = x[i]
    total = wp.vec3(0.0, 0.0, 0.0)
    potential = float(0.0)
    for k in range(offsets[i], offsets[i + 1]):
        j = ids[k]
        d = at - y[j]
        if wp.length(d) > eps:
            r = wp.sqrt(wp.dot(d, d) + eps * eps)
            total += q[j] / (r * r * r) * d
            potential += q[j] / r
    e[i] = k_e * total
    phi[i] = k_e * potential
