# SPDX-License-Identifier: Apache-2.0
"""Electric fields of charges."""

field("electrostatics", element="probe probes", other="charge charges",
      link="pair pairs", apart=True, share=1)

probe_position = quantity(vec3, "m", "position", one="x p", many="probe_positions")
charge_position = quantity(vec3, "m", "position", one="y q_pos", many="charge_positions")
point_charge = quantity(float, "nC", "electric charge", one="q charge", many="charges q")
electric_field = quantity(vec3, "V/m", "electric field", one="e field", many="e_field fields",
                          sums=True, means="length adds")
electric_potential = quantity(float, "V", "electric potential", one="phi", many="phi potentials",
                              sums=True, means="adds goal")
softening_length = quantity(float, "m", "softening length", one="eps softening", low=0.1, high=0.5,
                            uniform=True)
charge_pair = quantity(int, "1", "two charges of each pair", one="pair", many="pairs", low=0, high=4)
charge_force = quantity(vec3, "nN", "force", one="f", many="forces charge_forces")
pair_energy = quantity(float, "nJ", "energy of all pairs", one="energy", many="energy pair_energy")
force_constant = quantity(float, "nN m^2/nC^2", "Coulomb constant of the medium", one="k_e k_coulomb", low=0.5, high=8.0, uniform=True)
electric_constant = quantity(float, "V m/nC", "Coulomb constant of the medium", one="k_e k_coulomb", low=0.5, high=8.0, uniform=True)


@formula
def coulomb_field(x: probe_position, y: other.charge_position, q: other.point_charge,
                  k: electric_constant, eps: softening_length) -> electric_field:
    "{k} {q} d / r^3, where d is the vector from {y} to {x} and r^2 is the squared length of d plus {eps}^2"
    d = x - y
    r = wp.sqrt(wp.dot(d, d) + eps * eps)
    return k * q * d / (r * r * r)


@formula
def coulomb_potential(x: probe_position, y: other.charge_position, q: other.point_charge,
                      k: electric_constant, eps: softening_length) -> electric_potential:
    "{k} {q} / r, where r^2 is the squared distance between {x} and {y} plus {eps}^2"
    d = x - y
    return k * q / wp.sqrt(wp.dot(d, d) + eps * eps)


@algorithm
def field_of_listed_charges(offsets: row_offsets, ids: link_to_other, x: probe_position,
                            y: other.charge_position, q: other.point_charge,
                            k_e: electric_constant, eps: softening_length, e: out.electric_field,
                            phi: out.electric_potential):
    "sums up what charges cause at each probe i: {e} gets the electric field and {phi} the electric potential, the sums of {k_e} {q} d / r^3 and of {k_e} {q} / r over the charges `{ids}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`; d is the vector from {y} to {x} and r^2 is the squared length of d plus {eps}^2; charges that are not farther away than {eps} are left out"
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
            total += k_e * q[j] / (r * r * r) * d
            potential += k_e * q[j] / r
    e[i] = total
    phi[i] = potential


@algorithm(element="pair pairs")
def forces_of_pairs(
    pairs: charge_pair["n,2", "0:m"], y: charge_position["m"], q: point_charge["m"], k_e: force_constant,
    eps: softening_length, forces: out.charge_force["m"], energy: out.pair_energy["1"],
):
    "the Coulomb force of each pair of charges a and b, which its row of {pairs} names: s d / r^3, where s is {k_e} times {q} of a times {q} of b, d the vector from b to a and r^2 is the squared length of d plus {eps}^2, is added atomically to {forces} of a and subtracted atomically from {forces} of b, and the energy s / r is added atomically to {energy}[0]; pairs of a charge with itself are left out"
    k = thread()
    guard(k)
    a = pairs[k, 0]
    b = pairs[k, 1]
    if a == b:
        return
    d = y[a] - y[b]
    r = wp.sqrt(wp.dot(d, d) + eps * eps)
    strength = k_e * q[a] * q[b]
    f = strength / (r * r * r) * d
    wp.atomic_add(forces, a, f)
    wp.atomic_sub(forces, b, f)
    wp.atomic_add(energy, 0, strength / r)
