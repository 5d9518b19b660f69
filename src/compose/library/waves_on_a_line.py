# SPDX-License-Identifier: Apache-2.0
"""Waves, heat and transport on a line."""

field("transport on a line", element="node nodes", other="node nodes", link="edge edges", apart=True)

line_value = quantity(float, "1", "value", one="u", many="u values", means="goal settles")
line_velocity = quantity(float, "m/s", "velocity", one="u", many="u velocities")
earlier_value = quantity(float, "1", "earlier value", one="u_prev old", many="u_prev previous")
line_spacing = quantity(float, "m", "node spacing", one="dx h", low=0.5, high=1.0, uniform=True)
wave_speed = quantity(float, "m/s", "wave speed", one="c speed", many="speeds c", low=0.2, high=1.0)
line_diffusivity = quantity(float, "m^2/s", "diffusivity", one="nu kappa", low=0.05, high=0.5, uniform=True)
line_slope = quantity(float, "1/m", "slope", one="slope", many="slopes")
line_curvature = quantity(float, "1/m^2", "second derivative", one="uxx lap", many="uxx curvature")
line_face_value = quantity(float, "1", "east face value", one="u_face u_east", many="u_face face_values")
line_source = quantity(float, "1/s", "source", one="q source", many="sources q")
rod_temperature = quantity(float, "K", "temperature", one="t temp", many="temps rod", means="range goal settles")
rod_conductivity = quantity(float, "W/(m K)", "thermal conductivity", one="k cond", many="conductivities k", low=0.2, high=2.0)
rod_capacity = quantity(float, "J/(m^3 K)", "heat capacity per volume", one="heat_capacity rho_c", low=0.5, high=4.0, uniform=True)
surrounding_temperature = quantity(float, "K", "temperature of the surroundings", one="t_env ambient", uniform=True)
loss_rate = quantity(float, "1/s", "loss rate", one="loss", low=0.05, high=0.5, uniform=True)
damping_of_wave = quantity(float, "1/s", "damping rate", one="damping gamma", low=0.05, high=0.5, uniform=True)
cable_voltage = quantity(float, "V", "voltage", one="v", many="voltages v", means="goal")
cable_current = quantity(float, "A", "current", one="i_c current", many="currents", means="goal")
cable_capacitance = quantity(float, "F/m", "capacitance per length", one="capacitance c_line", low=0.5, high=2.0, uniform=True)
cable_inductance = quantity(float, "H/m", "inductance per length", one="inductance l_line", low=0.5, high=2.0, uniform=True)
chain_displacement = quantity(float, "m", "displacement", one="y d", many="displacements y")
chain_force = quantity(float, "N", "spring force", one="f", many="chain_forces", means="adds zero")
chain_stiffness = quantity(float, "N/m", "spring stiffness", one="k", low=0.5, high=4.0, uniform=True)
chain_cubic = quantity(float, "N/m^3", "cubic spring stiffness", one="beta k3", low=0.1, high=1.0, uniform=True)
limited_slope = quantity(float, "1", "limited difference", one="s slope", many="limited differences")
line_field_e = quantity(float, "1", "normalized electric field", one="ez", many="ez e")
line_field_h = quantity(float, "1", "normalized magnetic field", one="hy", many="hy h")
courant_number = quantity(float, "1", "Courant number", one="courant", low=0.1, high=1.0, uniform=True)
permittivity = quantity(float, "1", "relative permittivity", one="eps_r", many="eps_r permittivity", low=1.0, high=4.0)
conductivity_loss = quantity(float, "1", "loss factor", one="loss", many="losses loss", low=0.05, high=0.5)


@formula
def central_slope(w: west.line_value, e: east.line_value, dx: line_spacing) -> line_slope:
    "({e} - {w}) / (2 {dx})"
    return (e - w) / (2.0 * dx)


@formula
def second_derivative(
    u: line_value, w: west.line_value, e: east.line_value, dx: line_spacing,
) -> line_curvature:
    "({w} - 2 {u} + {e}) / {dx}^2"
    return (w - 2.0 * u + e) / (dx * dx)


@formula
def wave_step(
    u: line_value, old: earlier_value, c: wave_speed, uxx: line_curvature, dt: time_step,
) -> line_value:
    "2 {u} - {old} + ({c} {dt})^2 {uxx}"
    s = c * dt
    return 2.0 * u - old + s * s * uxx


@formula
def damped_wave_step(
    u: line_value, old: earlier_value, w: west.line_value, e: east.line_value, c: wave_speed,
    gamma: damping_of_wave, dx: line_spacing, dt: time_step,
) -> line_value:
    "(2 {u} - (1 - h) {old} + s^2 ({w} - 2 {u} + {e})) / (1 + h) with h = {gamma} {dt} / 2 and s = {c} {dt} / {dx}"
    h = 0.5 * gamma * dt
    s = c * dt / dx
    return (2.0 * u - (1.0 - h) * old + s * s * (w - 2.0 * u + e)) / (1.0 + h)


@formula
def upwind_step(
    u: line_value, w: west.line_value, c: wave_speed, dx: line_spacing, dt: time_step,
) -> line_value:
    "{u} minus {c} {dt} / {dx} times ({u} - {w})"
    return u - c * dt / dx * (u - w)


@formula
def burgers_step(
    u: line_velocity, w: west.line_velocity, e: east.line_velocity, nu: line_diffusivity, dx: line_spacing,
    dt: time_step,
) -> line_velocity:
    "{u} plus {dt} times ({nu} ({w} - 2 {u} + {e}) / {dx}^2 - {u} ({e} - {w}) / (2 {dx}))"
    carried = u * (e - w) / (2.0 * dx)
    spread = nu * (w - 2.0 * u + e) / (dx * dx)
    return u + dt * (spread - carried)


@formula
def lax_friedrichs(
    w: west.line_value, e: east.line_value, c: wave_speed, dx: line_spacing, dt: time_step,
) -> line_value:
    "the mean of {w} and {e}, minus {c} {dt} / (2 {dx}) times ({e} - {w})"
    return 0.5 * (w + e) - 0.5 * c * dt / dx * (e - w)


@formula
def lax_wendroff(
    u: line_value, w: west.line_value, e: east.line_value, c: wave_speed, dx: line_spacing,
    dt: time_step,
) -> line_value:
    "{u} - s / 2 ({e} - {w}) + s^2 / 2 ({w} - 2 {u} + {e}) with s = {c} {dt} / {dx}"
    s = c * dt / dx
    return u - 0.5 * s * (e - w) + 0.5 * s * s * (w - 2.0 * u + e)


@formula
def add_source(u: line_value, q: line_source, dt: time_step) -> line_value:
    "{u} plus {dt} times {q}"
    return u + dt * q


@formula
def minmod(u: line_value, w: west.line_value, e: east.line_value) -> limited_slope:
    "the minmod of a = {u} - {w} and b = {e} - {u}: 0 if a b is not positive, else that of both whose magnitude is smaller"
    a = u - w
    b = e - u
    if a * b <= 0.0:
        return 0.0
    if wp.abs(a) < wp.abs(b):
        return a
    return b


@formula
def value_at_east_face(u: line_value, s: limited_slope) -> line_face_value:
    "{u} plus half of {s}"
    return u + 0.5 * s


@formula
def rod_step(
    t: rod_temperature, w: west.rod_temperature, e: east.rod_temperature, k: rod_conductivity,
    a: west.rod_conductivity, b: east.rod_conductivity, c: rod_capacity, dx: line_spacing,
    dt: time_step,
) -> rod_temperature:
    "{t} plus {dt} / ({c} {dx}^2) times the flows from both sides: the mean of {k} and {a} times ({w} - {t}), plus the mean of {k} and {b} times ({e} - {t})"
    flow = 0.5 * (k + a) * (w - t) + 0.5 * (k + b) * (e - t)
    return t + dt / (c * dx * dx) * flow


@formula
def loss_to_surroundings(
    t: rod_temperature, ambient: surrounding_temperature, loss: loss_rate, dt: time_step,
) -> rod_temperature:
    "{t} plus ({ambient} - {t}) times (1 - exp(-{loss} {dt}))"
    return t + (ambient - t) * (1.0 - wp.exp(-loss * dt))


@formula
def telegraph_voltage(
    v: cable_voltage, i: cable_current, e: east.cable_current, c: cable_capacitance,
    dx: line_spacing, dt: time_step,
) -> cable_voltage:
    "{v} minus {dt} / ({c} {dx}) times ({e} - {i})"
    return v - dt / (c * dx) * (e - i)


@formula
def telegraph_current(
    i: cable_current, v: cable_voltage, w: west.cable_voltage, l: cable_inductance,
    loss: loss_rate, dx: line_spacing, dt: time_step,
) -> cable_current:
    "((1 - h) {i} - {dt} / ({l} {dx}) ({v} - {w})) / (1 + h) with h = {loss} {dt} / 2"
    h = 0.5 * loss * dt
    return ((1.0 - h) * i - dt / (l * dx) * (v - w)) / (1.0 + h)


@formula
def nonlinear_chain_force(
    y: chain_displacement, w: west.chain_displacement, e: east.chain_displacement,
    k: chain_stiffness, beta: chain_cubic,
) -> chain_force:
    "{k} (a - b) + {beta} (a^3 - b^3) with a = {e} - {y} and b = {y} - {w}: the force of the springs of a Fermi-Pasta-Ulam chain"
    a = e - y
    b = y - w
    return k * (a - b) + beta * (a * a * a - b * b * b)


@algorithm
def yee_update_e(e: line_field_e, h: line_field_h, eps_r: permittivity, loss: conductivity_loss,
                 s: courant_number, e_out: out.line_field_e):
    "the electric half of a one-dimensional Yee step: inner nodes get ((1 - {loss}) {e} + {s} / {eps_r} times (its {h} minus that of the node on its left)) / (1 + {loss}); the first and the last node get 0, as in a perfect conductor"
    i = thread()
    if i == 0 or i >= count(element) - 1:
        e_out[i] = 0.0
        return
    curl = h[i] - h[i - 1]
    e_out[i] = ((1.0 - loss[i]) * e[i] + s / eps_r[i] * curl) / (1.0 + loss[i])


@algorithm
def yee_update_h(h: line_field_h, e: line_field_e, s: courant_number, h_out: out.line_field_h):
    "the magnetic half of a one-dimensional Yee step: {h} plus {s} times ({e} of the node on the right minus its own {e}); the last node keeps its {h}"
    i = thread()
    guard(i)
    if i == count(element) - 1:
        h_out[i] = h[i]
    else:
        h_out[i] = h[i] + s * (e[i + 1] - e[i])
