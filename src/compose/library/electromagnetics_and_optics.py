# SPDX-License-Identifier: Apache-2.0
"""Electric and magnetic fields, lenses, waves."""

field("electromagnetics and optics", element="probe probes", other="charge charges",
      link="pair pairs")

probe_position = quantity(vec3, "m", "position", one="x p", many="probes probe_positions")
charge_position = quantity(vec3, "m", "position", one="y q_pos", many="charge_positions")
point_charge = quantity(float, "C", "electric charge", one="q charge", many="charges q")
dipole_moment = quantity(vec3, "C m", "dipole moment", one="p moment", many="moments dipoles")
electric_field = quantity(vec3, "V/m", "electric field", one="e field", many="e_field fields",
                          sums=True)
electric_potential = quantity(float, "V", "electric potential", one="phi", many="phi potentials",
                              sums=True)
magnetic_field = quantity(vec3, "T", "magnetic field", one="b", many="b_field", uniform=True)
current_element = quantity(vec3, "A m", "current element", one="idl", many="currents")
induced_field = quantity(vec3, "T", "induced field", one="b", many="b_fields induced", sums=True)
softening_length = quantity(float, "m", "softening", one="eps softening", low=0.1, high=0.5,
                            uniform=True)
charge_of_particle = quantity(float, "C", "charge", one="q", many="q charges")
charged_velocity = quantity(vec3, "m/s", "velocity", one="v", many="v velocities")
magnetic_force = quantity(vec3, "N", "Lorentz force", one="f force", many="forces lorentz_forces")
object_distance = quantity(float, "m", "object distance", one="u s_obj", many="object_distances",
                           low=2.0, high=8.0)
image_distance = quantity(float, "m", "image distance", one="s_img v", many="image_distances")
lens_focal_length = quantity(float, "m", "focal length of a lens", one="f focal", low=0.5, high=1.0,
                             uniform=True)
magnification = quantity(float, "1", "magnification", one="m", many="magnifications")
ray_height = quantity(float, "m", "ray height", one="y h", many="heights ray_heights")
ray_slope = quantity(float, "1", "ray slope", one="slope theta", many="slopes")
lens_gap = quantity(float, "m", "gap between lenses", one="gap d", many="gaps", low=0.1, high=2.0)
lens_aperture = quantity(float, "m", "aperture radius", one="aperture stop", low=1.0, high=4.0,
                         uniform=True)
lens_power = quantity(float, "1/m", "powers of the lenses", one="power", many="powers lens_powers")
wave_number = quantity(float, "1/m", "wave number", one="wavenumber wave_k", low=1.0, high=4.0,
                       uniform=True)
wave_amplitude = quantity(float, "1", "wave amplitude", one="u", many="amplitudes field",
                          sums=True)
source_phase = quantity(float, "1", "source phase", one="phase", many="phases")
conductor_depth = quantity(float, "m", "depth in the conductor", one="y depth", many="depths", low=0.1, high=2.0)
skin_depth = quantity(float, "m", "skin depth", one="delta", low=0.2, high=2.0, uniform=True)


@formula
def coulomb_field(x: probe_position, y: other.charge_position, q: other.point_charge,
                  eps: softening_length) -> electric_field:
    "{q} d / r^3, where d is the vector from {y} to {x} and r the root of its squared length plus {eps}^2, in units in which the Coulomb constant is 1"
    d = x - y
    r = wp.sqrt(wp.dot(d, d) + eps * eps)
    return q * d / (r * r * r)


@formula
def dipole_potential(x: probe_position, y: other.charge_position, p: other.dipole_moment,
                     eps: softening_length) -> electric_potential:
    "{p} . d / r^3, where d is the vector from {y} to {x} and r the root of its squared length plus {eps}^2, in units in which the Coulomb constant is 1"
    d = x - y
    r = wp.sqrt(wp.dot(d, d) + eps * eps)
    return wp.dot(p, d) / (r * r * r)


@formula
def dipole_field(x: probe_position, y: other.charge_position, p: other.dipole_moment,
                 eps: softening_length) -> electric_field:
    "3 d ({p} . d) / r^5 - {p} / r^3, where d goes from {y} to {x} and r is the root of its squared length plus {eps}^2"
    d = x - y
    r = wp.sqrt(wp.dot(d, d) + eps * eps)
    r3 = r * r * r
    return 3.0 * wp.dot(p, d) / (r3 * r * r) * d - p / r3


@formula
def biot_savart(x: probe_position, y: other.charge_position, idl: other.current_element,
                eps: softening_length) -> induced_field:
    "({idl} x d) / r^3, where d is the vector from {y} to {x} and r the root of its squared length plus {eps}^2, in units in which mu0 / (4 pi) is 1"
    d = x - y
    r = wp.sqrt(wp.dot(d, d) + eps * eps)
    return wp.cross(idl, d) / (r * r * r)


@formula
def lorentz_force(q: charge_of_particle, v: charged_velocity, e: electric_field,
                  b: magnetic_field) -> magnetic_force:
    "{q} ({e} + {v} x {b})"
    return q * (e + wp.cross(v, b))


@formula
def wave_of_source(x: probe_position, y: other.charge_position, phase: other.source_phase,
                   k: wave_number) -> wave_amplitude:
    "cos({k} r + {phase}) / (r + 0.1) with the distance r of {x} and {y}"
    r = wp.length(x - y)
    return wp.cos(k * r + phase) / (r + 0.1)


@formula
def thin_lens_image(u: object_distance, f: lens_focal_length) -> image_distance:
    "1 / (1 / {f} - 1 / s), where s is {u} but at least {f} + 0.1"
    s = wp.max(u, f + 0.1)
    return 1.0 / (1.0 / f - 1.0 / s)


@formula
def magnification_of(s_img: image_distance, u: object_distance) -> magnification:
    "-{s_img} / {u}"
    return -s_img / u


@formula
def height_behind_gap(y: ray_height, slope: ray_slope, gap: lens_gap) -> ray_height:
    "{y} plus {gap} times {slope}"
    return y + gap * slope


@formula
def slope_behind_lens(y: ray_height, slope: ray_slope, f: lens_focal_length) -> ray_slope:
    "{slope} - {y} / {f}"
    return slope - y / f


@formula
def damped_in_conductor(u: wave_amplitude, y: conductor_depth, delta: skin_depth) -> wave_amplitude:
    "{u} exp(-{y} / {delta}) cos({y} / {delta})"
    s = y / delta
    return u * wp.exp(-s) * wp.cos(s)


@algorithm
def trace_through_lenses(y0: ray_height, slope0: ray_slope, powers: whole.lens_power,
                         gap: uniform.lens_gap, aperture: lens_aperture, y: out.ray_height):
    "the height of each paraxial ray, which begins with {y0} and {slope0}, behind the thin lenses of {powers}, one after the other: a lens lowers the slope by its power times the height, then the height grows by {gap} times the slope; a ray that meets a lens at more than {aperture} from the axis is blocked and gets the height -100"
    i = thread()
    guard(i)
    height = y0[i]
    slope = slope0[i]
    for k in range(count(whole)):
        if wp.abs(height) > aperture:
            height = -100.0
            break
        slope -= powers[k] * height
        height += gap * slope
    y[i] = height


@algorithm
def field_of_listed_charges(offsets: row_offsets, ids: link_to_other, x: probe_position,
                            y: other.charge_position, q: other.point_charge,
                            eps: softening_length, e: out.electric_field,
                            phi: out.electric_potential):
    "the sums of the field, {q} d / r^3, and of the potential, {q} / r, at each probe i of the charges `{ids}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, where d is the vector from {y} to {x} and r the root of its squared length plus {eps}^2; charges that are not farther away than {eps} are left out"
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
    e[i] = total
    phi[i] = potential
