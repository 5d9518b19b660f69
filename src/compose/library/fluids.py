# SPDX-License-Identifier: Apache-2.0
"""Fluids on plane grids: shallow water, stream functions, advection, projection, smoke."""

field("fluids", element="cell cells", other="cell cells", dims=2, apart=True)

water_height = quantity(float, "m", "water height", one="h height", many="h heights", low=0.5, high=2.0, means="total peak lowest alarm goal")
flow_east = quantity(float, "m/s", "eastward velocity", one="u", many="u vel_x")
flow_south = quantity(float, "m/s", "southward velocity", one="v", many="v vel_y")
flow_down = quantity(float, "m/s", "downward velocity", one="v fall", many="v vel_down")
bed_height = quantity(float, "m", "bed height", one="b bed", many="bed bathymetry")
gravity_strength = quantity(float, "m/s^2", "gravitational acceleration", one="g gravity", low=1.0, high=8.0, uniform=True)
flow_pressure = quantity(float, "m^2/s", "pressure potential", one="p pressure", many="pressure p", means="settles goal")
flow_divergence = quantity(float, "1/s", "divergence", one="div", many="divergence div")
flow_vorticity = quantity(float, "1/s", "vorticity", one="w omega vort", many="omega vorticity")
stream_velocity = quantity(vec2, "m/s", "flow velocity", one="flow", many="velocities flows", means="length")
stream_value = quantity(float, "m^2/s", "stream function", one="psi", many="psi stream")
kinematic_viscosity = quantity(float, "m^2/s", "kinematic viscosity", one="nu viscosity", low=0.05, high=0.5, uniform=True)
cell_width = quantity(float, "m", "cell width", one="dx h cell_size", low=0.5, high=1.0, uniform=True)
smoke_density = quantity(float, "1", "smoke density", one="s smoke", many="smoke density", low=0.1, high=1.0, means="total alarm")
smoke_temperature = quantity(float, "K", "excess temperature", one="t temp", many="temps temperatures")
buoyancy_factor = quantity(float, "m/s^2/K", "buoyancy factor", one="buoyancy beta", low=0.1, high=1.0, uniform=True)
smoke_weight = quantity(float, "m/s^2", "weight of smoke", one="weight alpha", low=0.05, high=0.5, uniform=True)
over_relaxation = quantity(float, "1", "relaxation factor", one="omega relax", low=0.5, high=1.5, uniform=True)
bottom_friction = quantity(float, "1/m", "bottom friction", one="cf friction", low=0.01, high=0.2, uniform=True)
coriolis_parameter = quantity(float, "1/s", "Coriolis parameter", one="f coriolis", low=0.1, high=1.0, uniform=True)
leveling_rate = quantity(float, "1", "leveling rate", one="rate k", low=0.5, high=4.0, uniform=True)
confinement = quantity(float, "m/s", "confinement strength", one="eps epsilon", low=0.1, high=1.0, uniform=True)
solid_flag = quantity(int, "1", "solid flag", one="solid", many="solid obstacles", low=0, high=1)
mass_flux = quantity(float, "m^2/s", "flux", one="flux", many="flux_x fluxes")
flow_energy = quantity(float, "m^5/s^2", "flow energy", one="energy", many="energies flow_energies", sums=True, means="total zero")
flow_enstrophy = quantity(float, "m^2/s^2", "enstrophy", one="enstrophy", many="enstrophies", sums=True, means="total zero")
flow_circulation = quantity(float, "m^2/s", "circulation", one="circulation", many="circulations", sums=True, means="total zero")
sweep_color = quantity(int, "1", "color of the sweep", one="color parity", low=0, high=1, uniform=True)


@formula(inner=True)
def divergence_of_flow(
    w: west.flow_east, e: east.flow_east, n: north.flow_south, s: south.flow_south, dx: cell_width,
) -> flow_divergence:
    "({e} - {w} + {s} - {n}) / (2 {dx})"
    return (e - w + s - n) / (2.0 * dx)


@formula(inner=True)
def vorticity_of_flow(
    w: west.flow_south, e: east.flow_south, n: north.flow_east, s: south.flow_east, dx: cell_width,
) -> flow_vorticity:
    "({e} - {w} - {s} + {n}) / (2 {dx})"
    return (e - w - s + n) / (2.0 * dx)


@formula
def jacobi_pressure(
    w: west.flow_pressure, e: east.flow_pressure, n: north.flow_pressure, s: south.flow_pressure,
    div: flow_divergence, dx: cell_width,
) -> flow_pressure:
    "a Jacobi step of the Poisson equation, ({w} + {e} + {n} + {s} - {div} {dx}^2) / 4"
    return 0.25 * (w + e + n + s - div * dx * dx)


@formula
def relaxed_pressure(
    p: flow_pressure, w: west.flow_pressure, e: east.flow_pressure, n: north.flow_pressure,
    s: south.flow_pressure, div: flow_divergence, dx: cell_width, omega: over_relaxation,
) -> flow_pressure:
    "(1 - {omega}) {p} + ({omega} / 4) ({w} + {e} + {n} + {s} - {div} {dx}^2)"
    jacobi = 0.25 * (w + e + n + s - div * dx * dx)
    return (1.0 - omega) * p + omega * jacobi


@formula(inner=True)
def project_east(
    u: flow_east, w: west.flow_pressure, e: east.flow_pressure, dx: cell_width,
) -> flow_east:
    "{u} minus ({e} - {w}) / (2 {dx})"
    return u - (e - w) / (2.0 * dx)


@formula
def diffuse_eastward_flow(
    u: flow_east, w: west.flow_east, e: east.flow_east, n: north.flow_east, s: south.flow_east,
    nu: kinematic_viscosity, dx: cell_width, dt: time_step,
) -> flow_east:
    "{u} + ({dt} {nu} / {dx}^2) ({w} + {e} + {n} + {s} - 4 {u})"
    return u + dt * nu / (dx * dx) * (w + e + n + s - 4.0 * u)


@formula
def upwind_advection(
    s: smoke_density, u: flow_east, v: flow_south, w: west.smoke_density, e: east.smoke_density,
    n: north.smoke_density, below: south.smoke_density, dx: cell_width, dt: time_step,
) -> smoke_density:
    "{s} - ({dt} / {dx}) ({u} a + {v} b) by upwind differences, where a is {s} - {w} if {u} is above 0, else {e} - {s}, and b is {s} - {n} if {v} is above 0, else {below} - {s}"
    along = e - s
    if u > 0.0:
        along = s - w
    across = below - s
    if v > 0.0:
        across = s - n
    return s - dt / dx * (u * along + v * across)


@formula
def buoyant_flow(
    v: flow_down, s: smoke_density, t: smoke_temperature, alpha: smoke_weight,
    beta: buoyancy_factor, dt: time_step,
) -> flow_down:
    "{v} + {dt} ({alpha} {s} - {beta} {t}), as smoke sinks and warm air rises"
    return v + dt * (alpha * s - beta * t)


@formula
def height_step(
    h: water_height, h_west: west.water_height, u_west: west.flow_east, h_east: east.water_height,
    u_east: east.flow_east, h_north: north.water_height, v_north: north.flow_south,
    h_south: south.water_height, v_south: south.flow_south, dx: cell_width, dt: time_step,
) -> water_height:
    "a step of the continuity equation, {h} - ({dt} / (2 {dx})) ({h_east} {u_east} - {h_west} {u_west} + {h_south} {v_south} - {h_north} {v_north})"
    outflow = h_east * u_east - h_west * u_west + h_south * v_south - h_north * v_north
    return h - dt / (2.0 * dx) * outflow


@formula(inner=True)
def surface_slope_step(
    u: flow_east, w: west.water_height, e: east.water_height, g: gravity_strength, dx: cell_width,
    dt: time_step,
) -> flow_east:
    "{u} minus {dt} {g} ({e} - {w}) / (2 {dx})"
    return u - dt * g * (e - w) / (2.0 * dx)


@formula
def rusanov_flux(
    h: water_height, u: flow_east, h_east: east.water_height, u_east: east.flow_east, g: gravity_strength,
) -> mass_flux:
    "the Rusanov flux of water to the east, ({h} {u} + {h_east} {u_east}) / 2 - (c / 2) ({h_east} - {h}), where the wave speed c is the larger of |{u}| + sqrt({g} {h}) and |{u_east}| + sqrt({g} {h_east}), with heights of at least 0.01 under the roots"
    here = wp.abs(u) + wp.sqrt(g * wp.max(h, 0.01))
    there = wp.abs(u_east) + wp.sqrt(g * wp.max(h_east, 0.01))
    wave_speed = wp.max(here, there)
    return 0.5 * (h * u + h_east * u_east) - 0.5 * wave_speed * (h_east - h)


@formula
def flow_of_stream_function(
    w: west.stream_value, e: east.stream_value, n: north.stream_value, s: south.stream_value,
    dx: cell_width,
) -> stream_velocity:
    "the vector ({s} - {n}, {w} - {e}) divided by 2 {dx}, whose components are the eastward and the southward velocity"
    return wp.vec2(s - n, w - e) / (2.0 * dx)


@formula
def vorticity_transport(
    omega: flow_vorticity, w: west.flow_vorticity, e: east.flow_vorticity, n: north.flow_vorticity,
    s: south.flow_vorticity, u: flow_east, v: flow_south, nu: kinematic_viscosity, dx: cell_width,
    dt: time_step,
) -> flow_vorticity:
    "a step of transport and diffusion, {omega} + {dt} (d - c) with the transport c = ({u} ({e} - {w}) + {v} ({s} - {n})) / (2 {dx}) and the diffusion d = {nu} ({w} + {e} + {n} + {s} - 4 {omega}) / {dx}^2"
    carried = (u * (e - w) + v * (s - n)) / (2.0 * dx)
    spread = nu * (w + e + n + s - 4.0 * omega) / (dx * dx)
    return omega + dt * (spread - carried)


@formula
def energy_of_flow(
    h: water_height, u: flow_east, v: flow_south, g: gravity_strength, dx: cell_width,
) -> flow_energy:
    "kinetic and potential energy, divided by the density of water, {dx}^2 {h} ({u}^2 + {v}^2 + {g} {h}) / 2"
    return 0.5 * dx * dx * h * (u * u + v * v + g * h)


@formula
def cell_enstrophy(w: flow_vorticity, dx: cell_width) -> flow_enstrophy:
    "half of the square of {w}, times {dx}^2"
    return 0.5 * w * w * dx * dx


@formula
def cell_circulation(w: flow_vorticity, dx: cell_width) -> flow_circulation:
    "{w} times {dx}^2"
    return w * dx * dx


@algorithm(share=2)
def coriolis_turn(
    u: flow_east, v: flow_south, f: coriolis_parameter, dt: time_step, u_out: out.flow_east,
    v_out: out.flow_south,
):
    "an implicit step of the Coriolis force: with a = {f} {dt}, {u_out} gets ({u} - a {v}) / (1 + a^2) and {v_out} gets ({v} + a {u}) / (1 + a^2)"
    i, j = thread()
    guard(i, j)
    east = u[i, j]
    south = v[i, j]
    turn = f * dt
    scale = 1.0 / (1.0 + turn * turn)
    u_out[i, j] = scale * (east - turn * south)
    v_out[i, j] = scale * (south + turn * east)


@algorithm(share=2)
def friction_step(
    u: flow_east, v: flow_south, cf: bottom_friction, dt: time_step, u_out: out.flow_east,
    v_out: out.flow_south,
):
    "a step of the friction at the bottom, implicit in the velocity: {u_out} gets {u} and {v_out} gets {v}, both divided by 1 + {dt} {cf} times the length of ({u}, {v})"
    i, j = thread()
    guard(i, j)
    east = u[i, j]
    south = v[i, j]
    slowing = 1.0 + dt * cf * wp.length(wp.vec2(east, south))
    u_out[i, j] = east / slowing
    v_out[i, j] = south / slowing


@algorithm
def semi_lagrangian(
    s: smoke_density, u: flow_east, v: flow_south, dx: cell_width, dt: time_step,
    s_out: out.smoke_density,
):
    "carries {s} along with the flow by a semi-Lagrangian step: each cell in row i and column j gets the value of {s}, interpolated bilinearly, at the place from which the flow came, row i - {dt} {v} / {dx} and column j - {dt} {u} / {dx}, clamped to the grid"
    i, j = thread()
    guard(i, j)
    last_row = count(element, 0) - 1
    last_col = count(element, 1) - 1
    y = wp.clamp(float(i) - dt / dx * v[i, j], 0.0, float(last_row))
    x = wp.clamp(float(j) - dt / dx * u[i, j], 0.0, float(last_col))
    y0 = int(wp.floor(y))
    x0 = int(wp.floor(x))
    y1 = wp.min(y0 + 1, last_row)
    x1 = wp.min(x0 + 1, last_col)
    fy = y - float(y0)
    fx = x - float(x0)
    upper = wp.lerp(s[y0, x0], s[y0, x1], fx)
    lower = wp.lerp(s[y1, x0], s[y1, x1], fx)
    s_out[i, j] = wp.lerp(upper, lower, fy)


@algorithm
def project_with_obstacles(
    p: flow_pressure, solid: solid_flag["n,m", "0:2"], u: flow_east, v: flow_south,
    dx: cell_width, u_out: out.flow_east, v_out: out.flow_south,
):
    "subtracts the pressure gradient: {u} minus (its {p} minus {p} one column to the left) / {dx} goes to {u_out}, {v} minus (its {p} minus {p} one row above) / {dx} to {v_out}; in the first column or row the neighbor is the cell itself; a component is 0 where the cell, or its neighbor for that component, is solid (1 in {solid})"
    i, j = thread()
    guard(i, j)
    left = wp.max(j - 1, 0)
    up = wp.max(i - 1, 0)
    if solid[i, j] == 1 or solid[i, left] == 1:
        u_out[i, j] = 0.0
    else:
        u_out[i, j] = u[i, j] - (p[i, j] - p[i, left]) / dx
    if solid[i, j] == 1 or solid[up, j] == 1:
        v_out[i, j] = 0.0
    else:
        v_out[i, j] = v[i, j] - (p[i, j] - p[up, j]) / dx


@algorithm
def vorticity_confinement(
    w: flow_vorticity["n+2,m+2"], eps: confinement, u: flow_east["n,m"],
    v: flow_south["n,m"], dt: time_step, u_out: out.flow_east["n,m"], v_out: out.flow_south["n,m"],
):
    "adds vorticity confinement to the flow of each cell i, j, whose vorticity is in row i + 1 and column j + 1 of {w}, which has a margin of one cell: with gx half of the difference of |{w}| on the right and on the left, gy half of that below and above, and s = {dt} {eps} {w} / sqrt(gx^2 + gy^2 + 0.01), {u_out} gets {u} + s gy and {v_out} gets {v} - s gx"
    i, j = thread()
    guard(i, j)
    gx = 0.5 * (wp.abs(w[i + 1, j + 2]) - wp.abs(w[i + 1, j]))
    gy = 0.5 * (wp.abs(w[i + 2, j + 1]) - wp.abs(w[i, j + 1]))
    strength = dt * eps * w[i + 1, j + 1] / wp.sqrt(gx * gx + gy * gy + 0.01)
    u_out[i, j] = u[i, j] + strength * gy
    v_out[i, j] = v[i, j] - strength * gx


@algorithm
def red_black_sweep(
    p: flow_pressure["n+2,m+2"], div: flow_divergence["n,m"], dx: cell_width,
    color: sweep_color["", "0:2"], p_out: out.flow_pressure["n,m"],
):
    "sweeps over the cells of one color, as in red-black Gauss-Seidel iteration; cell i, j has its pressure in row i + 1 and column j + 1 of {p}, which has a margin of one cell; cells with (i + j) modulo 2 equal to {color} get (the sum of {p} of their four neighbors - {div} {dx}^2) / 4, the others keep their pressure"
    i, j = thread()
    guard(i, j)
    if (i + j) % 2 != color:
        p_out[i, j] = p[i + 1, j + 1]
        return
    around = p[i, j + 1] + p[i + 2, j + 1] + p[i + 1, j] + p[i + 1, j + 2]
    p_out[i, j] = 0.25 * (around - div[i, j] * dx * dx)


@function
def leveling_flow(h: float, level: float, next_h: float, next_bed: float, rate: float):
    "{rate} / 4 times ({next_h} + {next_bed} - {level}), at most a quarter of {next_h} and at least minus a quarter of {h}"
    flow = 0.25 * rate * (next_h + next_bed - level)
    return wp.clamp(flow, -0.25 * h, 0.25 * next_h)


@algorithm
def wet_and_dry_step(
    h: water_height["n+2,m+2"], bed: bed_height["n+2,m+2"], rate: leveling_rate,
    h_out: out.water_height["n,m"],
):
    "lets water run between each cell i, j, which is in row i + 1 and column j + 1 of {h} and {bed}, and its four neighbors: the cell gets {h} plus four flows, where a flow is {rate} / 4 times (the level {h} + {bed} there minus the level here), at most a quarter of {h} there and at least minus a quarter of {h} here"
    i, j = thread()
    guard(i, j)
    own = h[i + 1, j + 1]
    level = own + bed[i + 1, j + 1]
    gained = leveling_flow(own, level, h[i + 1, j], bed[i + 1, j], rate)
    gained += leveling_flow(own, level, h[i + 1, j + 2], bed[i + 1, j + 2], rate)
    gained += leveling_flow(own, level, h[i, j + 1], bed[i, j + 1], rate)
    gained += leveling_flow(own, level, h[i + 2, j + 1], bed[i + 2, j + 1], rate)
    h_out[i, j] = own + gained
