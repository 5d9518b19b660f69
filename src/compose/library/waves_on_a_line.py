# SPDX-License-Identifier: Apache-2.0
"""Waves, heat and transport on a line."""

field("transport on a line", element="node nodes", other="node nodes", link="edge edges", apart=True)

string_displacement = quantity(float, "m", "string displacement", one="u y", many="u displacements", means="goal")
tracer_share = quantity(float, "1", "tracer concentration", one="c u", many="tracer concentrations", means="goal settles")
cell_average = quantity(float, "1", "average value", one="u", many="averages u_mean")
pluck_place = quantity(float, "m", "place", one="place", many="places", low=0.1, high=4.0)
pluck_height = quantity(float, "m", "height", one="height", many="heights")
plucked_string = quantity(float, "m", "displacements of the string", one="u", many="string")
line_velocity = quantity(float, "m/s", "velocity", one="u", many="u velocities")
earlier_displacement = quantity(float, "m", "previous displacement", one="u_prev old", many="previous u_prev")
line_spacing = quantity(float, "m", "node spacing", one="dx h", low=0.5, high=1.0, uniform=True)
wave_speed = quantity(float, "m/s", "wave speed", one="c speed", many="speeds c", low=0.2, high=1.0)
transport_speed = quantity(float, "m/s", "flow speed", one="v speed", many="speeds v", low=0.2, high=1.0)
line_diffusivity = quantity(float, "m^2/s", "diffusivity", one="nu kappa", low=0.05, high=0.5, uniform=True)
line_slope = quantity(float, "1", "slope", one="slope", many="slopes")
line_curvature = quantity(float, "1/m", "second derivative", one="uxx", many="uxx")
line_face_value = quantity(float, "1", "east face value", one="u_face u_east", many="u_face face_values")
line_source = quantity(float, "1/s", "source rate", one="q source", many="sources q")
rod_temperature = quantity(float, "K", "temperature", one="t temp", many="temps", means="range goal settles")
rod_conductivity = quantity(float, "W/(m K)", "thermal conductivity", one="k cond", many="conductivities k", low=0.2, high=2.0)
rod_capacity = quantity(float, "J/(m^3 K)", "heat capacity per volume", one="heat_capacity rho_c", low=0.5, high=4.0, uniform=True)
surrounding_temperature = quantity(float, "K", "temperature of the surroundings", one="t_env ambient", uniform=True)
loss_rate = quantity(float, "1/s", "loss rate", one="loss", low=0.05, high=0.5, uniform=True)
damping_of_wave = quantity(float, "1/s", "damping rate", one="damping gamma", low=0.05, high=0.5, uniform=True)
cable_voltage = quantity(float, "V", "voltage", one="v", many="voltages v", means="goal")
cable_current = quantity(float, "A", "current", one="current i_c", many="currents", means="goal")
cable_capacitance = quantity(float, "F/m", "capacitance per length", one="capacitance c_line", low=0.5, high=2.0, uniform=True)
cable_inductance = quantity(float, "H/m", "inductance per length", one="inductance l_line", low=0.5, high=2.0, uniform=True)
chain_displacement = quantity(float, "m", "displacement", one="y d", many="displacements y")
chain_force = quantity(float, "N", "spring force", one="f", many="chain_forces", means="adds zero")
chain_stiffness = quantity(float, "N/m", "spring stiffness", one="stiffness k_spring", low=0.5, high=4.0, uniform=True)
chain_cubic = quantity(float, "N/m^3", "cubic spring stiffness", one="beta k3", low=0.1, high=1.0, uniform=True)
limited_slope = quantity(float, "1", "limited difference", one="s limited", many="limited")
line_field_e = quantity(float, "1", "normalized electric field", one="ez", many="ez")
line_field_h = quantity(float, "1", "normalized magnetic field", one="hy", many="hy")
courant_number = quantity(float, "1", "Courant number", one="courant", low=0.1, high=1.0, uniform=True)
permittivity = quantity(float, "1", "relative permittivity", one="eps_r", many="eps_r permittivity", low=1.0, high=4.0)
conductivity_loss = quantity(float, "1", "loss factor", one="loss", many="loss losses", low=0.05, high=0.5)


@formula(inner=True)
def central_slope(w: west.string_displacement, e: east.string_displacement, dx: line_spacing) -> line_slope:
    "({e} - {w}) / (2 {dx})"
    return (e - w) / (2.0 * dx)


@formula
def second_derivative(
    u: string_displacement, w: west.string_displacement, e: east.string_displacement, dx: line_spacing,
) -> line_curvature:
    "({w} - 2 {u} + {e}) / {dx}^2"
    return (w - 2.0 * u + e) / (dx * dx)


@formula
def wave_step(
    u: string_displacement, old: earlier_displacement, c: wave_speed, uxx: line_curvature, dt: time_step,
) -> string_displacement:
    "a step of the wave equation, 2 {u} - {old} + ({c} {dt})^2 {uxx}"
    s = c * dt
    return 2.0 * u - old + s * s * uxx


@formula
def damped_wave_step(
    u: string_displacement, old: earlier_displacement, w: west.string_displacement,
    e: east.string_displacement, c: wave_speed, gamma: damping_of_wave, dx: line_spacing, dt: time_step,
) -> string_displacement:
    "a step of the damped wave equation, (2 {u} - (1 - h) {old} + s^2 ({w} - 2 {u} + {e})) / (1 + h) with h = {gamma} {dt} / 2 and s = {c} {dt} / {dx}"
    h = 0.5 * gamma * dt
    s = c * dt / dx
    return (2.0 * u - (1.0 - h) * old + s * s * (w - 2.0 * u + e)) / (1.0 + h)


@formula
def upwind_step(
    c: tracer_share, w: west.tracer_share, v: transport_speed, dx: line_spacing, dt: time_step,
) -> tracer_share:
    "an upwind step of a flow to the east, {c} minus {v} {dt} / {dx} times ({c} - {w})"
    return c - v * dt / dx * (c - w)


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
    w: west.tracer_share, e: east.tracer_share, v: transport_speed, dx: line_spacing, dt: time_step,
) -> tracer_share:
    "a Lax-Friedrichs step, the mean of {w} and {e}, minus {v} {dt} / (2 {dx}) times ({e} - {w})"
    return 0.5 * (w + e) - 0.5 * v * dt / dx * (e - w)


@formula
def lax_wendroff(
    c: tracer_share, w: west.tracer_share, e: east.tracer_share, v: transport_speed,
    dx: line_spacing, dt: time_step,
) -> tracer_share:
    "a Lax-Wendroff step, {c} - (s / 2) ({e} - {w}) + (s^2 / 2) ({w} - 2 {c} + {e}) with s = {v} {dt} / {dx}"
    s = v * dt / dx
    return c - 0.5 * s * (e - w) + 0.5 * s * s * (w - 2.0 * c + e)


@formula
def add_source(c: tracer_share, q: line_source, dt: time_step) -> tracer_share:
    "{c} plus {dt} times {q}"
    return c + dt * q


@formula
def minmod_slope(u: cell_average, w: west.cell_average, e: east.cell_average) -> limited_slope:
    "the minmod of a = {u} - {w} and b = {e} - {u}, which is 0 if the product of a and b is not positive, else the one of them whose magnitude is smaller"
    behind = u - w
    ahead = e - u
    if behind * ahead <= 0.0:
        return 0.0
    if wp.abs(behind) < wp.abs(ahead):
        return behind
    return ahead


@formula
def value_at_east_face(u: cell_average, s: limited_slope) -> line_face_value:
    "{u} plus half of {s}"
    return u + 0.5 * s


@formula
def conduct_along_line(
    t: rod_temperature, t_west: west.rod_temperature, t_east: east.rod_temperature,
    k: rod_conductivity, k_west: west.rod_conductivity, k_east: east.rod_conductivity,
    rho_c: rod_capacity, dx: line_spacing, dt: time_step,
) -> rod_temperature:
    "{t} plus {dt} / ({rho_c} {dx}^2) times the sum of the flows from both sides, which are the mean of {k} and {k_west} times ({t_west} - {t}), and the mean of {k} and {k_east} times ({t_east} - {t})"
    flow = 0.5 * (k + k_west) * (t_west - t) + 0.5 * (k + k_east) * (t_east - t)
    return t + dt / (rho_c * dx * dx) * flow


@formula
def loss_to_surroundings(
    t: rod_temperature, ambient: surrounding_temperature, loss: loss_rate, dt: time_step,
) -> rod_temperature:
    "{t} plus ({ambient} - {t}) times (1 - exp(-{loss} {dt}))"
    return t + (ambient - t) * (1.0 - wp.exp(-loss * dt))


@formula
def telegraph_voltage(
    v: cable_voltage, current: cable_current, i_east: east.cable_current, c: cable_capacitance,
    dx: line_spacing, dt: time_step,
) -> cable_voltage:
    "{v} minus {dt} / ({c} {dx}) times ({i_east} - {current})"
    return v - dt / (c * dx) * (i_east - current)


@formula
def telegraph_current(
    current: cable_current, v: cable_voltage, v_west: west.cable_voltage, l: cable_inductance,
    loss: loss_rate, dx: line_spacing, dt: time_step,
) -> cable_current:
    "((1 - h) {current} - ({dt} / ({l} {dx})) ({v} - {v_west})) / (1 + h) with h = {loss} {dt} / 2"
    h = 0.5 * loss * dt
    return ((1.0 - h) * current - dt / (l * dx) * (v - v_west)) / (1.0 + h)


@formula
def nonlinear_chain_force(
    y: chain_displacement, w: west.chain_displacement, e: east.chain_displacement,
    k: chain_stiffness, beta: chain_cubic,
) -> chain_force:
    "the force of both springs of a node of a Fermi-Pasta-Ulam chain, {k} (a - b) + {beta} (a^3 - b^3) with a = {e} - {y} and b = {y} - {w}"
    ahead = e - y
    behind = y - w
    return k * (ahead - behind) + beta * (ahead * ahead * ahead - behind * behind * behind)


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


@algorithm(element="pluck plucks")
def pluck_string(
    place: pluck_place["n"], height: pluck_height["n"], dx: line_spacing, string: out.plucked_string["k+3"],
):
    "plucks a string at several places: with k the floor of {place} / {dx} and f what the quotient exceeds it by, (1 - f) {height} is added atomically to {string} at the node k and f {height} at the node k + 1; nodes beyond the end are left out"
    i = thread()
    guard(i)
    x = place[i] / dx
    k = int(wp.floor(x))
    f = x - float(k)
    if k < string.shape[0]:
        wp.atomic_add(string, k, (1.0 - f) * height[i])
    if k + 1 < string.shape[0]:
        wp.atomic_add(string, k + 1, f * height[i])
