# SPDX-License-Identifier: Apache-2.0
"""Smoothed particle hydrodynamics over lists of neighbors."""

field("smoothed particles", element="particle particles", other="particle particles",
      link="pair pairs", group="fluid fluids", moves=True, state=True, share=2)

sph_position = quantity(vec3, "m", "position", one="x xi", many="positions x particle_x", low=-1.0, high=1.0, means="goal")
sph_velocity = quantity(vec3, "m/s", "velocity", one="v vi", many="velocities v particle_v", means="length cap")
sph_mass = quantity(float, "kg", "mass", one="m mass", many="masses m", low=0.5, high=2.0)
sph_density = quantity(float, "kg/m^3", "density", one="rho density", many="rho densities", low=0.5, high=3.0, means="peak alarm bins goal")
evolved_density = quantity(float, "kg/m^3", "density", one="rho density", many="rho densities", low=0.5, high=3.0, means="peak alarm bins goal")
neighbor_density = quantity(float, "kg/m^3", "neighbor density", one="rho_others", many="neighbor_densities rho_n", low=0.1, high=2.0, sums=True, means="zero")
sph_pressure = quantity(float, "Pa", "pressure", one="p pressure", many="pressures p", means="range")
sph_force = quantity(vec3, "N/m^3", "force density", one="f force", many="force_densities f", sums=True, means="adds length")
sph_acceleration = quantity(vec3, "m/s^2", "acceleration", one="a acc", many="acc accelerations", means="adds length cap")
velocity_blur = quantity(vec3, "m/s", "velocity smoothing", one="dv_xsph", many="xsph velocity_smoothing", sums=True, means="adds")
color_gradient = quantity(vec3, "1/m", "color gradient", one="n grad_c", many="color_gradients grad_c", sums=True)
color_laplacian = quantity(float, "1/m^2", "color Laplacian", one="lap", many="color_laplacians")
density_rate = quantity(float, "kg/m^3/s", "density rate", one="drho", many="density_rates drho", sums=True, means="adds zero")
smoothing_length = quantity(float, "m", "smoothing length", one="h smoothing_length", low=1.0, high=2.0, uniform=True, reach=True)
sph_rest_density = quantity(float, "kg/m^3", "rest density", one="rho0 rest_density", low=0.5, high=2.0, uniform=True)
sph_sound_speed = quantity(float, "m/s", "speed of sound", one="c0 c_s", low=1.0, high=4.0, uniform=True)
sph_gas_stiffness = quantity(float, "J/kg", "gas stiffness", one="stiffness k_gas", low=0.5, high=4.0, uniform=True)
sph_viscosity = quantity(float, "Pa s", "viscosity", one="mu viscosity", low=0.1, high=1.0, uniform=True)
blur_share = quantity(float, "1", "smoothing factor", one="eps xsph_c", low=0.1, high=0.8, uniform=True)
surface_tension = quantity(float, "N/m", "surface tension", one="sigma tension", low=0.1, high=1.0, uniform=True)
viscosity_factor = quantity(float, "1", "coefficient of the artificial viscosity", one="alpha", low=0.1, high=1.0, uniform=True)
sph_constraint_multiplier = quantity(float, "m^2", "density multiplier", one="lam", many="lambdas lam")
position_shift = quantity(vec3, "m", "position shift", one="dp shift", many="shifts delta_p", sums=True, means="length")
constraint_softness = quantity(float, "1/m^2", "softness of the constraint", one="softness relaxation", low=0.1, high=1.0, uniform=True)
particle_age = quantity(float, "s", "age", one="age", many="ages particle_age", low=0.0, high=2.0)
life_time = quantity(float, "s", "life time", one="lifetime", low=0.5, high=2.0, uniform=True)
nozzle_position = quantity(vec3, "m", "position of the nozzle", one="nozzle", uniform=True)
nozzle_velocity = quantity(vec3, "m/s", "velocity of the jet", one="jet jet_velocity", uniform=True)
jet_spread = quantity(float, "m/s", "spread of the jet", one="spread", low=0.1, high=0.5, uniform=True)
sph_gravity = quantity(vec3, "m/s^2", "gravitational acceleration", one="gravity g", uniform=True)


@function
def poly6(r2: float, h: float):
    "315 / (64 pi {h}^9) times the cube of {h}^2 - {r2}, zero if {r2} is above {h}^2: the poly6 kernel at a squared distance"
    d = wp.max(h * h - r2, 0.0)
    return 315.0 / (64.0 * wp.pi) * d * d * d / wp.pow(h, 9.0)


@function
def spiky_gradient(d: vec3, h: float):
    "the gradient of the spiky kernel, -(45 / (pi {h}^6)) ({h} - r)^2 along the unit vector of {d}, where r is the length of {d}; zero where r is at least {h}"
    r = wp.length(d)
    s = wp.max(h - r, 0.0)
    return wp.normalize(d) * (-45.0 / wp.pi * s * s / wp.pow(h, 6.0))


@function
def cubic_spline(q: float):
    "the cubic spline of {q}: 1 - 1.5 {q}^2 + 0.75 {q}^3 below 1, a quarter of the cube of 2 - {q} from there to 2, and zero beyond"
    if q < 1.0:
        return 1.0 - 1.5 * q * q + 0.75 * q * q * q
    if q < 2.0:
        rest = 2.0 - q
        return 0.25 * rest * rest * rest
    return 0.0


@formula(alone=True)
def density_share(x: sph_position, y: other.sph_position, m: other.sph_mass, h: smoothing_length) -> neighbor_density:
    "zero if the distance r between {x} and {y} is above {h}, else {m} times the poly6 kernel (315 / (64 pi {h}^9)) ({h}^2 - r^2)^3"
    d = x - y
    s = wp.max(h * h - wp.dot(d, d), 0.0)
    return m * 315.0 / (64.0 * wp.pi) * s * s * s / wp.pow(h, 9.0)


@formula
def density_with_own_share(rho_n: neighbor_density, m: sph_mass, h: smoothing_length) -> sph_density:
    "{rho_n} plus the particle's own share, {m} times the poly6 kernel at the distance 0, 315 / (64 pi {h}^3)"
    return rho_n + m * 315.0 / (64.0 * wp.pi * h * h * h)


@formula(alone=True)
def gas_pressure(rho: sph_density, k: sph_gas_stiffness, rho0: sph_rest_density) -> sph_pressure:
    "{k} times ({rho} - {rho0})"
    return k * (rho - rho0)


@formula(alone=True)
def tait_pressure(rho: sph_density, rho0: sph_rest_density, c: sph_sound_speed) -> sph_pressure:
    "({rho0} {c}^2 / 7) (({rho} / {rho0})^7 - 1), which is Tait's equation"
    ratio = rho / rho0
    r2 = ratio * ratio
    return rho0 * c * c / 7.0 * (r2 * r2 * r2 * ratio - 1.0)


@formula
def no_tension(p: sph_pressure) -> sph_pressure:
    "{p}, or zero if that is negative"
    return wp.max(p, 0.0)


@formula
def pressure_force(
    x: sph_position, y: other.sph_position, p: sph_pressure, q: other.sph_pressure, m: other.sph_mass,
    rho: other.sph_density, h: smoothing_length,
) -> sph_force:
    "zero if the distance r between {x} and {y} is above {h}, else {m} ({p} + {q}) / (2 {rho}) times (45 / (pi {h}^6)) ({h} - r)^2 along the unit vector from {y} to {x}"
    d = x - y
    s = wp.max(h - wp.length(d), 0.0)
    return wp.normalize(d) * (m * (p + q) / (2.0 * rho) * 45.0 / wp.pi * s * s / wp.pow(h, 6.0))


@formula
def viscous_force(
    x: sph_position, v: sph_velocity, y: other.sph_position, u: other.sph_velocity, m: other.sph_mass,
    rho: other.sph_density, mu: sph_viscosity, h: smoothing_length,
) -> sph_force:
    "zero if the distance r between {x} and {y} is above {h}, else ({mu} {m} / {rho}) ({u} - {v}) times the Laplacian (45 / (pi {h}^6)) ({h} - r) of the viscosity kernel"
    s = wp.max(h - wp.length(x - y), 0.0)
    return (u - v) * (mu * m / rho * 45.0 / wp.pi * s / wp.pow(h, 6.0))


@formula
def xsph_share(
    x: sph_position, v: sph_velocity, y: other.sph_position, u: other.sph_velocity, m: other.sph_mass,
    rho: other.sph_density, h: smoothing_length,
) -> velocity_blur:
    "zero if the distance r between {x} and {y} is above {h}, else ({m} / {rho}) ({u} - {v}) times the poly6 kernel (315 / (64 pi {h}^9)) ({h}^2 - r^2)^3"
    d = x - y
    s = wp.max(h * h - wp.dot(d, d), 0.0)
    return (u - v) * (m / rho * 315.0 / (64.0 * wp.pi) * s * s * s / wp.pow(h, 9.0))


@formula(alone=True)
def color_share(
    x: sph_position, y: other.sph_position, m: other.sph_mass, rho: other.sph_density, h: smoothing_length,
) -> color_gradient:
    "zero if the distance r between {x} and {y} is above {h}, else {m} / {rho} times the gradient -(945 / (32 pi {h}^9)) ({h}^2 - r^2)^2 ({x} - {y}) of the poly6 kernel"
    d = x - y
    s = wp.max(h * h - wp.dot(d, d), 0.0)
    return d * (-945.0 / (32.0 * wp.pi) * m / rho * s * s / wp.pow(h, 9.0))


@formula
def tension_force(n: color_gradient, lap: color_laplacian, sigma: surface_tension) -> sph_force:
    "-{sigma} {lap} times the unit vector along {n}"
    return wp.normalize(n) * (-sigma * lap)


@formula
def continuity_share(
    x: sph_position, v: sph_velocity, y: other.sph_position, u: other.sph_velocity, m: other.sph_mass,
    h: smoothing_length,
) -> density_rate:
    "zero if the distance r between {x} and {y} is above {h}, else {m} times the dot product of {v} - {u} and the gradient of the spiky kernel, which is -(45 / (pi {h}^6)) ({h} - r)^2 along the unit vector from {y} to {x}"
    d = x - y
    s = wp.max(h - wp.length(d), 0.0)
    gradient = wp.normalize(d) * (-45.0 / wp.pi * s * s / wp.pow(h, 6.0))
    return m * wp.dot(v - u, gradient)


@formula
def density_step(rho: evolved_density, rate: density_rate, dt: time_step) -> evolved_density:
    "{rho} plus {dt} times {rate}"
    return rho + dt * rate


@formula
def fluid_acceleration(f: sph_force, rho: sph_density, g: sph_gravity) -> sph_acceleration:
    "{f} / {rho} plus {g}"
    return f / rho + g


@formula
def kick(v: sph_velocity, a: sph_acceleration, dt: time_step) -> sph_velocity:
    "{v} plus {dt} times {a}"
    return v + dt * a


@formula
def smoothed_velocity(v: sph_velocity, blur: velocity_blur, eps: blur_share) -> sph_velocity:
    "{v} plus {eps} times {blur}"
    return v + eps * blur


@formula
def drift(x: sph_position, v: sph_velocity, dt: time_step) -> sph_position:
    "{x} plus {dt} times {v}"
    return x + dt * v


@formula(alone=True)
def shift_share(
    x: sph_position, y: other.sph_position, lam: sph_constraint_multiplier, lam_j: other.sph_constraint_multiplier,
    m: other.sph_mass, h: smoothing_length, rho0: sph_rest_density,
) -> position_shift:
    "zero if the distance r between {x} and {y} is above {h}, else ({m} / {rho0}) ({lam} + {lam_j}) times the gradient of the spiky kernel, which is -(45 / (pi {h}^6)) ({h} - r)^2 along the unit vector from {y} to {x}"
    d = x - y
    s = wp.max(h - wp.length(d), 0.0)
    return wp.normalize(d) * (-45.0 / wp.pi * m / rho0 * (lam + lam_j) * s * s / wp.pow(h, 6.0))


@formula
def shift_position(x: sph_position, dp: position_shift) -> sph_position:
    "{x} plus {dp}"
    return x + dp


@algorithm
def compute_density_and_pressure(
    offsets: row_offsets, ids: link_to_other, x: sph_position, m: sph_mass, h: smoothing_length,
    k: sph_gas_stiffness, rho0: sph_rest_density, rho: out.sph_density, p: out.sph_pressure,
):
    "{rho} gets the density at each particle i, the sum of {m} times the poly6 kernel of the squared distance over i itself and its neighbors `{ids}[n]`, for n from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, and {p} gets the pressure there, {k} ({rho} - {rho0}), but at least 0"
    i = thread()
    guard(i)
    xi = x[i]
    total = m[i] * poly6(0.0, h)
    for n in range(offsets[i], offsets[i + 1]):
        j = ids[n]
        d = xi - x[j]
        total += m[j] * poly6(wp.dot(d, d), h)
    rho[i] = total
    p[i] = wp.max(k * (total - rho0), 0.0)


@algorithm
def fluid_forces(
    offsets: row_offsets, ids: link_to_other, x: sph_position, v: sph_velocity, m: sph_mass,
    rho: sph_density, p: sph_pressure, h: smoothing_length, mu: sph_viscosity, f: out.sph_force,
):
    "the force density at each particle i: the sum over its neighbors j, which are `{ids}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, of the pressure force, -{m}[j] ({p}[i] + {p}[j]) / (2 {rho}[j]) times the spiky gradient at {x}[i] - {x}[j], and the viscous force, {mu} {m}[j] / {rho}[j] times (45 / (pi {h}^6)) ({h} - r) times ({v}[j] - {v}[i]), where r is their distance; neighbors at {h} or farther give nothing"
    i = thread()
    guard(i)
    xi = x[i]
    vi = v[i]
    pi = p[i]
    total = wp.vec3(0.0, 0.0, 0.0)
    for k in range(offsets[i], offsets[i + 1]):
        j = ids[k]
        d = xi - x[j]
        dist = wp.length(d)
        if dist < h:
            share = m[j] / rho[j]
            total -= spiky_gradient(d, h) * (0.5 * share * (pi + p[j]))
            total += (v[j] - vi) * (mu * share * 45.0 / wp.pi * (h - dist) / wp.pow(h, 6.0))
    f[i] = total


@algorithm
def artificial_viscosity(
    offsets: row_offsets, ids: link_to_other, x: sph_position, v: sph_velocity, m: sph_mass,
    h: smoothing_length, c: sph_sound_speed, alpha: viscosity_factor, f: out.sph_force,
):
    "the force density of Monaghan's artificial viscosity at each particle i: the sum over its neighbors j, which are `{ids}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, of {m}[j] {alpha} {c} nu times the spiky gradient at d = {x}[i] - {x}[j], where nu = {h} a / (|d|^2 + 0.01 {h}^2) with the dot product a of {v}[i] - {v}[j] and d; only neighbors with a negative a count"
    i = thread()
    guard(i)
    xi = x[i]
    vi = v[i]
    total = wp.vec3(0.0, 0.0, 0.0)
    for k in range(offsets[i], offsets[i + 1]):
        j = ids[k]
        d = xi - x[j]
        approach = wp.dot(vi - v[j], d)
        if approach < 0.0:
            nu = h * approach / (wp.dot(d, d) + 0.01 * h * h)
            total += spiky_gradient(d, h) * (m[j] * alpha * c * nu)
    f[i] = total


@algorithm
def density_multipliers(
    offsets: row_offsets, ids: link_to_other, x: sph_position, m: sph_mass, h: smoothing_length,
    rho0: sph_rest_density, eps: constraint_softness, lam: out.sph_constraint_multiplier,
):
    "the multiplier of the density constraint of position based fluids for each particle i with the neighbors j, which are `{ids}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`: -C / (S + {eps}), where C is rho / {rho0} - 1, rho is the sum of {m} times the poly6 kernel of the squared distance from i, over i itself and its neighbors, and S is, over the neighbors j alone, the sum of the squared lengths of the vectors {m}[j] / {rho0} times the spiky gradient, plus the squared length of the sum of these vectors"
    i = thread()
    guard(i)
    xi = x[i]
    rho = m[i] * poly6(0.0, h)
    squares = float(0.0)
    own = wp.vec3(0.0, 0.0, 0.0)
    for k in range(offsets[i], offsets[i + 1]):
        j = ids[k]
        d = xi - x[j]
        rho += m[j] * poly6(wp.dot(d, d), h)
        g = spiky_gradient(d, h) * (m[j] / rho0)
        squares += wp.dot(g, g)
        own += g
    lam[i] = (1.0 - rho / rho0) / (squares + wp.dot(own, own) + eps)


@algorithm
def laplacian_of_color(
    offsets: row_offsets, ids: link_to_other, x: sph_position, m: sph_mass, rho: sph_density,
    h: smoothing_length, lap: out.color_laplacian,
):
    "the Laplacian of the color field at each particle i: the sum over i itself and its neighbors j, which are `{ids}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, of {m}[j] / {rho}[j] times the Laplacian -(945 / (32 pi {h}^9)) ({h}^2 - r^2) (3 {h}^2 - 7 r^2) of the poly6 kernel, where r is the distance of i and j; terms with r above {h} are zero"
    i = thread()
    guard(i)
    xi = x[i]
    h2 = h * h
    scale = -945.0 / (32.0 * wp.pi * wp.pow(h, 9.0))
    total = scale * m[i] / rho[i] * 3.0 * h2 * h2
    for k in range(offsets[i], offsets[i + 1]):
        j = ids[k]
        d = xi - x[j]
        r2 = wp.dot(d, d)
        total += scale * m[j] / rho[j] * wp.max(h2 - r2, 0.0) * (3.0 * h2 - 7.0 * r2)
    lap[i] = total


@algorithm
def smooth_densities(
    offsets: row_offsets, ids: link_to_other, x: sph_position, rho: sph_density, h: smoothing_length,
    smooth: out.sph_density,
):
    "smooths {rho}: for each particle i the mean of {rho} over i itself and its neighbors `{ids}[k]`, for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, weighted by the cubic spline of twice their distance divided by {h}"
    i = thread()
    guard(i)
    xi = x[i]
    total = float(rho[i])
    norm = float(1.0)
    for k in range(offsets[i], offsets[i + 1]):
        j = ids[k]
        w = cubic_spline(2.0 * wp.length(xi - x[j]) / h)
        total += w * rho[j]
        norm += w
    smooth[i] = total / norm


@algorithm(share=2)
def emit_from_nozzle(
    x: sph_position, v: sph_velocity, ages: particle_age, nozzle: nozzle_position, jet: nozzle_velocity,
    spread: jet_spread, lifetime: life_time, dt: time_step, seed: thermostat_seed, x_out: out.sph_position,
    v_out: out.sph_velocity, age_out: out.particle_age,
):
    "moves each particle by {dt} {v} and lets its age grow by {dt}, with the velocity as it is; a particle whose new age is above {lifetime} begins again: at {nozzle}, with the age 0 and the velocity {jet} plus {spread} times a vector of three standard normal numbers"
    i = thread()
    guard(i)
    age = ages[i] + dt
    if age <= lifetime:
        x_out[i] = x[i] + dt * v[i]
        v_out[i] = v[i]
        age_out[i] = age
        return
    state = wp.rand_init(seed, i)
    x_out[i] = nozzle
    v_out[i] = jet + spread * wp.vec3(wp.randn(state), wp.randn(state), wp.randn(state))
    age_out[i] = 0.0
